package insurgency

import (
	"strconv"

	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

var pieceNames = []string{"agent", "sleeper", "active", "base"}

// numberWords are the numbers from first to last as words.
func numberWords(first, last int) []string {
	var list []string
	for n := first; n <= last; n++ {
		list = append(list, strconv.Itoa(n))
	}
	return list
}

// newCodec makes the codec of the game's positions.
func (g *game) newCodec() *codec.Codec[Position] {
	b := g.box
	return codec.NewCodec(codec.Config[Position]{
		Seats: numSeats,
		Lists: map[string][]string{
			"side": sideNames[:], "phase": phaseNames, "space": b.ids, "status": statusNames, "marker": smNames, "slot": numberWords(1, numSlots),
			"story": append([]string{""}, numberWords(1, numStories)...), "storyCard": numberWords(1, numStories), "card": numberWords(1, numEvents),
			"step": adminNames, "piece": pieceNames, "mode": modeNames, "operation": append(opNames[:], ""), "stage": opStageNames,
			"limit": numberWords(0, numSpaces), "kind": append(kindNames[:], ""), "event stage": stageNames, "news": newsNames, "placing": placingNames,
			"relocating": relocateNames, "cause": causeNames, "board": {"scenario", "empty"}, "momentum": momentumNames,
			"piece kind": {"agents", "militia", "federal_bases", "rebel_bases"},
		},
		Limits: map[string]int{
			"money": maxMoney, "reserves": int(b.maxReserves), "hacked": int(b.maxHacked), "shields": int(b.maxShields), "unrest": int(b.maxUnrest),
			"agents": int(b.limits[agent]), "militia": int(b.limits[militia]), "bases": int(b.maxBases),
		},
		Nulls: map[string]func(p *Position) bool{
			"nobodyPlays": func(p *Position) bool { return p.Phase > setUpUnits && p.Phase != actionPhase },
			"noRemoval": func(p *Position) bool {
				return !p.Removal.Asking && p.Removal.LastSpace == 0 && p.Removal.LastPiece == 0
			},
			"noCard":      func(p *Position) bool { return p.Card.Number == 0 },
			"noOperation": func(p *Position) bool { return p.Op.Kind == noOp },
			"noEvent":     func(p *Position) bool { return p.Event.Card == 0 },
			"noNews":      func(p *Position) bool { return p.News.Do == newsNone },
			"noPlacing":   func(p *Position) bool { return p.Placing.Kind == placeNothing },
			"playing":     func(p *Position) bool { return p.Result.Winner == nobody },
		},
		Forms: g.forms(),
	})
}

// forms are the fields that have a form of their own.
func (g *game) forms() map[string]codec.Form[Position] {
	return map[string]codec.Form[Position]{
		"scenario":  fixedWord(scenarioNames[g.scenario]),
		"event_tag": fixedWord(g.keepTag),
		"decision":  {Write: func(p *Position, _ int) any { return flow.Name(p.Ask, g.table) }},
		"board": { // read only: it comes before the spaces
			Write: func(*Position, int) any { return nil },
			Read: func(r *codec.Reader, p *Position, _ int, v any) {
				if r.Word("", v, "board") == 1 {
					p.Spaces = emptyBoard
				}
			},
		},
		"momentum":     {Write: func(p *Position, i int) any { return g.board(p).writeMomentum(i) }, Read: g.readMomentum},
		"rebelHand":    handForm(rebel, (*Position).handOf, true),
		"rebelKnown":   handForm(rebel, (*Position).knownOf, false),
		"federalHand":  handForm(federal, (*Position).handOf, true),
		"federalKnown": handForm(federal, (*Position).knownOf, false),
		"within": {
			Write: func(p *Position, _ int) any {
				if p.Op.Terms.Within == everywhere {
					return nil
				}
				return g.names(p.Op.Terms.Within)
			},
		},
		"named": {
			Write: func(p *Position, _ int) any {
				list := []any{}
				for _, set := range p.Event.Named {
					list = append(list, g.names(set))
				}
				return list
			},
		},
	}
}

// fixedWord is the form of what the options say: a document may repeat it.
func fixedWord(word string) codec.Form[Position] {
	return codec.Form[Position]{
		Write: func(*Position, int) any { return word },
		Read: func(r *codec.Reader, _ *Position, _ int, v any) {
			if v != word {
				r.Fail("%v is another game: the game options say %s", v, word)
			}
		},
	}
}

// names lists the spaces of a set.
func (g *game) names(set SpaceSet) []any {
	list := []any{}
	for ; set != 0; set &= set - 1 {
		list = append(list, g.box.ids[set.First()])
	}
	return list
}

func (p *Position) handOf(side Side) *CardSet  { return &p.Hand[side] }
func (p *Position) knownOf(side Side) *CardSet { return &p.Known[side] }

// handForm is the form of a hand, or of what is known of it. In a view the hidden cards of
// a hand are 0; such a document shows a table and cannot be loaded.
func handForm(side Side, of func(*Position, Side) *CardSet, whole bool) codec.Form[Position] {
	return codec.Form[Position]{
		Write: func(p *Position, _ int) any {
			list := []any{}
			for _, n := range cards(*of(p, side)) {
				list = append(list, n)
			}
			for whole && len(list) < int(p.HandSize[side]) {
				list = append(list, 0)
			}
			return list
		},
		Read: func(r *codec.Reader, p *Position, _ int, v any) {
			set := of(p, side)
			for _, e := range r.List("", v, -1) {
				n := CardID(r.Number("", e, 1, numEvents))
				if set.Has(n) && !r.Failed() {
					r.Fail("the %s has card %d twice (R1.2)", sideNames[side], n)
				}
				set.add(n)
			}
		},
	}
}

// writeMomentum lists the events in play: {"key", "owner", "space"}, the space for plague
// alone.
func (b Board) writeMomentum(_ int) any {
	list := []any{}
	for k := range numMomentum {
		if !b.has(k) {
			continue
		}
		var space any
		if k == Plague && b.Plague != noSpace {
			space = b.box.ids[b.Plague]
		}
		o := &codec.Object{}
		o.Set("key", momentumNames[k])
		o.Set("owner", sideNames[b.owner(k)])
		o.Set("space", space)
		list = append(list, o)
	}
	return list
}

func (g *game) readMomentum(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.List("", v, -1) {
		parts := r.Object("", e, "key", "owner", "space")
		k, owner := MomentumKey(r.Word("key", parts[0], "momentum")), r.Word("owner", parts[1], "side")
		switch {
		case r.Failed():
			return
		case p.has(k):
			r.Fail("momentum has %s twice (R8.7)", momentumNames[k])
		case (k == Plague) != (parts[2] != nil):
			r.Fail("momentum %s: a space goes with plague, and with nothing else", momentumNames[k])
		}
		p.startMomentum(k, Side(owner))
		if k == Plague && !r.Failed() {
			p.Plague = SpaceID(r.Word("space", parts[2], "space"))
			p.Spaces[p.Plague].Plague = true
		}
	}
}

// Encode implements flow.Rules.
func (g *game) Encode(p *Position) ([]byte, error) {
	q := *p
	g.board(&q).derive()
	return g.codec.Encode(&q)
}

// Hash implements flow.Rules.
func (g *game) Hash(p *Position) uint64 { return g.codec.Hash(p) }

// derive fills in what follows from the rest.
func (b Board) derive() {
	b.VP = [numSeats]uint8{uint8(b.vp(rebel)), uint8(b.vp(federal))}
	for k := range b.Stocks {
		b.Stocks[k] = b.stock(pieceKind(k))
	}
	b.PowerNow, b.RPFNow, b.EdgeNow = b.power(), b.rpf(), b.edge()
	b.EventDeck, b.Stories = uint8(b.deckSize()), uint8(b.storyDeck().Count())
}
