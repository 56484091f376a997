package flow

import (
	"unsafe"

	"powderkeg/engine"
)

// Rest is the question at rest in a position, which embeds it as its first field, so
// that the shell finds it there. L is an array of uint64 with a bit for every action.
type Rest[L any] struct {
	// Ask is the row of the question. At the end of the game, and in the view of a
	// seat that knows of no question, it is one whose Do is nil.
	Ask uint8 `hash:"true"`
	// Actor answers it: a seat, Chance, Terminal, or in a view Nobody.
	Actor engine.Player `hash:"true"`
	// Words hold the legal actions, empty but where a seat is to act, and in the views of
	// the others. They follow from the rest of the position.
	Words L
}

// Choices returns the legal actions.
func (r *Rest[L]) Choices() Set {
	return unsafe.Slice((*uint64)(unsafe.Pointer(&r.Words)), unsafe.Sizeof(r.Words)/8)
}

// Offer empties the set of legal actions, to be filled for the question that comes next.
func (r *Rest[L]) Offer() Set {
	var none L
	r.Words = none
	return r.Choices()
}

// Put puts a question: to a seat the one whose options were offered, to chance, or at the
// end to nobody. It returns true, as Ask of a row does that has asked.
func (r *Rest[L]) Put(ask uint8, actor engine.Player) bool {
	if r.Ask, r.Actor = ask, actor; actor < 0 {
		r.Offer()
	}
	return true
}

// Rules is what a configured game gives the shell, over positions of type P.
type Rules[G, P any] interface {
	Spec() *engine.Spec
	// Table returns the game's rows, by Rest.Ask.
	Table() []Row[G, P]
	// Next carries out the next thing that needs no choice, or puts a question and
	// returns true. Where a question is at rest already it puts it again and changes
	// nothing.
	Next(p *P, w *Witness) bool
	// Waits reports whether the game waits for an answer to the question at rest: false
	// where its only action is to be carried out unasked.
	Waits(p *P) bool
	// Hash returns the hash of a position.
	Hash(p *P) uint64
	// Encode writes a position as JSON.
	Encode(p *P) ([]byte, error)
	// Describe says in a few words what an action or outcome would do (engine.Describer).
	Describe(p *P, a engine.Action) string
	// Blank takes out of a position what a seat may not see (engine.Hidden). It is the one
	// place where a game's secrets are told from what may be shown.
	Blank(p *P, seat engine.Player)
	// Shows reports whether a seat gets to know of a move (engine.Secretive).
	Shows(p *P, seat engine.Player, a engine.Action) bool
	// Check reports what is wrong with a position of the game's own. It is called after
	// every move under the build tag invariants.
	Check(p *P) error
	// Kinds returns the game's table of events.
	Kinds() *Kinds
}

// Veiler is Rules of a game in which seats that do not get to know which move was made
// are told that there was one.
type Veiler[P any] interface {
	// Veil says as much of an action as everybody may know, "" for nothing at all.
	Veil(p *P, a engine.Action) string
}

// Name returns the name of a row as positions have it, nil where nothing is asked.
func Name[G, P any](ask uint8, table []Row[G, P]) any {
	if name := table[ask].Name; name != "" {
		return name
	}
	return nil
}
