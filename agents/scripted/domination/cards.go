package domination

import "powderkeg/engine/domination"

// text tells the cards apart by what their texts do.
type text uint8

const (
	noText            text = iota
	builds                 // Builds anywhere
	landPoints             // points in Land Areas, at any moment
	nearSeaPoints          // in Land Areas adjacent to an own Sea Force
	nearLandPoints         // in Land Areas adjacent to an own Land Force
	seaPoints              // in Sea Areas
	landReductions         // Reductions of Land Forces
	seaReductions          // of Sea Forces
	fullReductions         // for each own Full Force
	resourceVP             // VPs for Areas with a Resource
	regionVP               // VPs for Regions with an own Full Force
	struggleOne            // an opponent's Full Forces become Struggling
	struggleAll            // everybody's do
	upgradeOwn             // the own Struggling ones become Full
	removeIsolated         // an opponent's isolated Forces leave
	removeStruggling       // everybody's Struggling ones do
	removePerRegion        // a Force of every Region does
	removeOpposing         // an opposing one where an own Full Force is
	replaceStruggling      // own Full Forces take the place of Struggling ones
	storm                  // Reductions of half of everybody's Forces
	chain                  // Reductions that go round the table
	denyRegions            // the others' Region monopolies do not score
)

// knack is what the player knows about a card beyond what is printed on it.
type knack struct {
	text text
	// quality is what having the card for a use is worth, in points of Domination's
	// three: the mean gain of its best way over games of this player among itself,
	// between what it is at two seats and at four.
	quality float64
}

// knacks lists the cards by id.
var knacks = map[string]knack{
	"domination":             {noText, 3},
	"agricultural_control":   {resourceVP, 4.1},
	"airborne_forces":        {landPoints, 8}, // has the last word
	"amphibious_assault":     {nearSeaPoints, 7},
	"petroleum_control":      {resourceVP, 4.2},
	"attack_helicopters":     {nearLandPoints, 9},
	"communications_control": {resourceVP, 4.4},
	"bad_leadership":         {struggleOne, 4.2},
	"fog_of_war":             {denyRegions, 4.4}, // its text gives the card away
	"bio_weapons":            {chain, 4.1},
	"global_disruption":      {removePerRegion, 5},
	"technology_control":     {resourceVP, 4.3},
	"manufacturing_control":  {resourceVP, 4.3},
	"insurgents":             {replaceStruggling, 5},
	"carrier_task_force":     {seaPoints, 4.2}, // at Sea points count twice
	"mega_storm":             {storm, 4.9},
	"military_base":          {builds, 4.2},
	"nuclear_winter":         {removeStruggling, 4.5},
	"out_of_supply":          {removeIsolated, 4.4},
	"propaganda_war":         {regionVP, 4.4},
	"ore_control":            {resourceVP, 4.6},
	"show_of_force":          {fullReductions, 5.2},
	"supply_depots":          {upgradeOwn, 4.3},
	"surrender":              {removeOpposing, 4.3},
	"tactical_nukes":         {struggleAll, 5.2},
	"strategic_bombers":      {landReductions, 5.2},
	"attack_submarines":      {seaReductions, 4.2},
}

// card is a card type as the player sees it.
type card struct {
	knack
	build, reduction int
	points           int     // of its text: points, picks, Reductions for each Full Force, or VPs for each
	resource         int     // whose Areas its text scores, as a group
	cost             float64 // Logistical Support when it is bought
}

func newCards(f *domination.Facts) (list [cards]card) {
	for i, c := range f.Cards {
		points, resource := c.Points()
		list[i] = card{
			knack: knacks[c.ID], build: int(c.Build), reduction: int(c.Reduction),
			points: points, resource: firstResource + resource, cost: float64(c.Cost),
		}
	}
	return list
}
