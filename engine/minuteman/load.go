package minuteman

import (
	"fmt"
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// newCodec makes the codec of the game's positions.
func (g *game) newCodec() *codec.Codec[Position] {
	var hexes, cities, counters []string
	for h := range g.hexes {
		hexes = append(hexes, g.hexes[h].id)
	}
	for _, h := range g.cityHex {
		cities = append(cities, g.hexes[h].id)
	}
	for c := range g.masked {
		counters = append(counters, g.masked[c].id)
	}
	return codec.NewCodec(codec.Config[Position]{
		Seats: g.Seats,
		Lists: map[string][]string{
			"phase": phaseNames[:], "hex": hexes, "city": cities, "unit": g.name[:], "verb": g.actions[:numVerbs], "attack": attackNames,
			"build_stage": buildStageNames, "move_stage": moveStageNames, "kill_stage": killStageNames, "combat_stage": combatStageNames,
			"rising_stage": risingStageNames, "foreign_stage": foreignStageNames, "cause": causeNames[:],
			"counter": counters, "mark": markNames, "builds": buildNames, "moves": moveNames, "events": eventStepNames, "reaction": reactionNames,
			"government_builds": govBuildNames, "talks": talkNames,
		},
		Limits: map[string]int{
			"turns": g.sc.Turns, "seat": g.Seats - 1, "seats": g.Seats, "class": numClasses - 1, "hexes": numHexes, "militia": int(g.atOnce[1]),
		},
		Forms: map[string]codec.Form[Position]{
			"decision":      {Write: func(p *Position, _ int) any { return flow.Name(p.Ask, g.table) }},
			"units":         {Write: g.writeUnits, Read: g.readUnits},
			"hands":         {Write: g.writeHands, Read: g.readHands},
			"pool":          {Write: func(p *Position, _ int) any { return toHand(&p.Pool) }, Read: g.readPool},
			"foreign_stage": {Write: func(p *Position, _ int) any { return foreignStageNames[p.Foreign.Stage] }, Read: readForeignStage},
			"order":         {Write: writeOrder, Read: readOrder},
			"truces":        {Write: writeTruces, Read: readTruces},
			"targets":       {Write: writeTargets, Read: readTargets},
			"queue":         {Write: g.writeQueue},
			"draw":          {Write: g.writeDraw},
			"older":         {Write: func(*Position, int) any { return nil }}, // read by readOlder
		},
		Nulls: map[string]func(p *Position) bool{"no_combat": func(p *Position) bool { return p.Combat.Stage == combatNone }},
	})
}

// Encode implements flow.Rules.
func (g *game) Encode(p *Position) ([]byte, error) { return g.codec.Encode(p) }

// Hash implements flow.Rules.
func (g *game) Hash(p *Position) uint64 { return g.codec.Hash(p) }

// Load implements engine.Game.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	s := g.newState(&g.start)
	return flow.Load(g, s, data, func(rest []byte) error { return g.load(s, rest, how) }, func(beside []byte) ([]byte, error) {
		p, given, err := g.read(beside)
		if err != nil {
			return nil, err
		}
		return g.codec.Echo(given, &p)
	})
}

// load reads a position at rest.
func (g *game) load(s *State, data []byte, how engine.Strictness) error {
	p, given, err := g.read(data)
	if err == nil {
		err = g.codec.Derived(codec.Given{"hand_sizes": given["hand_sizes"]}, &p)
	}
	if err != nil {
		return err
	}
	if err := g.codec.Derived(given, &p); err != nil { // all else that follows is under way
		return fmt.Errorf("%w; %s", err, flow.Under)
	}
	switch n, all := sumOf(&p.HandSize)+int(p.PoolSize), sumOf(&g.markers); {
	case how == engine.Strict && n != all:
		return wrong("%d special markers in hands and pool, there are %d (R1.4)", n, all)
	case given.Has("result") != (p.Phase == over):
		return wrong("result belongs to phase over, and to no other")
	case int(p.Window) > g.Seats: // once it counted the seats of phase B too
		return wrong("flow.window is %d, it must be 0 to %d; %s", p.Window, g.Seats, flow.Under)
	case !g.Rests(&p):
		return wrong("flow: phase %s is under way; %s", phaseNames[p.Phase], flow.Under)
	}
	if err := g.Check(&p); err != nil {
		return err
	}
	if err := g.validate(&p); err != nil {
		return err
	}
	s.P = p
	if err := s.Resume(given["decision"]); err != nil {
		return err
	}
	if s.ToAct() != engine.Terminal && len(engine.Moves(s)) == 0 {
		return wrong("nothing is possible at %s: the parts of the position do not fit together", s.G.table[s.P.Ask].Name)
	}
	return nil
}

// read reads the fields of a position at rest, and finds those that a document leaves out.
func (g *game) read(data []byte) (p Position, given codec.Given, err error) {
	p = g.start
	if given, err = g.codec.Decode(data, &p); err != nil {
		return p, given, err
	}
	g.completeUnits(&p)
	if err = g.readOlder(&p, given); err == nil {
		err = g.completeMarkers(&p, given)
	}
	g.completePhase(&p, given)
	return p, given, err
}

