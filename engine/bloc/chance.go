package bloc

import (
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Outcomes of chance events (R13.2): first number of each group. Decks are sampled
// lazily, one card an event, over the cards of unknown place; an event whose result
// is certain is none.
const (
	outFaction  = 0                         // C1 and C7
	outTile     = outFaction + numFactions  // C2
	outRotation = outTile + numTiles        // C2
	outAgenda   = outRotation + numArms     // C6
	outLoot     = outAgenda + numAgendas    // C11, C14
	outDie      = outLoot + numLoot         // C8, C10
	outReaction = outDie + sides            // C9
	outOps      = outReaction + sides       // C12
	outManifest = outOps + numOps           // C15
	numOutcomes = outManifest + numManifest //
)

// outcomes names the vocabulary of chance.
func (b *box) outcomes() []string {
	names := make([]string, 0, numOutcomes)
	add := func(group, key string) { names = append(names, group+"_"+strings.ToUpper(key)) }
	numbers := func(group string, first, n int) {
		for i := range n {
			add(group, strconv.Itoa(first+i))
		}
	}
	for i := range b.factions {
		add("FACTION", b.factions[i].key)
	}
	for i := range b.tiles {
		add("TILE", b.tiles[i].Key)
	}
	numbers("ROTATION", 0, numArms)
	for i := range b.agendas {
		add("AGENDA", b.agendas[i].Key)
	}
	for i := range b.loot {
		add("LOOT", b.loot[i].Key)
	}
	numbers("DIE", 1, sides)
	numbers("REACTION", 1, sides)
	for i := range b.ops {
		add("OPS", b.ops[i].Key)
	}
	for i := range b.manifest {
		add("MANIFESTATION", b.manifest[i].Key)
	}
	return names
}

// Outcomes implements engine.Stochastic.
func (s *State) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.p.actor != engine.Chance {
		return dst
	}
	g, p := s.g, &s.p
	switch p.ask {
	case askFaction:
		for f := range uint8(numFactions) {
			if !g.inPlay(p, f) {
				dst = append(dst, engine.Outcome{Action: outFaction + engine.Action(f), Weight: 1})
			}
		}
	case askFirst:
		for f := range uint8(numFactions) {
			if g.inPlay(p, f) {
				dst = append(dst, engine.Outcome{Action: outFaction + engine.Action(f), Weight: 1})
			}
		}
	case askTile:
		for left := g.tilesLeft(p); left != 0; left &= left - 1 {
			dst = append(dst, engine.Outcome{Action: outTile + engine.Action(left.first()), Weight: 1})
		}
	case askRotation:
		dst = appendEqual(dst, outRotation, numArms)
	case askAgenda:
		w := g.agendaWeights(p, 0xFF)
		for i, n := range w {
			if n > 0 {
				dst = append(dst, engine.Outcome{Action: outAgenda + engine.Action(i), Weight: n})
			}
		}
	case askDie:
		dst = appendEqual(dst, outDie, sides)
	case askReaction:
		dst = appendEqual(dst, outReaction, sides)
	case askLoot:
		dst = appendCounts(dst, outLoot, p.deck[:])
	case askOps:
		dst = appendCounts(dst, outOps, p.ops[:])
	case askManifest:
		dst = appendCounts(dst, outManifest, p.manifest[:])
	}
	return dst
}

func appendEqual(dst []engine.Outcome, first engine.Action, n int) []engine.Outcome {
	for i := range n {
		dst = append(dst, engine.Outcome{Action: first + engine.Action(i), Weight: 1})
	}
	return dst
}

func appendCounts(dst []engine.Outcome, first engine.Action, counts []uint8) []engine.Outcome {
	for i, n := range counts {
		if n > 0 {
			dst = append(dst, engine.Outcome{Action: first + engine.Action(i), Weight: uint32(n)})
		}
	}
	return dst
}

// canHappen reports whether an outcome is possible here.
func (g *game) canHappen(p *position, a engine.Action) bool {
	within := func(first, n int) bool { return int(a) >= first && int(a) < first+n }
	switch p.ask {
	case askFaction, askFirst:
		return within(outFaction, numFactions) && g.inPlay(p, uint8(a-outFaction)) == (p.ask == askFirst)
	case askTile:
		return within(outTile, numTiles) && g.tilesLeft(p)>>(a-outTile)&1 != 0
	case askRotation:
		return within(outRotation, numArms)
	case askAgenda:
		if !within(outAgenda, numAgendas) {
			return false
		}
		w := g.agendaWeights(p, 0xFF)
		return w[a-outAgenda] > 0
	case askDie:
		return within(outDie, sides)
	case askReaction:
		return within(outReaction, sides)
	case askLoot:
		return within(outLoot, numLoot) && p.deck[a-outLoot] > 0
	case askOps:
		return within(outOps, numOps) && p.ops[a-outOps] > 0
	case askManifest:
		return within(outManifest, numManifest) && p.manifest[a-outManifest] > 0
	}
	return false
}

// happen carries out a possible outcome. What follows is left to run.
func (g *game) happen(p *position, w *flow.Witness, a engine.Action) {
	switch p.ask {
	case askFaction:
		g.dealFaction(p, w, uint8(a-outFaction))
	case askFirst:
		g.chooseFirst(p, w, uint8(a-outFaction))
	case askTile:
		g.chooseTile(p, w, uint8(a-outTile))
	case askRotation:
		g.chooseRotation(p, w, uint8(a-outRotation))
	case askAgenda:
		p.agenda[p.who] = uint8(a - outAgenda)
		if w != nil {
			g.tellCard(p, w, "agenda", "R2.9", p.who, flow.Arg("agenda", g.box.agendas[a-outAgenda].Key))
		}
	case askDie:
		g.rolledDie(p, w, uint8(a-outDie))
	case askReaction:
		g.rolled(p, w, uint8(a-outReaction)+1)
	case askLoot:
		if p.step == dealLoot {
			g.toHand(p, w, uint8(a-outLoot))
		} else {
			g.drew(p, w, uint8(a-outLoot))
		}
	case askOps:
		card := uint8(a - outOps)
		if p.step == revealOps {
			g.show(p, w, card)
			return
		}
		p.ops[card]--
		g.police(p, w, card)
	case askManifest:
		g.turnedUp(p, w, uint8(a-outManifest))
	default:
		panic("bloc: a chance outcome where none is awaited")
	}
}
