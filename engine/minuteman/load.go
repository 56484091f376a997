package minuteman

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
		Seats: g.seats,
		Lists: map[string][]string{
			"phase": phaseNames[:], "hex": hexes, "city": cities, "unit": g.name[:], "verb": g.actions[:numVerbs], "attack": attackNames,
			"build_stage": buildStageNames, "move_stage": moveStageNames, "kill_stage": killStageNames, "combat_stage": combatStageNames,
			"rising_stage": risingStageNames, "foreign_stage": foreignStageNames, "cause": causeNames[:],
			"counter": counters, "mark": markNames, "group": groupNames[:], "ask": questions,
		},
		Limits: map[string]int{
			"turns": g.sc.Turns, "seat": g.seats - 1, "windows": 2 * g.seats, "class": numClasses - 1, "hexes": numHexes,
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
			"die": {Write: func(p *Position, _ int) any {
				return int(p.FirstChit) + int(p.Column) + int(p.CigStep) + int(p.Build.Die)
			}},
			"last_class": {Write: func(p *Position, _ int) any {
				return int(p.LastClass) + int(p.LastPile) + int(b2u(p.SecondChit)) + int(p.Combat.LastRank) + int(p.Build.Last)
			}},
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
	begun.Riot, begun.RevTurn, begun.Turn, begun.Gov = p.Riot, p.RevTurn, p.Turn, p.Gov
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
		if !given.Has("flow.seat") {
			p.Seat = noSeat
		}
		if !given.Has("flow.hex") {
			p.SelHex = noHex
		}
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
	if err := g.completeLast(p, given); err != nil {
		return err
	}
	if given.Has("result") != (p.Phase == over) {
		return wrong("result belongs to phase over, and to no other")
	}
	return nil
}

// hands

