package bloc

import (
	"fmt"
	"strings"
)

// Endings implements engine.Ender and R10.1: how the game ended, and with agendas by
// which card each faction won, in the order of the seats.
func (s *State) Endings(dst []string) []string {
	b := s.board()
	if b.Ending == undecided {
		return dst
	}
	dst = append(dst, b.Ending.String())
	for seat := range b.factions {
		f := b.Seats[seat]
		if o := b.wonBy(f); o != nil {
			how := "together"
			if o.alone() {
				how = "alone"
			}
			dst = append(dst, fmt.Sprintf("%s, %s", b.box.agendas[b.Agenda[f]].Name, how))
		}
	}
	return dst
}

// String returns the ending in words.
func (e Ending) String() string { return strings.ReplaceAll(endingNames[e], "_", " ") }

// wonBy returns the option of its agenda by which a faction won a finished game, the
// first that it meets; nil if it has not won or has no agenda. The pieces lie as they
// did when the winners were found.
func (b Board) wonBy(f FactionID) *agendaOption {
	if b.Winners>>f&1 == 0 || b.Agenda[f] >= Agendas {
		return nil
	}
	options := b.box.agendas[b.Agenda[f]].Options
	for i := range options {
		if o := &options[i]; o.alone() == (b.Ending == winAlone) && b.meets(f, o.All) {
			return o
		}
	}
	return nil
}

// writeWinners says who won, and with agendas by what.
func (b Board) writeWinners(w *strings.Builder) {
	fmt.Fprintf(w, "Over after night %d (%s); winners: %s.\n", b.Night, b.Ending, orNone(strings.Join(factionList(factionSet(b.Winners)), ", ")))
	for seat := range b.factions {
		f := b.Seats[seat]
		if o := b.wonBy(f); o != nil {
			fmt.Fprintf(w, "The %s win by %s: %s\n", f, b.box.agendas[b.Agenda[f]].Name, o.Text)
		}
	}
}
