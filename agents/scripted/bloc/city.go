package bloc

import "powderkeg/engine/bloc"

// situation is what the player makes of a view. All of it is worked out anew for each
// decision.
type situation struct {
	s     *bloc.View
	w     *weights
	f     bloc.FactionID // the faction that decides
	turns int            // own turns after this one
	tile  [bloc.Cells]bloc.TileFacts

	own    [bloc.Cells]int // own blocs
	fresh  [bloc.Cells]int // of these, have not attacked in their clash
	total  [bloc.Cells]int // blocs of all factions
	spare  [bloc.Cells]int // own blocs that may leave
	cops   [bloc.Cells]int
	hits   [bloc.Cells]int            // hits that the van still takes, 0 without a van
	holder [bloc.Cells]bloc.FactionID // whose occupation stands there, none
	police bloc.CellSet               // districts with police
	calm   bloc.CellSet               // districts with own blocs and no police
	anyone bloc.CellSet               // districts with blocs

	dice  [bloc.Sides + 1]int // unspent dice that show at least i; dice[0] and dice[1] are all
	hand  [bloc.LootCards]int
	later int // factions that have yet to play this night, without this one
	cards int // police ops cards to come this night, about

	sent  [bloc.Cells][bloc.Cells]float64 // how often a group in the first is expected to be ordered to the second tonight
	raids [bloc.Cells]raids
	dead  [bloc.Cells]float64    // chance that no bloc there is left after Sunrise
	doom  [bloc.Factions]float64 // chance that a faction has no bloc left then

	goals  goals
	next   [bloc.Cells]bloc.CellSet // districts a step away, by street or metro
	ways   [bloc.Cells]bloc.CellSet // where the blocs of a district can go (reach), for those in walked
	walked bloc.CellSet
	plan   plan // the best so far
	asked  request
	shelf  *shelf // nil where nobody asks for the candidates
}

// read works out the situation from a view.
func (t *situation) read(s *bloc.View) { t.readFor(s, s.P.Asked) }

// readFor works it out for a faction; of the hand of another player's, what the player
// who is asked is certain of.
func (t *situation) readFor(s *bloc.View, f bloc.FactionID) {
	*t = situation{s: s, w: t.w, f: f, turns: turnsAfter(s)}
	cops := &s.P.Cops
	for f := range bloc.FactionID(bloc.Factions) {
		for c, n := range s.P.Blocs[f] {
			t.total[c] += int(n)
		}
	}
	own, attacked := s.P.Blocs[t.f], s.P.Attacked[t.f]
	for c := range bloc.CellID(bloc.Cells) {
		t.tile[c] = *s.Tile(c)
		t.own[c], t.fresh[c] = int(own[c]), int(own[c]-attacked[c])
		t.cops[c] = int(cops[c])
		t.hits[c] = int(s.HitsLeft(c))
		t.holder[c] = none
		if h := s.P.Holder[c]; h != 0 {
			t.holder[c] = h.Faction()
		}
		if t.cops[c]+t.hits[c] > 0 {
			t.police |= 1 << c
		}
		if t.total[c] > 0 {
			t.anyone |= 1 << c
		}
		if t.own[c] > 0 && t.police>>c&1 == 0 {
			t.calm |= 1 << c
		}
	}
	for i, n := range s.P.Dice {
		for v := range i + 2 {
			t.dice[v] += int(n)
		}
	}
	hand := &s.P.Hand[t.f]
	if me := s.Owner(s.P.Asked); s.Owner(t.f) != me {
		hand = &s.P.Known[me][t.f]
	}
	for i, n := range hand {
		t.hand[i] = int(n)
	}
	if s.Active() != bloc.NoFaction {
		t.later = s.FactionSeats() - 1 - int(s.P.Turn)
	}
	t.cards = (t.later + 1) * int(s.OpsCards())
	t.readOrders()
	t.goals.read(t)
	t.readAccess()
	t.readDoom()
	for c := range bloc.CellID(bloc.Cells) {
		t.spare[c] = t.own[c] - t.needed(c)
	}
}

// reach returns the districts that the blocs of a district can go to, which every plan asks for.
func (t *situation) reach(from bloc.CellID) bloc.CellSet {
	if t.walked>>from&1 == 0 {
		t.walked |= 1 << from
		t.ways[from] = t.s.Reach(from)
	}
	return t.ways[from]
}

// turnsAfter counts the turns that each faction has after those of this night.
func turnsAfter(s *bloc.View) int { return max(0, int(s.P.NightsLeft)-1) }

// standing reports whether an own occupation is in the city.
func (t *situation) standing(kind bloc.OccID) bool { return t.s.P.Place[t.f][kind] != bloc.NoCell }
