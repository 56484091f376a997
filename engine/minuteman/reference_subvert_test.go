package minuteman_test

import (
	"fmt"
	"slices"
)

// modified is the die of Subversion and Sedition.
func (r *refGame) modified(h *refHex) int {
	n := r.die("C9")
	if h.has(func(u *refUnit) bool { return u.kind == "agent" || u.kind == "cig" }) {
		return n - 1
	}
	return n
}

// subvert is R10.12.
func (r *refGame) subvert(a *refAttack) {
	army := a.target.where(func(u *refUnit) bool { return u.kind == "army" && r.isG(u) })[0]
	r.reveal(army)
	column := 0
	for _, u := range a.attackers {
		column += r.strength(u).Attack
	}
	column = min(column, 7)
	die := r.modified(a.target)
	result := r.data.tables.Subversion.Cells[fmt.Sprint(die)][column-1]
	r.did(fmt.Sprintf("subversion row %d column %d", die, column))
	harsh := r.is("partisan") || r.is("occupation")
	if result == "M" && harsh {
		result = "P"
	}
	switch {
	case result == "Ae":
		for _, u := range a.attackers {
			r.eliminate(u)
		}
	case result == "hAe":
		r.loseHalf(a)
	case result == "P" && army.pinned && harsh:
		r.did("R25.6 second Pin")
		r.eliminate(army)
	case result == "M" || result == "P" && army.pinned:
		r.turnArmy(army, a.seat)
	case result == "P":
		army.pinned = true
	}
}

// turnArmy turns a Division into Militia.
func (r *refGame) turnArmy(army *refUnit, seat int) {
	h := army.hex
	r.eliminate(army)
	r.did("R10.12 converted")
	if r.pileSize(r.militiaBuilt(h, seat)...) > 0 && r.room(h, "militia", seat) {
		g, c := r.drawCounter("C7", r.militiaBuilt(h, seat)...)
		r.placeCounter(g, c, seat, h)
	}
}

// loseHalf is D51.
func (r *refGame) loseHalf(a *refAttack) {
	lastHex, lastClass := "", -1
	gone := []*refUnit{}
	for left := len(a.attackers) / 2; left > 0; left-- {
		all := r.where(func(u *refUnit) bool { return slices.Contains(a.attackers, u) && !slices.Contains(gone, u) })
		key := func(u *refUnit) int {
			return 100*slices.Index(r.hexes, u.hex) + slices.Index(r.data.classes, r.token(u))
		}
		units := slices.DeleteFunc(slices.Clone(all), func(u *refUnit) bool {
			if u.hex.id < lastHex || u.hex.id == lastHex && r.tokens[r.token(u)] < lastClass {
				return true
			}
			behind := 0
			for _, x := range all {
				behind += refBit(key(x) >= key(u))
			}
			return behind < left
		})
		u := r.pick(a.seat, "D51", units)
		lastHex, lastClass = u.hex.id, r.tokens[r.token(u)]
		gone = append(gone, u)
		r.eliminate(u)
	}
	r.did("R10.12 half")
}

// sedition is R10.13.
func (r *refGame) sedition(a *refAttack) {
	column := 0
	for _, u := range a.attackers {
		column += r.strength(u).Attack
	}
	harsh := r.is("partisan") || r.is("occupation")
	column = min(column+refBit(harsh), 7)
	die := r.modified(a.target)
	result := r.data.tables.Sedition.Cells[fmt.Sprint(die)][column-1]
	r.did(fmt.Sprintf("sedition row %d column %d", die, column))
	switch {
	case result == "A1":
		r.loseStep(a, slices.Clone(a.attackers), true)
	case result == "R" || result == "U" && harsh:
		r.riotIn(a.target)
	case result == "U":
		r.unrestIn(a.target)
	}
}
