package domination

import "powderkeg/engine/domination"

// text tells the cards apart by what their texts do.
type text uint8

const (
	noText text = iota
	builds
	landPoints
	nearSeaPoints
	nearLandPoints
	seaPoints
	landReductions
	seaReductions
	fullReductions
	resourceVP
	regionVP
	struggleOne
	struggleAll
	upgradeOwn
	removeIsolated
	removeStruggling
	removePerRegion
	removeOpposing
	replaceStruggling
	storm
	chain
	denyRegions
)

// knack is what the player knows about a card beyond what is printed on it.
type knack struct {
	text text
	// quality is what having the card for a use is worth, in points: about the gain
	// of its best way, in situations as they occur, measured against a Build.
	quality float64
}

// knacks lists the cards by id.
var knacks = map[string]knack{
	"domination":             {noText, 3},
	"agricultural_control":   {resourceVP, 5.5},
	"airborne_forces":        {landPoints, 6.5}, // has the last word
	"amphibious_assault":     {nearSeaPoints, 7},
	"petroleum_control":      {resourceVP, 5.5},
	"attack_helicopters":     {nearLandPoints, 6},
	"communications_control": {resourceVP, 5.5},
	"bad_leadership":         {struggleOne, 5.5},
	"fog_of_war":             {denyRegions, 5.5}, // its text gives the card away
	"bio_weapons":            {chain, 5},
	"global_disruption":      {removePerRegion, 5.5},
	"technology_control":     {resourceVP, 5.5},
	"manufacturing_control":  {resourceVP, 5.5},
	"insurgents":             {replaceStruggling, 6},
	"carrier_task_force":     {seaPoints, 6.5}, // at Sea points count twice
	"mega_storm":             {storm, 5.5},
	"military_base":          {builds, 7},
	"nuclear_winter":         {removeStruggling, 5.5},
	"out_of_supply":          {removeIsolated, 5.5},
	"propaganda_war":         {regionVP, 5.5},
	"ore_control":            {resourceVP, 5.5},
	"show_of_force":          {fullReductions, 6.5},
	"supply_depots":          {upgradeOwn, 6},
	"surrender":              {removeOpposing, 5.5},
	"tactical_nukes":         {struggleAll, 6},
	"strategic_bombers":      {landReductions, 6.5},
	"attack_submarines":      {seaReductions, 6},
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
		list[i] = card{
			knack: knacks[c.ID], build: c.Build, reduction: c.Reduction,
			points: c.Points, resource: firstResource + c.Resource, cost: float64(c.Cost),
		}
	}
	return list
}
