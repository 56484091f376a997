package bloc

import codec "powderkeg/engine/position"

// writeHands writes the hands of the factions in play.
func (g *game) writeHands(p *Position, _ int) any {
	hands := map[string][]string{}
	for _, f := range p.Seats[:g.factions] {
		if f == NoFaction {
			continue
		}
		hand := []string{}
		for t, n := range p.Hand[f] {
			for range n {
				hand = append(hand, g.box.loot[t].Key)
			}
		}
		for range int(p.HandSize[f]) - len(hand) { // in a view
			hand = append(hand, "?")
		}
		hands[f.String()] = hand
	}
	return hands
}

func (g *game) readHands(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.Entries("", v) {
		f := r.Word("", e.Key, "faction")
		cards := r.List(e.Key, e.Value, -1)
		if len(cards) > numCards {
			r.Fail("hands of %s: more than %d cards (R1.1)", e.Key, numCards)
			return
		}
		for _, card := range cards {
			p.Hand[f][r.Word(e.Key, card, "loot")]++
		}
	}
}

// writeKnown writes what each player is certain of in the hands of others.
func (g *game) writeKnown(p *Position, _ int) any {
	list := make([]map[string]any, g.players)
	for v := range list {
		list[v] = map[string]any{}
		for f := range FactionID(Factions) {
			if m := counts(p.Known[v][f][:], func(t int) string { return g.box.loot[t].Key }); len(m) > 0 {
				list[v][f.String()] = m
			}
		}
	}
	return list
}

func (g *game) readKnown(r *codec.Reader, p *Position, _ int, v any) {
	for player, known := range r.List("", v, int(g.players)) {
		if known == nil {
			continue
		}
		for _, e := range r.Entries("", known) {
			f := r.Word("", e.Key, "faction")
			for _, n := range r.Entries(e.Key, e.Value) {
				p.Known[player][f][r.Word(e.Key, n.Key, "loot")] = uint8(r.Number(e.Key+"."+n.Key, n.Value, 0, numCards))
			}
		}
	}
}

func (g *game) writeAgendas(p *Position, _ int) any {
	agendas := map[string]string{}
	for _, f := range p.Seats[:g.factions] {
		if f == NoFaction {
			continue
		}
		switch a := p.Agenda[f]; a {
		case NoAgenda:
		case HiddenAgenda:
			agendas[f.String()] = "?"
		default:
			agendas[f.String()] = g.box.agendas[a].Key
		}
	}
	return agendas
}

func (g *game) readAgendas(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.Entries("", v) {
		p.Agenda[r.Word("", e.Key, "faction")] = AgendaID(r.Word("", e.Value, "agenda"))
	}
}

func writeBarred(p *Position, _ int) any {
	barred := map[string][]int{}
	for i, cells := range p.Barred {
		if cells != 0 {
			barred[barNames[i]] = cells.list()
		}
	}
	return barred
}

func readBarred(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.Entries("", v) {
		kind := r.Word("", e.Key, "bar")
		for _, c := range r.List(e.Key, e.Value, -1) {
			p.Barred[kind] |= at(CellID(r.Number(e.Key, c, 0, Cells-1)))
		}
	}
}

func (g *game) writeOccupation(p *Position, _ int) any {
	if p.Now.Occ == NoOcc || p.Now.Who == NoFaction {
		return nil
	}
	return g.box.factions[p.Now.Who].occs[p.Now.Occ].Key
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

// offerForm is the form of an offer, which a view can hide.
func (g *game) offerForm(of func(p *Position) Offer) form {
	return form{Write: func(p *Position, _ int) any {
		switch offer := of(p); offer {
		case 0:
			return nil
		case HiddenOffer:
			return "?"
		default:
			return g.box.actions[offerAction(offer)]
		}
	}}
}

func (g *game) writeResult(p *Position, _ int) any {
	if p.Ending == undecided {
		return nil
	}
	return object("winners", g.factionList(p.Winners), "by", endingNames[p.Ending])
}

func readResult(r *codec.Reader, p *Position, _ int, v any) {
	x := r.Object("", v, "winners", "by")
	p.Ending = Ending(r.Word("by", x[1], "by"))
	if x[0] == nil {
		return
	}
	for _, f := range r.List("winners", x[0], -1) {
		p.Winners |= 1 << r.Word("winners", f, "faction")
	}
}
