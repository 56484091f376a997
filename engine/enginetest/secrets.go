package enginetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
)

// checkViews changes what each seat cannot see and demands that the seat
// notices nothing: its view, its legal list, its text and its information state
// stay the same, and so does all that reaches it later. The changed state must be a
// legal one.
func (p *player) checkViews() {
	hidden, ok := p.state.(engine.Hidden)
	if !ok {
		return
	}
	if p.used == nil {
		p.used = hidden.NewView()
	}
	if all := engine.Look(hidden, engine.Everything); all.Hash() != hidden.Hash() || dump(p.t, all) != printed(p.t, hidden) {
		p.t.Errorf("the view of everything lacks something: %s", difference(printed(p.t, hidden), dump(p.t, all)))
	}
	for seat := engine.Player(0); int(seat) < p.spec.Seats; seat++ {
		view := p.checkSee(hidden, seat)
		p.checkActor(seat, view)
		other := p.game.New()
		other.(engine.Hidden).Redeal(view, p.rng)
		again := engine.Look(other, seat)
		if view.ToAct() != engine.Nobody || again.ToAct() == engine.Nobody && !p.goneOn(view, other) {
			p.compareViews(seat, "after a new deal", view, again)
			p.checkNothingAhead(seat, other)
		}
		written := p.checkDeal(seat, other)
		if p.t.Failed() {
			return
		}
		newWorlds(p, seat, other).play()
		p.playOut(seat, other, written)
		if p.t.Failed() {
			return
		}
	}
}

// checkSee returns what a seat sees. It demands that seeing leaves the state as it is, and
// that a view used before, for another seat or at another moment, is as good as a new one.
func (p *player) checkSee(s engine.Hidden, seat engine.Player) engine.View {
	hash, before := s.Hash(), dump(p.t, s)
	view := engine.Look(s, seat)
	s.See(seat, p.used)
	p.compareViews(seat, "in a view used before", view, p.used)
	if s.Hash() != hash || dump(p.t, s) != before {
		p.t.Errorf("seat %d looks, and the state changes\nfrom %s\nto   %s", seat, before, dump(p.t, s))
	}
	return view
}

// goneOn reports whether the game has gone on, in a new deal of a view in which nobody is
// asked, to a later question: what has happened in between is seen.
func (p *player) goneOn(view, deal engine.View) bool {
	return p.reveals(view, deal)
}

// checkActor demands that a view names the seat to act, and allows it what the state
// does, unless another seat is asked in secret: then it has a move that the seat does
// not get to know, and the view says that nobody is asked.
func (p *player) checkActor(seat engine.Player, view engine.View) {
	actor := p.state.ToAct()
	switch {
	case actor == seat && !slices.Equal(view.Legal(nil), p.state.Legal(nil)):
		p.t.Errorf("seat %d: its view allows %v, the state %v", seat, view.Legal(nil), p.state.Legal(nil))
	case view.ToAct() == actor:
	case view.ToAct() != engine.Nobody || len(view.Legal(nil)) > 0 || actor < 0 || !p.mayHide(seat) || !p.game.Spec().AsksInSecret:
		p.t.Errorf("seat %d: its view says that player %d is to act, it is %d", seat, view.ToAct(), actor)
	}
}

// checkNothingAhead demands that a new deal pays what the state pays, and has ended as
// the state has.
func (p *player) checkNothingAhead(seat engine.Player, deal engine.State) {
	if got, want := deal.Returns(nil), p.state.Returns(nil); !slices.Equal(got, want) {
		p.t.Errorf("seat %d: a new deal of its view returns %v, the state %v", seat, got, want)
	}
	if ender, ok := deal.(engine.Ender); ok {
		if got, want := ender.Endings(nil), p.state.(engine.Ender).Endings(nil); !slices.Equal(got, want) {
			p.t.Errorf("seat %d: a new deal of its view has ended by %q, the state by %q", seat, got, want)
		}
	}
}

