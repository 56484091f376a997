package jogu

import (
	"fmt"

	"powderkeg/engine"
)

// Listen implements engine.Narrator, R16.9 and R16.10.
func (s *State) Listen(tell func(e *engine.Event)) {
	s.w = nil
	if tell != nil {
		s.w = &witness{g: s.g, tell: tell}
	}
}

// witness tells a listener what happens where the rules act. It stands beside the
// position in every function that carries out something to be told, and has one
// method for each fact. A nil witness, which stands there while nobody listens or
// while a position is only tried out, tells nothing and builds nothing. README.md
// lists the kinds of events with their arguments.
type witness struct {
	g    *game
	tell func(e *engine.Event)
}

const everybody = 1<<numSeats - 1

// told is what events say: a fact with its arguments by name.
type told = []engine.Arg

func arg(name string, value any) engine.Arg { return engine.Arg{Name: name, Value: value} }

// say tells one event to the seats of the set.
func (w *witness) say(seen uint8, kind, rule string, args told, text string, values ...any) {
	w.tell(&engine.Event{Kind: kind, Rule: rule, Args: args, Seen: seen, Text: fmt.Sprintf(text, values...)})
}

// veil tells the seats of the set less than say tells the others.
func (w *witness) veil(seen uint8, kind, rule string, args told, text string, values ...any) {
	w.tell(&engine.Event{Kind: kind, Rule: rule, Args: args, Seen: seen, Veiled: true, Text: fmt.Sprintf(text, values...)})
}

// card returns a card type of seat s.
func (w *witness) card(p *position, s, t uint8) *card { return &w.g.deckOf(p, s).cards[t] }

// playing returns the card of a play of the active player.
func (w *witness) playing(p *position, f *frame) *card { return w.card(p, p.turn, f.card) }

// decisionRules are the rules by which the questions are asked.
var decisionRules = [numDecisions]string{
	"R6.1", "R8.2", "R9.2", "R13.11", "R9.4", "R13.15", "R13.9", "R13.12", "R13.14", "R13.16", "R13.16", "R13.25", "R13.26",
}

// move tells of a decision's action, forced or chosen, which is about to be carried
// out (R16.9). A face-down card is not named to the opponent (R16.5), nor the
// place that a Support Tower takes its card from (R16.7); discards are told when
// they become public (R16.10). The test for a listener stands apart in what happens
// most often, so that the compiler writes it where the rules act.
func (w *witness) move(p *position, a uint8) {
	if w != nil && p.ask != askDiscard {
		w.tellMove(p, a)
	}
}

func (w *witness) tellMove(p *position, a uint8) {
	s := View{g: w.g, p: *p}
	seen := uint8(everybody)
	if hidden := w.g.veiled(p, a); hidden != "" {
		seen = 1 << p.actor
		w.veil(everybody&^seen, "move", decisionRules[p.ask], told{arg("seat", int(p.actor)), arg("decision", askNames[p.ask])},
			"Seat %d: %s", p.actor, hidden)
	}
	w.say(seen, "move", decisionRules[p.ask],
		told{arg("seat", int(p.actor)), arg("decision", askNames[p.ask]), arg("action", w.g.spec.Actions[a])},
		"Seat %d: %s", p.actor, s.Describe(engine.Action(a)))
}

// faction tells which faction a seat has drawn (R4.1).
func (w *witness) faction(p *position, s uint8) {
	if w == nil {
		return
	}
	d := w.g.deckOf(p, s)
	w.say(everybody, "faction", "R4.1", told{arg("seat", int(s)), arg("faction", d.ID)}, "Seat %d plays %s", s, d.Name)
}

// startPlayer tells who starts round 1 (C3).
func (w *witness) startPlayer(p *position) {
	if w == nil {
		return
	}
	w.say(everybody, "start_player", "R4.4", told{arg("seat", int(p.start))}, "Seat %d is drawn as start player", p.start)
}

// round tells that a round begins.
func (w *witness) round(p *position) {
	if w == nil {
		return
	}
	w.say(everybody, "round", "R5.1", told{arg("round", int(p.round)), arg("end_marker", int(p.endMarker)), arg("start_player", int(p.start))},
		"Round %d of %d begins, seat %d starts", p.round, p.endMarker, p.start)
}

// discards tells the cards that a seat has discarded in Reinforcement, all in one
// and when both seats are done (R6.1, R16.10). A seat without cards in hand was
// not asked.
func (w *witness) discards(p *position, s uint8) {
	if w == nil || p.seats[s].handSize == 0 {
		return
	}
	d, pending := w.g.deckOf(p, s), &p.seats[s].pending
	what := d.namesText(pending)
	if sum(pending[:]) == 0 {
		what = "nothing"
	}
	w.say(everybody, "discard", "R6.1", told{arg("seat", int(s)), arg("cards", d.list(pending))}, "Seat %d discards %s", s, what)
}

