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
	outFaction  = 0                            // C1 and C7
	outTile     = outFaction + Factions        // C2
	outRotation = outTile + numTiles           // C2
	outAgenda   = outRotation + Arms           // C6
	outLoot     = outAgenda + Agendas          // C11, C14
	outDie      = outLoot + LootCards          // C8, C10
	outReaction = outDie + Sides               // C9
	outOps      = outReaction + Sides          // C12
	outManifest = outOps + OpsCards            // C15
	numOutcomes = outManifest + Manifestations //
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
		add("FACTION", typeNames[i])
	}
	for i := range b.tiles {
		add("TILE", b.tiles[i].Key)
	}
	numbers("ROTATION", 0, Arms)
	for i := range b.agendas {
		add("AGENDA", b.agendas[i].Key)
	}
	for i := range b.loot {
		add("LOOT", b.loot[i].Key)
	}
	numbers("DIE", 1, Sides)
	numbers("REACTION", 1, Sides)
	for i := range b.ops {
		add("OPS", b.ops[i].Key)
	}
	for i := range b.manifest {
		add("MANIFESTATION", b.manifest[i].Key)
	}
	return names
}

// Odds of the chance events.

// tileOdds are a pair, since the tiles that are left are looked up once for all.
var tileOdds = &odds{
	List: func(g *game, p *Position, dst []engine.Outcome) []engine.Outcome {
		for left := (Board{g, p, nil}).tilesLeft(); left != 0; left &= left - 1 {
			dst = append(dst, engine.Outcome{Action: outTile + engine.Action(left.First()), Weight: 1})
		}
		return dst
	},
	Weight: func(g *game, p *Position, a engine.Action) uint32 {
		if a < outTile || a >= outTile+numTiles {
			return 0
		}
		return uint32((Board{g, p, nil}).tilesLeft() >> (a - outTile) & 1)
	},
}

// each makes the odds of n outcomes from first on, each with a weight of its own.
func each(first engine.Action, n int, weight func(b Board, i int) uint32) *odds {
	return flow.Each(first, n, func(g *game, p *Position, i int) uint32 { return weight(Board{g, p, nil}, i) })
}

// die makes the odds of n equal outcomes from first on.
func die(first engine.Action, n int) *odds { return flow.Die[*game, Position](first, n) }

func (b Board) factionOdds(i int) uint32 { return 1 - b.firstOdds(i) }

func (b Board) firstOdds(i int) uint32 {
	if b.inPlay(FactionID(i)) {
		return 1
	}
	return 0
}

func (b Board) agendaOdds(i int) uint32 { return b.agendaWeights(0xFF)[i] }

func lootOdds(_ *game, p *Position) []uint8 { return p.Deck[:] }

func opsOdds(_ *game, p *Position) []uint8 { return p.Ops[:] }

func manifestOdds(_ *game, p *Position) []uint8 { return p.Manifest[:] }

// What the outcomes do.

func (b Board) tileDrawn(a engine.Action) {
	b.chooseTile(TileID(a - outTile))
}

func (b Board) factionDrawn(a engine.Action) {
	b.dealFaction(FactionID(a - outFaction))
}

func (b Board) handDrawn(a engine.Action) {
	b.toHand(LootID(a - outLoot))
}

func (b Board) agendaDrawn(a engine.Action) {
	b.Agenda[b.Now.Who] = AgendaID(a - outAgenda)
	b.tellTo(b.seatOf(b.Now.Who), agendaDealt, "R2.9", b.Now.Who, AgendaID(a-outAgenda))
}

func (b Board) lootDrawn(a engine.Action) {
	b.drew(LootID(a - outLoot))
}

func (b Board) opsDrawn(a engine.Action) {
	b.Ops[a-outOps]--
	b.police(OpsID(a - outOps))
}

func (b Board) opsRevealed(a engine.Action) {
	b.show(OpsID(a - outOps))
}

func (b Board) manifestDrawn(a engine.Action) {
	b.turnedUp(ManifestID(a - outManifest))
}
