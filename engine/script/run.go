package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
)

// runner plays one script.
type runner struct {
	game    engine.Game
	script  *Script
	options Options
	result  *Result

	state  engine.State // nil once the script's own position was refused
	asking *asking
	events []event // told since the block began
	prefix string  // of failures, names the step
}

// Run plays the script in game g, which must be the one that s.Game names. An
// expectation that fails is a line of the result; a script that makes no sense
// (an unknown name, a position that breaks a limit) is an error.
func Run(g engine.Game, s *Script, o Options) (*Result, error) {
	r := &runner{game: g, script: s, options: o, result: &Result{Failures: []string{}}}
	r.begin(g.New(), []byte("{}"))
	err := r.block(&s.Block, true)
	for i := 0; err == nil && i < len(s.Steps); i++ {
		if len(r.result.Failures) > 0 {
			break // what follows would fail for the same reason
		}
		r.prefix = fmt.Sprintf("step %d: ", i+1)
		err = r.block(&s.Steps[i], false)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s%w", ErrScript, r.prefix, err)
	}
	if r.state != nil {
		r.result.Position, err = r.state.MarshalJSON()
	}
	return r.result, err
}

// begin goes on from a state, which was read from a position.
func (r *runner) begin(s engine.State, from []byte) {
	r.state, r.asking = s, &asking{game: r.game, from: from, make: r.options.New}
	if narrator, ok := s.(engine.Narrator); ok {
		narrator.Listen(func(e *engine.Event) { r.events = append(r.events, keep(e)) })
	}
}

func (r *runner) fail(format string, args ...any) {
	r.result.Failures = append(r.result.Failures, r.prefix+fmt.Sprintf(format, args...))
}

// block carries out one block and checks what it expects.
func (r *runner) block(b *Block, first bool) error {
	if err := r.checkNames(b); err != nil {
		return err
	}
	r.events = nil
	if r.state == nil {
		return errors.New("after a position that was refused there is nothing to go on from")
	}
	if b.Position != nil {
		if err := r.place(b, first); err != nil || r.state == nil {
			return err
		}
	}
	for i, name := range b.Do {
		if b.Refused != "" && i == len(b.Do)-1 {
			r.refuse(name, b.Refused)
			break
		}
		if err := r.do(name); err != nil {
			r.fail("do, move %d: %v", i+1, err)
			return nil
		}
	}
	return r.check(b)
}

// checkNames refuses names that no action and no outcome has, which would be
// illegal wherever they stood.
func (r *runner) checkNames(b *Block) error {
	names := slices.Concat(b.Legal, b.Illegal)
	if b.LegalExactly != nil {
		names = slices.Concat(names, *b.LegalExactly)
	}
	for name := range b.Outcomes {
		names = append(names, name)
	}
	spec := r.game.Spec()
	for _, name := range names {
		if !slices.Contains(spec.Actions, name) && !slices.Contains(spec.Outcomes, name) {
			return fmt.Errorf("%s has no action or outcome %q", spec.Name, name)
		}
	}
	return nil
}

// place puts the position of a block, or finds it refused as the block says.
func (r *runner) place(b *Block, first bool) error {
	data := []byte(b.Position)
	if !first {
		now, err := r.state.MarshalJSON()
		if err == nil {
			data, err = position.Overlay(now, b.Position)
		}
		if err != nil {
			return fmt.Errorf("position: %w", err)
		}
	}
	s, err := r.game.Load(data, engine.Lenient)
	refusal := b.Refused != "" && len(b.Do) == 0
	switch {
	case err != nil && !refusal:
		return fmt.Errorf("position: %w", err)
	case err != nil:
		if !mentions(err.Error(), b.Refused) {
			r.fail("refused: the position is refused by another rule than %s: %v", b.Refused, err)
		}
		if !first {
			return nil // the position before stands
		}
		r.state = nil
		if b.expectsState() {
			return errors.New("a position that is refused leaves nothing else to expect")
		}
	case refusal:
		r.fail("refused: the position is accepted, it should be refused by %s", b.Refused)
	default:
		r.begin(s, data)
	}
	return nil
}

// expectsState reports whether the block says anything of a state.
func (b *Block) expectsState() bool {
	return b.Expect != nil || b.ExpectExactly != nil || b.Legal != nil || b.Illegal != nil || b.LegalExactly != nil ||
		b.ToAct != nil || b.Returns != nil || b.Outcomes != nil || b.Events != nil || b.Views != nil
}