// completeLast reads what stands under one key for several procedures.
func (g *game) completeLast(p *Position, given codec.Given) error {
	die := g.codec.Reader("flow.die")
	last := g.codec.Reader("flow.last_class")
	var n, m int
	if v := given["flow.die"]; v != nil {
		n = die.Number("", v, 0, 9)
	}
	if v := given["flow.last_class"]; v != nil {
		m = last.Number("", v, 0, actPlayer)
	}
	op := opDraw
	if p.Phase == setUp && int(p.Step) < len(g.plan) {
		op = g.plan[p.Step].op
	}
	switch {
	case p.Build.Stage != buildNone:
		p.Build.Die, p.Build.Last = uint8(n), uint8(m)
	case p.Phase == phaseB:
		p.FirstChit = uint8(n)
	case p.Phase == phaseG1:
		p.Column = uint8(n)
	case op == opEvents:
		p.FirstChit, p.SecondChit = uint8(n), m > 0
	case op == opAbroad:
		p.LastPile = country(m)
	case p.Phase == setUp:
		p.CigStep = uint8(n)
	case p.Combat.Stage == combatAttackers:
		p.Combat.LastRank = uint8(m)
	default:
		p.LastClass = class(m)
	}
	return cmp.Or(die.Err(), last.Err())
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

// handKeys are the kinds of special markers.
var handKeys = markerNames[:]

type handDoc struct {
	Assassin  uint8 `json:"assassin"`
	Betrayal  uint8 `json:"betrayal"`
	Organizer uint8 `json:"organizer"`
	Passage   uint8 `json:"passage"`
}

func toHand(n *[numMarkers]uint8) any {
	return handDoc{n[assassin], n[betrayal], n[organizer], n[passage]}
}

func (g *game) writeHands(p *Position, _ int) any {
	list := []any{}
	for i := range g.seats {
		list = append(list, toHand(&p.Hand[i]))
	}
	return list
}

func (g *game) readHands(r *codec.Reader, p *Position, _ int, v any) {
	list := r.List("", v, -1)
	if len(list) > g.seats {
		r.Fail("hands has %d entries for %d seats", len(list), g.seats)
		return
	}
	for i, e := range list {
		g.readHand(r, &p.Hand[i], e)
	}
}

func (g *game) readPool(r *codec.Reader, p *Position, _ int, v any) { g.readHand(r, &p.Pool, v) }

func (g *game) readHand(r *codec.Reader, into *[numMarkers]uint8, v any) {
	for m, n := range r.Object("", v, handKeys...) {
		if into[m] = 0; n != nil {
			into[m] = uint8(r.Number(markerNames[m], n, 0, int(g.markers[m])))
		}
	}
}

// completeMarkers adds up the hands; a pool left out is what they leave.
func (g *game) completeMarkers(p *Position, given codec.Given) error {
	rest := g.markers
	for i := range p.Hand {
		p.HandSize[i] = uint8(sumOf(&p.Hand[i]))
		for m, n := range p.Hand[i] {
			if rest[m] < n {
				return wrong("hands hold more than %d %s markers (R1.4)", g.markers[m], markerNames[m])
			}
			rest[m] -= n
		}
	}
	if !given.Has("pool") {
		p.Pool = rest
	}
	for m, n := range p.Pool {
		if n > rest[m] {
			return wrong("hands and pool hold more than %d %s markers (R1.4)", g.markers[m], markerNames[m])
		}
	}
	p.PoolSize = uint8(sumOf(&p.Pool))
	return nil
}

// sumOf adds up counts.
func sumOf(counts *[numMarkers]uint8) int {
	n := 0
	for _, k := range counts {
		n += int(k)
	}
	return n
}

// units

// unitDoc is one unit, in order of hexes and of arrival.
type unitDoc struct {
	Unit    string   `json:"unit"`
	Hex     string   `json:"hex"`
	Step    *uint8   `json:"step,omitempty"`
	Counter string   `json:"counter,omitempty"`
	CanBe   []string `json:"can_be,omitempty"`
	Marks   []string `json:"marks,omitempty"`
}

func marksOf(m mark) []string {
	var list []string
	for i, name := range markNames {
		if m>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return list
}

// counterName names a counter; one that a view hides is shown by its group.
func (g *game) counterName(c uint8) string {
	if c&hiddenCounter != 0 {
		return "?" + groupNames[g.masked[c&^hiddenCounter].group]
	}
	return g.masked[c].id
}

func (g *game) writeUnits(p *Position, _ int) any {
	list := []unitDoc{}
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
			x := &p.Units[u]
			e := unitDoc{Unit: g.name[u], Hex: g.hexes[h].id, Marks: marksOf(x.Marks)}
			if g.isLine(u) {
				e.Counter = g.counterName(p.Counter[u-milFirst])
				gr := g.groupOf(p, u)
				for c := range g.groupSize[gr] {
					if p.Cand[u-milFirst]>>c&1 != 0 {
						e.CanBe = append(e.CanBe, g.masked[g.groupFirst[gr]+c].id)
					}
				}
			} else {
				e.Step = &x.Step
			}
			list = append(list, e)
		}
	}
	return list
}

// readHex reads a hex by its number.
func (g *game) readHex(r *codec.Reader, part string, v any) HexID {
	id, _ := v.(string)
	h, ok := g.index[id]
	if !ok {
		r.Fail("%s: there is no hex %q on the map (R1.2)", part, id)
	}
	return h
}

// readCounter reads a counter by its id.
func (g *game) readCounter(r *codec.Reader, part string, v any) uint8 {
	id, _ := v.(string)
	for c := range g.masked {
		if g.masked[c].id == id {
			return uint8(c)
		}
	}
	r.Fail("%s: there is no counter %q (R1.3)", part, id)
	return 0
}

func readMarks(r *codec.Reader, part string, v any) (m mark) {
	if v == nil {
		return 0
	}
	for _, e := range r.List(part, v, -1) {
		m |= 1 << r.Word(part, e, "mark")
	}
	return m
}

// readUnits places the units in the order of the list.
func (g *game) readUnits(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.List("", v, -1) {
		x := r.Object("", e, "unit", "hex", "step", "counter", "can_be", "marks")
		h := g.readHex(r, "units: hex", x[1])
		u := g.slot(r, p, x[0], x[3], x[4])
		if r.Failed() {
			return
		}
		it := &p.Units[u]
		it.Marks = readMarks(r, "marks", x[5])
		low, high, otherwise := 0, 1, 0
		switch {
		case g.kind[u] == cig:
			low, high, otherwise = 1, 6, 1
		case g.isLine(u):
			high = 0
			g.readCounters(r, p, u, x[3], x[4])
		}
		if it.Step = uint8(otherwise); x[2] != nil {
			it.Step = uint8(r.Number("step of "+g.name[u], x[2], low, high))
		}
		p.put(u, h)
	}
}

