package jogu

// readLocationPile reads the Location pile of seat i. One that is left out holds,
// in unknown order, all that is nowhere else.
func (r *reader) readLocationPile(i int) {
	s := &r.p.seats[i]
	entries := pair(r, "location_pile", r.doc.LocationPile, i, nil)
	if entries == nil {
		for place, n := range r.g.box.locCopies {
			if int(s.locCard) == place+firstLoc {
				n--
			}
			s.locUnknown[place] = n - min(n, s.locDiscard[place])
		}
		return
	}
	for k, e := range entries {
		switch {
		case e.unknown != nil && k != len(entries)-1:
			r.fail("location_pile of seat %d: the unknown part comes last", i)
		case e.unknown != nil:
			r.locations("location_pile", e.unknown, &s.locUnknown)
		case s.locTop == maxLoc:
			r.fail("location_pile of seat %d has more than %d cards", i, maxLoc)
		default:
			s.locFixed[s.locTop] = r.place("location_pile", e.number) + firstLoc
			s.locTop++
		}
		if r.err != nil {
			return
		}
	}
}

// readPiles reads the draw piles. It comes last, because a pile that is left out
// holds all that is nowhere else, a card that is being placed included.
func (r *reader) readPiles() {
	for i := range r.p.seats {
		r.readPile(i)
	}
}

func (r *reader) readPile(i int) {
	s := &r.p.seats[i]
	entries := pair(r, "draw", r.doc.Draw, i, nil)
	known := pair(r, "draw_known", r.doc.DrawKnown, i, nil)
	if known != nil && len(known) != len(entries) {
		r.fail("draw_known of seat %d has %d entries, its draw pile has %d", i, len(known), len(entries))
		return
	}
	if entries == nil && s.deck != noDeck {
		found := r.p.elsewhere(uint8(i))
		for t, n := range r.deck(i).copies {
			s.unknown[t] = n - min(n, found[t])
		}
		s.middle = uint8(sum(s.unknown[:]))
	}
	for k, e := range entries {
		var bits pileCard
		if known != nil {
			bits = r.knowledge(i, known[k])
		}
		r.readPileEntry(i, e, bits)
		if r.err != nil {
			return
		}
	}
	if n := pair(r, "draw_bottom", r.doc.DrawBottom, i, nil); n != nil {
		r.readBottom(i, *n)
	}
}

// readBottom reads how many cards at the end of the pile were put under it. Behind
// an unknown part these are all.
func (r *reader) readBottom(i, n int) {
	s := &r.p.seats[i]
	switch {
	case s.middle > 0 && n != int(s.bottom):
		r.fail("draw_bottom of seat %d is %d, but %d cards follow the unknown part of draw", i, n, s.bottom)
	case s.middle == 0:
		s.bottom = r.number("draw_bottom", n, 0, int(s.top))
		s.top -= s.bottom
	}
}

// knowledge reads one pair of draw_known.
func (r *reader) knowledge(i int, flags []int) pileCard {
	if len(flags) != 2 || flags[0]&^1 != 0 || flags[1]&^1 != 0 {
		r.fail("draw_known of seat %d: %v is not a pair of 0 and 1", i, flags)
		return 0
	}
	return ownerKnows*pileCard(flags[0]) | opponentKnows*pileCard(flags[1])
}

func (r *reader) readPileEntry(i int, e pileEntry, bits pileCard) {
	s := &r.p.seats[i]
	if e.unknown == nil {
		if s.top+s.bottom == maxPile {
			r.fail("draw of seat %d has more than %d cards", i, maxPile)
			return
		}
		s.fixed[s.top+s.bottom] = newPileCard(r.card("draw", e.card, i)) | bits
		if s.middle > 0 {
			s.bottom++
		} else {
			s.top++
		}
		return
	}
	r.counted("draw", e.unknown, i, &s.unknown)
	n := sum(s.unknown[:])
	switch {
	case s.middle > 0:
		r.fail("draw of seat %d has two unknown parts", i)
	case n == 0 || n > maxPile:
		r.fail("draw of seat %d: the unknown part has %d cards, it must have 1 to %d", i, n, maxPile)
	case bits != 0:
		r.fail("draw_known of seat %d: nobody knows the unknown part", i)
	}
	s.middle = uint8(min(n, maxPile))
}

// elsewhere counts the cards of seat i that are not in its draw pile.
func (p *position) elsewhere(i uint8) [maxTypes]uint8 {
	s := &p.seats[i]
	var n [maxTypes]uint8
	for t := range n {
		n[t] = s.hand[t] + s.discard[t]
		for place := range s.play {
			n[t] += s.play[place][t]
		}
	}
	for place := range s.down {
		for _, c := range s.down[place] {
			if c != 0 && c != hiddenSlot {
				n[c-1]++
			}
		}
	}
	if p.depth > 0 && p.turn == i {
		if f := &p.frames[p.depth-1]; f.stage == placing && f.card != hiddenCard {
			n[f.card]++
		}
	}
	return n
}
