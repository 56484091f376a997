package bloc

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Describe implements flow.Rules.
func (g *game) Describe(p *Position, a engine.Action) string {
	b := Board{g, p, nil}
	if p.Actor == engine.Chance {
		return g.box.outcomeText(int(a))
	}
	switch i := int(a); {
	case i < 0 || i >= numActions:
		return fmt.Sprintf("action %d", i)
	case i == ActDone:
		return "no more"
	case i == ActYes:
		return b.describeYes()
	case i == ActNo:
		return b.describeNo()
	case i < ActArm:
		return b.describeCell(CellID(i - ActCell))
	case i < ActCount:
		return b.describeArm(Arm(i - ActArm))
	case i < ActOcc:
		return flow.Count(i-ActCount+1, "bloc")
	case i < ActFaction:
		return g.occupationName(p.Now.Who, OccID(i-ActOcc))
	case i < ActCard:
		return "the " + typeNames[i-ActFaction]
	case i < ActVerb:
		return g.box.cardText(i)
	}
	return verbTexts[a-ActVerb]
}

func (b Board) describeYes() string {
	if b.Ask == stopAction {
		return "stop the action"
	}
	return "accept"
}

func (b Board) describeNo() string {
	if b.Ask == stopAction {
		return "let it happen"
	}
	return "refuse"
}

// describeCell names a district and what makes it interesting.
func (b Board) describeCell(c CellID) string {
	t := b.Tile[c]
	if t == noTile {
		return fmt.Sprintf("cell %d", c)
	}
	text := fmt.Sprintf("%s (cell %d", b.box.tiles[t].Name, c)
	if d := b.difficulty(c); d > 0 {
		text += fmt.Sprintf(", difficulty %d", d)
	}
	if b.Cops[c] > 0 {
		text += ", " + flow.Count(b.Cops[c], "cop")
	}
	if b.Van[c] > 0 {
		text += ", van"
	}
	return text + ")"
}

// describeArm says where a connection leads.
func (b Board) describeArm(arm Arm) string {
	name := [Arms]string{"north", "east", "south", "west"}[arm]
	if b.Now.Cell == NoCell {
		return name
	}
	far := b.Links[EndOf(b.Now.Cell, arm)]
	if far == NoEnd {
		return name
	}
	return fmt.Sprintf("%s, to %s, %d barricades", name, b.describeCell(far.Cell()), b.barricadesAt(EndOf(b.Now.Cell, arm)))
}

func (g *game) occupationName(f FactionID, kind OccID) string {
	if f == NoFaction {
		return fmt.Sprintf("occupation %d", kind+1)
	}
	return g.box.factions[f].occs[kind].Name
}

// cardText says which card an action means, or none.
func (b *box) cardText(i int) string {
	name := func(card int) string { return b.loot[card].Name }
	switch {
	case i == ActAny:
		return "any card of the partner's choice"
	case i == ActNothing:
		return "nothing"
	case i >= ActFactory:
		return name(i-ActFactory) + " with the Molotov Factory"
	}
	return name(i - ActCard)
}

var verbTexts = [Verbs]string{
	"move blocs", "move blocs without a die (Social Center)", "build a barricade", "loot: graffiti", "loot: burn", "build an occupation",
	"swap an occupation", "attack: defeat riot cops", "attack: kick riot cops out", "attack a riot van", "Assembly Hall: form a bloc",
	"Hacker Space: draw two loot cards, keep one", "Propaganda Workshop: draw a loot card", "play a loot card", "propose a trade", "end the turn",
}

// outcomeText says what chance brings.
func (b *box) outcomeText(i int) string {
	switch {
	case i < 0 || i >= numOutcomes:
		return fmt.Sprintf("outcome %d", i)
	case i < outTile:
		return "the " + typeNames[i]
	case i < outRotation:
		return "tile " + b.tiles[i-outTile].Name
	case i < outAgenda:
		return "turned by " + flow.Count(i-outRotation, "quarter")
	case i < outLoot:
		return "agenda " + b.agendas[i-outAgenda].Name
	case i < outDie:
		return "loot card " + b.loot[i-outLoot].Name
	case i < outReaction:
		return fmt.Sprintf("a die shows %d", i-outDie+1)
	case i < outOps:
		return fmt.Sprintf("the reaction die shows %d", i-outReaction+1)
	case i < outManifest:
		return "police ops: " + b.opsName(OpsID(i-outOps))
	}
	return "manifestation: " + b.manifest[i-outManifest].Name
}

// opsName names an ops card with its priority, where it has one.
func (b *box) opsName(i OpsID) string {
	c := &b.ops[i]
	for _, e := range c.Effects {
		if e.Op == opMoveGroups || e.Op == opVansDeploy {
			return c.Name + map[bool]string{true: " (highest ID)", false: " (lowest ID)"}[e.Priority == highestFirst]
		}
	}
	return c.Name
}
