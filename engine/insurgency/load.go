package insurgency

import (
	"fmt"

	"powderkeg/engine"
	codec "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// Load implements engine.Game. Spaces, tracks and markers that a document leaves out are
// those of the initial position.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	p := g.start
	given, err := g.codec.Decode(data, &p)
	if err != nil {
		return nil, err
	}
	for _, step := range []func(*position, codec.Given) error{g.completeWords, g.completePhase, g.completeTurn, g.completeEvent, g.completeOperation} {
		if err := step(&p, given); err != nil {
			return nil, err
		}
	}
	if err := g.validate(&p, how); err != nil {
		return nil, err
	}
	q := p
	if g.derive(&q); g.codec.Derived(given, &q) != nil {
		return nil, g.codec.Derived(given, &q)
	}
	s := g.state(&p)
	if p.phase == over && !g.Next(&s.P, nil) || given.Has("decision") && (!g.Next(&s.P, nil) || g.table[s.P.Ask].Name != given["decision"]) {
		return nil, wrong("decision is %v, but the position as it stands does not wait for it", given["decision"])
	}
	if !given.Has("decision") && p.phase != over {
		s.Settle()
	}
	if s.P.Actor >= 0 && s.P.Choices().Size() == 0 {
		return nil, wrong("nothing can be chosen in decision %s", g.table[s.P.Ask].Name)
	}
	return s, nil
}

// missing is what null reads as where a word must stand.
const missing = 0xFF

// completeWords takes null for a word that is left out.
func (g *game) completeWords(p *position, _ codec.Given) error {
	start := &g.start
	for i := range p.spaces {
		if s := &p.spaces[i]; s.Status == missing {
			s.Status = start.spaces[i].Status
		}
	}
	if p.phase == missing {
		p.phase = start.phase
	}
	if p.social == missing {
		p.social = start.social
	}
	if p.side == missing {
		p.side = start.side
	}
	if p.op.stage == missing {
		p.op.stage = opBegin
	}
	if p.event.stage == missing {
		p.event.stage = stageBegin
	}
	if p.news.by == missing || p.placing.kind != placeNothing && (p.placing.side == missing || p.placing.at == noSpace) {
		return wrong("news, placing: a side or space is missing")
	}
	for _, gr := range p.op.groups[:p.op.numGroups] {
		if gr.from == noSpace || gr.to == noSpace {
			return wrong("operation: a group without a space")
		}
	}
	for _, i := range p.op.selected[:p.op.count] {
		if i == noSpace {
			return wrong("operation: a selection without a space")
		}
	}
	return nil
}

// completePhase finds the phase, and with another than at the start what belongs to that.
func (g *game) completePhase(p *position, given codec.Given) error {
	switch {
	case given.Has("phase"):
	case given.Has("game_over"):
		p.phase = over
	case given.Any("card", "to_play", "rebel_hand", "federal_hand", "active_stories", "pool"):
		p.phase = actionPhase
	}
	if p.phase != g.start.phase {
		if !given.Has("to_deal") {
			p.toDeal = [numSeats]uint8{}
		}
		if !given.Has("testing") {
			p.testing = noSpace
		}
		if p.phase > setUpUnits && !given.Has("to_play") {
			p.side = rebel
		}
	}
	if given.Has("to_play") && p.phase > setUpUnits && p.phase != actionPhase {
		return wrong("to_play: nobody plays cards in phase %s", phaseNames[p.phase])
	}
	if p.phase == administration && p.adminDue == 0 {
		p.adminDue = adminDomination
	}
	return nil
}

// completeTurn finds the sizes of hands, where the running card lies, and how far the pair
// and the deal have come.
func (g *game) completeTurn(p *position, given codec.Given) error {
	for side := range p.hand {
		p.handSize[side] = uint8(p.hand[side].count())
	}
	if given.Has("card") {
		if p.card.number == 0 {
			return wrong("card: its number is missing (R1.2)")
		}
		if !given.Has("event_discards") {
			p.discards.add(p.card.number)
		}
	}
	if p.phase == actionPhase && !given.Has("cards_left_in_pair") {
		p.pairLeft = min(2, p.handSize[p.side]+flag(p.card.number != 0))
	}
	if !given.Has("to_deal") && p.phase <= dealing && p.round == 1 {
		p.toDeal = [numSeats]uint8{g.box.openingHand, g.box.openingHand}
	}
	if r := &p.removal; given.Has("removal") {
		r.lastSpace, r.lastPiece = given0(r.lastSpace), given0(r.lastPiece)
	}
	return nil
}

