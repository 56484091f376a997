package table

import (
	"math/rand/v2"
	"slices"

	"powderkeg/engine"
)

// Secrets finds out what a move may tell of what is hidden, and who may be asked in secret
// after it, from what one seat knows: its answers are the same in all worlds which that
// seat cannot tell apart, so that whatever follows from them tells nothing. It belongs to
// one goroutine.
type Secrets struct {
	game engine.Game
	rng  rand.PCG
	// The rest is scratch: a world as the seat knows it, the same after the move, and one
	// as another seat knows it.
	world, after, other engine.Hidden
	view                engine.View
	moves               []engine.Action
	outcomes            []engine.Outcome
	questions           [][]Question // that the last Asked has come upon, by seat
	times               []int        // that a seat has been asked in the world at hand
	pause               *Pause
}

// Question is what a seat may be asked in secret.
type Question struct {
	View  engine.View // of the seat in a world in which it is asked
	Legal []engine.Action
}

// Pause is the moment at which another seat is asked in secret, as a seat holds it to be possible.
type Pause struct {
	// World is one in which another seat is asked. What the seat sees of it is what it sees of every
	// such world.
	World engine.Hidden
	// Told are the sets of the seats that were told of what has happened with the move until then,
	// an event after another, as far as the seat was.
	Told []uint8
}

const (
	// secretsStream is the PCG stream of the worlds that are tried. They are drawn from
	// the hash of a view: equal views are tried in the same worlds.
	secretsStream = 0x73656372657473
	// shown is in how many worlds a move is tried to find out what it shows.
	shown = 64
	// worlds is how many deals are tried to find out who may be asked. A card that one
	// deal in fifty has is missed in one of a million moments, and then only what is done
	// for somebody who does not hold it is left out.
	worlds = 700
)

// NewSecrets returns what finds out about the secrets of a game, nil if it has none.
func NewSecrets(g engine.Game) *Secrets {
	world, hides := g.New().(engine.Hidden)
	if !hides {
		return nil
	}
	return &Secrets{
		game: g, world: world, after: g.New().(engine.Hidden), other: g.New().(engine.Hidden), view: world.NewView(),
		questions: make([][]Question, g.Spec().Seats), times: make([]int, g.Spec().Seats),
	}
}

// deals begins to draw the worlds of a view.
func (x *Secrets) deals(v engine.View) { x.rng.Seed(v.Hash(), secretsStream) }

// Asked returns the set of the seats, bit p for seat p, who may be asked in secret after a
// is made in s, a move or an outcome of chance, for all that seat p knows. ok is false if
// p does not get to know of the move: nothing has changed for it then.
func (x *Secrets) Asked(s engine.State, p engine.Player, a engine.Action) (asked uint32, ok bool) {
	if x == nil || !x.game.Spec().AsksInSecret {
		return 0, true
	}
	mover, shows := s.ToAct(), s.(engine.Secretive).Shows(p, a)
	if mover >= 0 && mover != p && !shows {
		return 0, false
	}
	seen := engine.Look(s, p)
	x.deals(seen)
	x.pause = nil
	for q := range x.questions {
		x.questions[q] = nil
	}
	for range worlds {
		x.world.Redeal(seen, &x.rng)
		if x.world.ToAct() != mover {
			continue
		}
		x.moves = x.possible(x.world)
		move := a
		if mover == engine.Chance && !shows { // p knows that something is drawn, not what
			move = x.moves[engine.Uint32N(&x.rng, uint32(len(x.moves)))]
		}
		if x.pause == nil {
			x.after.CopyFrom(x.world)
		}
		if !slices.Contains(x.moves, move) || x.world.Apply(move) != nil {
			continue
		}
		clear(x.times)
		for x.secret(p) {
			if x.pause == nil {
				x.pause = x.paused(p, move)
			}
			q := x.world.ToAct()
			if asked |= 1 << q; x.times[q] == len(x.questions[q]) {
				x.questions[q] = append(x.questions[q], Question{engine.Look(x.world, q), x.world.Legal(nil)})
			}
			x.times[q]++
			if !x.passBy(p) {
				break
			}
		}
	}
	return asked, true
}

