package domination

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// ungiven stands in a stack that a document leaves out, until complete fills it.
const ungiven = 0xFF

// newCodec makes the codec of the game's positions.
func (g *game) newCodec() *codec.Codec[Position] {
	var cards, areas, regions []string
	for i := range g.box.Cards {
		cards = append(cards, g.box.Cards[i].Name)
	}
	for i := range g.box.Areas {
		areas = append(areas, g.box.Areas[i].ID)
	}
	for i := range Regions {
		regions = append(regions, fmt.Sprint(i))
	}
	return codec.NewCodec(codec.Config[Position]{
		Seats: int(g.seats),
		Lists: map[string][]string{
			"phase": phaseNames[:], "way": wayNames[:], "card": cards, "area": areas, "region": regions, "strength": strengths,
		},
		Limits: map[string]int{
			"end": int(g.turns) + 1, "vp": g.maxVP(), "least": int(g.box.minLogistics), "most": int(g.maxLogistics),
		},
		Nulls: map[string]func(p *Position) bool{"no_turn": func(p *Position) bool { return p.Phase != cardPlay }},
		Forms: map[string]codec.Form[Position]{
			"decision": {Write: func(p *Position, _ int) any { return flow.Name(p.Ask, g.table) }},
			"stacks":   {Write: g.writeStacks, Read: g.readStacks},
			"areas":    {Write: g.writeAreas, Read: g.readAreas},
			"deck":     {Write: g.writeDeck, Read: g.readDeck},
			"window": {
				Write: func(p *Position, _ int) any {
					if p.Window == noWindow || p.Actor == engine.Nobody {
						return nil
					}
					return int(g.place(g.windowBase(p), p.Window))
				},
				Read: func(r *codec.Reader, p *Position, _ int, v any) { p.Window = SeatID(r.Seat("", v)) },
			},
			"drawer": {
				Write: func(p *Position, _ int) any {
					if p.Phase != startOfGameTurn {
						return nil
					}
					return int(g.board(p).drawer())
				},
			},
		},
	})
}

// Encode implements flow.Rules. In a view the hands of others hold what is known of
// them, and their draw decks all the rest: such a document shows a table and cannot be
// loaded, because its sizes do not agree.
func (g *game) Encode(p *Position) ([]byte, error) { return g.codec.Encode(p) }

// Hash implements flow.Rules.
func (g *game) Hash(p *Position) uint64 { return g.codec.Hash(p) }

// windowBase returns the seat from which the places of a window are counted.
func (g *game) windowBase(p *Position) SeatID {
	if p.Phase == cardPlay {
		return p.Active
	}
	return p.First
}

func (g *game) writeStacks(p *Position, _ int) any {
	stacks := map[string]int{}
	for c := range p.Pool.Each() {
		stacks[g.box.Cards[c].Name] = int(p.Stack[c])
	}
	return stacks
}

func (g *game) readStacks(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.Entries("", v) {
		c := r.Word("", e.Key, "card")
		if !p.Pool.Has(CardID(c)) {
			r.Fail("stacks: %s is not in the pool (R5.5)", e.Key)
		}
		p.Stack[c] = uint8(r.Number(e.Key, e.Value, 0, int(g.copies)))
	}
}

// force is a Force in an Area.
type force struct {
	Owner    int    `json:"owner"`
	Strength string `json:"strength"`
}

var strengths = []string{"struggling", "full"}

// writeAreas writes the Force in each Area, null for none.
func (g *game) writeAreas(p *Position, _ int) any {
	areas := map[string]*force{}
	for a := range AreaID(Areas) {
		areas[g.box.Areas[a].ID] = nil
		if owner := p.Owner(a); owner != NoSeat {
			areas[g.box.Areas[a].ID] = &force{int(owner), strengths[bit(p.Full.Has(a))]}
		}
	}
	return areas
}

func (g *game) readAreas(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.Entries("", v) {
		a := r.Word("", e.Key, "area")
		if e.Value == nil {
			continue
		}
		force := r.Object(e.Key, e.Value, "owner", "strength")
		p.Own[r.Seat(e.Key+".owner", force[0])] |= 1 << a
		p.Full |= AreaSet(r.Word(e.Key+".strength", force[1], "strength")) << a
	}
}

// mostCards is the most cards that a list in a position can have: all of the
// largest game.
const mostCards = 4 + PoolSize*12

// writeDeck writes a draw deck: the dictated cards, and the part in unknown order,
// {"unknown": {card: number}}.
func (g *game) writeDeck(p *Position, at int) any {
	s, deck := &p.Seats[at], []any{}
	for _, c := range s.Top[:s.Tops] {
		deck = append(deck, g.box.Cards[c].Name)
	}
	rest := map[string]int{}
	for c, n := range s.Deck {
		if n > 0 {
			rest[g.box.Cards[c].Name] = int(n)
		}
	}
	if len(rest) > 0 {
		deck = append(deck, map[string]any{"unknown": rest})
	}
	return deck
}

func (g *game) readDeck(r *codec.Reader, p *Position, at int, v any) {
	s, entries := &p.Seats[at], r.List("", v, -1)
	for k, e := range entries {
		_, dictated := e.(string)
		switch {
		case dictated && s.Tops == maxTop:
			r.Fail("draw_decks.%d: more than %d cards are dictated; put the rest into {\"unknown\": ...}", at, maxTop)
			return
		case dictated:
			s.Top[s.Tops] = CardID(r.Word("", e, "card"))
			s.Tops++
		case k != len(entries)-1:
			r.Fail("draw_decks.%d: the unknown part comes last", at)
			return
		default:
			for _, u := range r.Entries("", r.Object("", e, "unknown")[0]) {
				s.Deck[r.Word("", u.Key, "card")] = uint8(r.Number(u.Key, u.Value, 1, mostCards))
			}
		}
	}
	if n := sum(&s.Deck) + int(s.Tops); n > mostCards {
		r.Fail("draw_decks.%d has %d cards, at most %d are possible", at, n, mostCards)
	}
}

