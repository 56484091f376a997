// Package teacher says what it would do at a decision, and what that is worth: hints and
// reviews for people and language models.
package teacher

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/random"
	"powderkeg/agents/roster"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
)

// Teacher says what it would do and what that is worth: the network that was
// trained for the game with its options where there is one, else its scripted player and games that this plays to their end. It knows what the
// seat knows: what is hidden it deals at random. It belongs to one goroutine.
type Teacher struct {
	game     engine.Game
	name     string
	brain    *learned.Policy // nil without a network
	player   agents.Policy   // chooses where there is no network
	playouts agents.Policy   // plays games to their end
	rng      *rand.PCG
	world    engine.State // scratch
	trial    engine.State
	view     engine.View
	legal    []engine.Action
	chances  []engine.Outcome
}

// New returns a teacher of a game, nil if there is nobody to learn from.
func New(g engine.Game) *Teacher {
	t := &Teacher{game: g, rng: rand.NewPCG(rand.Uint64(), 0), world: g.New(), trial: g.New()}
	if h, ok := t.world.(engine.Hidden); ok {
		t.view = h.NewView()
	}
	if names := roster.Networks(g); len(names) > 0 {
		if brain, err := learned.Open(g, "zoo:"+names[0]); err == nil {
			t.name, t.brain = "zoo:"+names[0], brain.NewPolicy(1)
			return t
		}
	}
	player, err := scripted.New(g)
	if err != nil {
		return nil
	}
	t.name, t.player, t.playouts = "scripted", player, player
	if t.time(player) > slowGame {
		t.playouts = random.Policy{}
	}
	return t
}

// slowGame is how long a player may take for both sides of a game that is played to its
// end; games of one that thinks longer are played at random.
const slowGame = 4 * time.Millisecond

// time returns how long a player takes for a game, or slowGame and more.
func (t *Teacher) time(player agents.Policy) time.Duration {
	t.playouts = player
	t.trial.CopyFrom(engine.Original(t.game).New())
	begin := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 4*slowGame)
	defer cancel()
	t.judge(ctx, 0, false)
	return time.Since(begin)
}

// Name returns who teaches, as an agent string.
func (t *Teacher) Name() string { return t.name }

// Opinion is what a teacher thinks of a legal action.
type Opinion struct {
	Action int `json:"action"`
	// Share is with which probability the teacher would take it.
	Share float32 `json:"share"`
	// Value is what the seat may expect after it, from 0 (the least return) to 1 (the
	// largest), as far as that was found out.
	Value *float32 `json:"value"`
}

// Advice is what a teacher thinks of a decision.
type Advice struct {
	By       string    `json:"by"`
	Opinions []Opinion `json:"opinions"` // in the order of the legal actions
	// Value is what the seat may expect, from 0 to 1.
	Value *float32 `json:"value"`
	// Trials is from how many worlds, or games played to their end, an action's value is.
	Trials int `json:"trials"`
}

const (
	// draws is how often a player without probabilities is asked.
	draws = 8
	// considered is how many actions are tried out at most.
	considered = 16
	// networkTrials and playerTrials are in how many worlds an action is tried at most,
	// judged by a network or by playing to the end; FewTrials is from how many on a value
	// is told.
	networkTrials, playerTrials, FewTrials = 8, 64, 6
)

// Advise thinks about a decision of seat p, whose view it is, until ctx ends or it has
// seen enough. also is an action that is tried out in any case, or -1.
func (t *Teacher) Advise(ctx context.Context, v engine.View, p engine.Player, legal []engine.Action, also engine.Action) *Advice {
	return t.advise(ctx, v, p, legal, also, nil)
}

// Against is Advise where what the others hold is no secret: what an action is worth is
// found out in one world, which must be a possible one of the view. The shares stay those
// of somebody who does not know it.
func (t *Teacher) Against(ctx context.Context, v engine.View, p engine.Player, legal []engine.Action, world engine.State) *Advice {
	a := t.advise(ctx, v, p, legal, -1, world)
	a.Value = nil // what the seat expects without knowing the world
	for _, o := range a.Opinions {
		if o.Value != nil && (a.Value == nil || *o.Value > *a.Value) {
			a.Value = o.Value
		}
	}
	return a
}

// advise is Advise, with every world dealt from the view or, if one is given, the same.
func (t *Teacher) advise(ctx context.Context, v engine.View, p engine.Player, legal []engine.Action, also engine.Action, world engine.State) *Advice {
	a := &Advice{By: t.name, Opinions: make([]Opinion, len(legal))}
	shares := t.shares(v, p, legal, a)
	for i, action := range legal {
		a.Opinions[i] = Opinion{Action: int(action), Share: shares[i]}
	}
	tried := t.candidates(legal, shares, also)
	sums, most := make([]float64, len(legal)), playerTrials
	if t.brain != nil {
		most = networkTrials
	}
	for n := 0; n < most; n++ {
		if !t.round(ctx, v, p, legal, tried, sums, world) {
			break
		}
		a.Trials = n + 1
	}
	if a.Trials < FewTrials {
		return a
	}
	expected, weight := 0.0, 0.0
	for _, i := range tried {
		value := float32(t.scaled(sums[i] / float64(a.Trials)))
		a.Opinions[i].Value = &value
		expected += float64(shares[i]) * float64(value)
		weight += float64(shares[i])
	}
	if a.Value == nil && weight > 0 {
		value := float32(expected / weight)
		a.Value = &value
	}
	return a
}