// checkDraw demands that a state that draws itself does what a draw from its list does, with the
// same numbers of the generator.
func (p *player) checkDraw() {
	s, ok := p.state.(engine.Drawer)
	if !ok || s.ToAct() != engine.Chance {
		return
	}
	for try := range uint64(8) {
		listed, drawn := engine.Clone(p.game, s), engine.Clone(p.game, s).(engine.Drawer)
		one, other := rand.NewPCG(try, s.Hash()), rand.NewPCG(try, s.Hash())
		want := engine.Sample(s.Outcomes(nil), one)
		if err := listed.Apply(want); err != nil {
			p.t.Errorf("outcome %d is listed, yet refused: %v", want, err)
			return
		}
		got, _ := drawn.Draw(other, nil)
		if got != want || *one != *other || drawn.Hash() != listed.Hash() || dump(p.t, drawn) != dump(p.t, listed) {
			p.t.Errorf("Draw leads by outcome %d to\n%s\nSample and Apply by %d to\n%s", got, dump(p.t, drawn), want, dump(p.t, listed))
			return
		}
	}
}

// checkDraws demands that a seat sees and is told the same whatever is drawn hidden from it,
// unless cards come to light, and that a seat which recalls everything tells draws apart of
// which it gets to know.
func (p *player) checkDraws() {
	secretive, ok := p.state.(engine.Secretive)
	if !ok || p.state.ToAct() != engine.Chance {
		return
	}
	for seat := range engine.Player(p.spec.Seats) {
		var shown, hidden []engine.Action
		for _, a := range engine.Moves(p.state) {
			if secretive.Shows(seat, a) {
				shown = append(shown, a)
			} else {
				hidden = append(hidden, a)
			}
		}
		if len(hidden) > 1 {
			p.compareDraws(seat, hidden)
		}
		if _, ok := p.state.(engine.Recaller); ok && len(shown) > 1 {
			x, y := p.after(seat, shown[0]), p.after(seat, shown[1])
			if slices.Equal(x.state.(engine.Recaller).InfoState(nil, seat), y.state.(engine.Recaller).InfoState(nil, seat)) {
				p.t.Errorf("seat %d gets to know whether %s or %s is drawn, and has the same information state", seat,
					engine.MoveName(p.game, p.state, shown[0]), engine.MoveName(p.game, p.state, shown[1]))
			}
		}
	}
}

// checkSides demands that all views name the same sides (engine.Sided).
func (p *player) checkSides() {
	var views []engine.View
	for seat := range engine.Player(p.spec.Seats) {
		views = append(views, engine.Look(p.state, seat))
	}
	if problem := sides(views); problem != "" {
		p.t.Errorf("sides: %s", problem)
	}
}

// sides returns what is wrong with the sides that the views of a state name, a view for each seat.
func sides(views []engine.View) string {
	first, ok := views[0].(engine.Sided)
	if !ok {
		return ""
	}
	whose := map[string]int{}
	for seat := range views {
		side := first.Side(engine.Player(seat))
		for viewer, v := range views {
			if other := v.(engine.Sided).Side(engine.Player(seat)); other != side {
				return fmt.Sprintf("seat %d plays %q for seat 0 and %q for seat %d", seat, side, other, viewer)
			}
		}
		if other, twice := whose[side]; twice && side != "" {
			return fmt.Sprintf("seats %d and %d both play %q", other, seat, side)
		}
		whose[side] = seat
	}
	return ""
}

// outcome is what a seat has of a move.
type outcome struct {
	state   engine.State
	told    []string
	reveals bool
}

// after makes a move in a copy of the state.
func (p *player) after(seat engine.Player, a engine.Action) *outcome {
	x := &outcome{state: engine.Clone(p.game, p.state)}
	listen(x.state, seat, &x.told)
	if err := x.state.Apply(a); err != nil {
		p.t.Errorf("a possible move is refused: %v", err)
	}
	x.reveals = p.reveals(p.state, x.state)
	return x
}

// compareDraws compares two draws that are hidden from the seat.
func (p *player) compareDraws(seat engine.Player, hidden []engine.Action) {
	i := engine.Uint32N(p.rng, uint32(len(hidden)))
	j := (i + 1 + engine.Uint32N(p.rng, uint32(len(hidden)-1))) % uint32(len(hidden))
	x, y := p.after(seat, hidden[i]), p.after(seat, hidden[j])
	if x.reveals || y.reveals {
		return
	}
	p.compareViews(seat, "after a draw that is hidden from it", engine.Look(x.state, seat), engine.Look(y.state, seat))
	if !slices.Equal(x.told, y.told) {
		p.t.Errorf("seat %d is told %q of a draw that is hidden from it, %q of another", seat, x.told, y.told)
	}
}