// given0 takes null for 0.
func given0(n uint8) uint8 {
	if n == missing {
		return 0
	}
	return n
}

// completeEvent finds whose event it is, and where the next pick may begin.
func (g *game) completeEvent(p *position, given codec.Given) error {
	f := &p.event
	if !given.Has("event") {
		return nil
	}
	if p.card.number == 0 {
		return wrong("event: there is no card")
	}
	f.card, f.owner = p.card.number, g.eventOwner(p)
	code := g.box.programs[f.card].code
	if int(f.pc) > len(code) {
		return wrong("event: instruction is %d, it must be 0 to %d", f.pc, len(code))
	}
	from, to := g.eventSpaces(f)
	if !from && f.from != noSpace || !to && f.to != noSpace {
		return wrong("event: from or to in stage %s of instruction %d", stageNames[f.stage], f.pc)
	}
	if from {
		f.from = given0(f.from)
	}
	if to {
		f.to = given0(f.to)
	}
	switch in := g.instruction(f); {
	case in == nil:
	case in.Op == opRelocate && f.stage == stageMore:
		f.asking, f.left, f.sleepers, f.sum = relocateAsk(f.left), 0, f.sum, 0
	case in.split() && to:
		f.bound = f.to
	case in.At.How == choose && f.cur != 0 && !in.split():
		f.bound = last(f.cur) + 1
	}
	return nil
}

// last returns the highest index of a set that is not empty.
func last(s spaceSet) uint8 {
	i := uint8(numSpaces - 1)
	for !s.has(i) {
		i--
	}
	return i
}

// completeOperation computes what follows from the frame: where the next pick may begin,
// what the picks cost, and the arrests of the group that is being formed.
func (g *game) completeOperation(p *position, given codec.Given) error {
	f := &p.op
	if !given.Has("operation") {
		return nil
	}
	if f.kind == noOp {
		return wrong("operation: its kind is missing")
	}
	if !given.Has("operation.side") {
		f.side = p.side
	}
	switch {
	case f.kind == hack:
		f.sum, f.hits = f.hits, 0
	case f.stage >= netRolling && f.stage <= netApplying && f.typ == noKind:
		f.typ = city
	case f.stage == opPicking && f.picks != 0:
		f.bound = last(f.picks) + 1
		for set := f.picks; set != 0; set &= set - 1 {
			f.cost += g.pickCost(p, f, set.first())
		}
	case f.kind == moveOp && f.stage != moving:
		g.deriveMove(p, f)
	}
	if f.count > f.rolled {
		f.bound = f.selected[f.count-1]
	}
	return nil
}

// deriveMove computes what the groups of a Move cost and how many spaces count on the
// road of the one that is being chosen. Spaces without a road between them are left to
// validate.
func (g *game) deriveMove(p *position, f *opFrame) {
	for _, gr := range f.groups[:f.numGroups] {
		if !g.connected(gr.from, gr.to) {
			return
		}
		one := *f
		one.from, one.to, one.arrests = gr.from, gr.to, g.arrestsTo(p, f, gr.from, gr.to)
		f.cost += g.groupCost(p, &one)
	}
	if f.stage >= moveTo && f.stage <= moveActive {
		f.from = given0(f.from)
	}
	if f.stage == moveUnits || f.stage == moveActive {
		f.to = given0(f.to)
	}
	if f.to != noSpace && f.from != noSpace && g.connected(f.from, f.to) {
		f.arrests = g.arrestsTo(p, f, f.from, f.to)
	}
}

// connected reports whether there is any way between two spaces: next door, or by road.
func (g *game) connected(from, to uint8) bool {
	return g.box.spaces[from].adjacent.has(to) || from < numUS && to < numUS
}
