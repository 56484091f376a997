package web

import (
	"slices"
	"sort"

	"powderkeg/engine"
)

// watcher is the player of the pages of those who only watch. It is no seat: of a game
// with hidden information it sees what all seats are told, and no view.
const watcher = engine.Everything

// mark is a moment at which a page had something new to show.
type mark struct {
	number int // counts what the page was shown, and never goes back
	moves  int // made until then
	lines  int // of the log of the page until then
	hash   uint64
	// pause is true while another seat is asked in secret. Such a moment is shown while it
	// lasts, but does not count, and what follows takes its place: where nobody had been
	// asked there would have been none.
	pause bool
}

// audience is what the pages of one seat, or of those who watch, are shown. Moments at
// which they see and are told nothing new do not count: so what a page can count tells it
// nothing that its seat does not know.
type audience struct {
	player engine.Player
	hidden bool
	view   engine.View // scratch; nil where nothing is hidden, and for those who watch
	lines  []int       // numbers of the lines that it is told
	heard  int         // lines that have been looked at
	number int
	marks  []mark
	// handovers are the last ones, handed how many there were.
	handovers []Handover
	handed    int
}

func newAudience(s engine.State, p engine.Player) audience {
	a := audience{player: p}
	h, hides := s.(engine.Hidden)
	if a.hidden = hides; hides && p >= 0 {
		a.view = h.NewView()
	}
	return a
}

// look notes for all pages what is new.
func (t *session) look() {
	for i := range t.pages {
		t.pages[i].look(t)
	}
}

func (a *audience) look(t *session) {
	for ; a.heard < len(t.lines); a.heard++ {
		if a.hears(&t.lines[a.heard], len(t.seats)) {
			a.lines = append(a.lines, a.heard)
		}
	}
	now := mark{number: a.number, moves: len(t.moves), lines: len(a.lines)}
	pause := t.pause(a.player)
	switch {
	case pause != nil:
		pause.World.See(a.player, a.view)
		now.hash, now.pause, now.lines = a.view.Hash(), true, min(len(a.lines), t.hush.lines[a.player])
	case a.view != nil:
		t.state.(engine.Hidden).See(a.player, a.view)
		now.hash, now.pause = a.view.Hash(), a.view.ToAct() == engine.Nobody
	case !a.hidden:
		now.hash = t.state.Hash()
	default: // those who watch, of whom each may be a seat in disguise
		now.pause = slices.ContainsFunc(t.pages[:len(t.seats)], func(b audience) bool { return b.view.ToAct() == engine.Nobody })
		if t.hush != nil {
			now.pause, now.lines = true, min(len(a.lines), t.hush.lines[len(t.seats)])
		}
		if t.ended(watcher) {
			now.hash = 1
		}
	}
	if n := len(a.marks); n > 0 {
		if last := &a.marks[n-1]; last.hash == now.hash && last.lines == now.lines && last.pause == now.pause {
			return
		} else if last.pause {
			a.marks = a.marks[:n-1]
		}
	}
	if !now.pause {
		a.number++
		now.number = a.number
	}
	a.marks = append(a.marks, now)
}

// hears reports whether the page is told a line. Those who watch are told what everybody
// is.
func (a *audience) hears(l *line, seats int) bool {
	if a.player == watcher {
		return l.seen == 1<<seats-1
	}
	return l.seen>>a.player&1 != 0
}

// back takes back what was shown of the moves behind the first n.
func (a *audience) back(n, lines int) {
	for len(a.lines) > 0 && a.lines[len(a.lines)-1] >= lines {
		a.lines = a.lines[:len(a.lines)-1]
	}
	a.heard = lines
	for len(a.marks) > 1 && (a.marks[len(a.marks)-1].moves > n || a.marks[len(a.marks)-1].pause) {
		a.marks = a.marks[:len(a.marks)-1]
	}
	for len(a.handovers) > 0 && a.handovers[len(a.handovers)-1].moves > n {
		a.handovers = a.handovers[:len(a.handovers)-1]
	}
	a.number++
	a.marks[len(a.marks)-1].number = a.number
}

// now returns the mark of what is shown.
func (a *audience) now() mark { return a.marks[len(a.marks)-1] }

// at returns the mark of a number, and whether there is one: what was taken back has none.
func (a *audience) at(number int) (mark, bool) {
	i := sort.Search(len(a.marks), func(i int) bool { return a.marks[i].number >= number })
	if i < len(a.marks) && a.marks[i].number == number {
		return a.marks[i], true
	}
	return mark{}, false
}

// step returns the number of the mark at which a line was first told, counted from 0.
func (a *audience) step(line int) int {
	return min(sort.Search(len(a.marks), func(i int) bool { return a.marks[i].lines > line }), len(a.marks)-1)
}
