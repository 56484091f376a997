package domination

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/ruledata"
)

// readData reads a data file as the loader does.
func readData(t *testing.T, name string, v any) {
	t.Helper()
	if err := ruledata.Read(os.DirFS(".").(fs.ReadFileFS), name, v); err != nil {
		t.Fatal(err)
	}
}

// R1.1, R1.2, R1.3, R7, R8: the shipped data have no faults.
func TestR1_1_Faults(t *testing.T) {
	for _, fault := range testBox(t).Faults() {
		t.Error(fault)
	}
}

// R1.2, R2.4, Q10: the map holds together, and the test would notice if it did not.
func TestR2_4_MapHoldsTogether(t *testing.T) {
	var m mapFile
	readData(t, "map", &m)
	fault := func(b *box) string { return groupFault(b) + borderFault(b, m.Edges) }
	if f := fault(testBox(t)); f != "" {
		t.Error(f)
	}
	for name, change := range map[string]func(b *box){
		"a border on one side":       func(b *box) { b.Areas[0].Adjacent |= 1 << 24 },
		"an Area without a Region":   func(b *box) { b.Areas[3].Region = -1 },
		"a Resource twice in Africa": func(b *box) { b.Areas[6].Resource = b.Areas[7].Resource },
	} {
		b := *testBox(t)
		if change(&b); fault(&b) == "" {
			t.Errorf("%s is not noticed", name)
		}
	}
}

// R1.1 to R1.5, R1.7: the box has as many of each component as the engine counts on.
func TestR1_3_Components(t *testing.T) {
	var c struct {
		Components []struct {
			ruledata.Source
			ID    string `json:"id"`
			Count int    `json:"count"`
		} `json:"components"`
	}
	readData(t, "components", &c)
	b, count := testBox(t), map[string]int{}
	for _, x := range c.Components {
		if x.Cite == "" && string(x.Why) == "" {
			t.Errorf("%s has neither cite nor why", x.ID)
		}
		count[x.ID] = x.Count
	}
	total := b.Cards[domination].Copies
	for i := range b.Cards {
		if i != domination && b.Cards[i].Copies != count["copies_per_action_type"] {
			t.Errorf("%s has %d copies", b.Cards[i].Name, b.Cards[i].Copies)
		}
		if i != domination && i < baseCards {
			total += b.Cards[i].Copies
		}
	}
	for id, want := range map[string]int{
		"board": 1, "land_areas": LandAreas, "sea_areas": Areas - LandAreas, "regions": Regions, "resources": Regions,
		"domination_cards": b.Cards[domination].Copies, "action_card_types": baseCards - 1, "cards_total": total,
		"player_colours": MaxSeats, "tokens_per_colour": Areas + 2, "neutral_tokens": 2, "dice": 0,
	} {
		if n, ok := count[id]; !ok || n != want {
			t.Errorf("%s is %d, want %d", id, n, want)
		}
	}
}

// R5, R12.2, R1.6, R9.2, R9.3: set-up, tracks and scoring agree with each other.
func TestR5_1_SetupTracksAndScoring(t *testing.T) {
	b := testBox(t)
	var s setupFile
	readData(t, "setup", &s)
	starter := &b.Cards[domination]
	if int(b.starters)*MaxSeats != starter.Copies || s.PlayerCount.Min != minSeats || s.PlayerCount.Max != MaxSeats ||
		len(s.Scenarios) != MaxSeats-minSeats+1 {
		t.Errorf("%d starting cards, %d to %d players, %d set-ups", b.starters, s.PlayerCount.Min, s.PlayerCount.Max, len(s.Scenarios))
	}
	for i, x := range s.Scenarios {
		used := (minSeats + i) * int(b.starters)
		want := rawScenario{
			Players: minSeats + i, DominationUsed: used, DominationAside: starter.Copies - used, TypesInGame: PoolSize,
			TypesAside: baseCards - 1 - PoolSize, CardsInStacks: PoolSize * b.Cards[baseCards-1].Copies, LogisticsEach: int(b.startLogistics),
		}
		if x.Source = (ruledata.Source{}); fmt.Sprint(x) != fmt.Sprint(want) {
			t.Errorf("the set-up for %d players is %+v, want %+v", x.Players, x, want)
		}
	}
	for name, l := range map[string]limit{"turns": b.turns, "copies_per_stack": b.copies, "logistics_max": b.maxLogistics} {
		if l.low < 1 || l.standard < l.low || l.standard > l.high {
			t.Errorf("option %s has the range %+v", name, l)
		}
	}
	var track tracksFile
	readData(t, "tracks", &track)
	squares := []string{"Start"}
	for i := range b.turns.standard {
		squares = append(squares, fmt.Sprint(1+i))
	}
	l, vp := track.Logistical, track.VP
	if !slices.Equal(track.Turn.Squares, append(squares, "End")) || l.Start != int(b.startLogistics) || l.Max != b.maxLogistics.standard ||
		l.Min < 1 || l.Min >= l.Start || l.Start > b.maxLogistics.low || vp.Start != 0 || vp.FirstSquare != 1 || !vp.Laps || vp.Squares < 1 {
		t.Errorf("the tracks %+v do not fit the set-up", track)
	}
	for name, s := range map[string]ruledata.Source{"turn": track.Turn.Source, "logistical": l.Source, "victory point": vp.Source} {
		if s.Cite == "" && s.Why == nil {
			t.Errorf("the %s track has neither cite nor why", name)
		}
	}
	var score scoringFile
	readData(t, "scoring", &score)
	most := LandAreas*int(b.Scores.FullLand) + (Areas-LandAreas)*int(b.Scores.FullSea) + Regions*int(b.Scores.RegionMonopoly)
	if score.RegionAreas != 3 || score.ResourceAreas != 3 || score.NeedsFull || score.Max != most || most != maxScoring {
		t.Errorf("a scoring gives %d at most: %+v", most, score)
	}
}

