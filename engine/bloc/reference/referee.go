package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"powderkeg/engine"
)

// Policy chooses an answer to a decision in a state of the engine.
type Policy func(s engine.State, q Question, rng *rand.PCG) string

// Start is how a game begins.
type Start int

const (
	Usual    Start = iota // with the set-up
	Evening               // with everything thrown about, at the beginning of a turn
	Midnight              // the same, in the middle of one
	Sunrise               // the same, at Sunrise
)

// Match is a game that the engine and the reference play side by side.
type Match struct {
	Game   engine.Game // of the options' text
	Begin  Start
	Seed   uint64
	Choose Policy
	Marks  map[string]int // counts how often each part of the rules was exercised

	Most int // ends the match after so many decisions, 0 for none

	// Decisions is how many there were.
	Decisions int

	text     string // of the game
	state    engine.State
	ref      *Game
	rng      *rand.PCG
	document []byte // the position of the start, if not the usual one
	moves    []string
	asked    int
}

// disagreement is a panic that ends a match, enough one that ends it without.
type (
	disagreement struct{ error }
	enough       struct{}
)

// Play plays the game to its end. The error is the first disagreement, with all that is
// needed to see it again.
func (m *Match) Play(r *Rules, o Options) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil, enough:
		case disagreement:
			err = x.error
		default:
			panic(x)
		}
	}()
	m.text, m.rng = o.Text(), rand.NewPCG(m.Seed, 7)
	if m.ref, err = New(r, o, m, m.Marks); err != nil {
		return err
	}
	if m.Begin == Usual {
		m.state = m.Game.New()
		m.ref.Play()
	} else {
		m.ref.Start(rand.New(rand.NewPCG(m.Seed, 8)), m.Begin)
		if m.document, err = json.Marshal(m.ref.Document()); err != nil {
			return err
		}
		if m.state, err = m.Game.Load(m.document, engine.Strict); err != nil {
			return fmt.Errorf("%w\n%s %s", err, m.text, m.document)
		}
		m.ref.Resume()
	}
	m.compareEnd()
	return nil
}

// Ask implements Host: the two must be at the same question.
func (m *Match) Ask(q Question) string {
	m.compare(q)
	answer := ""
	if q.Player < 0 {
		answer = q.Options[m.draw(q.Weights)]
	} else {
		if m.Most > 0 && m.Decisions == m.Most {
			panic(enough{})
		}
		m.Decisions++
		answer = m.Choose(m.state, q, m.rng)
	}
	a, err := engine.FindMove(m.Game, m.state, answer)
	if err == nil {
		err = m.state.Apply(a)
	}
	if err != nil {
		m.fail(q, err.Error())
	}
	m.moves = append(m.moves, answer)
	return answer
}

func (m *Match) draw(weights []int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	x := int(engine.Uint32N(m.rng, uint32(total)))
	for i, w := range weights {
		if x < w {
			return i
		}
		x -= w
	}
	panic("weights")
}

// fail ends the match.
func (m *Match) fail(q Question, what string) {
	panic(disagreement{fmt.Errorf("%s\nat %s of %s with %v: %v\ngame %s, seed %d, start %d\nposition %s\nmoves %s",
		what, q.Name, q.Faction, q.Options, m.ref, m.text, m.Seed, m.Begin, m.document, strings.Join(m.moves, " "))})
}

// compare demands that the engine asks the same of the same player in the same situation.
func (m *Match) compare(q Question) {
	if got := int(m.state.ToAct()); got != q.Player {
		m.fail(q, fmt.Sprintf("the engine waits for player %d with %v, want %d", got, m.offers(), q.Player))
	}
	if asks, _ := m.state.(engine.Asker).Asks(); asks != q.Name {
		m.fail(q, fmt.Sprintf("the engine asks %s with %v", asks, m.offers()))
	}
	if got := m.offers(); !slices.Equal(got, slices.Sorted(slices.Values(q.Options))) {
		m.fail(q, fmt.Sprintf("the engine offers %v", got))
	}
	if q.Player < 0 {
		m.compareOdds(q)
	}
	if m.asked++; q.Player >= 0 || m.asked%7 == 0 { // it is slow, and most dice and cards change little
		m.comparePosition(q)
	}
	if slices.Contains(secret, q.Name) || q.Player >= 0 && m.asked%30 == 0 {
		m.compareViews(q)
	}
}

