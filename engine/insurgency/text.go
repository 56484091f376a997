package insurgency

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

const textWidth = 110

// Text implements engine.Teller: the table as seat p sees it, for a reader who
// knows the game from the box.
func (s *View) Text(p engine.Player) string {
	w := &writer{}
	s.writeHead(w)
	s.writeMap(w)
	s.writeSides(w, Side(p))
	s.writeStories(w)
	s.writeMomentum(w)
	s.writeSetUp(w)
	s.writeRemoval(w)
	s.writeRunning(w)
	s.writeHands(w, Side(p))
	return w.String()
}

// writer collects lines and folds long ones at spaces.
type writer struct{ strings.Builder }

// line writes a line and indents its continuations by four columns.
func (w *writer) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for len(text) > textWidth {
		cut := strings.LastIndexByte(text[:textWidth+1], ' ')
		w.WriteString(text[:cut] + "\n")
		text = "    " + text[cut+1:]
	}
	w.WriteString(text + "\n")
}

// writeHead writes the round, the score and what is asked.
func (s *View) writeHead(w *writer) {
	g, p := s.G, &s.P
	score := fmt.Sprintf("victory points Rebel %d, Federal %d", g.board(p).vp(rebel), g.board(p).vp(federal))
	switch {
	case p.Phase == over:
		how := causeNames[p.Result.Cause]
		if p.Result.Decisive {
			how = "decisive " + how
		}
		w.line("Game over in round %d: the %s wins by %s; %s", p.Round, sideNames[p.Result.Winner], how, score)
	case p.Phase < dealing:
		w.line("Set-up; %s. %s", score, s.situation())
	default:
		w.line("Round %d; %s. %s", p.Round, score, s.situation())
	}
	switch p.PairLeft {
	case 1:
		w.line("It is the last card of the %s's pair.", sideNames[p.Side])
	case 2:
		w.line("It is the first of two cards of the %s.", sideNames[p.Side])
	}
}

// situation says who is asked what.
func (s *View) situation() string {
	if s.P.Actor >= 0 {
		return fmt.Sprintf("The %s is asked: %s", sideNames[s.P.Actor], flow.Closed(s.Question()))
	}
	return flow.Closed(s.Question())
}

// writeMap writes one row a space: cities, suburbs, regions.
func (s *View) writeMap(w *writer) {
	p, b := &s.P, s.G.box
	w.line("")
	w.line("%-22s %-8s %3s  %-9s %6s  %6s %8s %6s  %8s %8s", "space", "terrain", "pop", "status", "unrest", "agents", "sleepers", "active", "F bases",
		"R bases")
	open := s.G.board(p).inPlay()
	for i := range SpaceID(numSpaces) {
		if !open.Has(i) && p.units(rebel, i)+p.units(federal, i)+p.Spaces[i].FederalBases+p.Spaces[i].RebelBases == 0 {
			continue
		}
		terrain := b.spaces[i].terrain
		if terrain == "none" {
			terrain = ""
		}
		mark := ""
		if i == p.Plague {
			mark = "  plague"
		}
		row := fmt.Sprintf("%-22s %-8s %3d  %-9s %6s  %6s %8s %6s  %8s %8s%s", b.spaces[i].name, terrain, b.spaces[i].population,
			statusNames[p.Spaces[i].Status], blank(p.Spaces[i].Unrest), blank(p.Spaces[i].Agents), blank(p.Spaces[i].Sleepers), blank(p.Spaces[i].Active),
			blank(p.Spaces[i].FederalBases), blank(p.Spaces[i].RebelBases), mark)
		w.line("%s", strings.TrimRight(row, " "))
	}
}

