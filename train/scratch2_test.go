package train

import (
	"fmt"
	"math/rand/v2"
	"powderkeg/engine"
	"powderkeg/train/solve"
)

func diag(tr *Trainer, ex *equilibria) {
	p, _ := ex.policy(tr.Network())
	probs := map[string]map[engine.Action]float64{}
	for seat := 0; seat < 2; seat++ {
		for i, s := range ex.tree.InfoStates(engine.Player(seat)) {
			m := map[engine.Action]float64{}
			for j, a := range s.Legal {
				m[a] = p.Probabilities(engine.Player(seat), i)[j]
			}
			probs[fmt.Sprint(seat, s.Key)] = m
		}
	}
	g := tr.Game()
	rng := rand.New(rand.NewPCG(1, 2))
	visits := map[string]int{}
	N := 300000
	s := g.New()
	for n := 0; n < N; n++ {
		s.CopyFrom(g.New())
		for s.ToAct() != engine.Terminal {
			seat := s.ToAct()
			if seat == engine.Chance {
				o := s.(engine.Stochastic).Outcomes(nil)
				tot := int(engine.Total(o))
				u := rng.IntN(tot)
				for _, x := range o {
					if u -= int(x.Weight); u < 0 {
						s.Apply(x.Action)
						break
					}
				}
				continue
			}
			key := fmt.Sprint(int(seat), string(s.(engine.Recaller).InfoState(nil, seat)))
			visits[key]++
			u := rng.Float64()
			var last engine.Action
			for _, a := range s.Legal(nil) {
				last = a
				if u -= probs[key][a]; u < 0 {
					break
				}
			}
			s.Apply(last)
		}
	}
	solver, _ := solve.New(ex.tree, solve.Default(solve.CFRPlus))
	for i := 0; i < 1000; i++ {
		solver.Iterate()
	}
	nash := solver.Average()
	fmt.Println("base", ex.tree.Evaluate(p).Exploitability, "nash", ex.tree.Evaluate(nash).Exploitability)
	for _, th := range []float64{0, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1} {
		nR := 0
		q, _ := ex.tree.Policy(func(states []solve.InfoState, out [][]float64) error {
			for i, st := range states {
				v := float64(visits[fmt.Sprint(int(st.Seat), st.Key)]) / float64(N)
				from := p
				if v < th {
					from = nash
					nR++
				}
				copy(out[i], from.Probabilities(st.Seat, i))
			}
			return nil
		})
		q2, _ := ex.tree.Policy(func(states []solve.InfoState, out [][]float64) error {
			for i, st := range states {
				v := float64(visits[fmt.Sprint(int(st.Seat), st.Key)]) / float64(N)
				from := p
				if v >= th {
					from = nash
				}
				copy(out[i], from.Probabilities(st.Seat, i))
			}
			return nil
		})
		fmt.Printf("nash below %g (%d states): %.4f   nash above: %.4f\n", th, nR, ex.tree.Evaluate(q).Exploitability, ex.tree.Evaluate(q2).Exploitability)
	}
}