// Questions returns what a seat of the set that the last Asked has returned may be asked, one
// after another where it refuses, in worlds in which it is asked most often. They are the
// same in all worlds that the other seat cannot tell apart.
func (x *Secrets) Questions(q engine.Player) []Question { return x.questions[q] }

// Pause returns what the seat of the last Asked sees while somebody of the set is asked; it is nil
// where the set is empty. It is the same in all worlds that the seat cannot tell apart.
func (x *Secrets) Pause() *Pause { return x.pause }

// paused makes the move again, in the world before it, and hears what seat p is told.
func (x *Secrets) paused(p engine.Player, move engine.Action) *Pause {
	pause := &Pause{World: engine.Clone(x.game, engine.State(x.after)).(engine.Hidden)}
	if narrator, ok := pause.World.(engine.Narrator); ok {
		narrator.Listen(func(e *engine.Event) {
			if e.Seen>>p&1 != 0 {
				pause.Told = append(pause.Told, e.Seen)
			}
		})
		defer narrator.Listen(nil)
	}
	if err := pause.World.Apply(move); err != nil {
		return nil // which cannot be: it was just made
	}
	return pause
}

// possible returns what can happen in a state, in scratch.
func (x *Secrets) possible(s engine.State) []engine.Action {
	if s.ToAct() != engine.Chance {
		return s.Legal(x.moves[:0])
	}
	x.outcomes = s.(engine.Stochastic).Outcomes(x.outcomes[:0])
	x.moves = x.moves[:0]
	for _, o := range x.outcomes {
		x.moves = append(x.moves, o.Action)
	}
	return x.moves
}

// secret reports whether the world asks another seat without p's knowing.
func (x *Secrets) secret(p engine.Player) bool {
	if x.world.ToAct() < 0 || x.world.ToAct() == p {
		return false
	}
	x.world.See(p, x.view)
	return x.view.ToAct() == engine.Nobody
}

// passBy answers a secret question of the world in a way that p does not get to know.
func (x *Secrets) passBy(p engine.Player) bool {
	for _, a := range x.world.Legal(nil) {
		if !x.world.(engine.Secretive).Shows(p, a) {
			return x.world.Apply(a) == nil
		}
	}
	return false
}

// Stands reports whether a, a legal move of the seat to act in s, is not to be taken back,
// because it may bring hidden information to light or may have somebody asked in secret,
// whose refusal would be taken back with it. It brings something to light if in worlds that
// the mover holds to be possible it shows the mover different things, or if in one of them
// another seat that gets to know of it could not be sure that it was possible, or of what
// it shows. What chance decides comes after the move and does not count.
func (x *Secrets) Stands(s engine.State, a engine.Action) bool {
	if x == nil {
		return false
	}
	mover := s.ToAct()
	if asked, _ := x.Asked(s, mover, a); asked != 0 {
		return true
	}
	before, want := engine.Look(s, mover), uint64(0)
	x.deals(before)
	for n := range shown {
		x.world.Redeal(before, &x.rng)
		if !x.can(x.world, mover, a) {
			return true
		}
		x.after.CopyFrom(x.world)
		if x.after.Apply(a) != nil || x.news(mover, a) {
			return true
		}
		x.after.See(mover, x.view)
		if h := x.view.Hash(); n == 0 {
			want = h
		} else if h != want {
			return true
		}
	}
	return false
}

// can reports whether a seat is to act in a world and may make a move.
func (x *Secrets) can(world engine.State, mover engine.Player, a engine.Action) bool {
	x.moves = world.Legal(x.moves[:0])
	return world.ToAct() == mover && slices.Contains(x.moves, a)
}

// news reports whether a move, made in the world, tells another seat than the mover
// something: that the move was possible, or what came of it.
func (x *Secrets) news(mover engine.Player, a engine.Action) bool {
	secretive, _ := x.world.(engine.Secretive)
	for p := range engine.Player(x.game.Spec().Seats) {
		if p == mover {
			continue
		}
		x.world.See(p, x.view)
		x.other.Redeal(x.view, &x.rng)
		if !x.can(x.other, mover, a) {
			if secretive != nil && secretive.Shows(p, a) {
				return true
			}
			continue
		}
		if x.other.Apply(a) != nil {
			return true
		}
		x.after.See(p, x.view)
		want := x.view.Hash()
		if x.other.See(p, x.view); x.view.Hash() != want {
			return true
		}
	}
	return false
}
