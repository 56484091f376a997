package enginetest

import (
	"slices"

	"powderkeg/engine"
)

// checkRedaction changes what each seat cannot see and demands that the seat
// notices nothing: its view, its legal list, its text and its information state
// stay the same. The changed state must be a legal one.
func (p *player) checkRedaction() {
	if _, ok := p.state.(engine.Hidden); !ok {
		return
	}
	for seat := engine.Player(0); int(seat) < p.spec.Seats; seat++ {
		view := p.view(p.state, seat)
		p.compareViews(seat, "redacted twice", view, p.view(view, seat))
		if p.state.ToAct() == seat && !slices.Equal(view.Legal(nil), p.state.Legal(nil)) {
			p.t.Errorf("seat %d: its view allows %v, the state %v", seat, view.Legal(nil), p.state.Legal(nil))
		}
		if p.state.ToAct() != view.ToAct() && p.state.ToAct() != engine.Chance && !p.leavesNoTrace(seat, view) {
			p.t.Errorf("seat %d: its view says that seat %d is to act, it is %d", seat, view.ToAct(), p.state.ToAct())
		}
		other := engine.Clone(p.game, view)
		other.(engine.Hidden).Redeal(seat, p.rng)
		p.compareViews(seat, "after a new deal", view, p.view(other, seat))
		if loaded, err := p.game.Load([]byte(dump(p.t, other)), engine.Strict); err != nil {
			p.t.Errorf("seat %d: the new deal is not legal: %v\n%s", seat, err, dump(p.t, other))
		} else {
			same(p.t, "the new deal, loaded,", p.game, other, loaded)
		}
		if p.t.Failed() {
			return
		}
		p.playOut(seat, other)
	}
}

// leavesNoTrace tells whether another seat is being asked in secret: it has a move
// that is not shown to the seat and after which the seat sees what it saw before.
func (p *player) leavesNoTrace(seat engine.Player, view engine.State) bool {
	secretive, ok := p.state.(engine.Secretive)
	if !ok || p.state.ToAct() == seat {
		return false
	}
	for _, a := range p.state.Legal(nil) {
		if secretive.Shows(seat, a) {
			continue
		}
		after := engine.Clone(p.game, p.state)
		if err := after.Apply(a); err != nil {
			p.t.Errorf("a possible move is refused: %v", err)
			return false
		}
		if p.view(after, seat).Hash() == view.Hash() {
			return true
		}
	}
	return false
}

func (p *player) view(s engine.State, seat engine.Player) engine.State {
	v := engine.Clone(p.game, s)
	v.(engine.Hidden).Redact(seat)
	return v
}

func (p *player) compareViews(seat engine.Player, when string, want, got engine.State) {
	if got.Hash() != want.Hash() || dump(p.t, got) != dump(p.t, want) {
		p.t.Errorf("seat %d sees another position %s\n%s\n%s", seat, when, dump(p.t, want), dump(p.t, got))
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

// playOut plays a state on at random for a while, to its end if that is near.
func (p *player) playOut(seat engine.Player, s engine.State) {
	for range 50 {
		if s.ToAct() == engine.Terminal {
			return
		}
		moves := engine.Moves(s)
		if len(moves) == 0 {
			p.t.Errorf("a new deal for seat %d leads to a state without a move: %s", seat, dump(p.t, s))
			return
		}
		if err := s.Apply(moves[engine.Uint32N(p.rng, uint32(len(moves)))]); err != nil {
			p.t.Errorf("a new deal for seat %d refuses a possible move: %v", seat, err)
			return
		}
	}
}
