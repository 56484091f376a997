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
func (g *game) newCodec() *codec.Codec[position] {
	var cards, areas, regions []string
	for i := range g.box.cards {
		cards = append(cards, g.box.cards[i].name)
	}
	for i := range g.box.areas {
		areas = append(areas, g.box.areas[i].id)
	}
	for i := range numRegions {
		regions = append(regions, fmt.Sprint(i))
	}
	return codec.NewCodec(codec.Config[position]{
		Seats: int(g.seats),
		Lists: map[string][]string{
			"phase": phaseNames[:], "way": wayNames[:], "card": cards, "area": areas, "region": regions, "strength": strengths,
		},
		Limits: map[string]int{
			"end": int(g.turns) + 1, "vp": g.maxVP(), "least": int(g.box.minLogistics), "most": int(g.maxLogistics), "areas": numAreas,
		},
		Forms: map[string]codec.Form[position]{
			"decision": {Write: func(p *position, _ int) any { return flow.Name(p.Rest, g.table) }},
			"active": {
				Write: func(p *position, _ int) any {
					if p.phase != cardPlay || p.active == noSeat {
						return nil
					}
					return int(p.active)
				},
				Read: func(r *codec.Reader, p *position, _ int, v any) { p.active = seatID(r.Seat("", v)) },
			},
			"stacks": {Write: g.writeStacks, Read: g.readStacks},
			"areas":  {Write: g.writeAreas, Read: g.readAreas},
			"deck":   {Write: g.writeDeck, Read: g.readDeck},
			"window": {
				Write: func(p *position, _ int) any {
					if p.window == noWindow || p.Actor == engine.Nobody {
						return nil
					}
					return int(g.place(g.windowBase(p), p.window))
				},
				Read: func(r *codec.Reader, p *position, _ int, v any) { p.window = seatID(r.Seat("", v)) },
			},
			"drawer": {
				Write: func(p *position, _ int) any {
					if p.phase != startOfGameTurn {
						return nil
					}
					return int(g.drawer(p))
				},
				Read: func(r *codec.Reader, p *position, _ int, v any) { p.drawing = seatID(r.Seat("", v)) },
			},
		},
	})
}

// Encode implements flow.Rules. In a view the hands of others hold what is known of
// them, and their draw decks all the rest: such a document shows a table and cannot be
// loaded, because its sizes do not agree.
func (g *game) Encode(p *position) ([]byte, error) { return g.codec.Encode(p) }

// Hash implements flow.Rules.
func (g *game) Hash(p *position) uint64 { return g.codec.Hash(p) }

// windowBase returns the seat from which the places of a window are counted.
func (g *game) windowBase(p *position) seatID {
	if p.phase == cardPlay {
		return p.active
	}
	return p.first
}

func (g *game) writeStacks(p *position, _ int) any {
	stacks := map[string]int{}
	for c := range p.pool.each() {
		stacks[g.box.cards[c].name] = int(p.stack[c])
	}
	return stacks
}

func (g *game) readStacks(r *codec.Reader, p *position, _ int, v any) {
	for _, e := range r.Entries("", v) {
		c := r.Word("", e.Key, "card")
		if !p.pool.has(cardID(c)) {
			r.Fail("stacks: %s is not in the pool (R5.5)", e.Key)
		}
		p.stack[c] = uint8(r.Number(e.Key, e.Value, 0, int(g.copies)))
	}
}

// force is a Force in an Area.
type force struct {
	Owner    int    `json:"owner"`
	Strength string `json:"strength"`
}

var strengths = []string{"struggling", "full"}

// writeAreas writes the Force in each Area, null for none.
func (g *game) writeAreas(p *position, _ int) any {
	areas := map[string]*force{}
	for a := range areaID(numAreas) {
		areas[g.box.areas[a].id] = nil
		if owner := p.ownerOf(a); owner != noSeat {
			areas[g.box.areas[a].id] = &force{int(owner), strengths[bit(p.full.has(a))]}
		}
	}
	return areas
}

func (g *game) readAreas(r *codec.Reader, p *position, _ int, v any) {
	for _, e := range r.Entries("", v) {
		a := r.Word("", e.Key, "area")
		if e.Value == nil {
			continue
		}
		force := r.Object(e.Key, e.Value, "owner", "strength")
		p.own[r.Seat(e.Key+".owner", force[0])] |= 1 << a
		p.full |= areaSet(r.Word(e.Key+".strength", force[1], "strength")) << a
	}
}

// mostCards is the most cards that a list in a position can have: all of the
// largest game.
const mostCards = 4 + poolSize*12

// writeDeck writes a draw deck: the dictated cards, and the part in unknown order,
// {"unknown": {card: number}}.
func (g *game) writeDeck(p *position, at int) any {
	s, deck := &p.seats[at], []any{}
	for _, c := range s.top[:s.tops] {
		deck = append(deck, g.box.cards[c].name)
	}
	rest := map[string]int{}
	for c, n := range s.deck {
		if n > 0 {
			rest[g.box.cards[c].name] = int(n)
		}
	}
	if len(rest) > 0 {
		deck = append(deck, map[string]any{"unknown": rest})
	}
	return deck
}

