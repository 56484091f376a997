package drawing_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/env/drawing"
	"powderkeg/env/drawing/svg"
)

// sample is a game that is drawn, with the pattern of those names of actions that mean no
// place on the table; every other action is to be found there.
type sample struct {
	text    string
	nowhere string
}

var samples = []sample{
	{"kuhn", "pass|bet"},
	{"leduc", "fold|call|raise"},
	{"tictactoe", ""},
	{"connect4", ""},
	{"liars_dice", ""},
	{"liars_dice(players=6,dice=5)", ""},
	{"liars_dice(players=3,dice=2,faces=3)", ""},
	{"goofspiel", ""},
	{"goofspiel(cards=4,bids=shown)", ""},
	{"jogu", "END|OWN_FIRST|SCRAMBLER_FIRST"},
	{"jogu(first=engineers,second=mibits)", "END|OWN_FIRST|SCRAMBLER_FIRST"},
	{"jogu(first=agents,second=wu)", "END|OWN_FIRST|SCRAMBLER_FIRST"},
	{"jogu(first=engineers,second=agents)", "END|OWN_FIRST|SCRAMBLER_FIRST"},
	{"jogu(first=engineers,second=guards)", "END|OWN_FIRST|SCRAMBLER_FIRST"},
	{"domination", "DONE|END_TURN|PASS|DECLINE|ACCEPT"},
	{"insurgency", insurgencyNowhere},
	{"insurgency(scenario=resistance)", insurgencyNowhere},
	{"insurgency(scenario=custom)", insurgencyNowhere},
	{"minuteman", minutemanNowhere},
	{"minuteman(scenario=partisan)", minutemanNowhere},
	{"bloc", blocNowhere},
	{"bloc(scenario=beginner_city,players=2)", blocNowhere},
	{"bloc(mode=semi_cooperative,players=3)", blocNowhere},
	{"domination(players=6)", "DONE|END_TURN|PASS|DECLINE|ACCEPT"},
}

const insurgencyNowhere = "(MODE|OP|AMOUNT|TYPE|RECRUIT|ATTACK|HACK|OPTION|VERB|PIECE)_.*|DONE|YES|NO"

const minutemanNowhere = "DONE|YES|NO|TOGGLE_UNDERGROUND|BUILD_ATTEMPT|(ADD|OPT|MODE|ATTACK|REACT|PROPOSE|PILE|AMOUNT)_.*|ROLL|MOVE_UNIT|" +
	"SHOW_PASSAGE|REVOLUTION|ASSASSINATE|FOREIGN_INTERVENTION|ACCEPT|REJECT|UNFEDERALIZE|[0-8]"

const blocNowhere = "DONE|YES|NO|COUNT_.*|CARD_ANY|CARD_NOTHING|MOVE|MOVE_FREE|BARRICADE|LOOT_.*|BUILD|SWAP|ATTACK_.*|" +
	"ASSEMBLY_HALL|HACKER_SPACE|PROPAGANDA_WORKSHOP|PLAY_CARD|TRADE|END_ACTIONS"

// moments is how many situations of a game are looked at.
const moments = 25

func TestDrawings(t *testing.T) {
	for _, c := range samples {
		t.Run(c.text, func(t *testing.T) {
			g := enginetest.Game(t, c.text)
			nowhere := regexp.MustCompile("^(" + c.nowhere + ")$")
			seen := map[engine.Action]bool{}
			visit(g, moments, func(s engine.State, rng *rand.PCG) {
				for seat := range engine.Player(g.Spec().Seats) {
					v := engine.Look(s, seat)
					picture := look(t, g, v)
					sound(t, picture)
					for _, a := range v.Legal(nil) {
						name := g.Spec().Actions[a]
						if _, ok := picture.actions[int(a)]; !ok && !nowhere.MatchString(name) {
							t.Fatalf("action %s is nowhere on the drawing", name)
						}
						seen[a] = true
					}
					for a := range picture.actions {
						if !seen[engine.Action(a)] {
							t.Fatalf("action %d is on the drawing and not legal", a)
						}
					}
					clear(seen)
					sameInTheOtherWorld(t, g, s, seat, rng, picture.text)
				}
			})
		})
	}
}

// visit plays random games, at least some, and shows as many situations, spread over the
// games; and beside them each that offers a new kind of choice.
func visit(g engine.Game, n int, show func(engine.State, *rand.PCG)) {
	kinds := map[string]bool{}
	for seed := uint64(1); n > 0 || seed <= searched; seed++ {
		rng := rand.NewPCG(seed, 7)
		s := g.New()
		for s.ToAct() != engine.Terminal {
			moves := engine.Moves(s)
			switch {
			case n > 0 && engine.Uint32N(rng, 12) == 0:
				n--
				show(s, rng)
			case s.ToAct() >= 0 && offersNew(g, s, moves, kinds):
				show(s, rng)
			}
			if s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]) != nil {
				return
			}
		}
		if n > 0 {
			show(s, rng)
			n--
		}
	}
}

// searched is how many games are searched for choices of new kinds.
const searched = 8

// offersNew reports whether a choice is of no kind so far, by how its name begins and by the
// first word that tells of it, and notes the kinds.
func offersNew(g engine.Game, s engine.State, moves []engine.Action, kinds map[string]bool) bool {
	found := false
	describer, _ := s.(engine.Describer)
	for _, a := range moves {
		kind, _, _ := strings.Cut(g.Spec().Actions[a], "_")
		kind = strings.TrimRight(kind, "0123456789")
		if describer != nil {
			word, _, _ := strings.Cut(describer.Describe(a), " ")
			kind += " " + word
		}
		found = found || !kinds[kind]
		kinds[kind] = true
	}
	return found
}

