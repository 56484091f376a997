package mutants

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"powderkeg/engine"
)

// Outcome is a mutant of a rule and what became of it.
type Outcome struct {
	Rule string
	Mutant
	Fate Fate
	By   string // a test that fails
}

func (o *Outcome) String() string {
	end := "survives"
	switch o.Fate {
	case KilledByRule:
		end = "fails " + o.By
	case KilledByPlace:
		end = fmt.Sprintf("fails %s, which cites one of %s and not the rule", o.By, strings.Join(o.Rules, ", "))
	case KilledByAny:
		end = fmt.Sprintf("fails %s, which cites none of %s", o.By, strings.Join(o.Rules, ", "))
	}
	return fmt.Sprintf("%s %s: %s", o.Rule, &o.Mutant, end)
}

// ByRule returns for each rule the indices of the mutants that change its code.
func ByRule(list []Mutant) map[string][]int {
	byRule := map[string][]int{}
	for i := range list {
		for _, r := range list[i].Rules {
			byRule[r] = append(byRule[r], i)
		}
	}
	return byRule
}

// tries is how many changes of a rule are drawn for one that compiles.
const tries = 8

// Sample draws n of the rules that have code to change, all if there are fewer, one mutant of
// each, and tries them. each, if not nil, is called with every outcome as it is known.
func Sample(ctx context.Context, l *Lab, rules []string, n int, seed uint64, each func(*Outcome)) ([]Outcome, error) {
	all, err := Find(l.folder)
	if err != nil {
		return nil, err
	}
	byRule := ByRule(all)
	rules = slices.DeleteFunc(slices.Clone(rules), func(r string) bool { return len(byRule[r]) == 0 })
	rng := rand.NewPCG(seed, 0x6d7574616e74)
	for i := range rules {
		j := i + int(engine.Uint32N(rng, uint32(len(rules)-i)))
		rules[i], rules[j] = rules[j], rules[i]
	}
	var outcomes []Outcome
	for _, rule := range rules[:min(n, len(rules))] {
		for range tries {
			o := Outcome{Rule: rule, Mutant: all[byRule[rule][engine.Uint32N(rng, uint32(len(byRule[rule])))]]}
			o.Fate, o.By, err = l.Try(ctx, &o.Mutant, rule)
			if errors.Is(err, ErrNoMutant) {
				continue
			}
			if err != nil {
				return outcomes, err
			}
			outcomes = append(outcomes, o)
			if each != nil {
				each(&o)
			}
			break
		}
	}
	return outcomes, nil
}

// Count returns how many outcomes have each fate.
func Count(outcomes []Outcome) (n [Survived + 1]int) {
	for _, o := range outcomes {
		n[o.Fate]++
	}
	return n
}
