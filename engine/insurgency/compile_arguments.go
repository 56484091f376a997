package insurgency

import (
	"encoding/json"
	"fmt"
	"slices"
)

// noLimit says that the number of spaces is bounded by the operation alone.
const noLimit = 0xFF

// arguments compiles what is particular to each op.
func (c *compiler) arguments(s *step, in *instr) error {
	var err error
	switch in.op {
	case opSelect, opTest, opInspect:
	case opPlace:
		err = c.place(s, in)
	case opRemove:
		err = c.remove(s, in)
	case opConvert:
		err = c.convert(s, in)
	case opShift:
		dir, e := name(s.Dir, []string{"order", "toggle", "revolt"}, -1)
		if in.dir, err = int8(dir)-1, e; s.Steps != 1 {
			err = fmt.Errorf("%d steps", s.Steps)
		}
	case opUnrest:
		if string(s.N) == `"clear"` {
			in.clear = true
		} else {
			err = json.Unmarshal(s.N, &in.dir)
		}
	case opMoney:
		in.minus, in.stores = s.Sign == "-", s.Store != ""
		if in.stores {
			c.stored = append(c.stored, s.Store)
		}
		in.amount, err = c.amount(s.Amount)
	case opStep:
		in.n = s.Max
	case opNews:
		do, e := name(s.Do, newsNames, -1)
		in.do, in.n, in.optional, err = newsDo(do), 1, s.Optional, e
		if s.N != nil {
			err = json.Unmarshal(s.N, &in.n)
		}
	case opHQ:
		err = c.headquarters(s, in)
	case opFlip:
		var to string
		if err = json.Unmarshal(s.To, &to); err == nil {
			in.state, err = militiaState(to)
		}
	case opDiscard:
		err = json.Unmarshal(s.N, &in.n)
	case opReserve:
		err = c.reserve(s, in)
	case opFree:
		err = c.freeOperation(s, in)
	case opFreeHack:
		if in.ignore = s.IgnoreShield; !s.AutoSuccess {
			err = fmt.Errorf("a free hack succeeds")
		}
	case opMomentum:
		err = c.momentum(s, in)
	case opCancel:
		err = c.cancel(s, in)
	case opRelocate:
		err = c.relocate(s, in)
	}
	return err
}

// militiaState reads a state of militia.
func militiaState(word string) (uint8, error) {
	i, err := name(word, []string{"any", "active", "sleeper"}, -1)
	return uint8(i), err
}

// marker reads what happens to a marker of an HQ: nothing, "clear" or a number.
func marker(raw json.RawMessage) (clear bool, n uint8, err error) {
	if raw == nil {
		return false, 0, nil
	}
	if string(raw) == `"clear"` {
		return true, 0, nil
	}
	return false, n, json.Unmarshal(raw, &n)
}

func (c *compiler) headquarters(s *step, in *instr) (err error) {
	if in.hackedClear, in.hacked, err = marker(s.Hacked); err == nil {
		in.shieldClear, in.shield, err = marker(s.Shield)
	}
	return err
}

func (c *compiler) reserve(s *step, in *instr) error {
	switch {
	case s.Set != nil:
		in.set, in.n = true, *s.Set
	case s.Add != nil:
		in.n = *s.Add
	default:
		return fmt.Errorf("neither set nor add")
	}
	return nil
}

func (c *compiler) place(s *step, in *instr) error {
	in.split = s.Spread == "split"
	piece, err := name(s.Piece, []string{"unit", "base"}, -1)
	if err != nil {
		return err
	}
	in.base = piece == 1
	if !in.base { // a plague space never matches where units would be placed
		in.at.filter.noPlague = true
	}
	return json.Unmarshal(s.N, &in.n)
}

func (c *compiler) remove(s *step, in *instr) error {
	in.split = s.Spread == "split"
	t, err := name(s.Target, targetNames, -1)
	if err != nil {
		return err
	}
	in.target = target(t)
	if in.state, err = militiaState(s.State); err != nil {
		return err
	}
	switch string(s.N) {
	case `"all"`:
		in.all = true
	case `"half_up"`:
		in.half = true
	default:
		return json.Unmarshal(s.N, &in.n)
	}
	return nil
}

