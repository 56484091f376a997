package domination

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// reader turns a document into a position. It checks what the form needs: names,
// ranges of numbers and lengths of lists. The limits of the rules are left to
// validate.
type reader struct {
	g   *game
	doc document
	p   position
	err error // the first fault
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = wrong(format, args...)
	}
}

// read decodes a position. decision is the field of that name, nil if it is
// left out.
func (g *game) read(data []byte) (p position, decision *string, err error) {
	r := reader{g: g}
	if err := format.Decode(data, &r.doc); err != nil {
		return p, nil, err
	}
	r.p = position{window: noWindow, frame: frame{target: noSeat}}
	for _, step := range []func(){
		r.readPhase, r.readPool, r.readAreas, r.readCards, r.readStacks, r.readTracks, r.readFog, r.readWindow, r.readDraws, r.readFrame,
	} {
		if step(); r.err != nil {
			return p, nil, r.err
		}
	}
	return r.p, r.doc.Decision, nil
}

// number checks that n lies from low to high.
func (r *reader) number(name string, n, low, high int) uint8 {
	if n < low || n > high {
		r.fail("%s is %d, it must be %d to %d", name, n, low, high)
		return uint8(low)
	}
	return uint8(n)
}

// seat reads a seat.
func (r *reader) seat(name string, n int) uint8 { return r.number(name, n, 0, int(r.g.seats)-1) }

// name looks a word up in a list.
func (r *reader) name(field, word string, words []string) uint8 {
	i := slices.Index(words, word)
	if i < 0 || word == "" {
		r.fail("%s %q is unknown; it is one of %s", field, word, strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }), ", "))
		return 0
	}
	return uint8(i)
}

// card looks up a card by name.
func (r *reader) card(field, name string) uint8 {
	i := slices.IndexFunc(r.g.box.cards[:], func(c card) bool { return c.name == name })
	switch {
	case i < 0:
		var names []string
		for c := range r.g.box.cards {
			names = append(names, r.g.box.cards[c].name)
		}
		r.fail("%s: %q is no card; cards: %s", field, name, strings.Join(names, ", "))
		return 0
	case i != domination && !r.g.types.has(uint8(i)):
		r.fail("%s: %s needs the game option extended_pool=true (R5.4)", field, name)
		return 0
	}
	return uint8(i)
}

// perSeat checks a list with one entry per seat; one that is left out is fine.
func perSeat[T any](r *reader, name string, list []T) {
	if list != nil && len(list) != int(r.g.seats) {
		r.fail("%s has %d entries, it has one for each of the %d seats", name, len(list), r.g.seats)
	}
}

// bySeat calls f with the entries of an object by seat, in the order of the seats.
func bySeat[T any](r *reader, name string, entries map[string]T, f func(i uint8, entry T)) {
	for _, key := range slices.Sorted(maps.Keys(entries)) { // the first fault is reported
		n, err := strconv.Atoi(key)
		if err != nil || n < 0 || n >= int(r.g.seats) || strconv.Itoa(n) != key {
			r.fail("%s: there is no seat %q; seats are \"0\" to \"%d\"", name, key, r.g.seats-1)
		}
		if r.err != nil {
			return
		}
		f(uint8(n), entries[key])
	}
}

