// Package human lets people play at a terminal. A seat is shown its view and a
// numbered list of what it may do, and answers with a number or a name; the
// package knows no rules of any game.
package human

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"powderkeg/engine"
)

// ErrQuit is returned by Act when the person quits or the input ends.
var ErrQuit = errors.New("the player has left the game")

// Terminal is where people sit: one input and one output, which several seats
// may share. It belongs to one goroutine.
type Terminal struct {
	in  *lines
	out io.Writer
	// width is Session.Width.
	width func() int
	// last is the agent that was shown something last.
	last *Agent
	// side returns what a seat plays (engine.Sided) by the newest view, nil in a game without sides.
	side func(engine.Player) string
}

// NewTerminal returns a terminal. A read from in that is going on when a game is
// given up ends with the line, or when in is closed.
func NewTerminal(in io.Reader, out io.Writer) *Terminal {
	return &Terminal{in: newLines(in), out: out}
}

// printf writes to the terminal. An output that cannot be written to shows in
// the reading that follows, and there is nobody to tell.
func (t *Terminal) printf(format string, args ...any) {
	text := t.named(fmt.Sprintf(format, args...))
	if t.width != nil {
		text = fold(text, t.width())
	}
	io.WriteString(t.out, text)
}

// see has the terminal call seats by what they play in a view.
func (t *Terminal) see(view engine.View) {
	if sided, ok := view.(engine.Sided); ok {
		t.side = sided.Side
	}
}

// named puts the names of sides in the place of the numbers of seats. A line that names the side already says which
// seat plays it: it stays as it is.
func (t *Terminal) named(text string) string {
	if t.side == nil {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		low := strings.ToLower(line)
		b.WriteString(engine.Named(line, func(p engine.Player) string {
			side := t.side(p)
			if strings.Contains(low, strings.ToLower(side)) {
				return ""
			}
			return side
		}))
	}
	return b.String()
}

// fold breaks the lines of a text that are longer than so many columns, 0 for none, between words, and
// indents what follows by two columns more than its line.
func fold(text string, width int) string {
	if width <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		indent := strings.Repeat(" ", min(2+len(line)-len(strings.TrimLeft(line, " ")), width/2))
		var b strings.Builder
		for utf8.RuneCountInString(line) > width {
			end := len(string([]rune(line)[:width+1]))
			cut := strings.LastIndexByte(line[:end], ' ')
			if cut < len(indent) { // a word that is longer than a line
				break
			}
			b.WriteString(strings.TrimRight(line[:cut], " ") + "\n")
			line = indent + strings.TrimLeft(line[cut:], " ")
		}
		lines[i] = b.String() + line
	}
	return strings.Join(lines, "\n")
}

// Agent is a person on one seat. It implements agents.Reader.
type Agent struct {
	game     engine.Game
	terminal *Terminal
	seat     engine.Player
	history  []string
	// told is how many lines of the history the person has been shown.
	told int
	draw func(engine.View) error // Session.Draw
	// shown are the lines of the situation that the person saw last. Where the next one
	// follows by small steps of the person's own, only what has changed is shown.
	shown []string
	// steps is true while nobody else has moved, as far as the person knows.
	steps bool
	// picked is the person's last choice, made among picks as the answer to a question.
	picked engine.Action
	picks  []engine.Action
	answer string
	// back, if not nil, reports why the person's last move may not be taken back, in words,
	// "" if it may.
	back func() (refusal string)
}

// errBack is what Act returns when a move is to be taken back.
var errBack = errors.New("a move is taken back")

// New returns a seat at the terminal for a person.
func New(g engine.Game, t *Terminal) *Agent { return &Agent{game: g, terminal: t} }

// Start implements agents.Agent. The seed is not used: people decide for
// themselves.
func (a *Agent) Start(seat engine.Player, _ uint64) {
	a.seat = seat
	a.history, a.told = nil, 0
}

// Watch implements agents.Spectator.
func (a *Agent) Watch(line string) { a.history = append(a.history, line) }

// Heading implements agents.Reader.
func (a *Agent) Heading(line string) { a.history = append(a.history, heading(line)) }

// heading makes a line that begins a part of the game stand out.
func heading(line string) string { return "== " + line + " ==" }

