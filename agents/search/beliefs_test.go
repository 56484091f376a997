package search_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"powderkeg/agents/search"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/kuhn"
)

// honest bets with the king alone in Kuhn poker, and passes with all else. It implements search.Judge.
type honest struct{ policy [2]float32 }

func (h *honest) Rows() int { return 1 }

func (h *honest) Show(_ int, view engine.View, seat engine.Player, _ []engine.Action) {
	if h.policy = [2]float32{1, 0}; view.(*kuhn.View).Card(seat) == 2 {
		h.policy = [2]float32{0, 1}
	}
}

func (h *honest) Look(int) {}

func (h *honest) Policy(_ int, dst []float32) { copy(dst, h.policy[:]) }

func (h *honest) Values(int) []float32 { return []float32{0, 0} }

// TestBeliefsReadBets: who faces a bet of somebody who bets with the king alone takes nineteen kings of
// twenty for likely, since the other makes a tenth of its choices at random; a study of the decision expects
// to lose by a call then, where without beliefs it expects to break even.
func TestBeliefsReadBets(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	s := g.New()
	for _, name := range []string{"K", "Q", "bet"} {
		a, err := engine.FindMove(g, s, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	judge := &honest{}
	beliefs, err := search.NewBeliefs(g, judge)
	if err != nil || beliefs == nil {
		t.Fatalf("Kuhn poker gives no beliefs (%v)", err)
	}
	for _, x := range []struct {
		beliefs *search.Beliefs
		call    float64 // scaled from 0 for -2 to 1 for 2
	}{{beliefs, 0.05}, {nil, 0.5}} {
		study := search.NewStudy(g, search.StudyConfig{Considered: 2, Prior: judge, Judge: judge, Critic: judge, Beliefs: x.beliefs})
		if f := found(t, study, s, 2000, 1); math.Abs(f.Actions[1].Value-x.call) > 0.03 || math.Abs(f.Actions[0].Value-0.25) > 0.01 {
			t.Errorf("with beliefs %v a call is worth %v and a fold %v, want %v and 0.25", x.beliefs != nil, f.Actions[1].Value, f.Actions[0].Value, x.call)
		}
	}
}

// TestBeliefsKnowNoStart: beliefs about a game that starts at a position know no more of it than
// those about the game: the hands there are as hidden as they are anywhere.
func TestBeliefsKnowNoStart(t *testing.T) {
	plain := enginetest.Game(t, "kuhn")
	s := plain.New()
	for range 2 {
		if err := s.Apply(engine.Moves(s)[0]); err != nil {
			t.Fatal(err)
		}
	}
	position, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	g, err := engine.StartAt(plain, position)
	if err != nil {
		t.Fatal(err)
	}
	beliefs, err := search.NewBeliefs(g, newEven(2))
	if err != nil || beliefs == nil {
		t.Fatalf("no beliefs (%v)", err)
	}
	rng, world, worlds := rand.NewPCG(1, 1), g.New(), map[uint64]bool{}
	for range 100 {
		if !beliefs.Deal(world, engine.Look(s, 0), 0, rng) {
			t.Fatal("a view at the start is not known")
		}
		worlds[world.Hash()] = true
	}
	if len(worlds) != 2 {
		t.Errorf("%d worlds are dealt, want both that the card leaves", len(worlds))
	}
}

// TestBeliefsKnowSmallGames: at every decision of Kuhn and Leduc poker beliefs know worlds, and those
// that they deal look to the seat as what it sees does. Large games, and such in which nothing is hidden, have
// none.
func TestBeliefsKnowSmallGames(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		g := enginetest.Game(t, name)
		beliefs, err := search.NewBeliefs(g, newEven(g.Spec().Seats))
		if err != nil || beliefs == nil {
			t.Fatalf("%s gives no beliefs (%v)", name, err)
		}
		rng, world, others := rand.NewPCG(1, 1), g.New(), 0
		for range 200 {
			for s := g.New(); s.ToAct() != engine.Terminal; {
				if p := s.ToAct(); p >= 0 {
					view := engine.Look(s, p)
					if !beliefs.Deal(world, view, p, rng) || engine.Look(world, p).Hash() != view.Hash() || world.ToAct() != p {
						t.Fatalf("%s: what is dealt is no world of the view", name)
					}
					if world.Hash() != s.Hash() {
						others++
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if others < 100 {
			t.Errorf("%s: only %d worlds were not what really was", name, others)
		}
	}
	for _, name := range []string{"tictactoe", "liars_dice", "goofspiel(cards=5)", "jogu"} {
		g := enginetest.Game(t, name)
		if beliefs, err := search.NewBeliefs(g, newEven(g.Spec().Seats)); beliefs != nil || err != nil {
			t.Errorf("%s gives beliefs (%v)", name, err)
		}
	}
}
