package bloc

// weights are what the plans are weighed with. The unit of worth is about one loot card
// in hand; chances and counts have none.
type weights struct {
	// Dice: what one that shows so much is worth for other things, and what every plan
	// costs beside its dice.
	die1, die2, die3, die4, die5, die6 float64
	cost                               float64

	// Goals.
	part       float64 // an occupation that is part of the scenario's success, a State District's say
	toward     float64 // the police out of the way of one
	free       float64 // a liberation
	keep       float64 // any occupation that stands
	keepTurns  float64 // and share of that for each turn left, all of it at 1
	keepOwn    float64 // times what the ability of an own one brings
	keepOthers float64 // and of another's
	partGuards float64 // blocs that are to guard a part
	builders   float64 // and to go there to build it

	// Ways through police districts to where occupations are wanted, times their worth.
	way       float64 // for the own blocs
	wayNow    float64 // with a die at hand that suffices there
	wayOthers float64 // for another faction's
	wayFar    float64 // how it falls with each further district to be cleared, an exponent

	// Safety.
	stake      float64 // the game, lost when a faction has no bloc at the end of a night (R10.1)
	blocSaved  float64 // a bloc that Sunrise does not take
	shelter    float64 // what going away costs
	orders     float64 // how much of the chance that a card moves a group is believed
	guard      float64 // what a guard does elsewhere
	guardMoved float64 // what each bloc that goes to guard costs
	lack       float64 // chance that an occupation is lost in later nights for each guard missing
	short      float64 // what each bloc costs that is missing where blocs are brought
	barricade  float64 // share of the danger that a barricade averts
	reaction   float64 // a reaction roll: one in three brings a cop or an ops card

	// What occupations bring for each turn left; strikeHall is a share of what is wanted
	// next to it.
	start, hall, kitchen, workshop, socialCenter, hackerSpace, garden, cafe, factory, hideout float64
	strikeHall                                                                                float64

	// Cards and blocs: now, for each turn left, and at most; the die that the sixth and
	// the ninth bloc bring.
	card, cardTurns, cardMost float64
	bloc, blocTurns, blocDie  float64
	hack                      float64 // two cards drawn, one kept
	megaphone                 float64
	bolt                      float64 // Bolt Cutters, kept

	// Assaults.
	rescue    float64 // a bloc saved from the police in its district
	van       float64 // a van destroyed
	vanTurns  float64 // for each turn left
	broken    float64 // share of the whole when only the van is gone
	weakened  float64 // and when some cops are
	caught    float64 // a bloc that stays with the police
	helpDice  float64 // share of their dice that the factions to come spend in the same district
	helpCards float64 // dice that each of their cards stands for

	// Starts (R2.10), trades.
	startDifficulty, startMetro, startShop, startPolice float64
	ask                                                 float64 // by how much a card must better a plan to be asked for and given
}

// die returns the weight of a die that shows v.
func (w *weights) die(v int) float64 {
	return [...]float64{w.die1, w.die1, w.die2, w.die3, w.die4, w.die5, w.die6}[v]
}

// tuned are the weights that Policy plays with, from some 45 generations of a search
// (powderkeg evolve does the same) in the standard game of four players with an easy ops deck: the mean of two
// points late in it, but for wayNow, which was set by hand (report 0007).
var tuned = weights{
	die1: 0.19, die2: 0.21, die3: 0.27, die4: 0.61, die5: 1.1, die6: 0.47, cost: 0.062,
	part: 28, toward: 2.2, free: 0.43, keep: 0.6, keepTurns: 0.47, keepOwn: 0.38, keepOthers: 0.46, partGuards: 3.3, builders: 2.7,
	way: 0.029, wayNow: 0.3, wayOthers: 0.015, wayFar: 0.62,
	stake: 110, blocSaved: 1.1, shelter: 0.18, orders: 0.4, guard: 0.65, guardMoved: 0.18, lack: 0.07, short: 0.71, barricade: 0.35, reaction: 0.18,
	start: 0.98, hall: 0.44, kitchen: 0.11, workshop: 1.2, socialCenter: 0.48, hackerSpace: 0.56, garden: 0.26,
	cafe: 0.21, factory: 0.38, hideout: 0.84, strikeHall: 0.12,
	card: 0.34, cardTurns: 0.27, cardMost: 2.5, bloc: 0.87, blocTurns: 0.15, blocDie: 0.12, hack: 1, megaphone: 1.3, bolt: 0.8,
	rescue: 2, van: 1.4, vanTurns: 0.29, broken: 0.82, weakened: 0.52, caught: 0.36, helpDice: 0.38, helpCards: 0.1,
	startDifficulty: 1.1, startMetro: 0.98, startShop: 0.32, startPolice: 5.4, ask: 5.3,
}
