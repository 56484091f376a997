package insurgency

// Events that stay in play, in the order of insurgency.MomentumKeys.
const (
	fusionCenters = iota
	noTravel
	highwayPatrol
	iot
	leader
	analytics
	ghostGuns
	taxRevolt
	truckers
	plague
	ceasefire
	blackout
	openBorders
	oilShock
	blizzard
	broadbandPlus
	broadbandMinus
	momenta
)

// momentumWorth is what each is worth to the Rebel while it stays in play: over the
// game, or over the round. The Leader counts by Rebellion Power. What binds both
// sides alike counts nothing.
var momentumWorth = [momenta]struct{ game, round float64 }{
	fusionCenters:  {game: -0.8},
	iot:            {game: -0.8},
	analytics:      {game: 0.9},
	noTravel:       {round: -0.6},
	highwayPatrol:  {round: -0.4},
	ghostGuns:      {round: 0.6},
	taxRevolt:      {round: 1.2},
	truckers:       {round: 0.4},
	broadbandPlus:  {round: 0.5},
	broadbandMinus: {round: -0.5},
}

// momentum returns what the events in play are worth.
func (b *board) momentum() float64 {
	v := 0.0
	for k, in := range b.momenta {
		if in {
			v += momentumWorth[k].game*b.horizon.long + momentumWorth[k].round*b.horizon.round
		}
	}
	return v
}
