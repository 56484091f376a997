package bloc

// UnderWay is what has been chosen of something that is not over. All of it is
// zero at D2, but for the sentinels. What belongs to one procedure stands in a struct of
// its own. Positions print it for readers, and none is read from there (rest.go).
type UnderWay struct {
	Verb    Verb      `pos:"verb" word:"verb"`                  // the action under way, NoVerb
	Program Program   `pos:"program" word:"program"`            // the card or ability under way, NoProgram
	Counter uint8     `pos:"counter"`                           // next effect of the program
	Who     FactionID `pos:"who" word:"faction" secret:"R15.1"` // faction that acts in this step, NoFaction
	Cell    CellID    `pos:"cell" word:"cell" secret:"R15.1"`   // the district that it is about, NoCell

	SettingUp
	Movement
	Fortifying
	Advanced
	Attack
	Drawing
	Rolling
	Proposal
	Repression `secret:"R15.1"`
	Rising
}

// SettingUp is the set-up (chapter 2).
type SettingUp struct {
	Laid uint8 `pos:"-" hash:"true"` // tiles that lie and are turned (C2)
	Seat uint8 `pos:"-" hash:"true"` // that is dealt loot cards or chooses where to start
}

// Movement is a move of blocs (R5.3).
type Movement struct {
	From  CellID `pos:"from" word:"cell"` // NoCell before it is chosen
	Blocs uint8  `pos:"blocs"`            // that move
}

// Fortifying is the building of barricades on connections of the pending cell (R5.7).
type Fortifying struct {
	Barricades uint8 `pos:"barricades,omitzero"` // that may still be built
	LeastArm   Arm   `pos:"least_arm,omitzero"`  // that the next may be built at (R13.4)
	Enough     bool  `pos:"enough"`              // DONE is legal in D7 and D29
}

// Advanced is an advanced action (R6.1).
type Advanced struct {
	Occ   OccID `pos:"occupation" form:"occupation"` // kind chosen in D9, NoOcc
	Basic bool  `pos:"basic"`                        // it counts as basic
}

// Attack is an attack or a series of them (R7.1), or the kicking out of cops by a card.
type Attack struct {
	Bonus uint8 `pos:"bonus"`         // of Molotovs
	Rank  uint8 `pos:"rank,omitzero"` // the first in boostOrder that may still be played (R13.4)
	Kicks uint8 `pos:"kicks"`         // cops that are kicked out at most (R7.3)
}

// Drawing is the drawing of loot cards (R6.2).
type Drawing struct {
	Cards uint8 `pos:"cards,omitzero"` // still to be drawn
	Keep  uint8 `pos:"keep,omitzero"`  // of those drawn
}

// Rolling is what chance still has to bring in a turn: action dice (C8, C10), the
// reaction roll (R6.6) and police ops cards (C12).
type Rolling struct {
	Rolls uint8 `pos:"rolls,omitzero"` // action dice
	Ops   uint8 `pos:"ops,omitzero"`   // police ops cards
	Roll  uint8 `pos:"roll"`           // the reaction roll, 1 to 6
}

// Proposal is a trade (R5.9).
type Proposal struct {
	Partner FactionID `pos:"partner" word:"faction"` // NoFaction
	Give    Offer     `pos:"give" form:"give" secret:"R15.2"`
	Want    Offer     `pos:"want" form:"want" secret:"R15.2"`
}

// Repression is the course of Sunrise from district to district: the attacks of the
// police, and the count of blocs that liberate (R9.2 to R9.5).
type Repression struct {
	Scan    uint8           `pos:"scan,omitzero"`          // index in ByID of the district that is looked at
	Order   uint8           `pos:"order,omitzero"`         // place in the night's order of the faction that is asked next
	Doors   uint8           `pos:"doors,omitzero"`         // 1 once it has played Steel Doors: Gas Masks come first (R13.4)
	Decider FactionID       `pos:"decider" word:"faction"` // names the victims, NoFaction
	Victims uint8           `pos:"victims,omitzero"`       // still to be named
	Victim  FactionID       `pos:"victim,omitzero"`        // the first that may be named next (R13.4)
	LostTo  Force           `pos:"lost_to,omitzero"`       // what the lost blocs were lost to
	Lost    [Factions]uint8 `pos:"lost" count:"faction"`   // blocs just defeated and not saved
}

// Rising is a liberation and its manifestation card (R9.6, R11.4).
type Rising struct {
	Liberating uint8     `pos:"liberating" set:"faction"`
	Chooser    FactionID `pos:"chooser" word:"faction"` // the strongest of them, NoFaction
	Next       uint8     `pos:"next,omitzero"`          // place in the night's order behind the faction that is served
	Times      uint8     `pos:"times,omitzero"`         // how often who may still choose
	Least      CellID    `pos:"least,omitzero"`         // that may be chosen next (R13.4)
	Site       CellID    `pos:"site" word:"cell"`       // where D33 builds, NoCell
	// Torched is the district where the card has just destroyed a van, for its next
	// effect, NoCell at any other time.
	Torched CellID
}

// clearPending is the value of Now when nothing is going on.
var clearPending = UnderWay{
	Verb: NoVerb, Program: NoProgram, Who: NoFaction, Cell: NoCell, Movement: Movement{From: NoCell}, Advanced: Advanced{Occ: NoOcc},
	Proposal: Proposal{Partner: NoFaction}, Repression: Repression{Decider: NoFaction},
	Rising: Rising{Chooser: NoFaction, Site: NoCell, Torched: NoCell},
}

// idle is the value of Now when nothing is going on in the turn of a faction.
func idle(who FactionID) UnderWay {
	n := clearPending
	n.Who = who
	return n
}