// R11.2: decisions.json lists the questions and the vocabulary of the engine.
func TestR11_2_Decisions(t *testing.T) {
	var d struct {
		ruledata.Source
		Decisions []struct {
			ID    string   `json:"id"`
			Name  string   `json:"name"`
			Who   string   `json:"who"`
			Verbs []string `json:"verbs"`
			Rule  string   `json:"rule"`
		} `json:"decisions"`
		Chance []struct {
			ID           string `json:"id"`
			Name         string `json:"name"`
			Distribution string `json:"distribution"`
			Outcomes     int    `json:"outcomes"`
			Rule         string `json:"rule"`
		} `json:"chance"`
		Vocabulary struct {
			Size   int `json:"size"`
			Blocks []struct {
				Verb      string            `json:"verb"`
				First     int               `json:"first"`
				Count     int               `json:"count"`
				Arguments []json.RawMessage `json:"arguments"`
				Meaning   string            `json:"meaning"`
			} `json:"blocks"`
		} `json:"vocabulary"`
		Order struct {
			Rule      string   `json:"rule"`
			Decisions []string `json:"decisions"`
			FreeFor   []string `json:"free_for"`
		} `json:"order_of_points"`
	}
	readData(t, "decisions", &d)
	table := testGame(t, "").table
	if len(d.Decisions) != int(NoDecision) || len(d.Chance) != 4 || d.Chance[0].Outcomes != int(choose(baseCards-1, PoolSize)) {
		t.Fatalf("%d decisions and %d chance events, want %d and 4", len(d.Decisions), len(d.Chance), NoDecision)
	}
	verbs := map[string]bool{}
	for i, x := range d.Decisions {
		if x.ID != table[i].Name || x.Rule != table[i].Rule || len(x.Verbs) == 0 {
			t.Errorf("%s by %s with %d verbs is %s by %s in the table", x.ID, x.Rule, len(x.Verbs), table[i].Name, table[i].Rule)
		}
		for _, v := range x.Verbs {
			verbs[v] = true
		}
	}
	blocks := testBox(t).blocks()
	if len(d.Vocabulary.Blocks) != len(blocks) || d.Vocabulary.Size != int(numActions) || len(verbs) != len(blocks) {
		t.Fatalf("a vocabulary of %d actions and %d verbs, want %d and %d", d.Vocabulary.Size, len(verbs), numActions, len(blocks))
	}
	for i, x := range d.Vocabulary.Blocks {
		var arguments []string
		for _, raw := range x.Arguments {
			if string(raw) != "null" {
				arguments = append(arguments, strings.Trim(string(raw), `"`))
			}
		}
		if want := blocks[i]; x.Verb != want.verb || x.First != int(want.first) || x.Count != max(1, len(want.arguments)) ||
			!slices.Equal(arguments, want.arguments) || !verbs[x.Verb] {
			t.Errorf("block %s is not the engine's %s", x.Verb, want.verb)
		}
	}
}
