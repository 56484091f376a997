package minuteman

// weights are what the player weighs with. The unit of worth is a weak Minuteman;
// chances, shares and counts have none.
type weights struct {
	// Units: what one is worth to its side, and what else may be gained or lost. The
	// victory levels count heads of Militia against Army, Networks against CIGs, Minutemen
	// against Agents (R24.3), so that no kind can be left out.
	weakNet, strongNet float32
	weakMM, strongMM   float32
	militia, army      float32
	weakAgt, strongAgt float32
	cig, cigStep       float32 // cigStep for each step
	informer           float32
	riot               float32    // a Network where there is none, a build where there is one (R7.1)
	key                float32    // a city that decides the Partisan scenario, to hold
	line               float32    // and to join to the Front Line
	cities             [8]float32 // share of both that each of them is worth, by number

	// Attacks: what one must be worth, what it risks of the own side, and what a doubled
	// one costs.
	leastGain   float32 // what an attack must be worth
	unitCost    float32 // and each unit that joins: it may be wanted for another attack
	secretBack  float32 // risked at Ar or A1: by a unit in secret, a share of its worth
	armyBack    float32 // by an Army, a worth
	militiaBack float32 // by a Militia, a worth
	marker      float32 // a marker of Betrayal

	// Prey: what the results are worth, Dr and D1 as shares of what De is worth.
	militiaDriven   float32 // Rebels in the open that find a way out
	minutemanDriven float32 // a Minuteman hunted in secret
	armyDriven      float32 // an Army that finds a way out
	agentDriven     float32
	pinned          float32 // an Army pinned
	boldArmy        float32 // times the worth of an Army where the violent plan is followed
	nearKey         float32 // times the worth of what stands in or beside a deciding city
	unrest          float32 // Unrest, as a share of a Riot

	// Posts: what a unit adds to the attacks that can be made from there.
	plenty      float32 // odds that are enough: five to one is the last column but for some terrain
	convertNeed float32 // strength that is enough for Subversion
	risk        float32 // share of a unit risked at Ae; what the others risk is theirs
	riskBack    float32 // and the worth that it risks at Ar or A1
	draw        float32 // what has gathered draws more, or units would wait apart about many preys
	drawGain    float32 // and so much more when it is enough
	warDraw     float32 // the same in a war, which is won by masses
	warDrawGain float32
	warShare    float32 // and the least share in an attack, since each of the masses must come first

	// Movement.
	clearGain float32 // what a move must gain
	railCost  float32 // what Air/Rail costs: the capacity is small
	dear      float32 // share left of a post whose way is dearer than one face of the die (R8.3)
	level     float32 // leaving the Front Line where that costs a victory level (R25.11)
	leave     float32 // and where it does not yet
	drawn     float32 // share of what an attack from afar would gain
	massed    float32 // by so many like the unit together
	perHex    float32 // how that falls with each hex, for a turn or so of marching

	// Builds: attempts, and their results in the order in which they are wanted.
	buildGain        float32 // the Rebel's build
	riotCost         float32 // a Riot exposes his Network to Army (R10.3); its free builds make up for some of it
	exposedNet       float32 // share of a Network that a Riot beside an Army costs
	cityRiot         float32 // what a Riot in a city costs the Government
	newNet           float32
	augmentNet       float32 // a strong one builds surely
	urgentAugmentNet float32 // when the time has come for Militia
	fewMM            float32 // a new Minuteman while they are no more than the Networks or the Agents
	moreMM           float32 // and when they are more
	augmentMM        float32
	earlyMilitia     float32
	urgentMilitia    float32 // when they are about to count
	partisanMilitia  float32 // in the Partisan scenario
	keyMilitia       float32 // and for each deciding city in or beside the hex
	newDivision      float32
	newAgt           float32
	augmentAgt       float32
	leadAugmentAgt   float32 // when the Agents are well ahead of the Minutemen

	// Riots: what changes the worth of one.
	riotNet     float32 // a Network where the Rebel has none
	riotBuilds  float32 // free builds where he has one
	riotStruck  float32 // an Army near that finds Rebels there
	riotWatched float32 // and one that finds none
	riotKey     float32 // each deciding city in or beside the hex
	reactBuilds float32 // by so much the builds of the Reaction table must hold more than its Riots

	// The cordon of CIGs: what stands in a hex or beside it.
	cordonDense   float32 // each city near
	cordonNet     float32
	cordonMM      float32
	cordonArmy    float32
	cordonBeside  float32 // another CIG
	cordonCity    float32 // a city, where a failed build causes a Riot (R7.4)
	cordonDefence float32 // an Army in the hex itself
	cordonCIG     float32 // a CIG in the hex itself, to Agents
	cordonAgt     float32 // and each Agent with it

	// Garrisons and reinforcements, where a city near and a Militia in the hex count one.
	garrisonKey   float32 // Army to a deciding city that has none
	arrivalKey    float32 // a Rebel to one, or beside it
	arrivalArmy   float32 // and near an Army
	reinforceMM   float32 // Militia to each Minuteman
	reinforceArmy float32 // and near an Army

	// Refuge: what stands in a hex or beside it.
	refugeArmy, refugeAgt, refugeCIG float32 // for a Rebel
	refugeMilitia, refugeNet         float32 // for the Government

	// Assassination.
	victim    float32 // a hex without a victim
	victimNet float32 // a Network beside the victim

	// Standing: what a place itself is worth to a Minuteman, a Militia, an Army.
	ownNet       float32 // a Minuteman by a Network, beside what he does for its build
	hunted       float32 // with Agents or a CIG
	exposed      float32 // in an exposed hex near an Army
	risenMilitia float32 // after the Revolution with Militia, whose attack he doubles (R20.6)
	risenNet     float32 // and with a Network
	militiaNet   float32 // a Militia with a Network
	militiaMM    float32 // with Minutemen
	together     float32 // with each other Militia
	supplied     float32 // where it is never out of supply (R12.2)
	atWar        float32 // share that is left of these while the war is where the Army is
	besideKey    float32 // each deciding city in the hex or beside it
	inKey        float32 // a deciding city without an Army
	quiets       float32 // an Army where there is Unrest, which it may remove (R17.4)

	// Underground.
	nearAgts float32 // share of their strength that Agents count with who are near, not beside it
	danger   float32 // attack from which a Network is in danger

	// Counts: from when builds are wanted.
	manyNets float32 // Networks from which a Riot brings no more of them
	armsMM   float32 // Minutemen beyond which the violent plan builds Militia
	ahead    float32 // turns before the last one of the declaration in which Militia are urgent
	leadAgts float32 // Agents more than Minutemen beyond which Agents are augmented

	// Counts: the Revolution, the war and its end.
	boldArms       float32 // Militia for each Army beyond which the violent plan rises,
	boldNets       float32 // if it has so many Networks more than there are CIGs
	boldMM         float32 // and more than so many Minutemen
	reinforcements float32 // the mean of the Militia that come, less that of the Divisions (R20.3)
	spareMilitia   float32 // what the passive plan wants to spare of Militia against Army,
	spareNets      float32 // Networks against CIGs
	spareMM        float32 // and Minutemen against Agents
	lastTurns      float32 // turns before the end in which it rises
	fightOn        float32 // the war is not lost while Militia, times this, are no fewer than Army
	few            float32 // units of a side that is about to be eliminated (R24.1)
}