func (m *Match) offers() (list []string) {
	for _, a := range engine.Moves(m.state) {
		list = append(list, engine.MoveName(m.Game, m.state, a))
	}
	slices.Sort(list)
	return list
}

// compareOdds compares odds as ratios.
func (m *Match) compareOdds(q Question) {
	outcomes, mine := m.state.(engine.Stochastic).Outcomes(nil), 0
	for _, w := range q.Weights {
		mine += w
	}
	total := int(engine.Total(outcomes))
	for _, o := range outcomes {
		i := slices.Index(q.Options, engine.MoveName(m.Game, m.state, o.Action))
		if int(o.Weight)*mine != q.Weights[i]*total {
			m.fail(q, fmt.Sprintf("the engine gives %s the odds %d of %d, want %d of %d", q.Options[i], o.Weight, total, q.Weights[i], mine))
		}
	}
}

// secret are the questions that the others do not see (R15.1).
var secret = []string{"D12", "D15", "D24", "D26", "D28"}

// compareViews demands that a secret question is seen by the player asked alone, that the
// others see all that is public as it stands, and that nobody sees another's cards (R15, R15.1).
func (m *Match) compareViews(q Question) {
	for p := range m.ref.options.Players {
		want := engine.Player(q.Player)
		if slices.Contains(secret, q.Name) && p != q.Player {
			want = engine.Nobody
		}
		view := engine.Look(m.state, engine.Player(p))
		if got := view.ToAct(); got != want {
			m.fail(q, fmt.Sprintf("player %d sees that %d acts, want %d", p, got, want))
		}
		var got map[string]json.RawMessage
		if text, err := view.MarshalJSON(); err != nil || json.Unmarshal(text, &got) != nil {
			m.fail(q, fmt.Sprintf("%s: %v", text, err))
		}
		var list []string
		for key, want := range m.ref.View(p) {
			list = append(list, differ(key, got[key], want)...)
		}
		if len(list) > 0 {
			slices.Sort(list)
			m.fail(q, fmt.Sprintf("the view of player %d: %s", p, strings.Join(list, "\n")))
		}
	}
}

// comparePosition compares what the reference keeps with the engine's JSON position.
func (m *Match) comparePosition(q Question) {
	var got, pending map[string]json.RawMessage
	if text, err := m.state.MarshalJSON(); err != nil || json.Unmarshal(text, &got) != nil || json.Unmarshal(got["pending"], &pending) != nil {
		m.fail(q, fmt.Sprintf("%s: %v", text, err))
	}
	var list []string
	for key, want := range m.ref.Position() {
		list = append(list, differ(key, got[key], want)...)
	}
	for key, want := range m.ref.underWay(q) {
		list = append(list, differ("pending."+key, pending[key], want)...)
	}
	if len(list) > 0 {
		slices.Sort(list)
		m.fail(q, strings.Join(list, "\n"))
	}
}

// differ lists where a field of the engine's position is not as the reference has it. Mostly
// the texts are the same, and need not be read.
func differ(path string, got json.RawMessage, want any) []string {
	text, err := json.Marshal(want)
	if err != nil {
		panic(err)
	}
	if bytes.Equal(got, text) {
		return nil
	}
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		return []string{fmt.Sprintf("%s: the engine has %q: %v", path, got, err)}
	}
	if err := json.Unmarshal(text, &b); err != nil {
		panic(err)
	}
	return differences(path, a, b)
}

func differences(path string, got, want any) (list []string) {
	if reflect.DeepEqual(got, want) {
		return nil
	}
	g, isObject := got.(map[string]any)
	w, both := want.(map[string]any)
	if !isObject || !both {
		return []string{fmt.Sprintf("%s: the engine has %v, want %v", path, got, want)}
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

// compareEnd compares the result.
func (m *Match) compareEnd() {
	q := Question{Name: "the end"}
	if m.state.ToAct() != engine.Terminal {
		m.fail(q, fmt.Sprintf("the engine waits for player %d with %v", m.state.ToAct(), m.offers()))
	}
	m.comparePosition(q)
	if got, want := m.state.Returns(nil), m.ref.Returns(); !slices.Equal(got, want) {
		m.fail(q, fmt.Sprintf("the engine pays %v, want %v", got, want))
	}
}