// blank writes a number, nothing for 0.
func blank(n uint8) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// writeSides writes one row a side and the common tracks.
func (s *View) writeSides(w *writer, me Side) {
	g, p := s.G, &s.P
	w.line("")
	w.line("%-16s %5s %8s %5s %13s %11s %7s %7s  %s", "", "money", "reserves", "hand", "units in box", "bases there", "hacked", "shields",
		"Social Media used")
	for side, name := range sideNames {
		i := Side(side)
		label := name
		if i == me {
			label += " (you)"
		}
		used := "no"
		if p.SocialUsed[side] {
			used = "yes"
		}
		w.line("%-16s %5s %8d %5d %13d %11d %7d %7d  %s", label, fmt.Sprintf("$%d", p.Resources[side]), p.Reserves[side], p.HandSize[side],
			g.board(p).stock(unitOf(i)), g.board(p).stock(baseOf(i)), p.Hacked[side], p.Shields[side], used)
	}
	w.line("Social Media %s (%s); Rebellion Power %d, factor %d; event deck %d, story deck %d", smNames[p.Social], edgeText(g.board(p).edge()),
		g.board(p).power(), g.board(p).rpf(), p.deckSize(), p.storyDeck().Count())
}

func (s *View) storyText(n StoryID) string {
	if n == 0 {
		return "none"
	}
	st := &s.G.box.stories[n]
	return fmt.Sprintf("%d %s (Virality %d, Factor %d)", n, st.title, st.virality, st.factor)
}

// writeStories writes the News Cycle Display.
func (s *View) writeStories(w *writer) {
	p := &s.P
	w.line("Stories: 1. %s; 2. %s; 3. %s", s.storyText(p.Slots[0]), s.storyText(p.Slots[1]), s.storyText(p.Slots[2]))
	var pool []string
	for set := p.Pool; set != 0; set &= set - 1 {
		pool = append(pool, s.storyText(set.First()))
	}
	if pool == nil {
		pool = []string{"empty"}
	}
	w.line("Pool: %s", strings.Join(pool, "; "))
	if p.Drawn != 0 {
		w.line("Drawn: %s", s.storyText(p.Drawn))
	}
	if p.StoryDiscard != 0 {
		w.line("Discarded stories: %s", numbers(stories(p.StoryDiscard)))
	}
}

// numbers lists numbers of cards or stories.
func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}

// writeMomentum writes the events in play.
func (s *View) writeMomentum(w *writer) {
	p, b := &s.P, s.G.box
	for k := range numMomentum {
		if !p.has(k) {
			continue
		}
		m := &b.momentum[k]
		until := "to the end of the game"
		if m.round {
			until = "to the end of the round"
		}
		where := ""
		if k == Plague {
			where = " in " + b.spaces[p.Plague].name
		}
		w.line("In play %s: %s%s. %s", until, b.programs[m.card].name, where, m.text)
	}
}

func modeText(m mode) string {
	if m == noMode {
		return "mode to be chosen"
	}
	return strings.ReplaceAll(modeNames[m], "_", " ")
}

// writeHands writes the own hand with what the cards do, and what is known of the
// other.
func (s *View) writeHands(w *writer, me Side) {
	p, b := &s.P, s.G.box
	w.line("")
	w.line("Your hand (* seen by the other side):")
	for n := p.Hand[me].Next(0); n != 0; n = p.Hand[me].Next(n) {
		e, mark := &b.programs[n], " "
		if p.Known[me].Has(n) {
			mark = "*"
		}
		w.line("%s%2d %s (%s, %s): %s", mark, n, e.name, cardSide(e.side), opsText(e.ops), e.text)
	}
	if !p.Discards.empty() {
		w.line("Event cards played or discarded: %s", numbers(cards(p.Discards)))
	}
	if !p.Removed.empty() {
		w.line("Event cards left out of the game: %s", numbers(cards(p.Removed)))
	}
	o := 1 - me
	var known []string
	for n := p.Known[o].Next(0); n != 0; n = p.Known[o].Next(n) {
		known = append(known, fmt.Sprintf("%d %s", n, b.programs[n].name))
	}
	if known != nil {
		w.line("The %s holds, among %s: %s", sideNames[o], flow.Count(p.HandSize[o], "card"), strings.Join(known, ", "))
	}
}
