package reference_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/bloc/reference"
	"powderkeg/engine/enginetest/soak"
)

var rules = func() *reference.Rules {
	r, err := reference.Read(os.DirFS("../data"))
	if err != nil {
		panic(err)
	}
	return r
}()

var families = engine.Families{bloc.Family}

// referee is the Host of a reference game: it plays the same game with the engine and
// compares the two at every question.
type referee struct {
	t      *testing.T
	game   engine.Game
	engine engine.State
	ref    *reference.Game
	rng    *rand.PCG
	text   string
	start  string // the position that the game began with, if not the usual
	done   []string
	count  *int
	choose policy
	limit  int
}

// Ask implements reference.Host.
func (r *referee) Ask(q reference.Question) string {
	r.compare(q)
	answer := ""
	if q.Player < 0 {
		answer = r.draw(q)
	} else {
		*r.count++
		answer = r.choose(r, q)
	}
	a, err := engine.FindMove(r.game, r.engine, answer)
	if err == nil {
		err = r.engine.Apply(a)
	}
	if err != nil {
		r.fail(q, err.Error())
	}
	r.done = append(r.done, answer)
	return answer
}

func (r *referee) draw(q reference.Question) string {
	total := 0
	for _, w := range q.Weights {
		total += w
	}
	x := int(engine.Uint32N(r.rng, uint32(total)))
	for i, w := range q.Weights {
		if x < w {
			return q.Options[i]
		}
		x -= w
	}
	panic("weights")
}

// fail ends the test with what is needed to see the disagreement again.
func (r *referee) fail(q reference.Question, what string) {
	r.t.Helper()
	r.t.Fatalf("%s\nquestion %s of %s, %v\n%v\nlast moves: %s\nseed %s\n%s", what, q.Name, q.Faction, q.Options, r.ref, strings.Join(r.done[max(0, len(r.done)-25):], " "), r.text, r.start)
}

func (r *referee) compare(q reference.Question) {
	r.t.Helper()
	if got := int(r.engine.ToAct()); got != q.Player {
		r.fail(q, fmt.Sprintf("the engine waits for %d among %v", got, r.moves()))
	}
	got, want := r.moves(), slices.Sorted(slices.Values(q.Options))
	if !slices.Equal(got, want) {
		r.fail(q, fmt.Sprintf("the engine offers %v", got))
	}
	asks := ""
	if a, ok := r.engine.(engine.Asker); ok {
		asks, _ = a.Asks()
	}
	if asks != q.Name {
		r.fail(q, fmt.Sprintf("the engine asks %s", asks))
	}
	if q.Player < 0 {
		r.compareOdds(q)
	}
	r.comparePosition(q)
}

func (r *referee) moves() (list []string) {
	for _, a := range engine.Moves(r.engine) {
		list = append(list, engine.MoveName(r.game, r.engine, a))
	}
	slices.Sort(list)
	return list
}

func (r *referee) compareOdds(q reference.Question) {
	outcomes := r.engine.(engine.Stochastic).Outcomes(nil)
	total, mine := int(engine.Total(outcomes)), 0
	for _, w := range q.Weights {
		mine += w
	}
	for _, o := range outcomes {
		i := slices.Index(q.Options, engine.MoveName(r.game, r.engine, o.Action))
		if int(o.Weight)*mine != q.Weights[i]*total {
			r.fail(q, fmt.Sprintf("%s has %d of %d, want %d of %d", q.Options[i], o.Weight, total, q.Weights[i], mine))
		}
	}
}

