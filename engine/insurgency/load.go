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
	for _, step := range []func(*Position, codec.Given) error{g.completeWords, g.completePhase, g.completeTurn, g.completeEvent, g.completeOperation} {
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
	if p.Phase == over && !g.Next(&s.P, nil) || given.Has("decision") && (!g.Next(&s.P, nil) || g.table[s.P.Ask].Name != given["decision"]) {
		return nil, wrong("decision is %v, but the position as it stands does not wait for it", given["decision"])
	}
	if !given.Has("decision") && p.Phase != over {
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
func (g *game) completeWords(p *Position, _ codec.Given) error {
	start := &g.start
	for i := range p.Spaces {
		if s := &p.Spaces[i]; s.Status == missing {
			s.Status = start.Spaces[i].Status
		}
	}
	if p.Phase == missing {
		p.Phase = start.Phase
	}
	if p.Social == missing {
		p.Social = start.Social
	}
	if p.Side == missing {
		p.Side = start.Side
	}
	if p.Op.Stage == missing {
		p.Op.Stage = opBegin
	}
	if p.Event.Stage == missing {
		p.Event.Stage = stageBegin
	}
	if f := &p.News; f.refills() {
		f.Slot, f.N = f.N, 1
	}
	if p.News.By == missing || p.Placing.Kind != placeNothing && (p.Placing.Side == missing || p.Placing.At == noSpace) {
		return wrong("news, placing: a side or space is missing")
	}
	for _, gr := range p.Op.Move.Groups[:p.Op.Move.NumGroups] {
		if gr.From == noSpace || gr.To == noSpace {
			return wrong("operation: a group without a space")
		}
	}
	for _, i := range p.Op.Net.Selected[:p.Op.Net.Count] {
		if i == noSpace {
			return wrong("operation: a selection without a space")
		}
	}
	return nil
}

// completePhase finds the phase, and with another than at the start what belongs to that.
func (g *game) completePhase(p *Position, given codec.Given) error {
	switch {
	case given.Has("phase"):
	case given.Has("game_over"):
		p.Phase = over
	case given.Any("card", "to_play", "rebel_hand", "federal_hand", "active_stories", "pool"):
		p.Phase = actionPhase
	}
	if p.Phase != g.start.Phase {
		if !given.Has("to_deal") {
			p.ToDeal = [numSeats]uint8{}
		}
		if !given.Has("testing") {
			p.Testing = noSpace
		}
		if p.Phase > setUpUnits && !given.Has("to_play") {
			p.Side = rebel
		}
	}
	if given.Has("to_play") && p.Phase > setUpUnits && p.Phase != actionPhase {
		return wrong("to_play: nobody plays cards in phase %s", phaseNames[p.Phase])
	}
	if p.Phase == administration && p.AdminDue == 0 {
		p.AdminDue = adminDomination
	}
	return nil
}

// completeTurn finds the sizes of hands, where the running card lies, and how far the pair
// and the deal have come.
func (g *game) completeTurn(p *Position, given codec.Given) error {
	for side := range p.Hand {
		p.HandSize[side] = uint8(p.Hand[side].Count())
	}
	if given.Has("card") {
		if p.Card.Number == 0 {
			return wrong("card: its number is missing (R1.2)")
		}
		if !given.Has("event_discards") {
			p.Discards.add(p.Card.Number)
		}
	}
	if p.Phase == actionPhase && !given.Has("cards_left_in_pair") {
		p.PairLeft = min(2, p.HandSize[p.Side]+flag(p.Card.Number != 0))
	}
	if !given.Has("to_deal") && p.Phase <= dealing && p.Round == 1 {
		p.ToDeal = [numSeats]uint8{g.box.openingHand, g.box.openingHand}
	}
	if r := &p.Removal; given.Has("removal") {
		r.LastSpace, r.LastPiece = given0(r.LastSpace), given0(r.LastPiece)
	}
	return nil
}

// given0 takes null for 0.
func given0[T ~uint8](n T) T {
	if n == missing {
		return 0
	}
	return n
}

// completeEvent finds whose event it is, and where the next pick may begin.
func (g *game) completeEvent(p *Position, given codec.Given) error {
	f := &p.Event
	if !given.Has("event") {
		return nil
	}
	if p.Card.Number == 0 {
		return wrong("event: there is no card")
	}
	f.Card, f.Owner = p.Card.Number, g.eventOwner(p)
	code := g.box.programs[f.Card].code
	if int(f.PC) > len(code) {
		return wrong("event: instruction is %d, it must be 0 to %d", f.PC, len(code))
	}
	r := &f.Relocate
	from, to := g.eventSpaces(f)
	if !from && r.From != noSpace || !to && r.To != noSpace {
		return wrong("event: from or to in stage %s of instruction %d", stageNames[f.Stage], f.PC)
	}
	if from {
		r.From = given0(r.From)
	}
	if to {
		r.To = given0(r.To)
	}
	switch in := g.instruction(f); {
	case in == nil:
	case in.Op == opRelocate && f.Stage == stageMore:
		r.Asking, f.Left, r.Sleepers, f.Sum = relocateAsk(f.Left), 0, f.Sum, 0
	case in.Op == opConvert && from:
		f.Convert, r.From = r.From, noSpace
	case in.split() && to:
		f.Split, r.To, f.Bound = r.To, noSpace, r.To
	case in.At.How == choose && f.Cur != 0 && !in.split():
		f.Bound = last(f.Cur) + 1
	}
	return nil
}

// last returns the highest index of a set that is not empty.
func last(s SpaceSet) SpaceID {
	i := SpaceID(numSpaces - 1)
	for !s.Has(i) {
		i--
	}
	return i
}

// completeOperation computes what follows from the frame: where the next pick may begin,
// what the picks cost, and the arrests of the group that is being formed.
func (g *game) completeOperation(p *Position, given codec.Given) error {
	f := &p.Op
	if !given.Has("operation") {
		return nil
	}
	if f.Kind == noOp {
		return wrong("operation: its kind is missing")
	}
	if !given.Has("operation.side") {
		f.Side = p.Side
	}
	switch {
	case f.Kind == hack:
		f.Theft, f.Attack = TheftRolls{f.Attack.Dice, f.Attack.Hits}, AttackRolls{}
	case f.Stage >= netRolling && f.Stage <= netApplying && f.Net.Kind == noKind:
		f.Net.Kind = city
	case f.Stage == opPicking && f.Pick.Spaces != 0:
		f.Pick.Bound = last(f.Pick.Spaces) + 1
		for set := f.Pick.Spaces; set != 0; set &= set - 1 {
			f.Pick.Cost += g.pickCost(p, f, set.First())
		}
	case f.Kind == moveOp && f.Stage != moving:
		g.deriveMove(p, f)
	}
	if n := &f.Net; n.Count > n.Rolled {
		n.Bound = n.Selected[n.Count-1]
	}
	return nil
}

// deriveMove computes what the groups of a Move cost and how many spaces count on the
// road of the one that is being chosen. Spaces without a road between them are left to
// validate.
func (g *game) deriveMove(p *Position, f *OperationFrame) {
	for _, gr := range f.Move.Groups[:f.Move.NumGroups] {
		if !g.connected(gr.From, gr.To) {
			return
		}
		f.Move.Cost += g.groupCost(p, f, gr.To, g.arrestsTo(p, f, gr.From, gr.To))
	}
	now := &f.Group
	if f.Stage >= moveTo && f.Stage <= moveActive {
		now.From = given0(now.From)
	}
	if f.Stage == moveUnits || f.Stage == moveActive {
		now.To = given0(now.To)
	}
	if now.To != noSpace && now.From != noSpace && g.connected(now.From, now.To) {
		now.Arrests = g.arrestsTo(p, f, now.From, now.To)
	}
}

// connected reports whether there is any way between two spaces: next door, or by road.
func (g *game) connected(from, to SpaceID) bool {
	return g.box.spaces[from].adjacent.Has(to) || from < numUS && to < numUS
}
