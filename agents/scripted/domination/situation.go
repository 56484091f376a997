package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/domination"
)

// situation is what the player makes of a view before it decides.
type situation struct {
	measures measures

	state  *domination.View
	seats  int
	me     int
	board  board
	stakes stakes
	later  int  // Game Turns to come after this one
	scored bool // the VPs of this Game Turn have been given
	deck   deck
	memo   memo
	world  *world
	facts  *domination.Facts // of the edition that world is of
}

// memo keeps what uses of cards on the map as it is gain, which several actions of
// a decision ask for.
type memo struct {
	text          known // by card type
	build, attack known // by number of points
	buying        known // boughtLater and boughtNow
}

// known is a table of numbers that are reckoned when they are first asked for.
type known struct {
	has   uint32 // bit i if value[i] is there
	value [32]float64
}

// get returns number i, which f reckons.
func (k *known) get(i int, f func() float64) float64 {
	if k.has>>i&1 == 0 {
		k.value[i] = f()
		k.has |= 1 << i
	}
	return k.value[i]
}

// deck is what the player knows about its cards.
type deck struct {
	owned   float64 // cards that it owns
	quality float64 // their mean quality
	undrawn float64 // cards in the draw deck
	support float64 // cards drawn in a Game Turn
}

// read takes in the view of seat me.
func (t *situation) read(s *domination.View, me engine.Player) {
	t.readWorld(s)
	t.state, t.me, t.seats = s, int(me), s.Seats()
	t.board = board{s.P.Forces}
	t.later = max(0, s.Turns()-int(s.P.Turn))
	t.scored = s.Phase() == domination.AfterVPs
	t.memo.text.has, t.memo.build.has, t.memo.attack.has, t.memo.buying.has = 0, 0, 0, 0
	t.readDeck()
	t.weigh()
}

// readDeck sums up the own cards.
func (t *situation) readDeck() {
	own := &t.state.P.Seats[t.me]
	d := deck{undrawn: float64(own.DeckSize), support: float64(t.state.P.Logistics[t.me])}
	for c := range t.world.cards {
		n := float64(own.Hand[c]) + float64(own.Deck[c]) + float64(own.Discard[c])
		d.owned += n
		d.quality += n * t.world.cards[c].quality
	}
	if d.owned > 0 {
		d.quality /= d.owned
	}
	t.deck = d
}

// draw returns the worth, in points, of one more square of Logistical Support in a
// Game Turn: a card more, if the seat has one to draw.
func (t *situation) draw(s int) float64 {
	const usualQuality = 4.5
	quality := usualQuality
	if s == t.me {
		quality = t.deck.quality
	}
	if p := &t.state.P.Seats[s]; int(p.HandSize)+int(p.DeckSize)+int(p.Discards) <= int(t.state.P.Logistics[s]) {
		return quality / 2 // it has to buy one first
	}
	return quality
}
