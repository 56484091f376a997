package bloc

import codec "powderkeg/engine/position"

// writeHands writes the hands of the factions in play.
func (b Board) writeHands() any {
	hands := map[string][]string{}
	for _, f := range b.Seats[:b.factions] {
		if f == NoFaction {
			continue
		}
		hand := []string{}
		for t, n := range b.Hand[f] {
			for range n {
				hand = append(hand, b.box.loot[t].Key)
			}
		}
		for range int(b.HandSize[f]) - len(hand) { // in a view
			hand = append(hand, "?")
		}
		hands[f.String()] = hand
	}
	return hands
}

func (b Board) readHands(r *codec.Reader, v any) {
	for _, e := range r.Entries("", v) {
		f := r.Word("", e.Key, "faction")
		cards := r.List(e.Key, e.Value, -1)
		if len(cards) > numCards {
			r.Fail("hands of %s: more than %d cards (R1.1)", e.Key, numCards)
			return
		}
		for _, card := range cards {
			b.Hand[f][r.Word(e.Key, card, "loot")]++
		}
	}
}

// writeKnown writes what each player is certain of in the hands of others.
func (b Board) writeKnown() any {
	list := make([]map[string]any, b.players)
	for v := range list {
		list[v] = map[string]any{}
		for f := range FactionID(Factions) {
			if m := counts(b.Known[v][f][:], func(t int) string { return b.box.loot[t].Key }); len(m) > 0 {
				list[v][f.String()] = m
			}
		}
	}
	return list
}

func (b Board) readKnown(r *codec.Reader, v any) {
	for player, known := range r.List("", v, int(b.players)) {
		if known == nil {
			continue
		}
		for _, e := range r.Entries("", known) {
			f := r.Word("", e.Key, "faction")
			for _, n := range r.Entries(e.Key, e.Value) {
				b.Known[player][f][r.Word(e.Key, n.Key, "loot")] = uint8(r.Number(e.Key+"."+n.Key, n.Value, 0, numCards))
			}
		}
	}
}

func (b Board) writeAgendas() any {
	agendas := map[string]string{}
	for _, f := range b.Seats[:b.factions] {
		if f == NoFaction {
			continue
		}
		switch a := b.Agenda[f]; a {
		case NoAgenda:
		case HiddenAgenda:
			agendas[f.String()] = "?"
		default:
			agendas[f.String()] = b.box.agendas[a].Key
		}
	}
	return agendas
}

func (b Board) readAgendas(r *codec.Reader, v any) {
	for _, e := range r.Entries("", v) {
		b.Agenda[r.Word("", e.Key, "faction")] = AgendaID(r.Word("", e.Value, "agenda"))
	}
}

func (b Board) writeBarred() any {
	barred := map[string][]int{}
	for i, cells := range b.Barred {
		if cells != 0 {
			barred[barNames[i]] = cells.list()
		}
	}
	return barred
}

func (b Board) readBarred(r *codec.Reader, v any) {
	for _, e := range r.Entries("", v) {
		kind := r.Word("", e.Key, "bar")
		for _, c := range r.List(e.Key, e.Value, -1) {
			b.Barred[kind] |= at(CellID(r.Number(e.Key, c, 0, Cells-1)))
		}
	}
}

func (b Board) writeOccupation() any {
	if b.Now.Occ == NoOcc || b.Now.Who == NoFaction {
		return nil
	}
	return b.box.factions[b.Now.Who].occs[b.Now.Occ].Key
}

// programName names a card or the verb of an ability.
func (g *game) programName(i Program) string {
	switch {
	case i < firstAbility:
		return g.box.loot[i].Key
	case i < firstManifest:
		return g.box.actions[ActVerb+int(i-firstAbility)]
	}
	return g.box.manifest[i-firstManifest].Key
}

// offerWord names an offer, which a view can hide.
func (g *game) offerWord(offer Offer) any {
	switch offer {
	case 0:
		return nil
	case HiddenOffer:
		return "?"
	}
	return g.box.actions[offerAction(offer)]
}

func (b Board) writeResult() any {
	if b.Ending == undecided {
		return nil
	}
	return object("winners", factionList(factionSet(b.Winners)), "by", endingNames[b.Ending])
}

func (b Board) readResult(r *codec.Reader, v any) {
	x := r.Object("", v, "winners", "by")
	b.Ending = Ending(r.Word("by", x[1], "by"))
	if x[0] == nil {
		return
	}
	for _, f := range r.List("winners", x[0], -1) {
		b.Winners |= 1 << r.Word("winners", f, "faction")
	}
}