func (c *compiler) convert(s *step, in *instr) error {
	var from string
	if err := json.Unmarshal(s.From, &from); err != nil {
		return err
	}
	t, err := name(from, []string{"agent", "militia", "enemy"}, -1)
	if err != nil {
		return err
	}
	in.target = [...]target{targetAgent, targetMilitia, targetEnemy}[t]
	in.at.filter.noPlague = true
	return json.Unmarshal(s.N, &in.n)
}

// amount compiles a number of dollars.
func (c *compiler) amount(raw json.RawMessage) (amount, error) {
	var a amount
	if json.Unmarshal(raw, &a.fixed) == nil {
		return a, nil
	}
	var r struct {
		Dice      string
		Plus      uint8
		Count     *filterRow
		Mult, Max uint8
		CountRef  string `json:"count_ref"`
		Stored    string
		Div       uint8
	}
	if err := strictly(raw, &r); err != nil {
		return a, err
	}
	a.plus, a.mult, a.max, a.div = r.Plus, r.Mult, r.Max, r.Div
	var err error
	switch {
	case r.Dice != "":
		dice, e := name(r.Dice, []string{"", "1d6", "2d6"}, -1)
		a.dice, err = uint8(dice), e
	case r.Count != nil:
		a.counts = true
		a.filter, err = c.filter(r.Count)
	case r.CountRef != "":
		a.countsRef = true
		a.ref, err = c.selection(r.CountRef)
	case r.Stored != "":
		a.stored = true
		if !slices.Contains(c.stored, r.Stored) || a.div == 0 {
			err = fmt.Errorf("unknown amount %q, or a division by %d", r.Stored, a.div)
		}
	default:
		err = fmt.Errorf("an amount of nothing")
	}
	return a, err
}

func (c *compiler) freeOperation(s *step, in *instr) error {
	k, err := name(s.Operation, opNames[:], -1)
	if err != nil {
		return err
	}
	in.operation, in.n = opKind(k), s.Ops
	var o struct {
		NoUnrest  bool `json:"no_unrest"`
		NoArrest  bool `json:"no_arrest"`
		Within    string
		MaxSpaces *uint8 `json:"max_spaces"`
		Margin    uint8  `json:"agents_over_militia"`
	}
	if err := strictly(s.Options, &o); err != nil {
		return err
	}
	in.noUnrest, in.noArrest, in.overMargin = o.NoUnrest, o.NoArrest, o.Margin
	if o.MaxSpaces != nil {
		in.maxSpaces = *o.MaxSpaces
	}
	if o.Within != "" {
		in.within, err = c.selection(o.Within)
	}
	if !s.Free || in.n < 1 || in.n > maxOps || in.operation >= reservesOp {
		return fmt.Errorf("%s with %d Ops cannot be granted", s.Operation, in.n)
	}
	return err
}

func (c *compiler) momentum(s *step, in *instr) error {
	k, err := name(s.Key, momentumNames, -1)
	if err != nil {
		return err
	}
	in.key = uint8(k)
	c.starts = append(c.starts, s.Key)
	if (s.Until == "round") != c.b.momentum[k].round || (in.key == plague) != (s.At != nil) {
		return fmt.Errorf("%s until %s", s.Key, s.Until)
	}
	return nil
}

func (c *compiler) cancel(s *step, in *instr) error {
	in.keys = 1<<numMomentum - 1
	if s.Keys != nil {
		in.keys = 0
	}
	for _, word := range s.Keys {
		k, err := name(word, momentumNames, -1)
		if err != nil {
			return err
		}
		in.keys |= 1 << k
	}
	return json.Unmarshal(s.N, &in.n)
}

// relocate compiles a movement of units; the origin stands in at.
func (c *compiler) relocate(s *step, in *instr) error {
	var from selectorRow
	if err := strictly(s.From, &from); err != nil {
		return err
	}
	var err error
	if in.at, err = c.selector(&from, false); err != nil {
		return err
	}
	if in.at.how != choose || in.at.n != 1 {
		return fmt.Errorf("the origin must be one chosen space")
	}
	if string(s.N) == `"all"` {
		in.all = true
	} else if err := json.Unmarshal(s.N, &in.n); err != nil {
		return err
	}
	if string(s.To) == `"own_suburb"` {
		in.to.how = ownSuburb
		return nil
	}
	var to selectorRow
	if err := strictly(s.To, &to); err != nil {
		return err
	}
	in.to, err = c.selector(&to, false)
	in.to.filter.noPlague = true
	return err
}
