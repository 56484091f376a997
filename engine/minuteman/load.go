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
	var hexes, cities, counters, questions []string
	for h := range g.hexes {
		hexes = append(hexes, g.hexes[h].id)
	}
	for _, h := range g.cityHex {
		cities = append(cities, g.hexes[h].id)
	}
	for c := range g.masked {
		counters = append(counters, g.masked[c].id)
	}
	for i := range g.table {
		questions = append(questions, g.table[i].Name)
	}
	return codec.NewCodec(codec.Config[Position]{
		Seats: g.Seats,
		Lists: map[string][]string{
			"phase": phaseNames[:], "hex": hexes, "city": cities, "unit": g.name[:], "verb": g.actions[:numVerbs], "attack": attackNames,
			"build_stage": buildStageNames, "move_stage": moveStageNames, "kill_stage": killStageNames, "combat_stage": combatStageNames,
			"rising_stage": risingStageNames, "foreign_stage": foreignStageNames, "cause": causeNames[:],
			"counter": counters, "mark": markNames, "group": groupNames[:], "ask": questions,
		},
		Limits: map[string]int{
			"turns": g.sc.Turns, "seat": g.Seats - 1, "class": numClasses - 1, "hexes": numHexes,
			"token": actPlayer, "militia": int(g.atOnce[1]), "price": 0xFFF,
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
			"step":          shared(g.stepNow), "count": shared(g.countNow), "die": shared(g.dieNow), "last_class": shared(g.lastNow),
			"window": {
				Write: func(p *Position, _ int) any { return int(p.Window + p.Events.Seats) },
				Read: func(r *codec.Reader, p *Position, _ int, v any) {
					n := uint8(r.Number("", v, 0, 2*g.Seats))
					p.Window = min(n, uint8(g.Seats))
					p.Events.Seats = n - p.Window
				},
			},
			"shown": {Write: func(p *Position, _ int) any { return int(p.Combat.Betrayals + p.Combat.Passages) }, Read: readShown},
			"left":  {Write: func(p *Position, _ int) any { return int(p.Combat.Left + p.Combat.Consoled) }, Read: readLeft},
			"queue": {Write: g.writeQueue, Read: g.readQueue},
			"draw":  {Write: g.writeDraw, Read: g.readDraw},
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
	p := g.newPosition()
	p.blankProcedures()
	given, err := g.codec.Decode(data, &p)
	if err != nil {
		return nil, err
	}
	g.completeUnits(&p)
	for _, step := range []func(*Position, codec.Given) error{g.completeMarkers, g.completePhase} {
		if err := step(&p, given); err != nil {
			return nil, err
		}
	}
	if err := g.codec.Derived(given, &p); err != nil {
		return nil, err
	}
	if n, all := sumOf(&p.HandSize)+int(p.PoolSize), sumOf(&g.markers); how == engine.Strict && n != all {
		return nil, wrong("%d special markers in hands and pool, there are %d (R1.4)", n, all)
	}
	if err := g.Check(&p); err != nil {
		return nil, err
	}
	if err := g.validateFlow(&p); err != nil {
		return nil, err
	}
	if err := g.validatePart(p); err != nil {
		return nil, err
	}
	s := g.newState(&p)
	if err := s.Resume(given["decision"]); err != nil {
		return nil, err
	}
	if s.ToAct() != engine.Terminal && len(engine.Moves(s)) == 0 {
		return nil, wrong("nothing is possible at %s: the parts of the position do not fit together", s.G.table[s.P.Ask].Name)
	}
	return s, nil
}

// completePhase opens the phase, so that fields left out have the values of its
// beginning, and drops what is not under way.
func (g *game) completePhase(p *Position, given codec.Given) error {
	if p.Phase == setUp && p.Turn > 0 {
		return wrong("turn is %d in the set-up, it must be 0", p.Turn)
	}
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
	switch {
	case !given.Has("flow"):
		p.Seat, p.RiotsBefore, p.RiotsToDo = begun.Seat, begun.RiotsBefore, begun.RiotsToDo
	default:
		if int(p.Window) < g.Seats { // the Riot step has not begun
			if !given.Has("flow.riots_before") {
				p.RiotsBefore = begun.RiotsBefore
			}
			if !given.Has("flow.riots_to_do") {
				p.RiotsToDo = begun.RiotsToDo
			}
		}
		if !given.Has("flow.seat") {
			p.Seat = noSeat
		}
		if !given.Has("flow.hex") {
			p.SelHex = noHex
		}
	}
	if p.SelHex == noHex && p.Part == 0 { // none is chosen, as at the beginning
		p.SelHex = 0
	}
	for _, x := range []struct {
		name  string
		stage uint8
	}{{"build", uint8(p.Build.Stage)}, {"move", uint8(p.Move.Stage)}, {"assassination", uint8(p.Kill.Stage)}, {"combat", uint8(p.Combat.Stage)}, {"rising", uint8(p.Rising.Stage)}} {
		if given.Has(x.name) && x.stage == 0 {
			return wrong("%s has no stage", x.name)
		}
	}
	p.dropProcedures()
	if err := g.completeShared(p, given); err != nil {
		return err
	}
	if given.Has("result") != (p.Phase == over) {
		return wrong("result belongs to phase over, and to no other")
	}
	return nil
}

func readShown(r *codec.Reader, p *Position, _ int, v any) {
	n := uint8(r.Number("", v, 0, 6))
	if p.Combat.Stage == combatBetrayalDie {
		p.Combat.Betrayals = n
	} else {
		p.Combat.Passages = n
	}
}

func readLeft(r *codec.Reader, p *Position, _ int, v any) {
	n := uint8(r.Number("", v, 0, 8))
	if p.Combat.Stage == combatConsole {
		p.Combat.Consoled = n
	} else {
		p.Combat.Left = n
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

func (g *game) readQueue(r *codec.Reader, p *Position, _ int, v any) {
	list := r.List("", v, -1)
	if len(list) > numArmyQueue {
		r.Fail("set_up.queue has %d counters, at most %d are possible", len(list), numArmyQueue)
		return
	}
	for i, e := range list {
		p.Queue[i] = g.readCounter(r, "set_up.queue", e)
	}
	p.Queued = uint8(len(list))
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

func (g *game) readDraw(r *codec.Reader, p *Position, _ int, v any) {
	x := r.Object("", v, "groups", "hex", "marks", "event")
	for _, e := range r.List("groups", x[0], -1) {
		p.Draw.Groups |= 1 << r.Word("groups", e, "group")
	}
	if x[1] != nil {
		p.Draw.Hex = g.readHex(r, "draw.hex", x[1])
	}
	p.Draw.Marks, p.Draw.Ask = readMarks(r, "marks", x[2]), ask(r.Word("event", x[3], "ask"))
	if !r.Failed() && (p.Draw.Groups == 0 || !isDraw(p.Draw.Ask)) {
		r.Fail("draw: it names no counters, or an event that draws none")
	}
}
