package insurgency

import "powderkeg/engine/insurgency"

// momentumWorth is what each is worth to the Rebel while it stays in play: over the
// game, or over the round. The Leader counts by Rebellion Power. What binds both
// sides alike counts nothing.
var momentumWorth = [insurgency.Momenta]struct{ game, round float64 }{
	insurgency.FusionCenters:    {game: -0.8},
	insurgency.InternetOfThings: {game: -0.8},
	insurgency.Analytics:        {game: 0.9},
	insurgency.NoTravel:         {round: -0.6},
	insurgency.HighwayPatrol:    {round: -0.4},
	insurgency.GhostGuns:        {round: 0.6},
	insurgency.TaxRevolt:        {round: 1.2},
	insurgency.Truckers:         {round: 0.4},
	insurgency.BroadbandPlus:    {round: 0.5},
	insurgency.BroadbandMinus:   {round: -0.5},
}

// momentum returns what the events in play are worth.
func (b *board) momentum() float64 {
	v := 0.0
	for k := range momentumWorth {
		if b.momenta.Has(insurgency.MomentumKey(k)) {
			v += momentumWorth[k].game*b.horizon.long + momentumWorth[k].round*b.horizon.round
		}
	}
	return v
}
