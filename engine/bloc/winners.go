package bloc

import (
	"fmt"
	"strings"
)

// Endings implements engine.Ender and R10.1: how the game ended, and with agendas by
// which card each faction won, in the order of the seats.
func (s *State) Endings(dst []string) []string {
	g, p := s.G, &s.P
	if p.Ending == undecided {
		return dst
	}
	dst = append(dst, p.Ending.String())
	for seat := range g.factions {
		f := p.Seats[seat]
		if o := g.wonBy(p, f); o != nil {
			how := "together"
			if o.alone() {
				how = "alone"
			}
			dst = append(dst, fmt.Sprintf("%s, %s", g.box.agendas[p.Agenda[f]].Name, how))
		}
	}
	return dst
}

// String returns the ending in words.
func (e Ending) String() string { return strings.ReplaceAll(endingNames[e], "_", " ") }

// wonBy returns the option of its agenda by which a faction won a finished game, the
// first that it meets; nil if it has not won or has no agenda. The pieces lie as they
// did when the winners were found.
func (g *game) wonBy(p *Position, f FactionID) *agendaOption {
	if p.Winners>>f&1 == 0 || p.Agenda[f] >= Agendas {
		return nil
	}
	options := g.box.agendas[p.Agenda[f]].Options
	for i := range options {
		if o := &options[i]; o.alone() == (p.Ending == winAlone) && g.meets(p, f, o.All) {
			return o
		}
	}
	return nil
}

// writeWinners says who won, and with agendas by what.
func (s *View) writeWinners(w *strings.Builder) {
	g, p := s.G, &s.P
	fmt.Fprintf(w, "Over after night %d (%s); winners: %s.\n", p.Night, p.Ending, orNone(strings.Join(g.factionList(p.Winners), ", ")))
	for seat := range g.factions {
		f := p.Seats[seat]
		if o := g.wonBy(p, f); o != nil {
			fmt.Fprintf(w, "The %s win by %s: %s\n", f, g.box.agendas[p.Agenda[f]].Name, o.Text)
		}
	}
}
