package insurgency

import (
	"encoding/json"
	"fmt"

	"powderkeg/engine/ruledata"
)

// compiler turns the steps of one card into a list in which choices and conditions are
// jumps, so that a running event is described by one place in the list.
type compiler struct {
	b    *Box
	code []step
}

// compile compiles the text of a card.
func (b *Box) compile(steps []step) ([]step, error) {
	c := compiler{b: b}
	if err := c.block(steps); err != nil {
		return nil, err
	}
	c.standForBoth()
	return c.code, nil
}

func (c *compiler) block(steps []step) error {
	for i := range steps {
		if err := c.step(&steps[i]); err != nil {
			return fmt.Errorf("%s: %w", effects[steps[i].Op].name, err)
		}
	}
	return nil
}

// step compiles one step. A plague space never matches where units would be placed.
func (c *compiler) step(s *step) (err error) {
	s.side = max(s.Side, s.By, s.Of)
	if err := c.b.resolve(&s.At); err != nil {
		return err
	}
	switch s.Op {
	case opChoice:
		return c.choice(s)
	case opIf:
		return c.condition(s)
	case opMoney:
		if s.Amount.Count != nil {
			err = s.Amount.Count.resolve(c.b)
		}
	case opNews:
		s.N.n = max(s.N.n, 1)
	case opPlace:
		s.At.Filter.noPlague = s.Piece == aUnit
	case opConvert:
		s.At.Filter.noPlague = true
		if string(s.From) == `"enemy"` {
			s.Target = targetEnemy
		} else {
			err = json.Unmarshal(s.From, &s.Target)
		}
	case opFlip:
		err = json.Unmarshal(s.To, &s.State)
	case opFree:
		s.grant = grant{MaxSpaces: noLimit, Margin: SecureMargin}
		err = ruledata.Decode(s.Options, &s.grant)
	case opCancel:
		if s.keys = 1<<numMomentum - 1; s.Keys != nil {
			s.keys = 0
		}
		for _, k := range s.Keys {
			s.keys |= 1 << k
		}
	case opRelocate:
		err = c.relocate(s)
	}
	c.code = append(c.code, *s)
	return err
}

// resolve looks up the spaces that a selector names.
func (b *Box) resolve(s *selector) (err error) {
	if s.ids, err = b.spacesOf(s.IDs); err != nil {
		return err
	}
	return s.Filter.resolve(b)
}

// relocate compiles a movement of units; the origin stands in At.
func (c *compiler) relocate(s *step) error {
	if err := ruledata.Decode(s.From, &s.At); err != nil {
		return err
	}
	if err := c.b.resolve(&s.At); err != nil {
		return err
	}
	if json.Unmarshal(s.To, &s.dest.How) == nil {
		return nil
	}
	if err := ruledata.Decode(s.To, &s.dest); err != nil {
		return err
	}
	err := c.b.resolve(&s.dest)
	s.dest.Filter.noPlague = true
	return err
}

// choice compiles the options one after the other, each followed by a jump behind
// the last.
func (c *compiler) choice(s *step) error {
	if err := ruledata.Decode(s.Options, &s.options); err != nil {
		return err
	}
	c.code = append(c.code, *s) // its list of options is shared
	var ends []int
	for i := range s.options {
		s.options[i].at = uint8(len(c.code))
		if err := c.block(s.options[i].Do); err != nil {
			return err
		}
		ends = append(ends, len(c.code))
		c.code = append(c.code, step{Op: opJump})
	}
	for _, i := range ends {
		c.code[i].jump = uint8(len(c.code))
	}
	return nil
}

// condition compiles the then part, a jump behind the else part, and the else part.
func (c *compiler) condition(s *step) (err error) {
	if s.Cond.ids, err = c.b.spacesOf(s.Cond.AnyOf); err != nil {
		return err
	}
	if err := s.Cond.Filter.resolve(c.b); err != nil {
		return err
	}
	at := len(c.code)
	c.code = append(c.code, *s)
	if err := c.block(s.Then); err != nil {
		return err
	}
	end := len(c.code)
	c.code = append(c.code, step{Op: opJump})
	c.code[at].jump = uint8(len(c.code))
	if err := c.block(s.Else); err != nil {
		return err
	}
	c.code[end].jump = uint8(len(c.code))
	return nil
}

// standForBoth implements the last sentence of R4.4: where a card orders a test of a
// selection, the steps before it do not test the same spaces.
func (c *compiler) standForBoth() {
	for i, in := range c.code {
		if in.Op != opTest || in.At.How != ref {
			continue
		}
		for k := range c.code[:i] {
			if s := &c.code[k].At; s.Ref == in.At.Ref || s.As == in.At.Ref {
				c.code[k].untested = true
			}
		}
	}
}
