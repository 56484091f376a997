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
func (g *game) targets(p *position, seat, owner SeatID) (set unitSet, informers bool) {
	for u := p.onMap.next(mmFirst); u < milFirst; u = p.onMap.next(u + 1) {
		o := g.owner(p, u)
		if o == seat || owner != noSeat && o != owner {
			continue
		}
		if p.team(seat) == 0 && p.team(o) == 1 || seat != p.gov && o != p.gov {
			set.add(u)
		}
	}
	if p.team(seat) == 0 || owner != noSeat && owner != p.gov {
		return set, false
	}
	for u := p.onMap.next(agtFirst); u < cigFirst; u = p.onMap.next(u + 1) {
		set.add(u)
	}
	return set, !p.informer.empty()
}

// canKill implements R5.3 (own verb nodes offer it too): it tells whether a seat holds an Assassin and has somebody to use it on.
func (g *game) canKill(p *position, seat SeatID) bool {
	if p.hand[seat][assassin] == 0 {
		return false
	}
	set, informers := g.targets(p, seat, noSeat)
	return informers || !set.empty()
}

// startKill begins D32 for the seat that decides.
func (g *game) startKill(p *position) {
	p.kill = kill{stage: killHex, seat: SeatID(p.Actor), player: noSeat, hex: noHex}
	if g.seats > 2 {
		p.kill.stage = killOwner
	}
}

func (g *game) advanceKill(p *position) bool {
	if p.kill.stage == killDie {
		return p.chance(askKillDie)
	}
	return p.decide(askKill, p.kill.seat)
}

func (g *game) offerKill(p *position) {
	k := &p.kill
	set, informers := g.targets(p, k.seat, k.player)
	switch k.stage {
	case killOwner:
		for s := range SeatID(g.seats) {
			t, inf := g.targets(p, k.seat, s)
			p.allowIf(inf || !t.empty(), actPlayer+int(s))
		}
	case killHex:
		hexes := p.hexesOf(&set)
		if informers {
			for c := p.informer.next(0); c != noCity; c = p.informer.next(c + 1) {
				hexes.add(g.cityHex[c])
			}
		}
		p.allowHexes(&hexes)
	case killClass:
		g.allowClasses(p, &set, k.hex, 0)
		p.allowIf(informers && g.informerAt(p, k.hex), actClass+int(anInformer))
	case killAmount:
		p.allowAmounts(1, min(3, int(p.hand[k.seat][assassin])))
	}
}

// three markers need no die.
func (g *game) chooseKill(p *position, w *flow.Witness, a engine.Action) {
	k := &p.kill
	switch k.stage {
	case killOwner:
		k.player, k.stage = SeatID(a-actPlayer), killHex
	case killHex:
		k.hex, k.stage = HexID(a-actHex), killClass
	case killClass:
		k.class, k.stage = class(a-actClass), killAmount
	case killAmount:
		k.n, k.stage = uint8(a-actAmount), killDie
		if g.success[k.n] == 6 { // three markers need no die
			g.murder(p, w, 1)
		}
	}
}

// murder implements R13: the die is cast, the markers go back to the pool, and
// the question in which the assassin was called is asked again.
func (g *game) murder(p *position, w *flow.Witness, die int) {
	k := p.kill
	p.kill = kill{}
	succeeds := die <= int(g.success[k.n])
	if w != nil {
		w.All("assassination", "R13", seatArg(k.seat), number("number", k.n), flow.Arg("class", g.actions[actClass+int(k.class)]), g.hexArg(k.hex), flow.Arg("succeeded", succeeds))
	}
	g.giveBack(p, w, k.seat, assassin, k.n)
	if !succeeds {
		return
	}
	if k.class == anInformer {
		g.dropInformer(p, w, "R13", k.hex)
		return
	}
	set, _ := g.targets(p, k.seat, k.player)
	if u := g.find(p, &set, k.hex, k.class); u != noUnit {
		g.eliminate(p, w, "R13", u)
	}
}

// giveBack implements R21: shown markers return to the pool.
func (g *game) giveBack(p *position, w *flow.Witness, seat SeatID, m marker, n uint8) {
	p.hand[seat][m] -= n
	p.handSize[seat] -= n
	p.pool[m] += n
	p.poolSize += n
	if w != nil && n > 0 {
		w.All("markers_returned", "R21", seatArg(seat), flow.Arg("marker", markerNames[m]), number("number", n))
	}
}
