package insurgency_test

import (
	"fmt"
	"slices"
)

// What the reference offers at a decision, by the table R7.

func (v *table) money(side string) int {
	if side == "federal" {
		return v.Federal
	}
	return v.Rebel
}

// enemyCard tells whether the running card belongs to the other side.
func (a *atlas) enemyCard(v *table) bool {
	side := a.cards[v.Card.Number].Side
	return side != "neutral" && side != v.ToPlay
}

// legal returns the names of what may be chosen, and whether the reference covers
// the decision.
func (a *atlas) legal(v *table) ([]string, bool) {
	switch v.Decision {
	case "D2":
		return a.modes(v), true
	case "D3":
		return a.operations(v), true
	case "D9", "D10", "D11", "D12":
		return a.moves(v), true
	case "D13", "D15", "D16", "D19", "D20":
		return a.picks(v), true
	case "D14", "D21":
		o := v.Operation
		return spaces(a.candidates(v, o.Kind, o.Side, o.Ops, o.Free, o.Margin, nil, nil)), true
	case "D23":
		steps := map[string]string{"A": "B", "B": "AC", "C": "BD", "D": "E", "E": "DF", "F": "EA"}[v.SM]
		list := []string{"DONE"}
		for _, c := range steps {
			list = append(list, "SM_"+string(c))
		}
		return list, true
	case "D24":
		return a.attacks(v), true
	case "D30":
		return spaces(a.where(v, func(id string, s *site) bool { return s.Status == "anger" || s.Status == "defiance" })), true
	case "D31":
		return spaces(a.convertible(v)), true
	case "D32":
		return v.hacks(), true
	case "D4":
		return a.reserves(v), true
	}
	return nil, false
}

func spaces(ids []string) []string {
	var list []string
	for _, id := range ids {
		list = append(list, "SPACE_"+id)
	}
	return list
}

// where returns the spaces in play for which ok holds, in map order.
func (a *atlas) where(v *table, ok func(id string, s *site) bool) []string {
	var list []string
	for _, id := range a.ids {
		if a.open(v, id) && ok(id, v.Space[id]) {
			list = append(list, id)
		}
	}
	return list
}

func (a *atlas) modes(v *table) []string {
	if !a.enemyCard(v) {
		return []string{"MODE_event", "MODE_ops"}
	}
	list := []string{"MODE_ops_then_event", "MODE_event_then_ops"}
	used := v.RebelSM
	if v.ToPlay == "federal" {
		used = v.FedSM
	}
	if !used && !v.has("blackout") {
		list = append(list, "MODE_burn")
	}
	return list
}

func (v *table) reservesOf(side string) int {
	if side == "federal" {
		return v.FedRes
	}
	return v.RebelRes
}

// operations is R7.1.
func (a *atlas) operations(v *table) []string {
	ops := min(3, a.cards[v.Card.Number].Ops+v.reservesOf(v.ToPlay))
	var list []string
	for _, k := range []string{"fundraise", "recruit", "unrest", "attack", "surge", "move", "tax", "deploy", "hunt", "pacify", "secure", "reserves",
		"social_media", "hack"} {
		if a.possible(v, k, ops) {
			list = append(list, "OP_"+k)
		}
	}
	return list
}

func (a *atlas) possible(v *table, k string, ops int) bool {
	side := v.ToPlay
	if slices.Contains([]string{"fundraise", "recruit", "unrest", "attack", "surge"}, k) && side != "rebel" ||
		slices.Contains([]string{"tax", "deploy", "hunt", "pacify", "secure"}, k) && side != "federal" {
		return false
	}
	used := v.RebelSM
	if side == "federal" {
		used = v.FedSM
	}
	switch k {
	case "fundraise", "reserves":
		return true
	case "recruit", "unrest":
		return v.Rebel >= 1
	case "social_media":
		return !v.has("blackout") && (!a.enemyCard(v) || used)
	case "hack":
		return !v.has("blackout")
	case "move":
		for _, id := range a.ids {
			if len(a.destinations(v, side, id, false, false, nil)) > 0 {
				return true
			}
		}
		return false
	}
	return len(a.candidates(v, k, side, ops, false, 3, nil, nil)) > 0
}

// reserves is D4.
func (a *atlas) reserves(v *table) []string {
	var list []string
	ops := a.cards[v.Card.Number].Ops
	for n := 0; n <= v.reservesOf(v.ToPlay) && ops+n <= 3; n++ {
		if a.possible(v, *v.Card.Operation, ops+n) {
			list = append(list, fmt.Sprintf("AMOUNT_%d", n))
		}
	}
	return list
}