// mayHide reports whether the seat to act has a move that the seat does not get to
// know.
func (p *player) mayHide(seat engine.Player) bool {
	secretive, ok := p.state.(engine.Secretive)
	return ok && slices.ContainsFunc(p.state.Legal(nil), func(a engine.Action) bool { return !secretive.Shows(seat, a) })
}

func (p *player) compareViews(seat engine.Player, when string, want, got engine.View) {
	if got.Hash() != want.Hash() || dump(p.t, got) != dump(p.t, want) {
		p.t.Errorf("seat %d sees another position %s: player %d acts here, %d there; %s",
			seat, when, want.ToAct(), got.ToAct(), difference(dump(p.t, want), dump(p.t, got)))
	}
	if a, b := want.(engine.Teller).Text(seat), got.(engine.Teller).Text(seat); a != b {
		p.t.Errorf("seat %d reads another text %s\n%s\n%s", seat, when, a, b)
	}
	if want.ToAct() == seat {
		a, b := want.Legal(nil), got.Legal(nil)
		if !slices.Equal(a, b) {
			p.t.Errorf("seat %d has other legal actions %s: %v, %v", seat, when, a, b)
			return
		}
		for _, action := range a {
			if x, y := want.(engine.Teller).Describe(action), got.(engine.Teller).Describe(action); x != y {
				p.t.Errorf("seat %d reads another description %s: %q, %q", seat, when, x, y)
			}
		}
	}
	if w, ok := want.(engine.Recaller); ok {
		if a, b := w.InfoState(nil, seat), got.(engine.Recaller).InfoState(nil, seat); !slices.Equal(a, b) {
			p.t.Errorf("seat %d has another information state %s: %q, %q", seat, when, a, b)
		}
	}
}

// checkDeal demands that a new deal is a legal position, and reports whether it could be written
// and read: in the middle of a procedure its secrets are not those of the moves that led there.
func (p *player) checkDeal(seat engine.Player, deal engine.State) (written bool) {
	text, err := deal.MarshalJSON()
	if errors.Is(err, engine.ErrUnderWay) {
		return false
	}
	if err != nil {
		p.t.Errorf("seat %d: the new deal is not written: %v", seat, err)
	} else if loaded, err := p.game.Load(text, engine.Strict); err != nil {
		p.t.Errorf("seat %d: the new deal is not legal: %v\n%s", seat, err, text)
	} else {
		same(p.t, "the new deal, loaded,", p.game, deal, loaded)
	}
	return true
}

// playOut plays a new deal on at random for a while, to its end if that is near. One that could
// not be written is once it can be.
func (p *player) playOut(seat engine.Player, s engine.State, written bool) {
	for range 50 {
		if !written {
			written = p.checkDeal(seat, s)
		}
		if s.ToAct() == engine.Terminal {
			return
		}
		a, ok := p.draw(s)
		if !ok {
			return
		}
		if err := s.Apply(a); err != nil {
			p.t.Errorf("a new deal for seat %d refuses a possible move: %v", seat, err)
			return
		}
	}
}

// Difference lists the fields in which the JSON positions of two states or views differ.
func Difference(t testing.TB, here, there engine.View) string {
	t.Helper()
	demand.Something(t, here, "here", "a state or a view")
	demand.Something(t, there, "there", "a state or a view")
	return difference(dump(t, here), dump(t, there))
}

// difference lists the fields in which two JSON positions differ.
func difference(here, there string) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal([]byte(here), &a) != nil || json.Unmarshal([]byte(there), &b) != nil {
		return here + " here, " + there + " there"
	}
	var lines []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if string(a[k]) != string(b[k]) {
			lines = append(lines, fmt.Sprintf("%s is %s here, %s there", k, a[k], b[k]))
		}
	}
	return strings.Join(lines, "; ")
}