func (g *game) readDeck(r *codec.Reader, p *position, at int, v any) {
	s, entries := &p.seats[at], r.List("", v, -1)
	for k, e := range entries {
		_, dictated := e.(string)
		switch {
		case dictated && s.tops == maxTop:
			r.Fail("draw_decks.%d: more than %d cards are dictated; put the rest into {\"unknown\": ...}", at, maxTop)
			return
		case dictated:
			s.top[s.tops] = cardID(r.Word("", e, "card"))
			s.tops++
		case k != len(entries)-1:
			r.Fail("draw_decks.%d: the unknown part comes last", at)
			return
		default:
			for _, u := range r.Entries("", r.Object("", e, "unknown")[0]) {
				s.deck[r.Word("", u.Key, "card")] = uint8(r.Number(u.Key, u.Value, 1, mostCards))
			}
		}
	}
	if n := sum(&s.deck) + int(s.tops); n > mostCards {
		r.Fail("draw_decks.%d has %d cards, at most %d are possible", at, n, mostCards)
	}
}

// Load implements engine.Game. A position that names its decision must wait for
// it as it is; without the name, what needs no choice is carried out first.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	p := position{
		window: noWindow, frame: frame{target: noSeat}, first: g.start.first, pool: g.start.pool,
		vp: g.start.vp, logistics: g.start.logistics,
	}
	if p.pool.size() < poolSize {
		p.pool = 0
	}
	for c := range p.stack {
		p.stack[c] = ungiven
	}
	given, err := g.codec.Decode(data, &p)
	if err != nil {
		return nil, err
	}
	if err := g.complete(&p, given); err != nil {
		return nil, err
	}
	if err := g.codec.Derived(given, &p); err != nil {
		return nil, err
	}
	if err := g.validate(&p, how); err != nil {
		return nil, err
	}
	s := &State{}
	s.G, s.P = g, p
	return s, flow.Resume(g, &s.P, given["decision"])
}

// complete finds what a document leaves out, and what is kept with other fields.
func (g *game) complete(p *position, given codec.Given) error {
	if err := g.completeTurn(p, given); err != nil {
		return err
	}
	for i := range g.seats {
		s := &p.seats[i]
		s.handSize, s.discards, s.holds = uint8(sum(&s.hand)), uint8(sum(&s.discard)), typesOf(&s.hand)
		if !given.Has(fmt.Sprintf("draw_decks.%d", i)) { // its Domination cards that are nowhere else
			s.deck[domination] = g.box.starters - min(g.box.starters, s.hand[domination]+s.discard[domination])
		}
		s.deckSize = uint8(sum(&s.deck)) + s.tops
		if s.deckSize == 0 && !given.Has(fmt.Sprintf("known.%d", i)) {
			s.known = s.hand // R4.7
		}
	}
	laid := p.phase != setUp || p.pool.size() == poolSize
	for c := range cardID(numCards) {
		switch {
		case p.stack[c] != ungiven:
		case p.pool.has(c) && laid:
			p.stack[c] = g.copies - uint8(min(int(g.copies), p.owned(c)))
		default:
			p.stack[c] = 0
		}
	}
	p.inStock = typesOf(&p.stack)
	if f := &p.frame; f.way != wayNone {
		if effects := g.box.cards[f.card].ways[f.way]; int(f.effect) < len(effects) {
			f.begun = effects[f.effect].op != choosePlayer
		}
	}
	return g.completeRound(p, given)
}

// completeTurn finds the phase, the Game Turn, the tokens and the locks. A position
// that is about anything on the table is taken for one in card play.
func (g *game) completeTurn(p *position, given codec.Given) error {
	if !given.Has("phase") && (p.used || p.turn > 0 || given.Any("active", "passed", "areas", "hands", "discards", "frame")) {
		p.phase = cardPlay
	}
	switch {
	case given.Has("turn"):
	case p.phase == over:
		p.turn = g.turns + 1
	case p.phase >= startOfGameTurn:
		p.turn = 1
	}
	if !given.Has("first_player") {
		if g.rotate && p.first != noSeat && p.turn > 1 { // where the option would have taken it (R6.1.1)
			p.first = g.place(p.first, seatID(min(p.turn, g.turns)-1)%g.seats)
		}
		if p.first == noSeat && p.phase != setUp { // drawn by lot in the set-up, which lies behind (R5.6)
			p.first = 0
		}
	}
	switch {
	case !given.Has("active"):
		p.active = p.first
	case p.phase != cardPlay:
		return wrong("active is %d, but nobody is in phase %s", p.active, phaseNames[p.phase])
	}
	if !given.Has("passed") && p.cardPlayOver() { // R6.6
		p.passed = g.everybody()
	}
	return nil
}

// completeRound turns the seats of a window and of the draws into places. A window
// that is left out is at its beginning in the scoring step, and in card play none is
// open.
func (g *game) completeRound(p *position, given codec.Given) error {
	inWindow, using := p.phase == scoringWindow || p.phase == logisticsWindow, p.frame.way != wayNone
	switch seat := p.window; {
	case given.Has("window_seat") && (!inWindow && p.phase != cardPlay || using):
		return wrong("window_seat is %d, but no window is open in phase %s or while a card is resolved (R6.5)", seat, phaseNames[p.phase])
	case given.Has("window_seat"):
		if p.window = (seat + g.seats - g.windowBase(p)) % g.seats; p.window < firstPlace(p.phase) {
			return wrong("window_seat is %d, the active player, who is not asked (R6.5)", seat)
		}
	case inWindow && !using:
		p.window = firstPlace(p.phase)
	}
	if p.phase != startOfGameTurn {
		if given.Has("drawer") || p.drawn != 0 {
			return wrong("drawer and draws_made belong to phase %s", phaseNames[startOfGameTurn])
		}
		return nil
	}
	if given.Has("drawer") {
		p.drawing = (p.drawing + g.seats - p.first) % g.seats
	}
	if most := p.logistics[g.drawer(p)]; p.drawn > most {
		return wrong("draws_made is %d, it must be 0 to %d", p.drawn, most)
	}
	return nil
}