// candidates are the spaces that an operation may pick next.
func (a *atlas) candidates(v *table, kind, side string, ops int, free bool, margin int, within, picked []string) []string {
	cost := 0
	for _, id := range picked {
		cost += a.price(v, kind, id)
	}
	return a.where(v, func(id string, s *site) bool {
		if within != nil && !slices.Contains(within, id) || s.Status == "unmarked" {
			return false
		}
		if len(picked) > 0 && slices.Index(a.ids, id) <= slices.Index(a.ids, picked[len(picked)-1]) {
			return false
		}
		if !free && cost+a.price(v, kind, id) > v.money(side) {
			return false
		}
		cf := factors[s.Status]
		switch kind {
		case "attack":
			return !v.has("ceasefire") && s.militia() > 0 && s.Agents+s.Federal > 0
		case "surge":
			return ops == 3 && s.Status == "order" && s.militia() >= s.Agents+4
		case "tax":
			return s.Status == "order"
		case "deploy":
			return (s.Status == "order" || s.Federal > 0) && id != v.plague()
		case "hunt":
			return !v.has("ceasefire") && s.militia()+s.Rebel > 0 && a.effects(v, id) > 0
		case "pacify":
			return s.Agents+s.Federal > s.militia()+s.Rebel && s.Unrest > 0
		default: // secure
			return cf > 0 && cf <= ops && s.Unrest == 0 && s.Agents >= s.militia()+margin
		}
	})
}

// price is what an operation costs in one space.
func (a *atlas) price(v *table, kind, id string) int {
	cf := factors[v.Space[id].Status]
	switch kind {
	case "tax":
		return 0
	case "hunt":
		if v.has("fusion_centers") {
			return 1
		}
		return 1 + cf
	case "secure":
		return 2 + cf
	case "surge":
		return 3
	}
	return 1
}

// effects is R12.4.2.
func (a *atlas) effects(v *table, id string) int {
	n := v.Space[id].Agents
	if a.terrain[id] == "mountain" || a.terrain[id] == "city" && !v.has("iot") {
		return n / 2
	}
	return n
}

// picks is D13, D15, D16, D19 and D20.
func (a *atlas) picks(v *table) []string {
	o := v.Operation
	list := spaces(a.candidates(v, o.Kind, o.Side, o.Ops, o.Free, o.Margin, o.Within, o.Picks))
	if len(o.Picks) > 0 {
		list = append(list, "DONE")
	}
	return list
}

// attacks is D24.
func (a *atlas) attacks(v *table) []string {
	list := []string{"DONE"}
	some := len(a.where(v, func(_ string, s *site) bool { return s.Status == "anger" || s.Status == "defiance" })) > 0
	for _, k := range []struct {
		name string
		ops  int
		ok   bool
	}{
		{"feed", 1, true}, {"censor", 1, len(v.Pool) > 0}, {"persuade", 2, true}, {"distract", 2, true},
		{"enrage", 3, some}, {"convert", 3, len(a.convertible(v)) > 0},
	} {
		if k.ok && k.ops <= v.Operation.Budget {
			list = append(list, "ATTACK_"+k.name)
		}
	}
	return list
}

// convertible is D31.
func (a *atlas) convertible(v *table) []string {
	side := v.Operation.Side
	return a.where(v, func(id string, s *site) bool {
		theirs, stock := s.Agents, v.Stock.Militia
		if side == "federal" {
			theirs, stock = s.militia(), v.Stock.Agents
		}
		if theirs == 0 || id == v.plague() {
			return false
		}
		for other, o := range v.Space {
			if n := map[string]int{"federal": o.Agents, "rebel": o.militia()}[side]; other != id && n > 0 && a.open(v, other) {
				return true
			}
		}
		return stock > 0
	})
}

// hacks is R13.4.3.
func (v *table) hacks() []string {
	own, other, theirs := v.RebelHQ, v.FederalHQ, v.Federal
	if v.Operation.Side == "federal" {
		own, other, theirs = v.FederalHQ, v.RebelHQ, v.Rebel
	}
	barred := other.Shields > 0 && !v.Operation.Ignore
	var list []string
	for k, ok := range map[string]bool{
		"a": !barred, "b": !barred && theirs > 0, "c": !barred && other.Hacked < 6, "d": own.Hacked > 0, "e": own.Shields < 3, "f": other.Shields > 0,
	} {
		if ok {
			list = append(list, "HACK_"+k)
		}
	}
	if list == nil {
		return []string{"DONE"}
	}
	return list
}
