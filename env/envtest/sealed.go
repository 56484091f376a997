package envtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/position"
	"powderkeg/env/encoding"
)

// Sealed is a game for tests of several seats: each seat is dealt a card face down, then each
// chooses an action in secret, and all are paid at once. Its best play is known,
// it has more than two seats, and its payoffs add up to nothing in particular.
type Sealed struct {
	spec   engine.Spec
	layout *encoding.Layout
	// Pay appends the returns; cards and choices count from 0.
	Pay func(dst []float32, cards, choices []uint8) []float32
}

func newSealed(name string, seats int, outcomes, actions []string, low, high float32,
	pay func(dst []float32, cards, choices []uint8) []float32) *Sealed {
	g := &Sealed{
		spec: engine.Spec{
			Name: name, Title: name, Text: name, Version: 1, Seats: seats, Actions: actions, Outcomes: outcomes,
			MaxDecisions: seats, MaxMoves: 2 * seats, MinReturn: low, MaxReturn: high, Payoff: engine.GeneralSum,
		},
		layout: &encoding.Layout{Game: name, Version: 1},
		Pay:    pay,
	}
	g.layout.Add("seat", 0, 1, "one-hot: the observer's seat", nil, seats)
	g.layout.Add("card", 0, 1, "one-hot: the observer's card", outcomes, len(outcomes))
	return g
}

// NewAuction is a free-for-all of four: a thing is worth 1 to 4 to each seat, as its card
// says. The highest of the sealed bids wins it and pays the second highest; equal
// highest bids share the gain. To bid what the thing is worth is never worse than
// another bid, whatever the others do, and against others who do so it is better,
// but for a bid of 0 on a worth of 1 (W. Vickrey, "Counterspeculation, auctions,
// and competitive sealed tenders", 1961).
func NewAuction() *Sealed {
	worth := []string{"worth 1", "worth 2", "worth 3", "worth 4"}
	bids := []string{"bid 0", "bid 1", "bid 2", "bid 3", "bid 4"}
	return newSealed("auction", 4, worth, bids, -3, 4, func(dst []float32, cards, choices []uint8) []float32 {
		for seat, bid := range choices {
			level, price := 1, uint8(0)
			for other, b := range choices {
				switch {
				case other == seat:
				case b == bid:
					level++
					price = max(price, b)
				case b > bid:
					level = 0
				default:
					price = max(price, b)
				}
				if level == 0 {
					break
				}
			}
			if level == 0 {
				dst = append(dst, 0)
				continue
			}
			dst = append(dst, (float32(cards[seat])+1-float32(price))/float32(level))
		}
		return dst
	})
}

// NewHunt is semi-cooperative: three seats help or go after loot of their own,
// which is worth 1 or 2 as their card says. If all help, each gains 10, and
// otherwise helpers gain nothing. It is a stag hunt: all helping is the best for
// everybody, all looting an equilibrium too. Beside others that choose by lot to
// help pays 2.5 and leads to the first.
func NewHunt() *Sealed {
	return newSealed("hunt", 3, []string{"loot 1", "loot 2"}, []string{"help", "loot"}, 0, 10, func(dst []float32, cards, choices []uint8) []float32 {
		all := true
		for _, c := range choices {
			all = all && c == 0
		}
		for seat, c := range choices {
			switch {
			case all:
				dst = append(dst, 10)
			case c == 0:
				dst = append(dst, 0)
			default:
				dst = append(dst, float32(cards[seat])+1)
			}
		}
		return dst
	})
}

// Spec implements engine.Game.
func (g *Sealed) Spec() *engine.Spec { return &g.spec }

// New implements engine.Game.
func (g *Sealed) New() engine.State { return &sealedState{sealedPosition: sealedPosition{game: g}} }

// Encoder implements env.Encoded.
func (g *Sealed) Encoder() encoding.Encoder { return sealedEncoder{g} }

