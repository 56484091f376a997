package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// killStage is how far an assassination has come.
type killStage uint8

const (
	killNone  killStage = iota
	killOwner           // several players: whose unit
	killHex
	killClass
	killAmount
	killDie
)

var killStageNames = []string{"", "owner", "hex", "class", "amount", "die"}

// targets implements R13 and R28.10: whom a seat may have murdered. A Government
// may have Minutemen of the Rebels, a Rebel Agents and Informers of the Government
// and Minutemen of other Rebels; nobody units of his own side. The Informers of
// targeted owner are told apart: they are no units.
func (g *game) targets(p *Position, seat, owner SeatID) (set unitSet, informers bool) {
	for u := p.OnMap.next(mmFirst); u < milFirst; u = p.OnMap.next(u + 1) {
		o := g.owner(p, u)
		if o == seat || owner != noSeat && o != owner {
			continue
		}
		if p.team(seat) == governmentTeam && p.team(o) == rebelTeam || seat != p.Gov && o != p.Gov {
			set.add(u)
		}
	}
	if p.team(seat) == governmentTeam || owner != noSeat && owner != p.Gov {
		return set, false
	}
	for u := p.OnMap.next(agtFirst); u < cigFirst; u = p.OnMap.next(u + 1) {
		set.add(u)
	}
	return set, !p.Informer.empty()
}

// canKill implements R5.3 (own verb nodes offer it too): it reports whether a seat holds an Assassin and has somebody to use it on.
func (g *game) canKill(p *Position, seat SeatID) bool {
	if p.Hand[seat][assassin] == 0 {
		return false
	}
	set, informers := g.targets(p, seat, noSeat)
	return informers || !set.empty()
}

// startKill begins D32 for the seat that decides.
func (g *game) startKill(p *Position) {
	p.Kill = Assassination{Stage: killHex, Seat: SeatID(p.Actor), Player: noSeat, Hex: noHex}
	if g.Seats > 2 {
		p.Kill.Stage = killOwner
	}
}

func (g *game) advanceKill(p *Position) bool {
	if p.Kill.Stage == killDie {
		return p.chance(askKillDie)
	}
	return p.decide(askKill, p.Kill.Seat)
}

func (g *game) offerKill(p *Position) {
	k := &p.Kill
	set, informers := g.targets(p, k.Seat, k.Player)
	switch k.Stage {
	case killOwner:
		for s := range SeatID(g.Seats) {
			t, inf := g.targets(p, k.Seat, s)
			p.allowIf(inf || !t.empty(), actPlayer+int(s))
		}
	case killHex:
		hexes := p.hexesOf(&set)
		if informers {
			for c := p.Informer.next(0); c != noCity; c = p.Informer.next(c + 1) {
				hexes.add(g.cityHex[c])
			}
		}
		p.allowHexes(&hexes)
	case killClass:
		g.allowClasses(p, &set, k.Hex)
		p.allowIf(informers && g.informerAt(p, k.Hex), actClass+int(anInformer))
	case killAmount:
		p.allowAmounts(1, min(3, int(p.Hand[k.Seat][assassin])))
	}
}

// three markers need no die.
func (g *game) chooseKill(p *Position, w *flow.Witness, a engine.Action) {
	k := &p.Kill
	switch k.Stage {
	case killOwner:
		k.Player, k.Stage = SeatID(a-actPlayer), killHex
	case killHex:
		k.Hex, k.Stage = HexID(a-actHex), killClass
	case killClass:
		k.Class, k.Stage = class(a-actClass), killAmount
	case killAmount:
		k.N, k.Stage = uint8(a-actAmount), killDie
		if g.success[k.N] == 6 { // three markers need no die
			g.murder(p, w, 1)
		}
	}
}

// murder implements R13: the die is cast, the markers go back to the pool, and
// the question in which the assassin was called is asked again.
func (g *game) murder(p *Position, w *flow.Witness, die int) {
	k := p.Kill
	p.Kill = Assassination{}
	succeeds := die <= int(g.success[k.N])
	if w != nil {
		w.All("assassination", "R13", seatArg(k.Seat), number("number", k.N), flow.Arg("class", g.actions[actClass+int(k.Class)]), g.hexArg(k.Hex),
			flow.Arg("succeeded", succeeds))
	}
	g.giveBack(p, w, k.Seat, assassin, k.N)
	if !succeeds {
		return
	}
	if k.Class == anInformer {
		g.dropInformer(p, w, "R13", k.Hex)
		return
	}
	set, _ := g.targets(p, k.Seat, k.Player)
	if u := g.find(p, &set, k.Hex, k.Class); u != noUnit {
		g.eliminate(p, w, "R13", u)
	}
}

// giveBack implements R21: shown markers return to the pool.
func (g *game) giveBack(p *Position, w *flow.Witness, seat SeatID, m marker, n uint8) {
	p.Hand[seat][m] -= n
	p.HandSize[seat] -= n
	p.Pool[m] += n
	p.PoolSize += n
	if w != nil && n > 0 {
		w.All("markers_returned", "R21", seatArg(seat), flow.Arg("marker", markerNames[m]), number("number", n))
	}
}