// shares returns with which probability the teacher would take each of the actions. A
// network also says what it expects.
func (t *Teacher) shares(v engine.View, p engine.Player, legal []engine.Action, a *Advice) []float32 {
	if t.brain != nil {
		shares, values := t.brain.Evaluate(nil, v, p, legal)
		if t.brain.Err() != nil { // it has nothing to say
			clear(shares)
			return shares
		}
		value := float32(t.scaled(float64(values[0] * t.largest())))
		a.Value = &value
		return shares
	}
	shares, begin := make([]float32, len(legal)), time.Now()
	for n := float32(1); n <= draws; n++ {
		chosen := slices.Index(legal, t.player.Choose(v, p, legal, t.rng))
		for i := range shares {
			shares[i] -= shares[i] / n
		}
		shares[chosen] += 1 / n
		if time.Since(begin) > slowGame {
			break // one that thinks as long does not say another thing each time
		}
	}
	return shares
}

// largest is the return that a network's value of 1 stands for.
func (t *Teacher) largest() float32 { return max(-t.game.Spec().MinReturn, t.game.Spec().MaxReturn) }

// scaled brings a return to the range from 0 to 1.
func (t *Teacher) scaled(r float64) float64 {
	low, high := float64(t.game.Spec().MinReturn), float64(t.game.Spec().MaxReturn)
	if high <= low {
		return 0
	}
	return min(max((r-low)/(high-low), 0), 1)
}

// candidates returns which of the actions are tried out, by their index: those with the
// largest shares, and one in any case.
func (t *Teacher) candidates(legal []engine.Action, shares []float32, also engine.Action) []int {
	order := make([]int, len(legal))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case legal[a] == also || shares[a] > shares[b]:
			return -1
		case legal[b] == also || shares[a] < shares[b]:
			return 1
		}
		return 0
	})
	return order[:min(len(order), considered)]
}

// round tries each of the actions in one world and adds what it is worth. It returns
// false if ctx has ended before.
func (t *Teacher) round(ctx context.Context, v engine.View, p engine.Player, legal []engine.Action, tried []int, sums []float64, world engine.State) bool {
	if world != nil {
		t.world.CopyFrom(world)
	} else if h, ok := t.world.(engine.Hidden); ok {
		h.Redeal(v, t.rng)
	} else {
		t.world.CopyFrom(v.(engine.State))
	}
	if t.world.ToAct() != p {
		return false // the world does not ask what the view asks
	}
	found := make([]float64, len(tried))
	for k, i := range tried {
		t.trial.CopyFrom(t.world)
		if t.trial.Apply(legal[i]) != nil {
			return false
		}
		value, ok := t.judge(ctx, p, world != nil)
		if !ok {
			return false
		}
		found[k] = value
	}
	for k, i := range tried {
		sums[i] += found[k]
	}
	return true
}

// judge returns what seat p may expect of the trial: by the network at the next decision,
// or at the end to which the player plays it. Where the world is known, the network is
// asked at the next decision of another seat, which sees what it holds.
func (t *Teacher) judge(ctx context.Context, p engine.Player, known bool) (float64, bool) {
	for n := 0; ; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return 0, false
		}
		actor := t.trial.ToAct()
		if actor == engine.Terminal {
			return float64(t.trial.Returns(nil)[p]), true
		}
		if actor == engine.Chance {
			t.chances = t.trial.(engine.Stochastic).Outcomes(t.chances[:0])
			if t.trial.Apply(engine.Sample(t.chances, t.rng)) != nil {
				return 0, false
			}
			continue
		}
		t.legal = t.trial.Legal(t.legal[:0])
		seen := engine.View(t.trial)
		if t.view != nil {
			t.trial.(engine.Hidden).See(actor, t.view)
			seen = t.view
		}
		if t.brain != nil && known && actor == p {
			move, err := agents.Choose(t.brain, seen, actor, t.legal, t.rng)
			if err != nil || t.trial.Apply(move) != nil {
				return 0, false
			}
			continue
		}
		if t.brain != nil {
			_, values := t.brain.Evaluate(nil, seen, actor, t.legal)
			if t.brain.Err() != nil {
				return 0, false
			}
			seats := len(values)
			return float64(values[(int(p)-int(actor)+seats)%seats] * t.largest()), true
		}
		move, err := agents.Choose(t.playouts, seen, actor, t.legal, t.rng)
		if err != nil || t.trial.Apply(move) != nil {
			return 0, false
		}
	}
}
