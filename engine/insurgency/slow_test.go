package insurgency_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// A second reading of the rules, which shares no code with the engine: it works on the
// JSON position alone, reads the data files itself, and takes whatever is slow and
// plain. Random games run in lockstep with it.

// table is what the reference knows of a position.
type table struct {
	Phase     string
	Decision  string
	ToPlay    string `json:"to_play"`
	Space     map[string]*site
	Rebel     int                           `json:"rebel_resources"`
	Federal   int                           `json:"federal_resources"`
	RebelRes  int                           `json:"rebel_reserves"`
	FedRes    int                           `json:"federal_reserves"`
	SM        string                        `json:"social_media"`
	RebelSM   bool                          `json:"rebel_used_social_media"`
	FedSM     bool                          `json:"federal_used_social_media"`
	RebelHQ   struct{ Hacked, Shields int } `json:"rebel_hq"`
	FederalHQ struct{ Hacked, Shields int } `json:"federal_hq"`
	Momentum  []struct {
		Key   string
		Space *string
	}
	Active struct{ Slot1, Slot2, Slot3 *int } `json:"active_stories"`
	Pool   []int
	Card   *struct {
		Number          int
		Mode, Operation *string
	}
	Operation *struct {
		Kind, Stage, Side string
		Ops               int
		Free              bool
		Within            []string
		Limit             *int `json:"max_spaces"`
		Margin            int  `json:"agents_over_militia"`
		Ignore            bool `json:"ignore_shield"`
		NoArrest          bool `json:"no_arrest"`
		Picks, Todo       []string
		From, To          *string
		Sleepers          int
		Groups            []struct {
			From, To      string
			Units, Active int
		}
		Budget     int `json:"attack_budget"`
		Selections []string
		Type       *string
		Rolls      int `json:"rolls_left"`
		Choices    int `json:"choices_left"`
	}
	VP    struct{ Rebel, Federal int }
	Power int `json:"rebellion_power"`
	RPF   int
	Stock struct {
		Agents, Militia int
		Federal         int `json:"federal_bases"`
		Rebel           int `json:"rebel_bases"`
	}
}

type site struct {
	Status                   string
	Unrest                   int
	Agents, Sleepers, Active int
	Federal                  int `json:"federal_bases"`
	Rebel                    int `json:"rebel_bases"`
}

func (s *site) militia() int { return s.Sleepers + s.Active }

// atlas is the printed map, read from the data files.
type atlas struct {
	ids     []string
	kind    map[string]string
	pop     map[string]int
	terrain map[string]string
	near    map[string][]string
	roads   map[string][]string // by node
	place   map[string]string   // of a node
	cards   map[int]struct {
		Side string
		Ops  int
	}
	factor map[int]int // Rebellion Factor by story
	viral  map[int]int
}

func readAtlas(t *testing.T) *atlas {
	t.Helper()
	a := &atlas{kind: map[string]string{}, pop: map[string]int{}, terrain: map[string]string{}, near: map[string][]string{},
		roads: map[string][]string{}, place: map[string]string{}, factor: map[int]int{}, viral: map[int]int{}}
	a.cards = map[int]struct {
		Side string
		Ops  int
	}{}
	var m struct {
		Spaces []struct {
			ID, Kind, Terrain string
			Population        int
			Adjacent          []string
		}
	}
	open(t, "map", &m)
	for _, s := range m.Spaces {
		a.ids = append(a.ids, s.ID)
		a.kind[s.ID], a.pop[s.ID], a.terrain[s.ID], a.near[s.ID] = s.Kind, s.Population, s.Terrain, s.Adjacent
	}
	var r struct {
		Nodes []struct{ ID, Space string }
		Edges []struct{ A, B string }
	}
	open(t, "interstates", &r)
	for _, n := range r.Nodes {
		a.place[n.ID] = n.Space
	}
	for _, e := range r.Edges {
		a.roads[e.A] = append(a.roads[e.A], e.B)
		a.roads[e.B] = append(a.roads[e.B], e.A)
	}
	var c struct {
		Cards []struct {
			Number int
			Side   string
			Ops    int
		}
	}
	open(t, "event_cards", &c)
	for _, card := range c.Cards {
		a.cards[card.Number] = struct {
			Side string
			Ops  int
		}{card.Side, card.Ops}
	}
	var st struct {
		Cards []struct{ Number, VF, RF int }
	}
	open(t, "story_cards", &st)
	for _, s := range st.Cards {
		a.factor[s.Number], a.viral[s.Number] = s.RF, s.VF
	}
	return a
}

