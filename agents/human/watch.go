package human

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
)

// watcher is somebody at the terminal who watches agents play, and is told everything, as
// fast as asked for.
type watcher struct {
	terminal *Terminal
	log      *engine.Log
	// free is how many more decisions go by before the watcher is asked, below 0 for all
	// of them; heading is true while they go by to the next heading.
	free    int
	heading bool
}

// newWatcher returns a watcher of a session without people, nil for one with people.
func newWatcher(s Session, t *Terminal, people []*Agent) *watcher {
	if slices.ContainsFunc(people, func(a *Agent) bool { return a != nil }) {
		return nil
	}
	w := &watcher{terminal: t}
	w.log = engine.NewLog(s.Game, engine.Everything, func(line string) { t.printf("  %s\n", line) })
	w.log.Headings(func(line string) {
		t.printf("\n%s\n", heading(line))
		if w.heading {
			w.heading, w.free = false, 0
		}
	})
	return w
}

// before waits at a decision until the watcher wants to go on.
func (w *watcher) before(ctx context.Context, s engine.State) error {
	if s.ToAct() < 0 {
		return nil
	}
	w.terminal.see(engine.Look(s, 0))
	if w.free != 0 || w.heading {
		w.free = max(w.free-1, -1)
		return nil
	}
	for {
		w.terminal.printf("Enter for the next move (or 10, turn, end, show, quit, ? for help): ")
		answer, err := w.terminal.in.next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			answer = "end" // nobody is there to wait for
			w.terminal.printf("\n")
		case err != nil:
			return err
		}
		switch n, err := strconv.Atoi(answer); strings.ToLower(answer) {
		case "":
			return nil
		case "turn", "round", "night":
			w.heading = true
			return nil
		case "end":
			w.free = -1
			return nil
		case "show":
			w.show(s)
		case "quit", "exit":
			return ErrQuit
		default:
			if err == nil && n > 0 {
				w.free = n - 1
				return nil
			}
			w.terminal.printf(`Enter  plays the next move
10     plays that many
turn   plays on to the next round, night or turn
end    plays to the end of the game
show   shows the situation, with what is hidden from the seats
quit   leaves the game
`)
		}
	}
}

// show shows the situation with every secret.
func (w *watcher) show(s engine.State) {
	if teller, ok := engine.Look(s, engine.Everything).(engine.Teller); ok {
		w.terminal.printf("\n%s\n\n", strings.TrimRight(teller.Text(max(s.ToAct(), 0)), "\n"))
	}
}
