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
	// whose view it is knows of no question (Hidden). A full state never has it.
	Nobody Player = -3
)

// ErrIllegal is wrapped by the error of an Apply that was refused. The caller
// may go on with the unchanged state.
var ErrIllegal = errors.New("illegal")

// ErrPosition is wrapped by the error of a Load that was refused.
var ErrPosition = errors.New("bad position")

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

// State is one game in progress. It belongs to one goroutine at a time.
//
// A state at a chance node also implements Stochastic, a state of a game with
// hidden information Hidden, and a state that can describe itself Teller;
// enginetest checks that a game has what its spec calls for.
type State interface {
	// ToAct returns the seat that decides, Chance or Terminal.
	ToAct() Player
	// Legal appends the legal actions of the seat to act in ascending order and
	// returns the extended slice: at least one at a decision, none at Chance and
	// at Terminal.
	Legal(dst []Action) []Action
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
	// Hash returns the same number for equal states, in every process.
	Hash() uint64
	// MarshalJSON writes the position, every field of it, such that loading it
	// gives an equal state.
	json.Marshaler
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

// Hidden is a state of a game in which seats know different things.
type Hidden interface {
	State
	// Redact blanks everything that seat p may not see. The result is a view: it
	// answers ToAct, Legal (where p is to act), Text, Hash and Redeal, and encoders
	// read it; it is not to be played on before Redeal. Redacting twice for the
	// same seat changes nothing.
	//
	// A game may ask a seat in secret, such as whether it reacts with a card that
	// nobody knows it to hold. While such a question is open, the views of the others
	// show the situation as it was when the question arose, or after the last move
	// since then that they were shown, with nobody asked: ToAct is Nobody, Legal is
	// empty, and nothing is in it of what would follow if the question were declined.
	// A run of such questions is one moment to them: the view is the same whoever is
	// asked and however often. The seat that is asked sees that same situation, with
	// its question and nothing that lies ahead. (ADR 0006.)
	Redact(p Player)
	// Redeal fills the blanks of a view of seat p at random, uniformly over all
	// deals that agree with everything p knows, and so turns it into a full state.
	// The outcome depends on the view and the generator alone. In a view in which
	// Nobody acts, whether a seat is asked is one of the blanks: the state is at the
	// question if the new deal calls for it, else where the game goes on without it.
	Redeal(p Player, rng *rand.PCG)
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

// Teller is a state that can be read by people.
type Teller interface {
	State
	// Text draws the situation for seat p, which the state has been redacted for;
	// blanks are shown as such.
	Text(p Player) string
	// Describe says in a few words what the action would do here. It works for
	// every action of Legal and Outcomes.
	Describe(a Action) string
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

// Recaller is a state that keeps all that a seat has ever learned (perfect
// recall), so that tabular methods can be run on the game.
type Recaller interface {
	State
	// InfoState appends a key of the information state of seat p: two states have
	// equal keys exactly if p cannot tell them apart. Keys of different seats
	// differ.
	InfoState(dst []byte, p Player) []byte
}

// Clone returns a new state of the game equal to s.
func Clone(g Game, s State) State {
	c := g.New()
	c.CopyFrom(s)
	return c
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
