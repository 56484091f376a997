package insurgency

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// Load implements engine.Game.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	r := &reader{g: g, p: g.start}
	if err := format.Decode(data, &r.doc); err != nil {
		return nil, err
	}
	for _, step := range []func(){
		r.readGame, r.readBoard, r.readTracks, r.readStories, r.readCards, r.readTurn, r.readFrames,
	} {
		if step(); r.err != nil {
			return nil, r.err
		}
	}
	p := &r.p
	if err := g.validate(p, how); err != nil {
		return nil, err
	}
	if err := r.checkDerived(); err != nil {
		return nil, err
	}
	if r.doc.Decision != nil || p.phase == over {
		if !g.advance(p, nil) || r.doc.Decision != nil && p.ask.String() != *r.doc.Decision {
			return nil, wrong("decision is %q, but the position as it stands does not wait for it", deref(r.doc.Decision))
		}
	} else {
		g.settle(p, nil)
	}
	if p.actor >= 0 && p.legal.count() == 0 {
		return nil, wrong("nothing can be chosen in decision %s", p.ask)
	}
	return &State{g: g, p: *p}, nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
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

// number reads a number from low to high into v; nil leaves v as it is.
func (r *reader) number(name string, n *int, low, high int, v *uint8) {
	if n == nil {
		return
	}
	if *n < low || *n > high {
		r.fail("%s is %d, it must be %d to %d", name, *n, low, high)
		return
	}
	*v = uint8(*n)
}

// word looks a word up in a list.
func (r *reader) word(field, word string, words []string) uint8 {
	i := slices.Index(words, word)
	if i < 0 || word == "" {
		r.fail("%s %q is unknown; it is one of %s", field, word, strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }), ", "))
		return 0
	}
	return uint8(i)
}

// space looks up a space by id, noSpace for nil.
func (r *reader) space(field string, id *string) uint8 {
	if id == nil {
		return noSpace
	}
	i, err := r.g.box.spaceOf(*id)
	if err != nil {
		r.fail("%s: %v", field, err)
		return 0
	}
	return i
}

// set looks up a list of different spaces.
func (r *reader) set(field string, ids []string) spaceSet {
	var set spaceSet
	for _, id := range ids {
		i := r.space(field, &id)
		if r.err == nil && set.has(i) {
			r.fail("%s has %s twice", field, id)
		}
		set |= 1 << (i & 63)
	}
	return set
}

// readGame compares the scenario with that of the options, and finds the phase.
func (r *reader) readGame() {
	d, g := &r.doc, r.g
	if d.Scenario != nil && *d.Scenario != scenarioNames[g.scenario] {
		r.fail("scenario is %q, the game option says %s", *d.Scenario, scenarioNames[g.scenario])
	}
	if d.EventTag != nil && *d.EventTag != g.keepTag {
		r.fail("event_tag is %q, the game options say %s", *d.EventTag, g.keepTag)
	}
	switch {
	case d.Phase != nil:
		r.p.phase = phase(r.word("phase", *d.Phase, phaseNames))
	case d.GameOver != nil:
		r.p.phase = over
	case d.Card != nil || d.ToPlay != nil || d.RebelHand != nil || d.FederalHand != nil || d.ActiveStories != nil || d.Pool != nil:
		r.p.phase = actionPhase
	}
	if r.p.phase != g.start.phase {
		r.p.toDeal = [numSeats]uint8{}
		r.p.testing = noSpace
		if r.p.phase > setUpUnits {
			r.p.side = rebel
		}
	}
}