// readPhase finds the phase, the Game Turn and the tokens. A position that is about
// anything on the table is taken for one in card play.
func (r *reader) readPhase() {
	d, p, g := &r.doc, &r.p, r.g
	switch {
	case d.Phase != nil:
		p.phase = phase(r.name("phase", *d.Phase, phaseNames[:]))
	case d.Active != nil || d.UsedThisTurn || d.Passed != nil || d.Areas != nil || d.Hands != nil || d.Discards != nil ||
		d.Frame != nil || d.Turn != nil && *d.Turn > 0:
		p.phase = cardPlay
	}
	switch {
	case d.Turn != nil:
		p.turn = r.number("turn", *d.Turn, 0, int(g.turns)+1)
	case p.phase == over:
		p.turn = g.turns + 1
	case p.phase >= startOfGameTurn:
		p.turn = 1
	}
	p.first = g.start.first
	if g.rotate && p.first != noSeat && p.turn > 1 { // where the option would have taken it (R6.1.1)
		p.first = g.place(p.first, (min(p.turn, g.turns)-1)%g.seats)
	}
	if d.FirstPlayer != nil {
		p.first = r.seat("first_player", *d.FirstPlayer)
	}
	if p.first == noSeat && p.phase != setUp { // drawn by lot in the set-up, which lies behind (R5.6)
		p.first = 0
	}
	p.active = p.first
	if d.Active != nil {
		if p.phase != cardPlay {
			r.fail("active is %d, but nobody is in phase %s", *d.Active, phaseNames[p.phase])
		}
		p.active = r.seat("active", *d.Active)
	}
	p.used = d.UsedThisTurn
	r.readPassed()
}

// readPassed reads who is locked out: left out, nobody until card play ends, and
// everybody from then on (R6.1, R6.6).
func (r *reader) readPassed() {
	perSeat(r, "passed", r.doc.Passed)
	if r.doc.Passed == nil && r.p.cardPlayOver() {
		r.p.passed = r.g.everybody()
	}
	for i, passed := range r.doc.Passed {
		if passed && r.err == nil {
			r.p.passed |= 1 << i
		}
	}
}

// cardPlayOver reports whether the card play of the Game Turn lies behind.
func (p *position) cardPlayOver() bool {
	return p.phase > cardPlay || p.phase == endOfGameTurn && p.turn > 0
}

// readPool reads the types in the game; they override those of the options.
func (r *reader) readPool() {
	r.p.pool = r.g.start.pool
	if r.g.start.pool.size() < poolSize {
		r.p.pool = 0
	}
	if r.doc.Pool == nil {
		return
	}
	r.p.pool = 0
	for _, name := range r.doc.Pool {
		c := r.card("pool", name)
		switch {
		case c == domination && r.err == nil:
			r.fail("pool: %s has no stack (R7.3)", name)
		case r.p.pool.has(c):
			r.fail("pool: %s is named twice (R5.4)", name)
		}
		r.p.pool |= 1 << c
	}
}

// readAreas reads the map.
func (r *reader) readAreas() {
	for _, id := range slices.Sorted(maps.Keys(r.doc.Areas)) {
		a, f := r.area("areas", id), r.doc.Areas[id]
		if r.err != nil {
			return
		}
		if f == nil {
			continue
		}
		owner := r.seat("areas: "+id+": owner", f.Owner)
		full := r.name("areas: "+id+": strength", f.Strength, []string{strugglingName, fullName})
		r.p.own[owner] |= 1 << a
		r.p.full |= areaSet(full) << a
	}
}

func (r *reader) area(field, id string) uint8 {
	a, ok := r.g.box.areaByID(id)
	if !ok {
		var ids []string
		for i := range r.g.box.areas {
			ids = append(ids, r.g.box.areas[i].id)
		}
		r.fail("%s: %q is no Area; Areas: %s", field, id, strings.Join(ids, ", "))
	}
	return a
}

// mostCards is the most cards that a list in a position can have: all of the
// largest game.
const mostCards = 4 + poolSize*12

// list reads a list of names into counts.
func (r *reader) list(field string, names []string, counts *[numCards]uint8) (n uint8) {
	if len(names) > mostCards {
		r.fail("%s has %d cards, at most %d are possible", field, len(names), mostCards)
		return 0
	}
	for _, name := range names {
		counts[r.card(field, name)]++
	}
	return uint8(len(names))
}

