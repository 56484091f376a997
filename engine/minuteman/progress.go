package minuteman

import codec "powderkeg/engine/position"

// Progress is how far the set-up or a phase has come. It is forgotten when the next one
// begins, so that all but one of its parts are zero.
type Progress struct {
	SetUp     SettingUp    `pos:"-" hash:"true"`
	Builds    RebelBuilds  `pos:"-" hash:"true"`
	Moves     Moves        `pos:"-" hash:"true"`
	Struck    uint8        `pos:"-" hash:"true"` // seats done with their attacks: places in the order of movement (A4), or of the two of G4
	Events    Events       `pos:"-" hash:"true"`
	Reaction  Reaction     `pos:"-" hash:"true"`
	GovBuilds govBuildStep `pos:"-" hash:"true"`
	Talks     talkStep     `pos:"-" hash:"true"`
	FirstChit uint8        `pos:"-" hash:"true"` // first of two chits, from 0 (C12)
	Ended     Ended        `pos:"-" hash:"true"`
}

// SettingUp is how far the set-up has come (R22 to R29).
type SettingUp struct {
	Step       uint8    `pos:"-" hash:"true"` // of the plan
	Done       uint8    `pos:"-" hash:"true"` // counters drawn or pieces dealt with in this step
	Chits      chitStep `pos:"-" hash:"true"` // what the next of the Rebel's chits is for
	Diced      uint8    `pos:"-" hash:"true"` // kinds of pieces that have been diced for (C3)
	CigStep    uint8    `pos:"-" hash:"true"` // step of the CIG, 0 before the die (C22)
	LastPile   country  `pos:"-" hash:"true"` // of the last Militia abroad (R29.1)
	ChitsDrawn uint8    `pos:"-" hash:"true"` // 1 if the first of the two chits of a unit is drawn (R28.1)
}

// RebelBuilds is how far phase A2 has come (R7).
type RebelBuilds struct {
	Step   rebelBuildStep `pos:"-" hash:"true"`
	Extra  uint8          `pos:"-" hash:"true"` // extra Riots placed (D14)
	Abroad uint8          `pos:"-" hash:"true"` // countries whose Militia has arrived, or can not (D15)
}

// Moves is how far a Movement Phase has come (R8, R17).
type Moves struct {
	Step  moveStep `pos:"-" hash:"true"`
	Moved uint8    `pos:"-" hash:"true"` // places in the order of movement that are done with their moves
}

// Events is how far phase B has come (R14).
type Events struct {
	Step    eventStep `pos:"-" hash:"true"`
	Seats   uint8     `pos:"-" hash:"true"` // seats that have drawn their markers, in the order of the phase windows
	Markers uint8     `pos:"-" hash:"true"` // drawn by the next one
}

// Reaction is how far phase G1 has come (R15).
type Reaction struct {
	Step   reactStep `pos:"-" hash:"true"`
	Column uint8     `pos:"-" hash:"true"` // chosen in D60, from 0
	Left   uint8     `pos:"-" hash:"true"` // units still to be placed
}

// Ended is how far the last phase had come when the game ended, as flow.step and flow.count
// had it.
type Ended struct {
	Step  uint8 `pos:"-" hash:"true"`
	Count uint8 `pos:"-" hash:"true"`
}

// A key of the position stands for another number in each phase. These return the number
// that it stands for now, nil where it stands for none: then it is 0, and what a document
// says of it is dropped.

func (g *game) stepNow(p *Position) *uint8 {
	switch p.Phase {
	case setUp:
		return &p.SetUp.Step
	case phaseA2:
		return (*uint8)(&p.Builds.Step)
	case phaseA3, phaseG3:
		return (*uint8)(&p.Moves.Step)
	case phaseB:
		return (*uint8)(&p.Events.Step)
	case phaseG1:
		return (*uint8)(&p.Reaction.Step)
	case phaseG2:
		return (*uint8)(&p.GovBuilds)
	case over:
		return &p.Ended.Step
	}
	return nil
}

func (g *game) countNow(p *Position) *uint8 {
	if p.Build.Stage == buildSpread {
		return &p.Build.Spread
	}
	switch p.Phase {
	case setUp:
		switch g.setUpOp(p) {
		case opChits:
			return (*uint8)(&p.SetUp.Chits)
		case opInformers, opCivil:
			return &p.SetUp.Diced
		}
		return &p.SetUp.Done
	case phaseA2:
		switch p.Builds.Step {
		case stepExtra:
			return &p.Builds.Extra
		case stepArrival:
			return &p.Builds.Abroad
		}
	case phaseA3:
		return &p.Moves.Moved
	case phaseA4, phaseG4:
		return &p.Struck
	case phaseB:
		return &p.Events.Markers
	case phaseG1:
		return &p.Reaction.Left
	case phaseN:
		return (*uint8)(&p.Talks)
	case over:
		return &p.Ended.Count
	}
	return nil
}

// dieNow is what a die or a chit has given for a later step.
func (g *game) dieNow(p *Position) *uint8 {
	switch {
	case p.Build.Stage != buildNone:
		return &p.Build.Die
	case p.Phase == phaseB || g.setUpOp(p) == opEvents:
		return &p.FirstChit
	case p.Phase == phaseG1:
		return &p.Reaction.Column
	case p.Phase == setUp && g.Scenario == Occupation: // it alone has the die for a CIG (R26.1)
		return &p.SetUp.CigStep
	}
	return nil
}

// lastNow is the last member of a set taken in order, below its hex (R3.5), and of the
// two chits of a unit how many are drawn.
func (g *game) lastNow(p *Position) *uint8 {
	switch op := g.setUpOp(p); {
	case p.Build.Stage != buildNone:
		return &p.Build.Last
	case op == opEvents:
		return &p.SetUp.ChitsDrawn
	case op == opAbroad:
		return (*uint8)(&p.SetUp.LastPile)
	case p.Phase == setUp || p.Phase == phaseA2 || p.Phase == phaseB || p.Phase == phaseG1, p.Phase == phaseG2 && p.GovBuilds != stepFedUnderground:
		return nil
	case p.Combat.Stage == combatAttackers:
		return &p.Combat.LastRank
	}
	return (*uint8)(&p.LastClass)
}

// shared makes the form of a key that stands for another number in each phase. Which it
// is, is known only when the document has been read (completeShared).
func shared(now func(p *Position) *uint8) codec.Form[Position] {
	return codec.Form[Position]{Write: func(p *Position, _ int) any {
		if n := now(p); n != nil {
			return int(*n)
		}
		return 0
	}}
}

// completeShared reads the keys that stand for another number in each phase.
func (g *game) completeShared(p *Position, given codec.Given) error {
	for _, key := range []struct {
		name string
		most int
		now  func(p *Position) *uint8
	}{{"flow.step", 40, g.stepNow}, {"flow.count", 60, g.countNow}, {"flow.die", 9, g.dieNow}, {"flow.last_class", actPlayer, g.lastNow}} {
		v := given[key.name]
		if v == nil {
			continue
		}
		r := g.codec.Reader(key.name)
		x := r.Number("", v, 0, key.most)
		if r.Failed() {
			return r.Err()
		}
		if n := key.now(p); n != nil {
			*n = uint8(x)
		}
	}
	p.SetUp.ChitsDrawn = min(p.SetUp.ChitsDrawn, 1)
	return nil
}