// readBoard lays spaces over the board of the scenario, or over an empty one.
func (r *reader) readBoard() {
	d, p := &r.doc, &r.p
	if d.Board != nil {
		if r.word("board", *d.Board, []string{"scenario", "empty"}) == 1 {
			p.agents, p.sleepers, p.active = [numSpaces]uint8{}, [numSpaces]uint8{}, [numSpaces]uint8{}
			p.fedBases, p.rebBases, p.unrest = [numSpaces]uint8{}, [numSpaces]uint8{}, [numSpaces]uint8{}
			for i := range p.status {
				p.status[i] = unmarked
			}
			p.testing = noSpace
		}
	}
	for _, id := range sortedKeys(d.Space) { // the first fault is reported
		i, s := r.space("space", &id), d.Space[id]
		if r.err != nil || s == nil {
			return
		}
		if s.Status != nil {
			p.status[i] = r.word("status of "+id, *s.Status, statusNames)
		}
		limits := r.g.box.limits
		r.number("unrest of "+id+" (R1.4)", s.Unrest, 0, int(r.g.box.maxUnrest), &p.unrest[i])
		r.number("agents of "+id+" (R1.1)", s.Agents, 0, int(limits[agent]), &p.agents[i])
		r.number("sleepers of "+id+" (R1.1)", s.Sleepers, 0, int(limits[militia]), &p.sleepers[i])
		r.number("active of "+id+" (R1.1)", s.Active, 0, int(limits[militia]), &p.active[i])
		r.number("federal_bases of "+id+" (R1.6)", s.FederalBases, 0, int(r.g.box.maxBases), &p.fedBases[i])
		r.number("rebel_bases of "+id+" (R1.6)", s.RebelBases, 0, int(r.g.box.maxBases), &p.rebBases[i])
	}
}

// readTracks reads money, reserves, Social Media, HQs and the events in play.
func (r *reader) readTracks() {
	d, p, b := &r.doc, &r.p, r.g.box
	r.number("rebel_resources (R1.5)", d.RebelResources, 0, maxMoney, &p.resources[rebel])
	r.number("federal_resources (R1.5)", d.FederalResources, 0, maxMoney, &p.resources[federal])
	r.number("rebel_reserves (R13.2)", d.RebelReserves, 0, int(b.maxReserves), &p.reserves[rebel])
	r.number("federal_reserves (R13.2)", d.FederalReserves, 0, int(b.maxReserves), &p.reserves[federal])
	if d.SocialMedia != nil {
		p.social = r.word("social_media", *d.SocialMedia, smNames)
	}
	for side, used := range [numSeats]*bool{rebel: d.RebelUsed, federal: d.FederalUsed} {
		if used != nil {
			p.smUsed[side] = *used
		}
	}
	for side, hq := range [numSeats]*hqDoc{rebel: d.RebelHQ, federal: d.FederalHQ} {
		if hq != nil {
			r.number(sideNames[side]+"_hq: hacked (R1.4)", hq.Hacked, 0, int(b.maxHacked), &p.hacked[side])
			r.number(sideNames[side]+"_hq: shields (R1.4)", hq.Shields, 0, int(b.maxShields), &p.shields[side])
		}
	}
	for _, m := range d.Momentum {
		k := MomentumKey(r.word("momentum", m.Key, momentumNames))
		owner := r.word("owner of "+m.Key, m.Owner, sideNames[:])
		if r.err == nil && p.has(k) {
			r.fail("momentum has %s twice (R8.7)", m.Key)
		}
		if (k == Plague) != (m.Space != nil) {
			r.fail("momentum %s: a space goes with plague, and with nothing else", m.Key)
		}
		p.startMomentum(k, owner)
		if k == Plague {
			p.plague = r.space("plague", m.Space)
		}
	}
}

// story reads a story number, 0 for nil.
func (r *reader) story(field string, n *int) uint8 {
	var v uint8
	r.number(field+" (R1.2)", n, 1, numStories, &v)
	return v
}

// readStories reads the pool, the slots and the discards.
func (r *reader) readStories() {
	d, p := &r.doc, &r.p
	for _, list := range []struct {
		name    string
		numbers []int
		into    *storySet
	}{{"pool", d.Pool, &p.pool}, {"story_discards", d.StoryDiscards, &p.storyDiscard}} {
		for _, n := range list.numbers {
			v := r.story(list.name, &n)
			if r.err != nil {
				return
			}
			if list.into.has(v) {
				r.fail("%s has story %d twice", list.name, n)
			}
			list.into.add(v)
		}
	}
	if s := d.ActiveStories; s != nil {
		p.slots = [numSlots]uint8{r.story("slot1", s.Slot1), r.story("slot2", s.Slot2), r.story("slot3", s.Slot3)}
	}
	p.drawn = r.story("story_drawn", d.StoryDrawn)
}

// eventCards reads a list of different card numbers.
func (r *reader) eventCards(field string, list []int) cardSet {
	var set cardSet
	for _, n := range list {
		var v uint8
		r.number(field+" (R1.2)", &n, 1, numEvents, &v)
		if r.err != nil {
			return set
		}
		if set.has(v) {
			r.fail("%s has card %d twice (R1.2)", field, n)
		}
		set.add(v)
	}
	return set
}

