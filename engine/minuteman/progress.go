package minuteman

// Progress is how far the set-up or a phase has come. It is forgotten when the next one
// begins, so that all but one of its parts are zero.
type Progress struct {
	SetUp     SettingUp    `pos:",inline"`
	Builds    RebelBuilds  `pos:",inline"`
	Moves     Moves        `pos:",inline"`
	Struck    uint8        `pos:"flow.struck" max:"seats"` // seats done with their attacks: places in the order of movement (A4), or of the two of G4
	Events    Events       `pos:",inline"`
	Reaction  Reaction     `pos:",inline"`
	GovBuilds govBuildStep `pos:"flow.government_builds" word:"government_builds"`
	Talks     talkStep     `pos:"flow.talks" word:"talks"`
	FirstChit uint8        `pos:"flow.first_chit" derived:"true"` // first of two chits, from 0 (C12)
	Ended     Ended        `pos:",inline"`
}

// SettingUp is how far the set-up has come (R22 to R29).
type SettingUp struct {
	Step       uint8    `pos:"set_up.step"`                       // of the plan
	Done       uint8    `pos:"set_up.done"`                       // counters drawn or pieces dealt with in this step
	Chits      chitStep `pos:"set_up.chits_drawn" derived:"true"` // what the next of the Rebel's chits is for
	Diced      uint8    `pos:"set_up.kinds_diced" derived:"true"` // kinds of pieces that have been diced for (C3)
	CigStep    uint8    `pos:"set_up.cig_step" max:"6"`           // step of the CIG, 0 before the die (C22)
	LastPile   country  `pos:"set_up.last_pile" derived:"true"`   // of the last Militia abroad (R29.1)
	ChitsDrawn uint8    `pos:"set_up.chit_drawn" derived:"true"`  // 1 if the first of the two chits of a unit is drawn (R28.1)
}

// RebelBuilds is how far phase A2 has come (R7).
type RebelBuilds struct {
	Step   rebelBuildStep `pos:"flow.builds" word:"builds"`
	Extra  uint8          `pos:"flow.extra_riots" derived:"true"` // extra Riots placed (D14)
	Abroad uint8          `pos:"flow.abroad" derived:"true"`      // countries whose Militia has arrived, or can not (D15)
}

// Moves is how far a Movement Phase has come (R8, R17).
type Moves struct {
	Step  moveStep `pos:"flow.moves" word:"moves"`
	Moved uint8    `pos:"flow.moved" max:"seats"` // places in the order of movement that are done with their moves
}

// Events is how far phase B has come (R14).
type Events struct {
	Step    eventStep `pos:"flow.events" word:"events" derived:"true"`
	Seats   uint8     `pos:"flow.event_seats" derived:"true"`   // seats that have drawn their markers, in the order of the phase windows
	Markers uint8     `pos:"flow.event_markers" derived:"true"` // drawn by the next one
}

// Reaction is how far phase G1 has come (R15).
type Reaction struct {
	Step   reactStep `pos:"flow.reaction" word:"reaction" derived:"true"`
	Column uint8     `pos:"flow.reaction_column" derived:"true"` // chosen in D60, from 0
	Left   uint8     `pos:"flow.reaction_left" derived:"true"`   // units still to be placed
}

// Ended is how far the last phase had come when the game ended.
type Ended struct {
	Step  uint8 `pos:"flow.ended_step"`
	Count uint8 `pos:"flow.ended_count"`
}

// Names of the steps of the phases.
var (
	buildNames     = []string{"riots", "extra_riots", "arrival", "attempts"}
	moveNames      = []string{"foreign", "reinforcements", "moves", "federalized_foreign", "federalized_reinforcements", "federalized_moves", "unrest"}
	eventStepNames = []string{"rebel_chit", "rebel_second_chit", "government_chit", "government_second_chit", "markers"}
	reactionNames  = []string{"basis", "die", "cigs", "agents"}
	govBuildNames  = []string{"raise", "builds", "federalized_underground", "federalized_builds", "done"}
	talkNames      = []string{"begin", "on", "over"}
)

// counts returns the step of the phase, and what is counted in it: what Ended keeps, and
// what documents once called flow.step and flow.count. They are nil in a phase without.
func (p *Position) counts() (step, count *uint8) {
	switch p.Phase {
	case setUp:
		return &p.SetUp.Step, &p.SetUp.Done
	case phaseA2:
		switch step = (*uint8)(&p.Builds.Step); p.Builds.Step {
		case stepExtra:
			count = &p.Builds.Extra
		case stepArrival:
			count = &p.Builds.Abroad
		}
		return step, count
	case phaseA3, phaseG3:
		return (*uint8)(&p.Moves.Step), &p.Moves.Moved
	case phaseA4, phaseG4:
		return nil, &p.Struck
	case phaseB:
		return (*uint8)(&p.Events.Step), &p.Events.Markers
	case phaseG1:
		return (*uint8)(&p.Reaction.Step), &p.Reaction.Left
	case phaseG2:
		return (*uint8)(&p.GovBuilds), nil
	case phaseN:
		return nil, (*uint8)(&p.Talks)
	case over:
		return &p.Ended.Step, &p.Ended.Count
	}
	return nil, nil
}