// readOlder reads flow.step and flow.count, which stood for the step of every phase and for what
// is counted in it. A die was in the middle of something.
func (g *game) readOlder(p *Position, given codec.Given) error {
	step, count := p.counts()
	for i, n := range []*uint8{step, count, nil} {
		name := [...]string{"flow.step", "flow.count", "flow.die"}[i]
		if given[name] == nil {
			continue
		}
		r := g.codec.Reader(name)
		x := r.Number("", given[name], 0, 255)
		switch {
		case r.Failed():
			return r.Err()
		case n != nil:
			*n = uint8(x)
		case x > 0:
			return wrong("%s is %d, but nothing is counted in phase %s that rests; %s", name, x, phaseNames[p.Phase], flow.Under)
		}
	}
	return nil
}

// completePhase opens the phase, so that fields left out have the values of its
// beginning.
func (g *game) completePhase(p *Position, given codec.Given) {
	if p.Phase != setUp {
		p.Turn = max(p.Turn, 1)
	}
	begun := g.newPosition()
	begun.Riot, begun.RevTurn, begun.Turn, begun.Gov, begun.Fed, begun.Gone = p.Riot, p.RevTurn, p.Turn, p.Gov, p.Fed, p.Gone
	if p.Phase != setUp && p.Phase != over {
		g.enter(&begun, nil, p.Phase)
	}
	if !given.Has("air_rail_halves") {
		p.AirRail = begun.AirRail
	}
	if int(p.Window) < g.Seats || !given.Has("flow") { // the Riot step has not begun
		if !given.Has("flow.riots_before") {
			p.RiotsBefore = begun.RiotsBefore
		}
		if !given.Has("flow.riots_to_do") {
			p.RiotsToDo = begun.RiotsToDo
		}
	}
	switch {
	case !given.Has("flow"):
		p.Seat = begun.Seat
	case !given.Has("flow.seat"):
		p.Seat = noSeat
	}
}

func readForeignStage(r *codec.Reader, p *Position, _ int, v any) {
	if v != "" {
		p.Foreign.Stage = foreignStage(r.Word("", v, "foreign_stage"))
	}
}

func writeOrder(p *Position, _ int) any {
	list := []int{}
	for _, s := range p.Order {
		if s != noSeat {
			list = append(list, int(s))
		}
	}
	return list
}

func readOrder(r *codec.Reader, p *Position, _ int, v any) {
	list := r.List("", v, -1)
	if len(list) > len(p.Order) {
		r.Fail("players.order has %d entries, at most %d are possible", len(list), len(p.Order))
		return
	}
	for i, e := range list {
		s := SeatID(r.Seat("", e))
		if slices.Contains(p.Order[:i], s) {
			r.Fail("players.order names seat %d twice (R28.2)", s)
		}
		p.Order[i] = s
	}
}

func writeTruces(p *Position, _ int) any {
	list := [][]int{}
	for a := range SeatID(maxSeats) {
		for b := a + 1; b < maxSeats; b++ {
			if p.Truces.Has(a, b) {
				list = append(list, []int{int(a), int(b)})
			}
		}
	}
	return list
}

func readTruces(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.List("", v, -1) {
		pair := r.List("", e, 2)
		if r.Failed() {
			return
		}
		a, b := SeatID(r.Seat("", pair[0])), SeatID(r.Seat("", pair[1]))
		if a == b {
			r.Fail("players.truces: seat %d is no pair of seats (R28.5)", a)
			return
		}
		p.Truces |= 1 << pairOf(a, b)
	}
}

// targetDoc is a TARGET that a seat has named.
type targetDoc struct {
	By   int `json:"by"`
	Seat int `json:"seat"`
}

func writeTargets(p *Position, _ int) any {
	list := []targetDoc{}
	for by, seat := range p.Named {
		if seat != noSeat {
			list = append(list, targetDoc{by, int(seat)})
		}
	}
	return list
}

func readTargets(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.List("", v, -1) {
		x := r.Object("", e, "by", "seat")
		by, seat := SeatID(r.Seat("by", x[0])), SeatID(r.Seat("seat", x[1]))
		if r.Failed() {
			return
		}
		if p.Named[by] != noSeat || by == seat {
			r.Fail("players.targets: seat %d names one other seat at most (R28.5)", by)
			return
		}
		p.Named[by] = seat
	}
}

func (g *game) writeQueue(p *Position, _ int) any {
	list := []string{}
	for _, c := range p.Queue[:p.Queued] {
		list = append(list, g.counterName(c))
	}
	return list
}

type drawDoc struct {
	Groups []string `json:"groups"`
	Hex    *string  `json:"hex"`
	Marks  []string `json:"marks"`
	Event  string   `json:"event"`
}

func (g *game) writeDraw(p *Position, _ int) any {
	d := &p.Draw
	if d.Groups == 0 {
		return nil
	}
	doc := drawDoc{Marks: marksOf(d.Marks), Event: g.table[d.Ask].Name}
	if d.Hex != noHex {
		doc.Hex = &g.hexes[d.Hex].id
	}
	for gr, name := range groupNames {
		if d.Groups.has(group(gr)) {
			doc.Groups = append(doc.Groups, name)
		}
	}
	return doc
}