// Asked returns the view of a seat that is to choose, with its card, which counts from 0. It
// panics where the game has no such seat or card.
func (g *Sealed) Asked(seat, card int) engine.View {
	if seat < 0 || seat >= g.spec.Seats || card < 0 || card >= len(g.spec.Outcomes) {
		panic(fmt.Sprintf("envtest: %s has no seat %d with card %d: seats go from 0 to %d, cards to %d",
			g.spec.Name, seat, card, g.spec.Seats-1, len(g.spec.Outcomes)-1))
	}
	s := &sealedView{sealedPosition{game: g, dealt: uint8(g.spec.Seats), chosen: uint8(seat)}}
	s.cards[seat] = uint8(card) + 1
	return s
}

// Card returns the card of a seat in its view, from 0; -1 is one that is not seen. It panics
// if the view is of another game, or the game has no such seat.
func (g *Sealed) Card(view engine.View, seat engine.Player) int {
	v, ok := view.(*sealedView)
	if !ok || seat < 0 || int(seat) >= g.spec.Seats {
		panic(fmt.Sprintf("envtest: seat %d of %d of a %T: it must be a view of %s", seat, g.spec.Seats, view, g.spec.Name))
	}
	return int(v.cards[seat]) - 1
}

// Load implements engine.Game.
func (g *Sealed) Load(data []byte, _ engine.Strictness) (engine.State, error) {
	var d sealedDocument
	if err := position.Decode(data, &d); err != nil {
		return nil, err
	}
	s := g.New()
	return s, position.Play(g, s, d.Cards, d.Choices)
}

type sealedDocument struct {
	Cards   []string `json:"cards"`   // of each seat that has been dealt one
	Choices []string `json:"choices"` // of each seat that has chosen
}

// maxSealed bounds the seats of such a game.
const maxSealed = 4

// sealedState is a game in progress.
type sealedState struct {
	sealedPosition
	w *flow.Witness // nil while nobody listens
}

// sealedView is what a seat knows of it.
type sealedView struct{ sealedPosition }

// sealedPosition holds cards and choices, which count from 1; 0 is one that is not there
// yet or not to be seen.
type sealedPosition struct {
	game           *Sealed
	cards, choices [maxSealed]uint8
	dealt, chosen  uint8
}

func (s *sealedPosition) over() bool { return int(s.chosen) == s.game.spec.Seats }

func (s *sealedPosition) ToAct() engine.Player {
	switch {
	case int(s.dealt) < s.game.spec.Seats:
		return engine.Chance
	case s.over():
		return engine.Terminal
	}
	return engine.Player(s.chosen)
}

func (s *sealedPosition) Legal(dst []engine.Action) []engine.Action {
	if s.ToAct() >= 0 {
		for a := range s.game.spec.Actions {
			dst = append(dst, engine.Action(a))
		}
	}
	return dst
}

func (s *sealedState) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.ToAct() == engine.Chance {
		for a := range s.game.spec.Outcomes {
			dst = append(dst, engine.Outcome{Action: engine.Action(a), Weight: 1})
		}
	}
	return dst
}

func (s *sealedState) Apply(a engine.Action) error {
	names := s.game.spec.Actions
	if s.ToAct() == engine.Chance {
		names = s.game.spec.Outcomes
	}
	if a < 0 || int(a) >= len(names) || s.over() {
		return fmt.Errorf("%w: move %d", engine.ErrIllegal, a)
	}
	if int(s.dealt) < s.game.spec.Seats {
		s.tell("deal", s.dealt, names[a])
		s.cards[s.dealt] = uint8(a) + 1
		s.dealt++
		return nil
	}
	s.tell("move", s.chosen, names[a])
	s.choices[s.chosen] = uint8(a) + 1
	s.chosen++
	return nil
}

var sealedKinds = flow.NewKinds(nil, []flow.Kind{
	{Name: "deal", Text: "Seat {seat} is dealt {what}", Veiled: "Seat {seat} is dealt a card"},
	{Name: "move", Text: "Seat {seat}: {what}", Veiled: "Seat {seat} has chosen"},
})