// readCards reads hands, discard piles and draw decks. A deck that is left out
// holds the player's Domination cards that are nowhere else.
func (r *reader) readCards() {
	d, p := &r.doc, &r.p
	bySeat(r, "hands", d.Hands, func(i uint8, names []string) {
		p.seats[i].handSize = r.list(fmt.Sprintf("hand of seat %d", i), names, &p.seats[i].hand)
	})
	bySeat(r, "discards", d.Discards, func(i uint8, names []string) {
		p.seats[i].discards = r.list(fmt.Sprintf("discards of seat %d", i), names, &p.seats[i].discard)
	})
	bySeat(r, "draw_decks", d.DrawDecks, r.readDeck)
	for i := range r.g.seats {
		s := &p.seats[i]
		if d.DrawDecks[fmt.Sprint(i)] == nil {
			s.deckSize = r.g.box.starters - min(r.g.box.starters, s.hand[domination]+s.discard[domination])
			s.deck[domination] = s.deckSize
		}
		s.holds = typesOf(&s.hand)
		if s.deckSize == 0 {
			s.known = s.hand // R4.7
		}
	}
	bySeat(r, "known", d.Known, func(i uint8, names []string) {
		p.seats[i].known = [numCards]uint8{}
		r.list(fmt.Sprintf("known of seat %d", i), names, &p.seats[i].known)
	})
	bySeat(r, "hand_sizes", d.HandSizes, func(i uint8, n int) {
		if n != int(p.seats[i].handSize) {
			r.fail("hand_sizes says %d of seat %d, whose hand has %d cards", n, i, p.seats[i].handSize)
		}
	})
	bySeat(r, "draw_deck_sizes", d.DrawDeckSizes, func(i uint8, n int) {
		if n != int(p.seats[i].deckSize) {
			r.fail("draw_deck_sizes says %d of seat %d, whose draw deck has %d cards", n, i, p.seats[i].deckSize)
		}
	})
}

func (r *reader) readDeck(i uint8, entries []deckEntry) {
	s, field := &r.p.seats[i], fmt.Sprintf("draw deck of seat %d", i)
	for k, e := range entries {
		switch {
		case e.unknown == nil && s.tops == maxTop:
			r.fail("%s: more than %d cards are dictated; put the rest into {\"unknown\": ...}", field, maxTop)
			return
		case e.unknown == nil:
			s.top[s.tops] = r.card(field, e.card)
			s.tops++
		case k != len(entries)-1:
			r.fail("%s: the unknown part comes last", field)
			return
		default:
			for _, name := range slices.Sorted(maps.Keys(e.unknown)) {
				n := r.number(field+": "+name, e.unknown[name], 1, mostCards)
				s.deck[r.card(field, name)] = n
			}
		}
	}
	if n := sum(&s.deck) + int(s.tops); n > mostCards {
		r.fail("%s has %d cards, at most %d are possible", field, n, mostCards)
	} else {
		s.deckSize = uint8(n)
	}
}