func open(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("data/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, s engine.State) *table {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var v table
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return &v
}

func (v *table) has(key string) bool {
	return slices.ContainsFunc(v.Momentum, func(m struct {
		Key   string
		Space *string
	}) bool {
		return m.Key == key
	})
}

func (v *table) plague() string {
	for _, m := range v.Momentum {
		if m.Space != nil {
			return *m.Space
		}
	}
	return ""
}

func (a *atlas) open(v *table, id string) bool { return a.pop[id] > 0 || v.has("open_borders") }

var factors = map[string]int{"order": 0, "anger": 1, "defiance": 2, "revolt": 3}

// Every decision of random games offers what the reference offers, and every
// operation that needs no further choice does what the reference does.
func TestSlowReference(t *testing.T) {
	a := readAtlas(t)
	checked := map[string]int{}
	for i, name := range settings {
		g := enginetest.Game(t, name)
		rng := rand.NewPCG(uint64(i), 26)
		for range enginetest.Times(2) {
			s := g.New().(*insurgency.State)
			var names []string
			before := read(t, s)
			for s.ToAct() != engine.Terminal {
				a.recount(t, before)
				if s.ToAct() >= 0 {
					if want, ok := a.legal(before); ok {
						got := legalNames(g, s)
						slices.Sort(want)
						slices.Sort(got)
						if !slices.Equal(got, want) {
							t.Fatalf("%s: %s offers %v, the reference %v, after %v", name, before.Decision, got, want, names)
						}
						checked[before.Decision]++
					}
				}
				moves := engine.Moves(s)
				m := moves[engine.Uint32N(rng, uint32(len(moves)))]
				if look(s).Decision() == 3 && int(look(s).P.HandSize[insurgency.Rebel])+int(look(s).P.HandSize[insurgency.Federal]) == 0 {
					m = insurgency.ActOp + engine.Action(insurgency.Reserves) // so that rounds end plainly
				}
				names = append(names, engine.MoveName(g, s, m))
				if err := s.Apply(m); err != nil {
					t.Fatal(err)
				}
				after := read(t, s)
				a.compare(t, before, after, names[len(names)-1], checked)
				before = after
			}
		}
	}
	for _, d := range []string{"D2", "D3", "D4", "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D16", "D19", "D20", "D21", "D23", "D24", "D30", "D31",
		"D32",
		"hunt", "tax", "pacify", "secure", "surge", "move", "fundraise", "unrest", "A2", "A3", "A6"} {
		if rare := d == "D14" || d == "surge" || d == "D31"; checked[d] == 0 && !rare {
			t.Errorf("%s was never compared", d)
		}
	}
}

func legalNames(g engine.Game, s engine.State) []string {
	var names []string
	for _, a := range s.Legal(nil) {
		names = append(names, g.Spec().Actions[a])
	}
	return names
}

// recount adds up pieces, victory points and Rebellion Power (R1.1, R5.1, R9.2,
// R9.4).
func (a *atlas) recount(t *testing.T, v *table) {
	t.Helper()
	vp := map[string]int{}
	agents, militia, fb, rb := 30, 30, 9, 9
	for id, s := range v.Space {
		agents -= s.Agents
		militia -= s.militia()
		fb -= s.Federal
		rb -= s.Rebel
		vp["federal"] += s.Federal
		vp["rebel"] += s.Rebel
		switch s.Status {
		case "order":
			vp["federal"] += a.pop[id]
		case "revolt":
			vp["rebel"] += a.pop[id]
		}
	}
	if vp["rebel"] != v.VP.Rebel || vp["federal"] != v.VP.Federal {
		t.Fatalf("R5.1: victory points %v, counted %v", v.VP, vp)
	}
	if agents != v.Stock.Agents || militia != v.Stock.Militia || fb != v.Stock.Federal || rb != v.Stock.Rebel {
		t.Fatalf("R1.1: stock %+v, counted %d %d %d %d", v.Stock, agents, militia, fb, rb)
	}
	power := v.FederalHQ.Hacked - v.RebelHQ.Hacked
	for _, n := range []*int{v.Active.Slot1, v.Active.Slot2, v.Active.Slot3} {
		if n != nil {
			power += a.factor[*n]
		}
	}
	if v.has("leader") {
		power += 2
	}
	power = max(0, min(11, power))
	if rpf := []int{0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4}[power]; power != v.Power || rpf != v.RPF {
		t.Fatalf("R9.2: Rebellion Power %d with factor %d, counted %d with %d", v.Power, v.RPF, power, rpf)
	}
}
