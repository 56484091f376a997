package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
)

// Action numbers a choice. At a decision it indexes Spec.Actions, at a chance
// node Spec.Outcomes; the two vocabularies are separate and each is fixed for
// a configured game.
type Action int32

// Player is a seat, 0 to Spec.Seats-1, or one of the two sentinels.
type Player int8

const (
	// Chance is to act where a die is rolled, a card drawn or a lot cast.
	Chance Player = -1
	// Terminal says that the game is over and nobody is to act.
	Terminal Player = -2
	// Nobody is to act in a view while another seat is asked in secret: the seat
	// whose view it is knows of no question (Hidden). A state never has it.
	Nobody Player = -3
)

// ErrIllegal is wrapped by the error of an Apply that was refused. The caller
// may go on with the unchanged state.
var ErrIllegal = errors.New("illegal")

// ErrPosition is wrapped by the error of a Load that was refused.
var ErrPosition = errors.New("bad position")

// ErrUnderWay is wrapped by the error of a MarshalJSON of a state that keeps no answers
// (Keeper), or was dealt anew, and stands in the middle of a procedure.
var ErrUnderWay = errors.New("under way")

// Payoff says how the returns of the seats relate.
type Payoff string

const (
	ZeroSum     Payoff = "zero-sum"    // returns add up to zero
	GeneralSum  Payoff = "general-sum" // no relation is promised
	Cooperative Payoff = "cooperative" // all seats have the same return
)

// Spec holds the facts of a configured game. It is shared and read-only.
type Spec struct {
	Name  string // first word of the game string, such as "jogu"
	Title string // the published name
	// Text is the canonical game string: the name and, in brackets, the options
	// that differ from their defaults, in the order in which they are declared.
	Text string
	// Version moves when the rules' behaviour, the vocabularies or the position
	// format do, and only then: replays and checkpoints of another version are
	// refused.
	Version int
	// NetworksSince is the oldest version whose networks still play: nothing that has
	// changed since then makes their choices meaningless. 0 admits Version alone.
	NetworksSince int
	Seats         int
	// Actions names every action, Outcomes every chance outcome; the index is the
	// Action. The names are unique within each list.
	Actions  []string
	Outcomes []string
	// MaxDecisions bounds the decisions of one game, MaxMoves its decisions and
	// chance events together.
	MaxDecisions int
	MaxMoves     int
	// MinReturn and MaxReturn bound each seat's return.
	MinReturn, MaxReturn float32
	Payoff               Payoff
	// PaysInPlay is true if Returns can change before the end. It is false for a
	// game that pays at its end alone.
	PaysInPlay bool
	// AsksInSecret is true of a game that may ask a seat without the others' knowing
	// (Hidden.See).
	AsksInSecret bool
}

// VocabularyHash identifies the list of actions: the SHA-256 of its JSON form, in
// hexadecimal. Networks, datasets and clients compare it.
func (s *Spec) VocabularyHash() string {
	list, err := json.Marshal(s.Actions)
	if err != nil {
		panic(err) // a list of strings always marshals
	}
	sum := sha256.Sum256(list)
	return hex.EncodeToString(sum[:])
}

// Strictness says what Load does with a position in which pieces are missing.
type Strictness uint8

const (
	// Strict demands every card and piece of the game to be somewhere.
	Strict Strictness = iota
	// Lenient admits missing ones, so that a test can lay out only what it is
	// about. Every other limit holds.
	Lenient
)

// Game is a configured game. It is immutable and safe for concurrent use.
type Game interface {
	// Spec returns the game's facts. The caller must not change them.
	Spec() *Spec
	// New returns a state at the start of the game.
	New() State
	// Load reads a JSON position (the format is in the game's README.md). Fields
	// left out take the initial position's values, and unknown ones are refused.
	// What the rules carry out without a choice is carried out, so that the state
	// is at a decision, a chance node or the end. Errors wrap ErrPosition.
	Load(position []byte, how Strictness) (State, error)
}

// View is what can be seen of a game in progress: of a game with hidden information
// what one seat knows of it (Hidden), of any other game the state itself. It belongs to
// one goroutine at a time. A view that people can read is also a Teller.
type View interface {
	// ToAct returns the seat that decides, Chance, Terminal or, in a view alone, Nobody.
	ToAct() Player
	// Legal appends the legal actions of the seat to act in ascending order and
	// returns the extended slice: at least one at a decision, none at Chance and
	// at Terminal. What another seat than that of the view may do is not in it.
	Legal(dst []Action) []Action
	// Hash returns the same number for equal states, and for equal views, in every
	// process.
	Hash() uint64
	// MarshalJSON writes the position, every field of it. Loading that of a state
	// gives an equal state; in that of a view, blanks stand for what is not known. A
	// state in the middle of a procedure also writes the position before it and the
	// answers since, secret ones too, from which it is loaded; a view never does.
	json.Marshaler
}