// draws tells that a seat is about to draw the top card of its pile, which the
// opponent sees only if it knew the card there (R16.6).
func (w *witness) draws(p *position, s uint8, rule string) {
	if w != nil {
		w.cardOfPile(p, "draw", rule, s, p.seats[s].fixed[0], "draws")
	}
}

// looks tells that the owner of a Support Tower looks at the next card of its pile.
func (w *witness) looks(p *position, f *frame) {
	if w == nil {
		return
	}
	c := p.seats[p.turn].fixed[f.count]
	w.cardOfPile(p, "look", w.playing(p, f).Rule, p.turn, c, "looks at")
}

// cardOfPile tells of a card of seat s's pile, to the opponent without its name if
// that does not know it.
func (w *witness) cardOfPile(p *position, kind, rule string, s uint8, c pileCard, verb string) {
	seen, seat := uint8(everybody), arg("seat", int(s))
	if c&opponentKnows == 0 {
		seen = 1 << s
		w.veil(everybody&^seen, kind, rule, told{seat}, "Seat %d %s a card of its draw pile", s, verb)
	}
	named := w.card(p, s, c.card())
	w.say(seen, kind, rule, told{seat, arg("card", named.Key)}, "Seat %d %s %s", s, verb, named.Name)
}

// drawsLocation tells that a seat has drawn its Location Card (R7.1, R16.3).
func (w *witness) drawsLocation(p *position, s uint8) {
	if w == nil {
		return
	}
	n := p.seats[s].locCard
	w.say(1<<s, "location_card", "R7.1", told{arg("seat", int(s)), arg("location", int(n))}, "Seat %d draws Location Card %d", s, n)
	w.veil(everybody&^(1<<s), "location_card", "R7.1", told{arg("seat", int(s))}, "Seat %d draws a Location Card", s)
}

// looksAhead tells that a seat has looked at its next Location Card (R16.4).
func (w *witness) looksAhead(p *position, f *frame) {
	if w == nil {
		return
	}
	s, rule := p.turn, w.playing(p, f).Rule
	n := p.seats[s].locFixed[0]
	w.say(1<<s, "next_location", rule, told{arg("seat", int(s)), arg("location", int(n))}, "Seat %d looks at Location Card %d", s, n)
	w.veil(everybody&^(1<<s), "next_location", rule, told{arg("seat", int(s))}, "Seat %d looks at its next Location Card", s)
}

// reshuffles tells that the Location Cards of a seat are shuffled (R7.2).
func (w *witness) reshuffles(s uint8) {
	if w == nil {
		return
	}
	w.say(everybody, "reshuffle", "R7.2", told{arg("seat", int(s))}, "Seat %d shuffles its used Location Cards into a new pile", s)
}

// dropped tells that a trigger is dropped, because no Scrambler is there any more
// (R9.5).
func (w *witness) dropped(f *frame) {
	if w == nil {
		return
	}
	w.say(everybody, "dropped", "R9.5", told{arg("location", int(f.place)+firstLoc)},
		"No Scrambler is left at Location %d to move", f.place+firstLoc)
}

// noEffect tells that an effect of the card being played can't be carried out.
func (w *witness) noEffect(p *position, f *frame) {
	if w == nil {
		return
	}
	c := w.playing(p, f)
	e := &c.Effects[f.effect]
	w.say(everybody, "no_effect", c.Rule, told{arg("seat", int(p.turn)), arg("card", c.Key), arg("effect", opNames[e.Op])},
		"%s of seat %d: nothing to %s", c.Name, p.turn, opWords[e.Op])
}

// opWords say what an effect does that found nothing to do it to.
var opWords = [numOps]string{
	peekLocationPile: "look at", revealLocationCard: "show", playCard: "play", drawCards: "draw",
	bottomFromDiscard: "put back", bottomFromPlay: "take back", mill: "turn up", randomDiscard: "strike",
	discardInPlay: "bomb", peekDrawPile: "look at", moveEndMarker: "move, the end-game marker is on the last space",
}

// stayToken tells that the card being played has got a token (R1.5).
func (w *witness) stayToken(p *position, f *frame) {
	if w == nil {
		return
	}
	c := w.playing(p, f)
	w.say(everybody, "stay_token", c.Rule, told{arg("seat", int(p.turn)), arg("card", c.Key), arg("location", int(f.place)+firstLoc)},
		"%s at Location %d gets a Stay token", c.Name, f.place+firstLoc)
}

// showsLocation tells the Location Card that a Patriot has shown.
func (w *witness) showsLocation(p *position, f *frame) {
	if w == nil {
		return
	}
	n := p.seats[p.turn].locCard
	w.say(everybody, "location_shown", w.playing(p, f).Rule, told{arg("seat", int(p.turn)), arg("location", int(n))},
		"Seat %d shows its Location Card %d", p.turn, n)
}