// tuned are the weights that Policy plays with. They were set by hand.
var tuned = weights{
	weakNet: 1.5, strongNet: 3, weakMM: 1, strongMM: 1.6, militia: 2, army: 3, weakAgt: 1.2, strongAgt: 2.4,
	cig: 1, cigStep: 0.4, informer: 0.4, riot: 0.6, key: 4, line: 4,
	cities:    [8]float32{1, 1, 1, 1, 1, 1, 1, 1},
	leastGain: 0.1, unitCost: 0.05, secretBack: 0.3, armyBack: 0.2, militiaBack: 0.3, marker: 0.35,
	militiaDriven: 0.4, minutemanDriven: 0.4, armyDriven: 0.3, agentDriven: 0.3, pinned: 0.4, boldArmy: 2, nearKey: 1.5, unrest: 0.3,
	plenty: 5, convertNeed: 7, risk: 0.5, riskBack: 0.2, draw: 0.4, drawGain: 1.2, warDraw: 0.7, warDrawGain: 0.9, warShare: 0.4,
	clearGain: 0.1, railCost: 0.15, dear: 0.5, level: 20, leave: 0.5, drawn: 0.25, massed: 3, perHex: 0.05,
	buildGain: 1.6, riotCost: 0.3, exposedNet: 0.6, cityRiot: 1.2,
	newNet: 3.5, augmentNet: 3, urgentAugmentNet: 2.5, fewMM: 2, moreMM: 1.2, augmentMM: 1.3,
	earlyMilitia: 0.5, urgentMilitia: 4, partisanMilitia: 2.2, keyMilitia: 1,
	newDivision: 4, newAgt: 2, augmentAgt: 1.5, leadAugmentAgt: 3,
	riotNet: 0.6, riotBuilds: 0.4, riotStruck: 1.2, riotWatched: 0.5, riotKey: 0.5, reactBuilds: 0.5,
	cordonDense: 0.1, cordonNet: 1, cordonMM: 0.7, cordonArmy: 0.6, cordonBeside: 0.3, cordonCity: 1.5, cordonDefence: 1, cordonCIG: 1, cordonAgt: 0.3,
	garrisonKey: 20, arrivalKey: 3, arrivalArmy: 2, reinforceMM: 0.5, reinforceArmy: 0.5,
	refugeArmy: 1, refugeAgt: 0.5, refugeCIG: 0.7, refugeMilitia: 0.5, refugeNet: 0.3,
	victim: 0.2, victimNet: 0.1,
	ownNet: 0.1, hunted: 0.2, exposed: 0.3, risenMilitia: 0.6, risenNet: 0.3,
	militiaNet: 0.6, militiaMM: 0.3, together: 0.2, supplied: 0.2, atWar: 0.3, besideKey: 0.5, inKey: 1.5, quiets: 0.2,
	nearAgts: 0.5, danger: 1,
	manyNets: 35, armsMM: 12, ahead: 5, leadAgts: 3,
	boldArms: 1.25, boldNets: 6, boldMM: 12, reinforcements: 2, spareMilitia: 2, spareNets: 2, spareMM: 2, lastTurns: 8, fightOn: 1.5, few: 4,
}
