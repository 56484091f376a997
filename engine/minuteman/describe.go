package minuteman

import (
	"fmt"
	"strings"

	"powderkeg/engine"
)

// Describe implements flow.Rules.
func (g *game) Describe(p *Position, a engine.Action) string {
	if p.Actor == engine.Chance {
		return g.describeOutcome(p, a)
	}
	return g.describe(p, int(a))
}

// Phrase takes a name apart for programs: tokens that are the name of a thing alone get a
// verb for what kind of thing it is, and those of the table of amounts an amount.
func (s *View) Phrase(a engine.Action) (verb, object string, amount int) {
	if a < actClass || int(a) >= len(s.G.spec.Actions) {
		return "", "", -1
	}
	name := s.G.spec.Actions[a]
	switch {
	case a >= actHex:
		return "HEX", name, -1
	case a >= actPlayer:
		return "PLAYER", name, -1
	case a >= actAmount:
		return "AMOUNT", "", int(a - actAmount)
	}
	return "UNIT", name, -1
}

// describe says in a few words what a token means at the question at rest.
func (g *game) describe(p *Position, a int) string {
	token := g.describeToken(p, a)
	switch {
	case p.Ask == askRetreat:
		return "retreat to " + token
	case p.Ask == askDestination || p.Ask == askGovDestination:
		return "move to " + token
	case p.Ask == askTarget:
		return "attack " + token
	case a == actDone && p.Ask == askWindow:
		return "do nothing now"
	}
	return token
}

// describeToken says what a token names.
func (g *game) describeToken(p *Position, a int) string {
	switch {
	case a >= actHex:
		return g.hexWord(HexID(a - actHex))
	case a >= actPlayer:
		if SeatID(a-actPlayer) == p.Gov {
			return "the Government"
		}
		return fmt.Sprintf("player %d", a-actPlayer)
	case a >= actAmount:
		return fmt.Sprintf("%d", a-actAmount)
	}
	return strings.ToLower(strings.ReplaceAll(g.actions[a], "_", " "))
}

func (g *game) describeOutcome(p *Position, a engine.Action) string {
	switch {
	case a < outChit:
		return fmt.Sprintf("%s: the die shows %d", eventNames[p.Ask-numDecisions], a+1)
	case a < outMarker:
		return fmt.Sprintf("%s: chit %d", eventNames[p.Ask-numDecisions], a-outChit+1)
	case a < outCounter:
		return fmt.Sprintf("player %d draws %s", p.Seat, markerNames[a-outMarker])
	case a < outSeat:
		m := &g.masked[a-outCounter]
		return fmt.Sprintf("%s is drawn (%d-%d)", m.id, m.attack, m.defence)
	}
	return fmt.Sprintf("the lot falls on player %d", a-outSeat)
}

// eventNames name the chance events, C1 first.
var eventNames = [...]string{"division", "set-up", "conversion", "special marker", "riot spread", "build", "militia", "movement", "combat",
	"betrayal", "assassination", "random event", "reaction", "pin removal", "reinforcements", "foreign intervention", "foreign division",
	"air and rail", "cig step", "order of movement", "lot", "cig step of the set-up"}
