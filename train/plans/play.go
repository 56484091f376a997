package plans

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"powderkeg/agents"
	"powderkeg/agents/planner"
	"powderkeg/agents/scripted/menu"
	"powderkeg/engine"
	"powderkeg/env"
)

// player plays games and sums up what they teach. It belongs to one goroutine.
type player struct {
	config  *Config
	env     *env.Env
	planner planner.Planner
	policy  *planner.Policy // with the network, for its logits
	others  agents.Policy
	seats   []int // that learn
	width   int
	largest float64 // return

	menu menu.Menu
	// The choices of the game under way, with more than one candidate.
	first   []float32 // numbers of each one's first candidate, which the situation decides
	moment  []bool    // whether the values learn from it
	stream  []int     // whose results a choice leads to: one for a team
	learned []choice
	rows    []float32 // numbers of all candidates of learned choices
	logits  []float32
	priors  []float32

	odds, prior []float64
	slope       []float32
	advantage   []float64
	tape        *tape // of the network
	valueTape   *tape
}

// choice is a choice that is learned from.
type choice struct {
	number     int // among the game's choices
	from, rows int // its candidates
	taken      int
}

// block sums up some games.
type block struct {
	policy  []float32 // gradient
	moments []float32 // numbers of first candidates, for the values
	results []float32 // and what their games came to
	stats   []tally   // by learning seat (player.side)
}

// tally is what is told of games.
type tally struct {
	Games, Choices, Learned, Departures int
	Return, Entropy, Divergence         float64
	// Of the values: squared errors, and squared returns about nothing, in all and in the
	// last fifth of each game.
	Error, Spread, LateError, LateSpread float64
	LateCount, Count                     int
	Sum, LateSum                         float64
}

func (t *tally) add(o *tally) {
	t.Games, t.Choices, t.Learned, t.Departures = t.Games+o.Games, t.Choices+o.Choices, t.Learned+o.Learned, t.Departures+o.Departures
	t.Return, t.Entropy, t.Divergence = t.Return+o.Return, t.Entropy+o.Entropy, t.Divergence+o.Divergence
	t.Error, t.Spread, t.LateError, t.LateSpread = t.Error+o.Error, t.Spread+o.Spread, t.LateError+o.LateError, t.LateSpread+o.LateSpread
	t.Count, t.LateCount, t.Sum, t.LateSum = t.Count+o.Count, t.LateCount+o.LateCount, t.Sum+o.Sum, t.LateSum+o.LateSum
}

// explained is the share of the returns' variance that the values explain.
func explained(errors, squares, sum float64, n int) float64 {
	spread := squares - sum*sum/float64(max(n, 1))
	if spread <= 0 {
		return 0
	}
	return 1 - errors/spread
}

// playStream is the PCG stream of the choices in a game.
const playStream = 0x706c616e73

// learns reports whether a seat learns in the game of that number.
func (p *player) learns(seat engine.Player, number int) bool {
	if p.config.Alone {
		return int(seat) == p.seats[side(p.config, p.seats, number)]
	}
	return slices.Contains(p.seats, int(seat))
}

// side returns which of the learning seats a game is about that only one of them plays, 0 for
// a game of all of them.
func side(c *Config, seats []int, number int) int {
	if c.Alone {
		return number % len(seats)
	}
	return 0
}

// chooser decides for a seat that learns, by draws from rng.
type chooser func(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) (engine.Action, error)

// play plays the game of that seed and number; choose says what a learning seat takes.
func (p *player) play(seed uint64, number int, choose chooser) error {
	e, rng := p.env, rand.NewPCG(seed, playStream)
	for e.Reset(seed); !e.Terminated(); {
		legal, actor := e.Legal(), e.Actor()
		a := legal[0]
		if len(legal) > 1 {
			var err error
			if p.learns(actor, number) {
				a, err = choose(e.View(actor), actor, legal, rng)
			} else {
				a, err = agents.Choose(p.others, e.View(actor), actor, legal, rng)
			}
			if err != nil {
				return fmt.Errorf("plans: seat %d: %w", actor, err)
			}
		}
		if err := e.Step(a); err != nil {
			return fmt.Errorf("plans: seat %d: %w", actor, err)
		}
	}
	return nil
}

// gain is the mean return of the learning seats in the game that is over, in its own unit.
func (p *player) gain(number int) float64 {
	sum, n := 0.0, 0
	for seat, r := range p.env.Returns() {
		if p.learns(engine.Player(seat), number) {
			sum, n = sum+float64(r), n+1
		}
	}
	return sum / float64(n)
}