// gathered tells which cards of seat s have come from a Location to that of the
// card being played.
func (w *witness) gathered(p *position, f *frame, s, t, from, n uint8) {
	if w == nil {
		return
	}
	c := w.card(p, s, t)
	w.say(everybody, "gathered", w.playing(p, f).Rule, told{
		arg("owner", int(s)), arg("card", c.Key), arg("number", int(n)), arg("from", int(from)+firstLoc), arg("to", int(f.place)+firstLoc),
	}, "%s of seat %d: from Location %d to %d", times(n, c.Name), s, from+firstLoc, f.place+firstLoc)
}

// milled tells the card that a Saboteur turns up on the pile of seat o.
func (w *witness) milled(p *position, f *frame, o uint8) {
	if w == nil {
		return
	}
	c := w.card(p, o, p.seats[o].fixed[f.count].card())
	w.say(everybody, "milled", w.playing(p, f).Rule, told{arg("owner", int(o)), arg("card", c.Key)},
		"The Saboteur turns up %s of seat %d", c.Name, o)
}

// milledAway tells that a card that was turned up has left the pile of seat o.
func (w *witness) milledAway(p *position, f *frame, o, t uint8) {
	if w == nil {
		return
	}
	c := w.card(p, o, t)
	w.say(everybody, "discarded", w.playing(p, f).Rule, told{arg("owner", int(o)), arg("card", c.Key)}, "%s of seat %d goes to the discard", c.Name, o)
}

// hit tells which card of the hand the Assassin strikes (C4, R16.2).
func (w *witness) hit(p *position, t uint8) {
	if w == nil {
		return
	}
	o := 1 - p.turn
	c, fate := w.card(p, o, t), "goes to the discard"
	if c.Protected {
		fate = "is Protected and stays in the hand"
	}
	w.say(everybody, "hit", w.playing(p, &p.frames[p.depth-1]).Rule, told{arg("owner", int(o)), arg("card", c.Key), arg("discarded", !c.Protected)},
		"The Assassin strikes %s of seat %d, which %s", c.Name, o, fate)
}

// turnedUp tells what a face-down card of seat s was (R10.1, R13.21).
func (w *witness) turnedUp(p *position, s, t, place, slot uint8, rule string) {
	if w == nil {
		return
	}
	c := w.card(p, s, t)
	w.say(everybody, "turned_up", rule, told{
		arg("owner", int(s)), arg("card", c.Key), arg("location", int(place)+firstLoc), arg("slot", int(slot)+1),
	}, "Face-down card %d of seat %d at Location %d is %s", slot+1, s, place+firstLoc, c.Name)
}

// bombed tells that a card in play has gone to the discard of seat s (R13.25).
func (w *witness) bombed(p *position, s, t, place uint8) {
	if w == nil {
		return
	}
	c := w.card(p, s, t)
	w.say(everybody, "discarded", "R13.25", told{arg("owner", int(s)), arg("card", c.Key), arg("location", int(place)+firstLoc)},
		"%s of seat %d at Location %d goes to the discard", c.Name, s, place+firstLoc)
}

// endMarker tells where the end-game marker has come to.
func (w *witness) endMarker(p *position, f *frame) {
	if w == nil {
		return
	}
	w.say(everybody, "end_marker", w.playing(p, f).Rule, told{arg("end_marker", int(p.endMarker))},
		"The end-game marker goes to round %d", p.endMarker)
}

// gains tells the morale that n Masters of Earth at a Location have given their
// owner (R10.3).
func (w *witness) gains(p *position, s, t, place uint8, n, spare uint16) {
	if w == nil {
		return
	}
	now := p.seats[s].morale
	w.say(everybody, "morale", "R10.3", told{
		arg("seat", int(s)), arg("change", int(n*spare)), arg("morale", int(now)), arg("location", int(place)+firstLoc), arg("number", int(n)),
	}, "Seat %d gains %d morale and has %d: %s at Location %d, where %d Capacity is spare",
		s, n*spare, now, times(uint8(n), w.card(p, s, t).Name), place+firstLoc, spare)
}

// loses tells that seat s is about to lose n morale, as far as it has so much
// (R2.9).
func (w *witness) loses(p *position, s uint8, n uint16, rule string) {
	if w == nil || n == 0 {
		return
	}
	now := p.seats[s].morale - min(n, p.seats[s].morale)
	w.say(everybody, "morale", rule, told{
		arg("seat", int(s)), arg("change", int(now)-int(p.seats[s].morale)), arg("morale", int(now)),
	}, "Seat %d loses %d morale and has %d", s, n, now)
}

// gameOver tells how the game has ended (R12.4).
func (w *witness) gameOver(p *position) {
	if w == nil {
		return
	}
	w.say(everybody, "game_over", "R12.4", told{
		arg("winner", int(p.winner)), arg("by", causeNames[p.cause]), arg("points", p.points()), arg("morale", w.morale(p)),
	}, "Seat %d wins the game: %s", p.winner, causeWords[p.cause])
}

// morale returns the morale of both seats.
func (w *witness) morale(p *position) []int {
	return []int{int(p.seats[0].morale), int(p.seats[1].morale)}
}