// Act implements agents.Agent. It shows what has happened, the situation and the
// choices, and asks until it is given one of them. A single choice is announced
// and made. It returns ErrQuit if the person quits or the input ends.
func (a *Agent) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	if err := a.takeTerminal(ctx, view); err != nil {
		return 0, err
	}
	a.terminal.see(view)
	a.tellNews()
	if len(legal) == 1 {
		a.terminal.printf("You (seat %d) have one choice: %s.\n", a.seat, a.title(view, legal[0]))
		return legal[0], nil
	}
	a.situation(view)
	a.list(view, legal)
	for {
		a.terminal.printf("Seat %d, your choice (%s, or ? for help): ", a.seat, a.choices(view, legal))
		answer, err := a.terminal.in.next(ctx)
		if err != nil {
			return 0, a.leave(err)
		}
		command, word, _ := strings.Cut(answer, " ")
		switch word = strings.TrimSpace(word); strings.ToLower(command) {
		case "":
			continue
		case "?", "help":
			a.help()
			continue
		case "rules":
			a.rules(view, word)
			continue
		case "borders":
			a.borders(view, word)
			continue
		case "list":
			a.listAll(view, legal, word)
			continue
		}
		switch strings.ToLower(answer) {
		case "show":
			a.show(view)
			a.list(view, legal)
		case "history":
			a.tell(a.history)
		case "undo":
			refusal := "There is no undo here."
			if a.back != nil {
				refusal = a.back()
			}
			if refusal == "" {
				a.picks = nil
				return 0, errBack
			}
			a.terminal.printf("%s\n", refusal)
		case "quit", "exit":
			return 0, ErrQuit
		default:
			action, problem := a.find(view, legal, answer)
			if problem == "" {
				a.pick(view, legal, action)
				return action, nil
			}
			a.terminal.printf("%s\n", problem)
		}
	}
}

// leave turns the end of the input into ErrQuit.
func (a *Agent) leave(err error) error {
	a.terminal.printf("\n")
	if errors.Is(err, io.EOF) {
		return ErrQuit
	}
	return err
}

// curtain is how many empty lines hide what the person before has seen.
const curtain = 60

// takeTerminal hands the terminal over if another person used it last, in a game with
// secrets behind a curtain.
func (a *Agent) takeTerminal(ctx context.Context, view engine.View) error {
	if _, open := view.(engine.State); open { // a view that is the state itself hides nothing
		a.terminal.last = a
		return nil
	}
	return a.take(ctx)
}

// tellNews tells what has happened since the person was last told.
func (a *Agent) tellNews() {
	a.tell(a.history[a.told:])
	a.told = len(a.history)
}

// tell prints lines of the history. What happens several times in a row, such as a draw
// that others do not see, is one line.
func (a *Agent) tell(lines []string) {
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && lines[i+n] == lines[i] {
			n++
		}
		line := strings.Replace(lines[i], fmt.Sprintf("seat %d:", a.seat), "you:", 1)
		line = strings.Replace(line, fmt.Sprintf("Seat %d:", a.seat), "You:", 1)
		if n > 1 {
			line += fmt.Sprintf(" (%d times)", n)
		}
		if strings.HasPrefix(line, "== ") {
			a.terminal.printf("\n%s\n", line)
		} else {
			a.terminal.printf("  %s\n", line)
		}
		i += n
	}
}

func (a *Agent) describe(view engine.View, action engine.Action) string {
	if teller, ok := view.(engine.Teller); ok {
		return a.terminal.named(teller.Describe(action))
	}
	return ""
}

// title names an action and says what it does if its name does not.
func (a *Agent) title(view engine.View, action engine.Action) string {
	name, about := engine.MoveName(a.game, view, action), a.describe(view, action)
	switch {
	case about == "" || strings.EqualFold(name, about):
		return name
	case strings.HasPrefix(about, name+" "):
		return about
	}
	return fmt.Sprintf("%s (%s)", name, about)
}

func (a *Agent) help() {
	a.terminal.printf(`Choose by name, or by the number in front of a choice. A part of a name, or of the
words after it, is enough if no other choice has it; capitals do not matter. Where a
number names a thing it means that thing: 3 is Location 3, 3015 the hex, and the third
choice is #3. Other answers:
  show             shows the whole situation and the choices again
  list             lists all choices, list kansas those with that word
  rules            tells the rule by which you are asked, rules R7.3 and rules retreat
                   others, by number or word
  borders          borders Texas tells what borders a space, where the game has a map
  undo             takes your last move back, unless somebody else has decided since, or
                   chance or hidden information has come to light
  history          tells all moves that you got to know
  quit             leaves the game
  ?                shows this help
`)
}