// readCards reads hands and discards.
func (r *reader) readCards() {
	d, p := &r.doc, &r.p
	for side, hand := range [numSeats][]int{rebel: d.RebelHand, federal: d.FederalHand} {
		p.hand[side] = r.eventCards(sideNames[side]+"_hand", hand)
		p.handSize[side] = uint8(p.hand[side].count())
	}
	p.known[rebel] = r.eventCards("rebel_hand_known", d.RebelHandKnown)
	p.known[federal] = r.eventCards("federal_hand_known", d.FederalHandKnown)
	p.discards = r.eventCards("event_discards", d.EventDiscards)
	if d.RemovedEvents != nil {
		p.removed = r.eventCards("removed_events", d.RemovedEvents)
	}
	if f := d.Card; f != nil {
		r.number("card: number (R1.2)", &f.Number, 1, numEvents, &p.play.card)
		if r.err == nil && d.EventDiscards == nil {
			p.discards.add(p.play.card)
		}
	}
}

// readTurn reads who plays and how far the round has come.
func (r *reader) readTurn() {
	d, p := &r.doc, &r.p
	r.number("round", d.Round, 1, 0xFF, &p.round)
	if d.ToPlay != nil {
		p.side = r.word("to_play", *d.ToPlay, sideNames[:])
		if p.phase > setUpUnits && p.phase != actionPhase {
			r.fail("to_play: nobody plays cards in phase %s", phaseNames[p.phase])
		}
	}
	if p.phase == actionPhase {
		p.pairLeft = min(2, p.handSize[p.side]+flag(p.play.card != 0))
	}
	r.number("cards_left_in_pair", d.PairLeft, 0, 2, &p.pairLeft)
	if d.ToDeal != nil {
		r.number("to_deal: rebel", &d.ToDeal.Rebel, 0, 0x7F, &p.toDeal[rebel])
		r.number("to_deal: federal", &d.ToDeal.Federal, 0, 0x7F, &p.toDeal[federal])
	} else if p.phase <= dealing && p.round == 1 {
		p.toDeal = [numSeats]uint8{r.g.box.openingHand, r.g.box.openingHand}
	}
	if d.Built != nil {
		p.setUp.done = [numSeats]bool{rebel: d.Built.Rebel, federal: d.Built.Federal}
	}
	if d.Admin != nil {
		p.adminDue = adminStep(r.word("step", *d.Admin, adminNames))
	}
	if o := d.GameOver; o != nil {
		p.winner = r.word("game_over: winner", o.Winner, sideNames[:])
		p.cause = cause(r.word("game_over: by", o.By, causeNames))
		p.decisive = o.Decisive
	}
}

// checkDerived compares what follows from the rest with what the document says.
func (r *reader) checkDerived() error {
	for _, id := range sortedKeys(r.doc.Space) {
		if s := r.doc.Space[id]; s != nil && s.Plague != nil && *s.Plague != (r.p.plague == r.space("space", &id)) {
			return wrong("plague of %s is %v, from momentum it is not", id, *s.Plague)
		}
	}
	var want document
	r.g.writeDerived(&r.p, &want)
	d := &r.doc
	for _, f := range []struct {
		name      string
		got, want any
		given     bool
	}{
		{"vp", value(d.VP), *want.VP, d.VP != nil},
		{"stock", value(d.Stock), *want.Stock, d.Stock != nil},
		{"rebellion_power", value(d.Power), *want.Power, d.Power != nil},
		{"rpf", value(d.RPF), *want.RPF, d.RPF != nil},
		{"edge", value(d.Edge), *want.Edge, d.Edge != nil},
		{"event_deck", value(d.EventDeck), *want.EventDeck, d.EventDeck != nil},
		{"story_deck", value(d.StoryDeck), *want.StoryDeck, d.StoryDeck != nil},
	} {
		if f.given && f.got != f.want {
			return wrong("%s is %v, from the rest of the position it is %v", f.name, f.got, f.want)
		}
	}
	return nil
}

// value returns what a pointer points to, the zero value for nil.
func value[T any](v *T) T {
	var zero T
	if v == nil {
		return zero
	}
	return *v
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