// State is one game in progress. It belongs to one goroutine at a time.
//
// A state at a chance node also implements Stochastic, a state of a game with
// hidden information Hidden, and a state that can name its moves Describer;
// enginetest checks that a game has what its spec calls for.
type State interface {
	View
	// Apply carries out a legal action, or at a chance node a possible outcome,
	// and all that follows from it without a choice. It is all or nothing: an
	// error wraps ErrIllegal and leaves the state unchanged.
	Apply(a Action) error
	// Returns appends one number per seat: the final returns at Terminal, and what
	// each seat has gained so far before (zeroes unless Spec.PaysInPlay).
	Returns(dst []float32) []float32
	// CopyFrom makes the receiver equal to src, which must be a state of the same
	// game. The two share nothing mutable afterwards. It does not allocate.
	CopyFrom(src State)
}

// Outcome is one result of a chance event. Its probability is its weight
// divided by the sum of the weights of the node's outcomes: whole numbers,
// since every die, draw and lot of these games is a ratio of small counts.
type Outcome struct {
	Action Action
	Weight uint32
}

// Stochastic is a state of a game with chance events.
type Stochastic interface {
	State
	// Outcomes appends the possible outcomes in ascending order of their actions,
	// each with a weight above zero and a total below 1<<31. It appends nothing
	// where ToAct is not Chance.
	Outcomes(dst []Outcome) []Outcome
}

// Drawer is a state that draws its chance events itself, which is faster than a list of
// outcomes of which one is chosen and checked.
type Drawer interface {
	Stochastic
	// Draw carries out one outcome of the chance event at which the state is, and returns
	// it: the one that Sample draws from Outcomes with the same numbers of the generator.
	// room may serve for the list, and is returned, longer perhaps, for the next call.
	Draw(rng *rand.PCG, room []Outcome) (Action, []Outcome)
}

// Masker is a state that can write its legal actions down faster than one after another.
type Masker interface {
	State
	// Mask writes one byte per action of the spec, which dst has: 1 for those of Legal, else 0.
	Mask(dst []uint8)
}

// Hidden is a state of a game in which seats know different things. A seat is shown a
// View, which is of another type than the state: it can be read, encoded and dealt anew,
// but not played on.
type Hidden interface {
	State
	// NewView returns a view of the game for See to fill. Before that it is of no use.
	NewView() View
	// See makes v, which NewView of a state of the same game has returned, what seat p
	// sees of the state: it has everything that p knows, and blanks for the rest. The
	// state stays as it is, the two share nothing mutable, and See does not allocate.
	// Two states that p cannot tell apart give equal views. For Everything nothing is
	// blank: such a view is for readers of a finished game, and not to be dealt anew.
	//
	// A game may ask a seat in secret, such as whether it reacts with a card that
	// nobody knows it to hold. While such a question is open, the views of the others
	// show the situation as it was when the question arose, or after the last move
	// since then that they were shown, with nobody asked: ToAct is Nobody, Legal is
	// empty, and nothing is in it of what would follow if the question were declined.
	// A run of such questions is one moment to them: the view is the same whoever is
	// asked and however often. The seat that is asked sees that same situation, with
	// its question and nothing that lies ahead. (ADR 0006.)
	See(p Player, v View)
	// Redeal makes the receiver a full state by filling the blanks of v, a view of a
	// state of the same game, at random, uniformly over all deals that agree with
	// everything that the seat of the view knows. The outcome depends on the view and
	// the generator alone. In a view in which Nobody acts, whether a seat is asked is
	// one of the blanks: the state is at the question if the new deal calls for it, else
	// where the game goes on without it.
	Redeal(v View, rng *rand.PCG)
}

// Secretive is a state of a game with moves that are not known to every seat,
// such as a card that is dealt or laid face down.
type Secretive interface {
	State
	// Shows reports whether seat p gets to know that a, a legal action or possible
	// outcome here, is the move that was made. Where it does, Describe(a) tells p
	// nothing else that is hidden from it. The answer itself is no secret: it must
	// follow from what p knows once the move is made.
	Shows(p Player, a Action) bool
}

// Teller is a view that can be read by people.
type Teller interface {
	View
	// Text draws the situation for seat p, whose view it is; blanks are shown as such.
	Text(p Player) string
	// Question says what ToAct is asked, as a sentence to whoever answers: "Play a card, or pass".
	// It names the piece that it is about, what it costs and how much is left, as far as the view
	// knows. Of a chance event it says what is decided by it. It is empty where nothing is asked.
	Question() string
	Describer
}