// learn plays a game and adds what it teaches to b.
func (p *player) learn(seed uint64, number int, b *block) error {
	p.first, p.stream, p.learned = p.first[:0], p.stream[:0], p.learned[:0]
	p.moment = p.moment[:0]
	p.rows, p.logits, p.priors = p.rows[:0], p.logits[:0], p.priors[:0]
	team, stats := p.env.Game().Spec().Payoff == engine.Cooperative, &b.stats[side(p.config, p.seats, number)]
	err := p.play(seed, number, func(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) (engine.Action, error) {
		m := &p.menu
		p.planner.Menu(m, view, seat, legal)
		if len(m.Actions) == 1 {
			return m.Actions[0], nil
		}
		logits := p.policy.Logits(m)
		if err := p.policy.Err(); err != nil {
			return 0, err
		}
		p.odds = planner.Odds(p.odds[:0], logits, p.config.Temperature)
		taken := planner.Draw(p.odds, engine.Unit(rng))
		number := len(p.stream)
		p.first = append(p.first, m.Features[:p.width]...)
		if p.stream = append(p.stream, int(seat)); team {
			p.stream[number] = 0
		}
		p.moment = append(p.moment, engine.Unit(rng) < p.config.Moments)
		if engine.Unit(rng) < p.config.Share {
			p.learned = append(p.learned, choice{number, len(p.logits), len(m.Actions), taken})
			p.rows = append(p.rows, m.Features...)
			p.logits = append(p.logits, logits...)
			p.priors = append(p.priors, m.Worth...)
		}
		if taken != 0 {
			stats.Departures++
		}
		return m.Actions[taken], nil
	})
	if err != nil {
		return err
	}
	stats.Games++
	stats.Return += p.gain(number)
	stats.Choices += len(p.stream)
	stats.Learned += len(p.learned)
	if len(p.learned) > 0 {
		p.judge(b, stats)
		p.teach(stats)
	}
	return nil
}

// judge works out the advantage of each choice, and keeps moments for the values to learn from.
func (p *player) judge(b *block, stats *tally) {
	n := len(p.stream)
	out := p.valueTape.forward(p.first, n)
	p.advantage = p.advantage[:0]
	for range n {
		p.advantage = append(p.advantage, 0)
	}
	lambda := p.config.Lambda
	for seat, ret := range p.env.Returns() {
		result := float64(ret) / p.largest
		next, carry := result, 0.0 // value of the choice behind, and what is known beyond it
		for i := n - 1; i >= 0; i-- {
			if p.stream[i] != seat {
				continue
			}
			v := float64(out[2*i+1])
			carry = next - v + lambda*carry
			p.advantage[i], next = carry, v
			wrong := v - result
			if p.moment[i] {
				b.moments = append(b.moments, p.first[i*p.width:(i+1)*p.width]...)
				b.results = append(b.results, float32(result))
			}
			t := stats
			t.Error, t.Spread, t.Sum, t.Count = t.Error+wrong*wrong, t.Spread+result*result, t.Sum+result, t.Count+1
			if i >= n*4/5 {
				t.LateError, t.LateSpread, t.LateSum, t.LateCount = t.LateError+wrong*wrong, t.LateSpread+result*result, t.LateSum+result, t.LateCount+1
			}
		}
	}
}

// teach adds the policy gradient of the learned choices.
func (p *player) teach(stats *tally) {
	n := len(p.logits)
	p.slope = grow(p.slope, 2*n)
	t := p.config.Temperature
	for _, c := range p.learned {
		p.odds = planner.Odds(p.odds[:0], p.logits[c.from:c.from+c.rows], t)
		p.prior = planner.Odds(p.prior[:0], p.priors[c.from:c.from+c.rows], t)
		divergence, entropy := 0.0, 0.0
		for i, q := range p.odds {
			if q > 0 {
				divergence += q * math.Log(q/max(p.prior[i], 1e-12))
				entropy -= q * math.Log(q)
			}
		}
		stats.Divergence += divergence
		stats.Entropy += entropy
		advantage := p.advantage[c.number]
		for i, q := range p.odds {
			slope := advantage * q
			if i == c.taken {
				slope -= advantage
			}
			if q > 0 {
				slope += p.config.Magnet * q * (math.Log(q/max(p.prior[i], 1e-12)) - divergence)
			}
			p.slope[2*(c.from+i)], p.slope[2*(c.from+i)+1] = float32(slope/t), 0
		}
	}
	p.tape.forward(p.rows, n)
	p.tape.backward(p.rows, p.slope[:2*n], n)
}

func grow(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n, 2*n)
	}
	return x[:n]
}

// evaluate plays the game of that seed by the best candidates, with the network or without.
func (p *player) evaluate(seed uint64, number int, policy *planner.Policy) (gain float64, err error) {
	err = p.play(seed, number, func(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) (engine.Action, error) {
		return agents.Choose(policy, view, seat, legal, rng)
	})
	return p.gain(number), err
}