func look(t *testing.T, g engine.Game, v engine.View) picture {
	t.Helper()
	before := v.Hash()
	text, err := drawing.Draw(g, v)
	if err != nil {
		t.Fatal(err)
	}
	again, err := drawing.Draw(g, v)
	if err != nil || string(again) != string(text) {
		t.Fatalf("the same view is drawn in two ways (%v)", err)
	}
	if v.Hash() != before {
		t.Fatal("the drawing has changed the view")
	}
	return parse(t, string(text))
}

// sameInTheOtherWorld deals anew what the seat cannot see: its drawing is the same. A deal of
// a view in which nobody is asked may have gone on, and looks otherwise then.
func sameInTheOtherWorld(t *testing.T, g engine.Game, s engine.State, seat engine.Player, rng *rand.PCG, text string) {
	t.Helper()
	hidden, ok := s.(engine.Hidden)
	if !ok {
		return
	}
	v := hidden.NewView()
	hidden.See(seat, v)
	deal := g.New().(engine.Hidden)
	deal.Redeal(v, rng)
	dealt := engine.Look(deal, seat)
	if v.ToAct() == engine.Nobody && dealt.Hash() != v.Hash() {
		return
	}
	other, err := drawing.Draw(g, dealt)
	if err != nil {
		t.Fatal(err)
	}
	if string(other) != text {
		t.Fatalf("seat %d sees on its drawing what it cannot know", seat)
	}
}

// The style sheet, which is the same for all, is left out of the files but for one, which
// README.md shows.
func TestGolden(t *testing.T) {
	for _, text := range []string{"kuhn", "leduc", "tictactoe", "connect4", "liars_dice", "jogu", "bloc", "domination", "insurgency", "minuteman(scenario=partisan)"} {
		g := enginetest.Game(t, text)
		s := middle(g)
		drawn, err := drawing.Draw(g, engine.Look(s, s.ToAct()))
		if err != nil {
			t.Fatal(err)
		}
		file := string(drawn)
		if text != "insurgency" {
			file = strings.Replace(file, svg.Style, "", 1)
		}
		enginetest.Golden(t, filepath.Join("testdata", text+".svg"), file)
	}
}

// middle returns a decision from the middle of a random game.
func middle(g engine.Game) engine.State {
	moves, half := 0, 0
	for {
		rng, s := rand.NewPCG(1, 7), g.New()
		for i := 0; s.ToAct() != engine.Terminal; i++ {
			if half > 0 && i >= half && s.ToAct() >= 0 {
				return s
			}
			list := engine.Moves(s)
			if s.Apply(list[engine.Uint32N(rng, uint32(len(list)))]) != nil {
				return s
			}
			moves++
		}
		half = moves / 2
		moves = 0
	}
}

func TestEveryGameIsDrawn(t *testing.T) {
	var texts []string
	for _, c := range samples {
		texts = append(texts, c.text)
	}
	enginetest.HasEveryGame(t, texts)
}

type stranger struct{ engine.Game }

func (stranger) Spec() *engine.Spec { return &engine.Spec{Name: "stranger"} }

type guest struct{ stranger }

func (guest) Draw(engine.View) []byte { return []byte("<svg/>") }

func TestGamesFromOutside(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	v := engine.Look(g.New(), 0)
	if _, err := drawing.Draw(stranger{g}, v); !errors.Is(err, drawing.ErrNoDrawing) {
		t.Errorf("a game without a drawing: %v", err)
	}
	if picture, err := drawing.Draw(guest{stranger{g}}, v); err != nil || string(picture) != "<svg/>" {
		t.Errorf("a game with its own drawing: %q, %v", picture, err)
	}
	if _, err := drawing.Draw(g, g.New()); err == nil || !strings.Contains(err.Error(), "what a seat of it sees") {
		t.Errorf("a state where a view is due: %v", err)
	}
	if cards := drawing.Cards(stranger{g}); cards != nil {
		t.Errorf("cards of a game without a drawing: %v", cards)
	}
}

func TestCards(t *testing.T) {
	for _, c := range samples {
		names := map[string]bool{}
		for _, card := range drawing.Cards(enginetest.Game(t, c.text)) {
			if card.Kind == "" || card.Name == "" || card.Title == "" || card.Text == "" {
				t.Errorf("%s: %+v lacks something", c.text, card)
			}
			if names[card.Name] {
				t.Errorf("%s: there are two of %s", c.text, card.Name)
			}
			names[card.Name] = true
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, c := range samples {
		g := enginetest.Game(b, c.text)
		var views []engine.View
		visit(g, 10, func(s engine.State, _ *rand.PCG) { views = append(views, engine.Look(engine.Clone(g, s), 0)) })
		b.Run(c.text, func(b *testing.B) {
			for i := range b.N {
				if _, err := drawing.Draw(g, views[i%len(views)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Where nearly everything can be chosen nothing has an outline, so that the map can be read.
func TestChoosingEverywhereOutlinesNothing(t *testing.T) {
	for text, want := range map[string]bool{"minuteman": true, "bloc": false, "connect4": false} {
		g, err := games.New(text)
		if err != nil {
			t.Fatal(err)
		}
		s, rng := g.New(), rand.NewPCG(1, 1)
		for s.ToAct() == engine.Chance {
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
		picture, err := drawing.Draw(g, engine.Look(s, s.ToAct()))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(picture, []byte(`class="powderkeg everywhere"`)); got != want {
			t.Errorf("%s: outlines are left out: %v, want %v", text, got, want)
		}
	}
}