// do plays a move by name. Moves without an alternative that stand before it are
// made; a name that the game carried out unasked is taken as read.
func (r *runner) do(name string) error {
	a, err := engine.FindMove(r.game, r.state, name)
	if err == nil {
		r.asking.done(name)
		return r.state.Apply(a)
	}
	if r.asking.carriedOut(name) {
		return nil
	}
	ahead := engine.Clone(r.game, r.state)
	if !skipTo(r.game, ahead, name) {
		return err
	}
	for range r.game.Spec().MaxMoves {
		if a, err = engine.FindMove(r.game, r.state, name); err == nil {
			r.asking.done(name)
			return r.state.Apply(a)
		}
		if err := r.state.Apply(engine.Moves(r.state)[0]); err != nil {
			return err
		}
	}
	return err
}

// skipTo makes moves without an alternative until one of that name is possible, and
// reports whether it came to that.
func skipTo(g engine.Game, s engine.State, name string) bool {
	for range g.Spec().MaxMoves {
		if _, err := engine.FindMove(g, s, name); err == nil {
			return true
		}
		moves := engine.Moves(s)
		if len(moves) != 1 || s.Apply(moves[0]) != nil {
			return false
		}
	}
	return false
}

// asking is the same game where it asks for forced moves too, to tell a move that
// was carried out unasked from one that makes no sense. It is played only when a
// name needs it.
type asking struct {
	game  engine.Game // as the script names it
	from  []byte      // the position that the moves begin at
	names []string    // of the moves
	make  func(text string) (engine.Game, error)
}

func (a *asking) done(name string) { a.names = append(a.names, name) }

// carriedOut reports whether a move of that name was forced after those played.
func (a *asking) carriedOut(name string) bool {
	g, err := a.unforced()
	if err != nil {
		return false
	}
	s, err := g.Load(a.from, engine.Lenient)
	if err != nil {
		return false
	}
	for _, n := range append(slices.Clone(a.names), name) {
		if !skipTo(g, s, n) {
			return false
		}
		move, err := engine.FindMove(g, s, n)
		if err != nil {
			return false
		}
		if n == name && len(engine.Moves(s)) > 1 {
			return false
		}
		if s.Apply(move) != nil {
			return false
		}
	}
	a.done(name)
	return true
}

// unforced makes the game with its option auto_forced off. It fails for a game without the
// option.
func (a *asking) unforced() (engine.Game, error) {
	name, arguments, err := option.Split(a.game.Spec().Text)
	if err != nil {
		return nil, err
	}
	with := name + "(auto_forced=false"
	for _, x := range arguments {
		if x.Name != "auto_forced" {
			with += "," + x.Name + "=" + x.Value
		}
	}
	if a.make != nil {
		return a.make(with + ")")
	}
	return games.New(with + ")")
}

// refuse demands that a move is refused in words that mention the rule, and that
// the state stays as it was.
func (r *runner) refuse(name, rule string) {
	names := r.game.Spec().Actions
	if r.state.ToAct() == engine.Chance {
		names = r.game.Spec().Outcomes
	}
	before := r.state.Hash()
	_, missing := engine.FindMove(r.game, r.state, name)
	if missing == nil {
		r.fail("refused: %s is possible, it should be refused by %s", name, rule)
		return
	}
	refusal := missing
	if a := slices.Index(names, name); a >= 0 {
		refusal = r.state.Apply(engine.Action(a))
	}
	switch {
	case refusal == nil || r.state.Hash() != before:
		r.fail("refused: %s is not offered, yet it was carried out", name)
	case !mentions(refusal.Error(), rule) && !mentions(missing.Error(), rule):
		r.fail("refused: %s is refused, but not by %s: %v", name, rule, refusal)
	}
}

// mentions reports whether the text holds the word, and not just as the beginning of
// another rule's number.
func mentions(text, word string) bool {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, word)
		if !found {
			return false
		}
		next := strings.TrimPrefix(after, ".")
		if !strings.ContainsAny(word[len(word)-1:], "0123456789") || next == "" || next[0] < '0' || next[0] > '9' {
			return true
		}
		rest = after
	}
}

// event is what a script remembers of an engine.Event.
type event map[string]any

func keep(e *engine.Event) event {
	kept := event{"kind": e.Kind, "rule": e.Rule, "text": e.Text}
	for _, a := range e.Args {
		// Through JSON, so that numbers and lists compare as a script writes them.
		data, err := json.Marshal(a.Value)
		if err != nil {
			panic(fmt.Sprintf("script: event %s has an argument %s of type %T", e.Kind, a.Name, a.Value))
		}
		kept[a.Name] = decode(data)
	}
	return kept
}
