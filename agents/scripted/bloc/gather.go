package bloc

import "powderkeg/engine/bloc"

// planGather looks at bringing blocs together for a liberation (R9.5). The factions
// agree without a word on the district that lacks the fewest blocs.
func (t *situation) planGather() {
	target, lacking := bloc.NoCell, 0
	worth := 0.0
	for c := range bloc.CellID(bloc.Cells) {
		if t.goals.free[c] == 0 || t.holder[c] == none || t.hits[c] > 0 {
			continue
		}
		lack := int(t.s.BlocsNeeded(c)) - t.total[c] + t.cops[c]
		if lack <= 0 {
			continue
		}
		if v := t.goals.free[c] / float64(3+lack); target == none || v > worth {
			target, lacking, worth = c, lack, v
		}
	}
	if target == none {
		return
	}
	blocs, turns := t.free(target), 1
	for i := int(t.s.P.Turn) + 1; i < t.s.FactionSeats(); i++ {
		turns++
	}
	if blocs == 0 {
		return
	}
	reach := blocs
	for i := int(t.s.P.Turn) + 1; i < t.s.FactionSeats(); i++ {
		f := t.s.Order(i)
		reach += (t.s.InCity(f) - int(t.s.P.Blocs[f][target])) / 2
	}
	if reach < lacking {
		return
	}
	by := t.bring(target, 0, lacking, 0)
	if !by.ok {
		return
	}
	value := t.goals.free[target] * float64(by.step.count) / float64(lacking)
	t.offer(value+by.gain, by.cost, by.step)
}

// free returns the spare blocs outside a district.
func (t *situation) free(target bloc.CellID) int {
	n := 0
	for s := t.calm &^ (1 << target); s != 0; s &= s - 1 {
		n += max(0, t.spare[s.First()])
	}
	return n
}