// Describer is a state or view that says in words what can be done in it.
type Describer interface {
	// Describe says in a few words what the action would do here. It works for
	// every action of Legal and, in a state, of Outcomes.
	Describe(a Action) string
}

// Mapper is a view of a game with a map whose borders a text does not draw.
type Mapper interface {
	View
	// BorderNames returns the names of the spaces that border the one whose id or name it is
	// given, in any case, and that space's name; ok is false if there is no such space.
	BorderNames(space string) (name string, borders []string, ok bool)
}

// Asker is a state or view that can name the question at rest in it.
type Asker interface {
	// Asks returns the name of the question that ToAct answers, as positions have it, and
	// the rule by which it is put, such as "D3" and "R7.3". Both are empty where nothing
	// is asked, and in a view where Nobody is.
	Asks() (question, rule string)
}

// Ender is a state of a game that ends in more than one way.
type Ender interface {
	State
	// Endings appends, at Terminal, a few words each: how the game ended, then for each
	// winner that won by a card or condition of its own by which, in the order of the
	// seats. It appends nothing before. The same ending has the same words in every
	// game, so that they can be counted.
	Endings(dst []string) []string
}

// Keeper is a state that keeps the answers since no procedure was under way, which
// MarshalJSON needs in the middle of one.
type Keeper interface {
	State
	// Keep sets whether the answers are kept, as a state of Game.New or Load does at
	// first. CopyFrom leaves that as it is. Redeal loses those before it: in the middle of
	// a procedure such a state cannot be written until the procedure is over.
	Keep(on bool)
	// Kept returns how many bytes the state holds for the answers, 0 if it keeps none.
	Kept() int
	// Print writes the position as MarshalJSON does, without the answers: equal states are
	// printed alike, however they came about. Where they are missing it cannot be loaded.
	Print() ([]byte, error)
}

// Unwritten returns a new state of the game for play that nobody writes down, such as that
// of a search: it keeps no answers (Keeper), which is faster.
func Unwritten(g Game) State {
	s := g.New()
	if k, ok := s.(Keeper); ok {
		k.Keep(false)
	}
	return s
}

// Print writes the position of a state or view, without the answers that led to it.
func Print(v View) ([]byte, error) {
	if k, ok := v.(Keeper); ok {
		return k.Print()
	}
	return v.MarshalJSON()
}

// Recaller is a state or view that keeps all that a seat has ever learned (perfect
// recall), so that tabular methods can be run on the game.
type Recaller interface {
	View
	// InfoState appends a key of the information state of seat p, in a view that of its
	// own seat: two states have equal keys exactly if p cannot tell them apart, and the
	// view has the key of its state. Keys of different seats differ.
	InfoState(dst []byte, p Player) []byte
}

// Clone returns a new state of the game equal to s.
func Clone(g Game, s State) State {
	c := g.New()
	c.CopyFrom(s)
	return c
}

// Look returns what seat p sees of s: a new view of a game with hidden information, else
// s itself. Where states are looked at often, Hidden.See fills one view again and again.
func Look(s State, p Player) View {
	hidden, ok := s.(Hidden)
	if !ok {
		return s
	}
	v := hidden.NewView()
	hidden.See(p, v)
	return v
}

// Total returns the sum of the weights.
func Total(outcomes []Outcome) uint32 {
	var n uint32
	for i := range outcomes {
		n += outcomes[i].Weight
	}
	return n
}

// Sample draws one of the outcomes with its probability. There must be at
// least one.
func Sample(outcomes []Outcome, rng *rand.PCG) Action {
	if len(outcomes) == 1 {
		return outcomes[0].Action
	}
	total := Total(outcomes)
	x := Uint32N(rng, total)
	if int(total) == len(outcomes) { // all weights are 1
		return outcomes[x].Action
	}
	for i := range outcomes {
		if x < outcomes[i].Weight {
			return outcomes[i].Action
		}
		x -= outcomes[i].Weight
	}
	panic("engine: weights changed while sampling")
}

// Uint32N returns a number below n, which must be above 0, each with the same
// probability (Lemire, "Fast Random Integer Generation in an Interval", 2019).
func Uint32N(rng *rand.PCG, n uint32) uint32 {
	x := uint32(rng.Uint64() >> 32)
	m := uint64(x) * uint64(n)
	if low := uint32(m); low < n {
		for bound := -n % n; low < bound; low = uint32(m) {
			x = uint32(rng.Uint64() >> 32)
			m = uint64(x) * uint64(n)
		}
	}
	return uint32(m >> 32)
}

// Unit returns a number from 0, and below 1: a multiple of 2^-53, each with the same
// probability.
func Unit(rng *rand.PCG) float64 { return float64(rng.Uint64()>>11) / (1 << 53) }