func plain(v any) (out map[string]any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

func (r *referee) comparePosition(q reference.Question) {
	r.t.Helper()
	got, want := plain(r.engine), plain(r.ref.Position())
	var differ []string
	for key := range want {
		if r.ref.Over() && (key == "nights_left" || key == "turn") {
			continue
		}
		normal(key, got)
		normal(key, want)
		differ = append(differ, differences(key, got[key], want[key])...)
	}
	if len(differ) > 0 {
		slices.Sort(differ)
		r.fail(q, strings.Join(differ, "\n"))
	}
}

func normal(key string, p map[string]any) {
	switch key {
	case "hands":
		for _, v := range p[key].(map[string]any) {
			sortList(v)
		}
	case "barricades":
		sortList(p[key])
	case "result":
		if m, ok := p[key].(map[string]any); ok {
			sortList(m["winners"])
		}
	}
}

func sortList(v any) {
	l, ok := v.([]any)
	if !ok {
		return
	}
	sort.Slice(l, func(i, j int) bool { return fmt.Sprint(l[i]) < fmt.Sprint(l[j]) })
}

func differences(path string, got, want any) (list []string) {
	if reflect.DeepEqual(got, want) {
		return nil
	}
	g, ok1 := got.(map[string]any)
	w, ok2 := want.(map[string]any)
	if !ok1 || !ok2 {
		return []string{fmt.Sprintf("%s: engine %v, reference %v", path, got, want)}
	}
	for k := range g {
		list = append(list, differences(path+"."+k, g[k], w[k])...)
	}
	for k := range w {
		if _, ok := g[k]; !ok {
			list = append(list, differences(path+"."+k, nil, w[k])...)
		}
	}
	return list
}

// policy chooses an answer.
type policy func(r *referee, q reference.Question) string

func uniform(r *referee, q reference.Question) string {
	return q.Options[engine.Uint32N(r.rng, uint32(len(q.Options)))]
}

// taste returns a policy that likes some actions more than others, the same ones through a
// whole game: it crowds into a few districts, or burns, or trades all the time.
func taste(seed uint64) policy {
	rng := rand.New(rand.NewPCG(seed, 11))
	weights := map[string]float64{"END_ACTIONS": 0.1, "YES": 1, "NO": 2}
	return func(r *referee, q reference.Question) string {
		total := 0.0
		for _, o := range q.Options {
			if weights[o] == 0 {
				weights[o] = math.Exp(2.5 * rng.NormFloat64())
			}
			total += weights[o]
		}
		x := engine.Unit(r.rng) * total
		for _, o := range q.Options {
			if x -= weights[o]; x < 0 {
				return o
			}
		}
		return q.Options[0]
	}
}

// settings lists the options of every kind of game that the rules know.
func settings() (list []reference.Options) {
	for _, s := range rules.Settings() {
		for _, ops := range []string{"usual", "easy", "medium", "hard"} {
			for _, city := range []string{"random", "beginner"} {
				for _, overpass := range []bool{false, true} {
					for _, auto := range []bool{false, true} {
						o := s
						o.Ops, o.City, o.Overpass, o.Auto = ops, city, overpass, auto
						if _, err := families.New(o.Text()); err == nil {
							list = append(list, o)
						}
					}
				}
			}
		}
	}
	return list
}

func TestRandom(t *testing.T) {
	marks, count := map[string]int{}, 0
	list := settings()

	rng := rand.New(rand.NewPCG(1, 1))
	games := soak.Times(120)
	for seed := range uint64(games) {
		choose := uniform
		if seed%3 > 0 {
			choose = taste(seed)
		}
		playOne(t, list[rng.IntN(len(list))], seed, choose, marks, &count, int(seed%4))
	}
	t.Log(count, "decisions")
	for _, m := range slices.Sorted(maps.Keys(marks)) {
		fmt.Println(m, marks[m])
	}
}

func playOne(t *testing.T, o reference.Options, seed uint64, choose policy, marks map[string]int, count *int, how int) {
	t.Helper()
	g, err := families.New(o.Text())
	if err != nil {
		t.Fatal(err)
	}
	r := &referee{t: t, game: g, rng: rand.NewPCG(seed, 7), text: fmt.Sprint(o.Text(), " seed ", seed), count: count, choose: choose}
	r.ref, err = reference.New(rules, o, r, marks)
	if err != nil {
		t.Fatal(err)
	}
	if how == 0 {
		r.engine = g.New()
		r.ref.Play()
	} else {
		r.ref.Start(rand.New(rand.NewPCG(seed, 8)), how == 1)
		document, _ := json.Marshal(r.ref.Document())
		r.engine, err = g.Load(document, engine.Strict)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, r.text, document)
		}
		r.start = string(document)
		r.ref.Resume()
	}
	if r.engine.ToAct() != engine.Terminal {
		r.fail(reference.Question{}, "the engine goes on")
	}
	r.comparePosition(reference.Question{})
	r.compareReturns()
}

func (r *referee) compareReturns() {
	if got, want := r.engine.Returns(nil), r.ref.Returns(); !slices.Equal(got, want) {
		r.fail(reference.Question{}, fmt.Sprintf("the engine pays %v, want %v", got, want))
	}
}