// readCounters reads what a Militia or Army is, and what an untried one can be.
func (g *game) readCounters(r *codec.Reader, p *Position, u UnitID, counter, canBe any) {
	i := u - milFirst
	p.Counter[i] = g.readCounter(r, "units", counter)
	if canBe == nil || r.Failed() {
		return
	}
	gr := g.groupOf(p, u)
	for _, e := range r.List("can_be", canBe, -1) {
		c := g.readCounter(r, "can_be", e)
		if g.masked[c].group != gr {
			r.Fail("%s can not be %v: it is of another type (R19)", g.name[u], e)
			return
		}
		p.Cand[i] |= 1 << (c - g.groupFirst[gr])
	}
}

// completeUnits finds what untried units can be: whatever is not revealed.
func (g *game) completeUnits(p *Position) {
	for i := range p.Counter {
		if u := UnitID(milFirst + i); p.Units[u].Hex != noHex && p.Units[u].Marks&untried != 0 && p.Cand[i] == 0 {
			gr := g.groupOf(p, u)
			p.Cand[i] = g.fullSet(gr) &^ g.openCounters(p, gr)
		}
	}
}

// slot finds the unit that an entry names: a slot, or the lowest free one of a kind
// ("minuteman", "network", "agent", "cig"), of a colour ("minuteman 2") or of a
// counter ("militia", "army" with "counter").
func (g *game) slot(r *codec.Reader, p *Position, name, counter, canBe any) UnitID {
	text, _ := name.(string)
	if i := slices.Index(g.name[:], text); i >= 0 {
		if p.Units[i].Hex != noHex {
			r.Fail("units: %s is named twice (R1.3)", text)
		}
		return UnitID(i)
	}
	word, colour, _ := strings.Cut(text, " ")
	k := kind(slices.Index(kindNames[:], word))
	switch line := k == militia || k == army; {
	case k >= numKinds:
		r.Fail("unit %q is unknown; it is one of %s", word, strings.Join(kindNames[:], ", "))
		return 0
	case !line && (counter != nil || canBe != nil):
		r.Fail("units: %q has no counter to be hidden: counter and can_be are for militia and army (R19)", text)
		return 0
	case line:
		return g.lineSlot(r, p, k, text, colour, counter)
	}
	first, n := kindRange(k)
	for u := first; u < first+n; u++ {
		if p.Units[u].Hex == noHex && (colour == "" || fmt.Sprint(g.colour[u]) == colour) {
			return u
		}
	}
	r.Fail("units: no counter is left for %q (R1.6)", text)
	return 0
}

// lineSlot finds the slot of a Militia or Army that is named by its counter.
func (g *game) lineSlot(r *codec.Reader, p *Position, k kind, text, colour string, counter any) UnitID {
	c := g.readCounter(r, "units: counter", counter)
	if r.Failed() {
		return 0
	}
	gr := g.masked[c].group
	if (gr <= mexicanMilitia) != (k == militia) {
		r.Fail("units: %q can not be the counter %s (R1.3)", text, g.masked[c].id)
		return 0
	}
	first, n := kindRange(k)
	for u := first; u < first+n; u++ {
		if p.Units[u].Hex == noHex && (colour == "" || fmt.Sprint(g.colour[u]) == colour) && g.inBlock(u, gr) {
			return u
		}
	}
	r.Fail("units: no counter is left for %q (R1.6)", text)
	return 0
}

// inBlock reports whether a slot belongs to the block that units of a group take.
func (g *game) inBlock(u UnitID, gr group) bool {
	first, n := g.block(gr)
	return u >= first && u < first+n
}

// players

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
			if p.Truces>>pairOf(a, b)&1 != 0 {
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

// counters that are being drawn

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
		if d.Groups>>gr&1 != 0 {
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