// Listen implements engine.Narrator.
func (s *sealedState) Listen(tell func(e *engine.Event)) {
	s.w = flow.NewWitness(sealedKinds, s.game.spec.Seats, tell)
}

// tell tells a seat what it gets or does, and the others that it does.
func (s *sealedState) tell(kind string, p uint8, what string) {
	if s.w != nil {
		own, seat := uint8(1)<<p, flow.Arg("seat", int(p))
		s.w.Some(own, kind, "R1", seat, flow.Arg("what", what))
		s.w.Others(own, kind, "R1", seat)
	}
}

func (s *sealedState) Returns(dst []float32) []float32 {
	n := s.game.spec.Seats
	if !s.over() {
		return append(dst, make([]float32, n)...)
	}
	var cards, choices [maxSealed]uint8
	for i := range n {
		cards[i], choices[i] = s.cards[i]-1, s.choices[i]-1
	}
	return s.game.Pay(dst, cards[:n], choices[:n])
}

func (s *sealedState) CopyFrom(src engine.State) {
	s.sealedPosition = src.(*sealedState).sealedPosition
}

func (s *sealedPosition) Hash() uint64 {
	h := engine.NewHash().Word(uint64(s.dealt) | uint64(s.chosen)<<8)
	for i := range s.cards {
		h = h.Word(uint64(s.cards[i]) | uint64(s.choices[i])<<8)
	}
	return uint64(h)
}

func (s *sealedState) NewView() engine.View { return &sealedView{} }

// See hides the others' cards and choices until all have chosen.
func (s *sealedState) See(p engine.Player, v engine.View) {
	view := v.(*sealedView)
	view.sealedPosition = s.sealedPosition
	for i := range s.cards {
		if i != int(p) && p != engine.Everything && !s.over() {
			view.cards[i], view.choices[i] = 0, 0
		}
	}
}

func (s *sealedState) Redeal(v engine.View, rng *rand.PCG) {
	s.sealedPosition = v.(*sealedView).sealedPosition
	fill := func(list []uint8, options int) {
		for i := range list {
			if list[i] == 0 {
				list[i] = uint8(engine.Uint32N(rng, uint32(options))) + 1
			}
		}
	}
	fill(s.cards[:s.dealt], len(s.game.spec.Outcomes))
	fill(s.choices[:s.chosen], len(s.game.spec.Actions))
}

func (s *sealedState) Shows(p engine.Player, _ engine.Action) bool { return int(p) == int(s.dealt) }

func (s *sealedPosition) MarshalJSON() ([]byte, error) {
	d := sealedDocument{Cards: []string{}, Choices: []string{}}
	names := func(dst, names []string, list []uint8) []string {
		for _, x := range list {
			if x == 0 {
				dst = append(dst, "?")
			} else {
				dst = append(dst, names[x-1])
			}
		}
		return dst
	}
	d.Cards = names(d.Cards, s.game.spec.Outcomes, s.cards[:s.dealt])
	d.Choices = names(d.Choices, s.game.spec.Actions, s.choices[:s.chosen])
	return position.Encode(d)
}

func (s *sealedView) Text(engine.Player) string {
	text, err := s.MarshalJSON()
	if err != nil {
		panic(err) // two lists of strings always marshal
	}
	return strings.TrimSpace(string(text)) + "\n"
}

func (s *sealedPosition) Question() string { return "Choose" }

func (s *sealedPosition) Describe(a engine.Action) string { return engine.MoveName(s.game, s, a) }

// sealedEncoder shows a seat its number and its card.
type sealedEncoder struct{ game *Sealed }

func (e sealedEncoder) Layout() *encoding.Layout { return e.game.layout }

func (e sealedEncoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*sealedView)
	clear(dst)
	dst[p] = 1
	if card := s.cards[p]; card > 0 {
		dst[e.game.spec.Seats+int(card)-1] = 1
	}
}
