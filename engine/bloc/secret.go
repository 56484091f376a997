package bloc

import (
	"slices"

	"powderkeg/engine"
)

// moment is a place in the course of a Sunrise where a faction may be asked in secret: what
// a player sees from there on until something happens that the player gets to know of.
// The pieces do not change meanwhile, so that these numbers of pending are enough. The
// zero value is none.
//
// a player sees the first place where, for all that is public, another's faction might be
// asked, rather than the first where one is: that would tell who holds a card. D12 and
// D15 need no moment, since only the active faction can be asked there.
type moment struct {
	step    stage // askDoors, askMasks, rescue or askSound; 0 for none
	scan    uint8
	order   uint8
	last    uint8
	keep    uint8
	decider uint8
	lost    [numFactions]uint8
}

// mayBeAsked implements R15.1: faction f is at a place where it is asked if it holds a
// certain card. Hands are hidden, their sizes public. Players who see no earlier moment
// see this one while others are asked.
func (g *game) mayBeAsked(p *position, f uint8) {
	if p.handSize[f] == 0 {
		return
	}
	owner, n := g.owner(p, f), &p.now
	for v := range g.players {
		if v != owner && p.shown[v].step == 0 {
			p.shown[v] = moment{p.step, n.scan, n.order, n.last, n.keep, n.decider, n.lost}
		}
	}
}

// seenBy ends what players see while others are asked: that a card was played is public,
// that none was is known to the player alone who was asked.
func (p *position) seenBy(answer engine.Action) {
	if answer == actDone {
		p.shown[p.Actor] = moment{}
	} else {
		p.seenByAll()
	}
}

// seenByAll notes that something public has happened.
func (p *position) seenByAll() { p.shown = [maxPlayers]moment{} }

// back puts the course of the game back to a moment; the pieces stand as they did.
func (p *position) back(m *moment) {
	p.step, p.who, p.now = m.step, noFaction, clearPending
	n := &p.now
	n.cell, n.scan, n.order, n.last, n.keep, n.decider, n.lost = p.byID[m.scan], m.scan, m.order, m.last, m.keep, m.decider, m.lost
}

// forgetQuestion makes the view of a player who does not know of the question: the
// situation as it was, and nobody asked.
func (p *position) forgetQuestion(me uint8) {
	if m := p.shown[me]; m.step != 0 {
		p.back(&m)
	}
	p.rest(engine.Nobody)
	p.Ask = over
}

// momentDoc is what a player sees while others are asked, with the words of pendingDoc.
type momentDoc struct {
	Step    string         `json:"step"`
	Scan    int            `json:"scan"`
	Order   int            `json:"order"`
	Last    int            `json:"last"`
	Keep    int            `json:"keep"`
	Decider *string        `json:"decider"`
	Lost    map[string]int `json:"lost"`
}

// writeShown writes the moment of each player, nil where there is none at all.
func (g *game) writeShown(p *position) []*momentDoc {
	if p.shown == [maxPlayers]moment{} {
		return nil
	}
	list := make([]*momentDoc, g.players)
	for v := range list {
		if m := &p.shown[v]; m.step != 0 {
			list[v] = &momentDoc{
				stages[m.step].name, int(m.scan), int(m.order), int(m.last), int(m.keep),
				g.factionName(m.decider), counts(m.lost[:], g.factionKey),
			}
		}
	}
	return list
}

// momentSteps are the steps in which a moment can be.
var momentSteps = []stage{askDoors, askMasks, rescue, askSound}

// readShown reads the moments of the players.
func (r *reader) readShown() {
	if r.doc.Shown != nil && len(r.doc.Shown) != int(r.g.players) {
		r.fail("shown has %d entries, there are %d players", len(r.doc.Shown), r.g.players)
	}
	if r.err != nil {
		return
	}
	var words []string
	for _, s := range momentSteps {
		words = append(words, stages[s].name)
	}
	for v, d := range r.doc.Shown {
		if d == nil {
			continue
		}
		m := &r.p.shown[v]
		small := func(name string, x int) uint8 { return r.number("shown: "+name, x, 0, 30) }
		m.step = momentSteps[r.name("shown: step", d.Step, words)]
		m.scan, m.order, m.last, m.keep = small("scan", d.Scan), small("order", d.Order), small("last", d.Last), small("keep", d.Keep)
		m.decider = r.faction("shown: decider", d.Decider)
		r.byFaction("shown: lost", d.Lost, blocsEach, func(f, n uint8) { m.lost[f] = n })
	}
}

// checkShown demands that what players see while others are asked is a situation that
// the game can be in.
func (g *game) checkShown(p *position, how engine.Strictness) error {
	for v := range p.shown {
		m := p.shown[v]
		if m == (moment{}) {
			continue
		}
		if !slices.Contains(momentSteps, p.step) {
			return g.demand(false, "shown: nobody is asked in secret in step %s (R15.1)", stages[p.step].name)
		}
		if m.scan >= p.districts.count() {
			return g.demand(false, "shown: there is no district %d (R9.2)", m.scan)
		}
		q := *p
		q.shown = [maxPlayers]moment{}
		q.back(&m)
		if err := g.checkPending(&q, how); err != nil {
			return g.demand(false, "shown: %w", err)
		}
	}
	return nil
}
