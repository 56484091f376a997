package bloc

import (
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Outcomes of chance events (R13.2): first number of each group. Decks are sampled
// lazily, one card an event, over the cards of unknown place; an event whose result
// is certain is none.
const (
	outFaction  = 0                            // C1 and C7
	outTile     = outFaction + Factions        // C2
	outRotation = outTile + numTiles           // C2
	outAgenda   = outRotation + Arms           // C6
	outLoot     = outAgenda + Agendas          // C11, C14
	outDie      = outLoot + LootCards          // C8, C10
	outReaction = outDie + sides               // C9
	outOps      = outReaction + sides          // C12
	outManifest = outOps + OpsCards            // C15
	numOutcomes = outManifest + Manifestations //
)

// outcomes names the vocabulary of chance.
func (b *box) outcomes() []string {
	names := make([]string, 0, numOutcomes)
	add := func(group, key string) { names = append(names, group+"_"+strings.ToUpper(key)) }
	numbers := func(group string, first, n int) {
		for i := range n {
			add(group, strconv.Itoa(first+i))
		}
	}
	for i := range b.factions {
		add("FACTION", typeNames[i])
	}
	for i := range b.tiles {
		add("TILE", b.tiles[i].Key)
	}
	numbers("ROTATION", 0, Arms)
	for i := range b.agendas {
		add("AGENDA", b.agendas[i].Key)
	}
	for i := range b.loot {
		add("LOOT", b.loot[i].Key)
	}
	numbers("DIE", 1, sides)
	numbers("REACTION", 1, sides)
	for i := range b.ops {
		add("OPS", b.ops[i].Key)
	}
	for i := range b.manifest {
		add("MANIFESTATION", b.manifest[i].Key)
	}
	return names
}

// Odds of the chance events.

// tileOdds are a pair, since the tiles that are left are looked up once for all.
var tileOdds = &flow.Odds[*game, Position]{
	List: func(g *game, p *Position, dst []engine.Outcome) []engine.Outcome {
		for left := g.tilesLeft(p); left != 0; left &= left - 1 {
			dst = append(dst, engine.Outcome{Action: outTile + engine.Action(left.First()), Weight: 1})
		}
		return dst
	},
	Weight: func(g *game, p *Position, a engine.Action) uint32 {
		if a < outTile || a >= outTile+numTiles {
			return 0
		}
		return uint32(g.tilesLeft(p) >> (a - outTile) & 1)
	},
}

func (g *game) factionOdds(p *Position, i int) uint32 { return 1 - g.firstOdds(p, i) }

func (g *game) firstOdds(p *Position, i int) uint32 {
	if g.inPlay(p, FactionID(i)) {
		return 1
	}
	return 0
}

func (g *game) agendaOdds(p *Position, i int) uint32 { return g.agendaWeights(p, 0xFF)[i] }

func lootOdds(_ *game, p *Position) []uint8 { return p.Deck[:] }

func opsOdds(_ *game, p *Position) []uint8 { return p.Ops[:] }

func manifestOdds(_ *game, p *Position) []uint8 { return p.Manifest[:] }

// What the outcomes do.

func (g *game) tileDrawn(p *Position, w *flow.Witness, a engine.Action) {
	g.chooseTile(p, w, TileID(a-outTile))
}

func (g *game) factionDrawn(p *Position, w *flow.Witness, a engine.Action) {
	g.dealFaction(p, w, FactionID(a-outFaction))
}

func (g *game) handDrawn(p *Position, w *flow.Witness, a engine.Action) {
	g.toHand(p, w, LootID(a-outLoot))
}

func (g *game) agendaDrawn(p *Position, w *flow.Witness, a engine.Action) {
	p.Agenda[p.Now.Who] = AgendaID(a - outAgenda)
	if w != nil {
		g.tellCard(p, w, "agenda", "R2.9", p.Now.Who, flow.Arg("agenda", g.box.agendas[a-outAgenda].Key))
	}
}

func (g *game) lootDrawn(p *Position, w *flow.Witness, a engine.Action) {
	g.drew(p, w, LootID(a-outLoot))
}

func (g *game) opsDrawn(p *Position, w *flow.Witness, a engine.Action) {
	p.Ops[a-outOps]--
	g.police(p, w, OpsID(a-outOps))
}

func (g *game) opsRevealed(p *Position, w *flow.Witness, a engine.Action) {
	g.show(p, w, OpsID(a-outOps))
}

func (g *game) manifestDrawn(p *Position, w *flow.Witness, a engine.Action) {
	g.turnedUp(p, w, ManifestID(a-outManifest))
}
