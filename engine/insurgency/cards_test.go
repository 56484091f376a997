package insurgency_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// cardGames are games in which every card stays in the deck of one.
var cardGames = []string{
	"insurgency", "insurgency(scenario=resistance,auto_forced=false)",
	"insurgency(scenario=custom,mode=preset,social_media=C)",
}

// Each event card is played by each side in every mode that is legal, in random
// positions of random games, until the card is over. The conformance suite's
// checks, and with -tags invariants those of the position, hold on the way.
func TestEveryCardIsPlayedByEachSide(t *testing.T) {
	played := map[string]bool{}
	rng := rand.NewPCG(11, 11)
	for round := range enginetest.Times(3) {
		g := enginetest.Game(t, cardGames[round%len(cardGames)])
		states := decisionsToPlay(t, g, rng)
		for card := 1; card <= insurgency.Events; card++ {
			for seat := range engine.Player(2) {
				s := states[seat][engine.Uint32N(rng, uint32(len(states[seat])))]
				holding, err := g.Load(withCard(t, s, card, seat), engine.Strict)
				if err != nil {
					t.Fatalf("card %d in the hand of seat %d: %v", card, seat, err)
				}
				if look(holding).P.Hand[seat].Has(insurgency.CardID(card)) {
					playCard(t, g, holding, card, seat, rng, played)
				}
			}
		}
	}
	for card := 1; card <= insurgency.Events; card++ {
		for seat := range engine.Player(2) {
			modes := []string{"MODE_event", "MODE_ops"}
			if side := facts(t, card).Side; side == 1-seat {
				modes = []string{"MODE_ops_then_event", "MODE_event_then_ops"}
			}
			for _, mode := range modes {
				if name := fmt.Sprintf("%d %d %s", card, seat, mode); !played[name] {
					t.Errorf("card, seat and mode %s were never played", name)
				}
			}
		}
	}
}

// Each event is taken in a script that was reckoned by hand.
func TestEveryEventHasAScript(t *testing.T) {
	taken := map[string]bool{}
	files, err := filepath.Glob("testdata/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var script struct {
			Do []string `json:"do"`
		}
		if err := json.Unmarshal(data, &script); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i, name := range script.Do {
			if i > 0 && (name == "MODE_event" || name == "MODE_event_then_ops" || name == "MODE_ops_then_event") {
				taken[script.Do[i-1]] = true
			}
		}
	}
	for card := 1; card <= insurgency.Events; card++ {
		if name := fmt.Sprintf("CARD_%d", card); !taken[name] {
			t.Errorf("the event of %s is taken in none of %d scripts", name, len(files))
		}
	}
}

func facts(t *testing.T, card int) insurgency.CardFacts {
	t.Helper()
	return look(enginetest.Game(t, "insurgency").New()).Card(card)
}

// decisionsToPlay plays random games and returns states at D1, by the seat to act.
func decisionsToPlay(t *testing.T, g engine.Game, rng *rand.PCG) (states [2][]*insurgency.State) {
	t.Helper()
	for range 4 {
		s := g.New().(*insurgency.State)
		for s.ToAct() != engine.Terminal {
			if look(s).Decision() == 1 {
				states[s.ToAct()] = append(states[s.ToAct()], engine.Clone(g, s).(*insurgency.State))
			}
			step(t, s, rng)
		}
	}
	return states
}

// step plays a random move.
func step(t *testing.T, s engine.State, rng *rand.PCG) {
	t.Helper()
	moves := engine.Moves(s)
	if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
		t.Fatal(err)
	}
}

// withCard puts a card into a hand: it changes places with the first card there. A
// card that is not in the game leaves the position as it is.
func withCard(t *testing.T, s engine.State, card int, seat engine.Player) []byte {
	t.Helper()
	whole, m := enginetest.AtRest(fields(t, s))
	hand := []string{"rebel_hand", "federal_hand"}[seat]
	cards := m[hand].([]any)
	if contains(m["removed_events"], card) || contains(cards, card) {
		return encode(t, whole)
	}
	first := cards[0]
	for _, zone := range []string{"rebel_hand", "federal_hand", "event_discards"} {
		list := m[zone].([]any)
		if i := slices.Index(list, any(float64(card))); i >= 0 {
			list[i] = first
		}
	}
	cards[0] = float64(card)
	m["rebel_hand_known"], m["federal_hand_known"] = []any{}, []any{}
	return encode(t, whole)
}

func contains(list any, card int) bool { return slices.Contains(list.([]any), any(float64(card))) }

func encode(t *testing.T, m map[string]any) []byte {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// playCard plays a card in each mode until it is over.
func playCard(t *testing.T, g engine.Game, from engine.State, card int, seat engine.Player, rng *rand.PCG, played map[string]bool) {
	t.Helper()
	first := engine.Clone(g, from)
	if err := first.Apply(insurgency.ActCard + engine.Action(card) - 1); err != nil {
		t.Fatal(err)
	}
	for _, mode := range engine.Moves(first) {
		s := engine.Clone(g, first).(*insurgency.State)
		played[fmt.Sprintf("%d %d %s", card, seat, engine.MoveName(g, s, mode))] = true
		if err := s.Apply(mode); err != nil {
			t.Fatal(err)
		}
		for plies := 0; s.ToAct() != engine.Terminal; plies++ {
			if running, _ := look(s).RunningCard(); running != card {
				break
			}
			if plies > 500 {
				t.Fatalf("card %d of seat %d goes on and on: %s", card, seat, encode(t, fields(t, s)))
			}
			step(t, s, rng)
		}
		data := encode(t, fields(t, s))
		if again, err := g.Load(data, engine.Strict); err != nil || again.Hash() != s.Hash() {
			t.Fatalf("card %d of seat %d leads to a position that cannot be read again (%v): %s", card, seat, err, data)
		}
	}
}