// Load implements engine.Game. What needs no choice is carried out first, unless the position
// names its decision.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	s := g.state(&g.start)
	return flow.Load(g, s, data, func(rest []byte) error { return g.load(s, rest, how) }, func(beside []byte) ([]byte, error) {
		var p Position
		given, err := g.read(beside, &p, &s.P)
		if err != nil {
			return nil, err
		}
		return g.codec.Echo(given, &p)
	})
}

// load reads a position at rest.
func (g *game) load(s *State, data []byte, how engine.Strictness) error {
	given, err := g.read(data, &s.P, &g.start)
	if err != nil {
		return err
	}
	if err := g.codec.Derived(given, &s.P); err != nil {
		return fmt.Errorf("%w; %s", err, flow.Under)
	}
	if err := g.validate(&s.P, how); err != nil {
		return err
	}
	return s.Resume(given["decision"])
}

// read reads the fields of a document, and finds those that it leaves out, some of which are
// as in start.
func (g *game) read(data []byte, p, start *Position) (codec.Given, error) {
	*p = Position{
		Window: noWindow, Frame: Frame{Target: NoSeat}, First: start.First, Pool: start.Pool,
		VP: start.VP, Logistics: start.Logistics,
	}
	if p.Pool.Size() < PoolSize {
		p.Pool = 0
	}
	for c := range p.Stack {
		p.Stack[c] = ungiven
	}
	given, err := g.codec.Decode(data, p)
	if err != nil {
		return nil, err
	}
	return given, g.complete(p, given)
}

// complete finds what a document leaves out, and what is kept with other fields.
func (g *game) complete(p *Position, given codec.Given) error {
	if err := g.completeTurn(p, given); err != nil {
		return err
	}
	for i := range g.seats {
		s := &p.Seats[i]
		s.HandSize, s.Discards, s.Holds = uint8(sum(&s.Hand)), uint8(sum(&s.Discard)), typesOf(&s.Hand)
		if !given.Has(fmt.Sprintf("draw_decks.%d", i)) { // its Domination cards that are nowhere else
			s.Deck[domination] = g.box.starters - min(g.box.starters, s.Hand[domination]+s.Discard[domination])
		}
		s.DeckSize = uint8(sum(&s.Deck)) + s.Tops
		if s.DeckSize == 0 && !given.Has(fmt.Sprintf("known.%d", i)) {
			s.Known = s.Hand // R4.7
		}
	}
	laid := p.Phase != setUp || p.Pool.Size() == PoolSize
	for c := range CardID(Cards) {
		switch {
		case p.Stack[c] != ungiven:
		case p.Pool.Has(c) && laid:
			p.Stack[c] = g.copies - uint8(min(int(g.copies), p.owned(c)))
		default:
			p.Stack[c] = 0
		}
	}
	p.InStock = typesOf(&p.Stack)
	return g.completeWindow(p, given)
}

// completeTurn finds the phase, the Game Turn, the tokens and the locks. A position
// that is about anything on the table is taken for one in card play.
func (g *game) completeTurn(p *Position, given codec.Given) error {
	if !given.Has("phase") && (p.Used || p.Turn > 0 || given.Any("active", "passed", "areas", "hands", "discards")) {
		p.Phase = cardPlay
	}
	switch {
	case given.Has("turn"):
	case p.Phase == over:
		p.Turn = g.turns + 1
	case p.Phase >= startOfGameTurn:
		p.Turn = 1
	}
	if !given.Has("first_player") {
		if g.rotate && p.First != NoSeat && p.Turn > 1 { // where the option would have taken it (R6.1.1)
			p.First = g.place(p.First, SeatID(min(p.Turn, g.turns)-1)%g.seats)
		}
		if p.First == NoSeat && p.Phase != setUp { // drawn by lot in the set-up, which lies behind (R5.6)
			p.First = 0
		}
	}
	switch {
	case !given.Has("active"):
		p.Active = p.First
	case p.Phase != cardPlay:
		return wrong("active is %d, but nobody is in phase %s", p.Active, phaseNames[p.Phase])
	}
	if !given.Has("passed") && p.cardPlayOver() { // R6.6
		p.Passed = g.everybody()
	}
	return nil
}

// completeWindow turns the seat of a window into a place. A window that is left out is at
// its beginning in the scoring step, and in card play none is open.
func (g *game) completeWindow(p *Position, given codec.Given) error {
	inWindow := p.Phase == scoringWindow || p.Phase == logisticsWindow
	switch seat := p.Window; {
	case given.Has("window_seat") && !inWindow && p.Phase != cardPlay:
		return wrong("window_seat is %d, but no window is open in phase %s (R6.5)", seat, phaseNames[p.Phase])
	case given.Has("window_seat"):
		if p.Window = (seat + g.seats - g.windowBase(p)) % g.seats; p.Window < firstPlace(p.Phase) {
			return wrong("window_seat is %d, the active player, who is not asked (R6.5)", seat)
		}
	case inWindow:
		p.Window = firstPlace(p.Phase)
	}
	return nil
}