// readStacks reads the stacks. One that is left out holds what the players do not
// own of a type in the pool.
func (r *reader) readStacks() {
	p := &r.p
	for c := range uint8(numCards) {
		if p.pool.has(c) && (p.phase != setUp || p.pool.size() == poolSize) {
			p.stack[c] = r.g.copies - uint8(min(int(r.g.copies), p.owned(c)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.doc.Stacks)) {
		c := r.card("stacks", name)
		if !p.pool.has(c) && r.err == nil {
			r.fail("stacks: %s is not in the pool (R5.5)", name)
		}
		p.stack[c] = r.number("stacks: "+name, r.doc.Stacks[name], 0, int(r.g.copies))
	}
	p.inStock = typesOf(&p.stack)
}

// owned returns the number of cards of a type that all players own together.
func (p *position) owned(c uint8) int {
	n := 0
	for i := range p.seats {
		n += p.seats[i].owned(c)
	}
	return n
}

// owned returns the number of cards of a type that the player owns (R3.2).
func (s *seat) owned(c uint8) int {
	n := int(s.hand[c]) + int(s.deck[c]) + int(s.discard[c])
	for _, t := range s.top[:s.tops] {
		n += bit(t == c)
	}
	return n
}

// readTracks reads the VP and Logistical tokens.
func (r *reader) readTracks() {
	perSeat(r, "vp", r.doc.VP)
	perSeat(r, "logistics", r.doc.Logistics)
	for i := range r.g.seats {
		s := &r.p.seats[i]
		s.logistics = r.g.box.startLogistics
		if r.doc.Logistics != nil && r.err == nil {
			s.logistics = r.number(fmt.Sprintf("logistics of seat %d", i), r.doc.Logistics[i], int(r.g.box.minLogistics), int(r.g.maxLogistics))
		}
		if r.doc.VP != nil && r.err == nil {
			vp := r.doc.VP[i]
			if vp < 0 || vp > r.g.maxVP() {
				r.fail("vp of seat %d is %d, it must be 0 to %d (R10.4)", i, vp, r.g.maxVP())
				vp = 0
			}
			s.vp = uint16(vp)
		}
	}
}

func (r *reader) readFog() {
	for _, n := range r.doc.FogPlayers {
		r.p.fog |= 1 << r.seat("fog_players", n)
	}
}

// readWindow reads how far a window has come. Left out, the windows of the scoring
// step are at their beginning, and in card play none is open.
func (r *reader) readWindow() {
	p, g := &r.p, r.g
	inWindow := p.phase == scoringWindow || p.phase == logisticsWindow
	switch n := r.doc.WindowSeat; {
	case n != nil && (!inWindow && p.phase != cardPlay || r.doc.Frame != nil):
		r.fail("window_seat is %d, but no window is open in phase %s or while a card is resolved (R6.5)", *n, phaseNames[p.phase])
	case n != nil:
		p.window = (r.seat("window_seat", *n) + g.seats - g.windowBase(p)) % g.seats
		if p.window < firstPlace(p.phase) {
			r.fail("window_seat is %d, the active player, who is not asked (R6.5)", *n)
		}
	case inWindow && r.doc.Frame == nil:
		p.window = firstPlace(p.phase)
	}
}

func (r *reader) readDraws() {
	p, g := &r.p, r.g
	if p.phase != startOfGameTurn {
		if r.doc.Drawer != nil || r.doc.DrawsMade != 0 {
			r.fail("drawer and draws_made belong to phase %s", phaseNames[startOfGameTurn])
		}
		return
	}
	if r.doc.Drawer != nil {
		p.drawing = (r.seat("drawer", *r.doc.Drawer) + g.seats - p.first) % g.seats
	}
	p.drawn = r.number("draws_made", r.doc.DrawsMade, 0, int(p.seats[g.drawer(p)].logistics))
}

// readFrame reads the use that is not over.
func (r *reader) readFrame() {
	e := r.doc.Frame
	if e == nil {
		return
	}
	f := frame{
		card: r.card("frame: card", e.Card), way: way(r.name("frame: way", e.Way, wayNames[:])), actor: r.seat("frame: actor", e.Actor),
		effect: r.number("frame: effect", e.Effect, 0, 9), points: r.number("frame: points", e.Points, 0, 255), spent: e.Spent,
		region: r.number("frame: region", e.Region, 0, numRegions-1), target: noSeat,
	}
	if e.LowestArea != "" {
		f.last = r.area("frame: lowest_area", e.LowestArea)
	}
	for _, n := range e.Regions {
		f.regions |= 1 << r.number("frame: regions", n, 0, numRegions-1)
	}
	if e.Target != nil {
		f.target = r.seat("frame: target", *e.Target)
	}
	if len(e.StormsLeft) > 0 {
		perSeat(r, "frame: storms_left", e.StormsLeft)
	}
	for i, n := range e.StormsLeft {
		if r.err == nil {
			f.halves[i] = r.number("frame: storms_left", n, 0, numAreas)
		}
	}
	if r.err != nil {
		return
	}
	if effects := r.g.box.cards[f.card].ways[f.way]; int(f.effect) < len(effects) {
		f.begun = effects[f.effect].op != choosePlayer
	}
	r.p.frame = f
}
