package protocol

import (
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env/encoding"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// The methods. For each there is a struct of parameters here and, except for
// those that return nothing, one of results; PROTOCOL.md says what the fields
// mean.
const (
	MethodHello         = "hello"
	MethodGames         = "games"
	MethodSpec          = "spec"
	MethodEnvMake       = "env.make"
	MethodEnvReset      = "env.reset"
	MethodEnvStep       = "env.step"
	MethodEnvObserve    = "env.observe"
	MethodEnvText       = "env.text"
	MethodEnvDrawing    = "env.drawing"
	MethodEnvView       = "env.view"
	MethodEnvLegal      = "env.legal"
	MethodEnvPosition   = "env.position"
	MethodEnvClone      = "env.clone"
	MethodEnvSnapshot   = "env.snapshot"
	MethodEnvRestore    = "env.restore"
	MethodEnvRedeal     = "env.redeal"
	MethodEnvClose      = "env.close"
	MethodVecMake       = "vec.make"
	MethodVecReset      = "vec.reset"
	MethodVecResetSlots = "vec.reset_slots"
	MethodVecStep       = "vec.step"
	MethodVecStepSlots  = "vec.step_slots"
	MethodVecSend       = "vec.send"
	MethodVecRecv       = "vec.recv"
	MethodVecClone      = "vec.clone"
	MethodVecFork       = "vec.fork"
	MethodVecSnapshot   = "vec.snapshot"
	MethodVecRestore    = "vec.restore"
	MethodVecClose      = "vec.close"
	MethodAgentLoad     = "agent.load"
	MethodAct           = "act"
	MethodActBatch      = "act_batch"
	MethodAgentEvaluate = "agent.evaluate"
	MethodAgentClose    = "agent.close"
	MethodDatasetOpen   = "dataset.open"
	MethodDatasetNext   = "dataset.next"
	MethodDatasetClose  = "dataset.close"
)

// None is the result of a method that returns nothing, and the parameters of
// one that takes none: an empty map.
type None struct{}

// Hello opens a connection.
type Hello struct {
	Versions []int64 `msgpack:"versions"` // that the client speaks
	Client   string  `msgpack:"client"`   // name and version, for logs
	// Token is one of the server's, if it demands one.
	Token string `msgpack:"token,omitempty"`
}

// Welcome answers Hello.
type Welcome struct {
	Version      int64    `msgpack:"version"` // the highest that both speak
	Server       string   `msgpack:"server"`
	Release      string   `msgpack:"release"` // the server's own version, such as "0.2.0"
	Capabilities []string `msgpack:"capabilities"`
	Methods      []string `msgpack:"methods"`
	Agents       []string `msgpack:"agents"` // names of agents that may be loaded
	Limits       Limits   `msgpack:"limits"`
}

// Limits are those of one connection.
type Limits struct {
	FrameBytes     int64   `msgpack:"frame_bytes"`
	Environments   int64   `msgpack:"environments"`
	Agents         int64   `msgpack:"agents"`
	Workers        int64   `msgpack:"workers"`
	IdleSeconds    float64 `msgpack:"idle_seconds"`
	RequestSeconds float64 `msgpack:"request_seconds"`
}

// Games is the result of games.
type Games struct {
	Games []GameInfo `msgpack:"games"`
}

// GameInfo describes a game with default options.
type GameInfo struct {
	Name            string          `msgpack:"name"`
	Title           string          `msgpack:"title"`
	Players         int64           `msgpack:"players"`
	Options         []option.Option `msgpack:"options"`
	Actions         int64           `msgpack:"actions"`
	ObservationSize int64           `msgpack:"observation_size"`
	MaxDecisions    int64           `msgpack:"max_decisions"`
}

// SpecParams asks for the facts of a configured game.
type SpecParams struct {
	Game string `msgpack:"game"`
}

// Spec holds the facts of a configured game.
type Spec struct {
	Game           string           `msgpack:"game"` // canonical game string
	Name           string           `msgpack:"name"`
	Title          string           `msgpack:"title"`
	Version        int64            `msgpack:"version"`
	Seats          int64            `msgpack:"seats"`
	Actions        []string         `msgpack:"actions"`
	Outcomes       []string         `msgpack:"outcomes"`
	MaxDecisions   int64            `msgpack:"max_decisions"`
	MaxMoves       int64            `msgpack:"max_moves"`
	MinReturn      float32          `msgpack:"min_return"`
	MaxReturn      float32          `msgpack:"max_return"`
	Payoff         string           `msgpack:"payoff"`
	Layout         *encoding.Layout `msgpack:"layout"`
	LayoutHash     string           `msgpack:"layout_hash"`
	VocabularyHash string           `msgpack:"vocabulary_hash"`
}

// EnvMake makes an environment.
type EnvMake struct {
	Game         string  `msgpack:"game"`
	Seed         *uint64 `msgpack:"seed"`          // nil: the server draws one
	MaxDecisions int64   `msgpack:"max_decisions"` // 0: no cap
	Position     string  `msgpack:"position"`      // JSON; empty: the game's own start
	// Agents are agent strings, one per seat; an empty one is a seat of the client.
	// None means that all seats are.
	Agents []string `msgpack:"agents"`
}

// EnvMade answers EnvMake.
type EnvMade struct {
	Env  uint64 `msgpack:"env"`
	Game string `msgpack:"game"`
	Seed uint64 `msgpack:"seed"`
	Step Step   `msgpack:"step"`
}

// EnvReset begins a new episode; its result is a Step.
type EnvReset struct {
	Env  uint64  `msgpack:"env"`
	Seed *uint64 `msgpack:"seed"` // nil: go on with the stream of chance events
}

// EnvStep plays an action; its result is a Step.
type EnvStep struct {
	Env    uint64 `msgpack:"env"`
	Action Move   `msgpack:"action"`
}

// Step is what an environment shows at a decision of the client or at the end
// of an episode. A is the number of actions, D the size of an observation, P the
// number of seats.
type Step struct {
	Actor       int64          `msgpack:"actor"`       // seat to act, -2 after the game's end
	Observer    int64          `msgpack:"observer"`    // seat whose observation it is
	Observation Array[float32] `msgpack:"observation"` // [D]
	Mask        Array[uint8]   `msgpack:"mask"`        // [A]: 1 legal, 0 not; all 0 at an end
	Rewards     Array[float32] `msgpack:"rewards"`     // [P] since the client's last decision
	Returns     Array[float32] `msgpack:"returns"`     // [P] since the episode began
	Terminated  bool           `msgpack:"terminated"`
	Truncated   bool           `msgpack:"truncated"`
	Decisions   int64          `msgpack:"decisions"` // of the client's seats in this episode
}

// EnvObserve asks for the observation of a seat, whoever is to act.
type EnvObserve struct {
	Env  uint64 `msgpack:"env"`
	Seat int64  `msgpack:"seat"`
}

// Observed is the result of EnvObserve.
type Observed struct {
	Observation Array[float32] `msgpack:"observation"` // [D]
}

// EnvText asks for the situation in words, or as a drawing, as a seat may see it: the
// parameters of env.text and env.drawing.
type EnvText struct {
	Env  uint64 `msgpack:"env"`
	Seat *int64 `msgpack:"seat"` // nil: the observer
}

// Text is the result of EnvText.
type Text struct {
	Text string `msgpack:"text"`
}

// Drawing is the result of env.drawing.
type Drawing struct {
	SVG string `msgpack:"svg"`
}

// View is the result of env.view.
type View struct {
	Seat int64  `msgpack:"seat"`
	View string `msgpack:"view"` // JSON, blanks for what the seat does not know
}

// Env names an environment: the parameters of env.legal, env.position and
// env.close.
type Env struct {
	Env uint64 `msgpack:"env"`
}

// Legal is the result of env.legal: what the actor is asked, and what it may answer. The
// lists run in parallel.
type Legal struct {
	Actor        int64                `msgpack:"actor"`
	Question     string               `msgpack:"question"`   // its name in positions, such as D3
	Rule         string               `msgpack:"rule"`       // number of the rule by which it is asked, such as R7.3
	RuleTitle    string               `msgpack:"rule_title"` // in our own words
	RuleText     string               `msgpack:"rule_text"`
	Says         string               `msgpack:"says"` // the question as a sentence to whoever answers it
	Actions      Array[engine.Action] `msgpack:"actions"`
	Names        []string             `msgpack:"names"`
	Descriptions []string             `msgpack:"descriptions"`
	Verbs        []string             `msgpack:"verbs"`   // empty for a name that is an object alone
	Objects      []string             `msgpack:"objects"` // empty for a name that is a verb alone
	Amounts      Array[int32]         `msgpack:"amounts"` // -1 for none
}

// Position is the result of env.position: the full state, secrets included.
type Position struct {
	Position string `msgpack:"position"` // JSON
	Hash     string `msgpack:"hash"`     // 16 hexadecimal digits
}

// VecMake makes a vectorised environment.
type VecMake struct {
	Game         string `msgpack:"game"`
	Envs         int64  `msgpack:"envs"`
	Workers      int64  `msgpack:"workers"`       // 0: as many as the server allows
	Autoreset    string `msgpack:"autoreset"`     // empty: same-step
	MaxDecisions int64  `msgpack:"max_decisions"` // 0: no cap
	// Observer is the seat that the last observation of an episode belongs to; nil: the
	// one that would act next, seat 0 after the game's end, and with Agents the first of
	// the client's.
	Observer *int64 `msgpack:"observer,omitempty"`
	Position string `msgpack:"position,omitempty"` // as in EnvMake
	// Agents are as in EnvMake. With them MaxDecisions counts the client's decisions.
	Agents []string `msgpack:"agents,omitempty"`
}

// VecMade answers VecMake.
type VecMade struct {
	Vec             uint64 `msgpack:"vec"`
	Game            string `msgpack:"game"`
	Envs            int64  `msgpack:"envs"`
	Workers         int64  `msgpack:"workers"`
	Autoreset       string `msgpack:"autoreset"`
	Seats           int64  `msgpack:"seats"`
	Actions         int64  `msgpack:"actions"`
	ObservationSize int64  `msgpack:"observation_size"`
}

// VecReset begins a new episode in every slot; its result is a VecResult.
type VecReset struct {
	Vec  uint64  `msgpack:"vec"`
	Seed *uint64 `msgpack:"seed"` // nil: the server draws one
}

// VecResetSlots begins new episodes in some slots; its result is a VecResult.
type VecResetSlots struct {
	Vec   uint64        `msgpack:"vec"`
	Slots Array[int32]  `msgpack:"slots"`
	Seeds Array[uint64] `msgpack:"seeds"` // one per slot
}

// Reset empties the parameters and keeps the memory of their arrays.
func (p *VecResetSlots) Reset() { *p = VecResetSlots{Slots: p.Slots[:0], Seeds: p.Seeds[:0]} }

// VecStep plays one action in every slot; its result is a VecResult.
type VecStep struct {
	Vec     uint64               `msgpack:"vec"`
	Actions Array[engine.Action] `msgpack:"actions"` // [N]
}

// Reset empties the parameters and keeps the memory of their arrays.
func (p *VecStep) Reset() { *p = VecStep{Actions: p.Actions[:0]} }

// VecResult is what all slots show. N is the number of slots, E that of episodes
// that the step has ended; A, D and P are as in Step.
type VecResult struct {
	Seed         uint64               `msgpack:"seed"`         // of the last vec.reset
	Observations Array[float32]       `msgpack:"observations"` // [N×D]
	Masks        Array[uint8]         `msgpack:"masks"`        // [N×A]
	Actors       Array[engine.Player] `msgpack:"actors"`       // [N]
	Rewards      Array[float32]       `msgpack:"rewards"`      // [N×P]
	Terminated   Array[uint8]         `msgpack:"terminated"`   // [N]
	Truncated    Array[uint8]         `msgpack:"truncated"`    // [N]
	Ended        Array[int32]         `msgpack:"ended"`        // [E] slots, ascending
	Returns      Array[float32]       `msgpack:"returns"`      // [E×P] of the episodes that ended
	Lengths      Array[int32]         `msgpack:"lengths"`      // [E] in decisions
	// Final [E×D] and FinalActors [E] are empty unless the mode is same-step.
	Final       Array[float32]       `msgpack:"final"`
	FinalActors Array[engine.Player] `msgpack:"final_actors"`
}

// VecSend hands actions to some slots: vec.step_slots waits for what they show,
// a VecReceived, and vec.send does not.
type VecSend struct {
	Vec     uint64               `msgpack:"vec"`
	Slots   Array[int32]         `msgpack:"slots"`
	Actions Array[engine.Action] `msgpack:"actions"` // one per slot
}

// Reset empties the parameters and keeps the memory of their arrays.
func (p *VecSend) Reset() { *p = VecSend{Slots: p.Slots[:0], Actions: p.Actions[:0]} }

// VecSent is the result of VecSend.
type VecSent struct {
	Pending int64 `msgpack:"pending"` // slots with an action under way
}

// VecRecv waits for what some slots show; its result is a VecReceived.
type VecRecv struct {
	Vec   uint64 `msgpack:"vec"`
	Count int64  `msgpack:"count"` // slots to wait for, M
}

// VecReceived is what M slots show: those of vec.step_slots, or the first that are
// done. It is a VecResult with M rows instead of N. Ended, Returns, Lengths, Final and
// FinalActors follow the order of the rows.
type VecReceived struct {
	VecResult `msgpack:",inline"`
	Slots     Array[int32] `msgpack:"slots"` // [M] the slot of each row
}

// Vec names a vectorised environment: the parameters of vec.clone and vec.close.
type Vec struct {
	Vec uint64 `msgpack:"vec"`
}

// AgentLoad makes an agent.
type AgentLoad struct {
	Game  string `msgpack:"game"`
	Agent string `msgpack:"agent"` // agent string
	Seed  uint64 `msgpack:"seed"`  // of the agent's own choices
}

// AgentLoaded answers AgentLoad.
type AgentLoaded struct {
	Agent uint64 `msgpack:"agent"`
	Game  string `msgpack:"game"`
	Batch bool   `msgpack:"batch"` // whether act_batch works
	Long  bool   `msgpack:"long"`  // whether it is likely to think for long, as a search is
	// Generation counts the checkpoints that have stood in this place since the
	// server has loaded the first, 1 for that; 0 for agents without a network.
	Generation int64 `msgpack:"generation"`
}

// Act asks an agent to act for the seat to act in an environment. The
// environment does not move.
type Act struct {
	Agent uint64 `msgpack:"agent"`
	Env   uint64 `msgpack:"env"`
}

// Acted is the result of Act.
type Acted struct {
	Action int64  `msgpack:"action"`
	Name   string `msgpack:"name"`
	// Generation is that of the network that has chosen; see AgentLoaded.
	Generation int64 `msgpack:"generation"`
}

// ActBatch asks an agent to act on n observations and masks.
type ActBatch struct {
	Agent        uint64         `msgpack:"agent"`
	Observations Array[float32] `msgpack:"observations"` // [n×D]
	Masks        Array[uint8]   `msgpack:"masks"`        // [n×A]
}

// Reset empties the parameters and keeps the memory of their arrays.
func (p *ActBatch) Reset() {
	*p = ActBatch{Observations: p.Observations[:0], Masks: p.Masks[:0]}
}

// ActedBatch is the result of ActBatch.
type ActedBatch struct {
	Actions    Array[int32] `msgpack:"actions"`    // [n]
	Generation int64        `msgpack:"generation"` // as in Acted, of the last decision
}

// AgentEvaluate asks what an agent's network makes of n observations.
type AgentEvaluate struct {
	Agent        uint64         `msgpack:"agent"`
	Observations Array[float32] `msgpack:"observations"` // [n×D]
}

// Reset empties the parameters and keeps the memory of their arrays.
func (p *AgentEvaluate) Reset() { *p = AgentEvaluate{Observations: p.Observations[:0]} }

// Evaluated is the result of AgentEvaluate.
type Evaluated struct {
	Logits Array[float32] `msgpack:"logits"` // [n×A], of illegal actions too
	Values Array[float32] `msgpack:"values"` // [n×P], entry k that of seat (actor+k) mod P
}

// Agent names an agent: the parameters of agent.close.
type Agent struct {
	Agent uint64 `msgpack:"agent"`
}

// DatasetOpen begins a dataset: episodes that agents of the server play.
type DatasetOpen struct {
	Game         string   `msgpack:"game"`
	Agents       []string `msgpack:"agents"` // one per seat, or one for all
	Episodes     int64    `msgpack:"episodes"`
	Seed         *uint64  `msgpack:"seed"`          // nil: the server draws one
	Position     string   `msgpack:"position"`      // JSON; empty: the game's own start
	MaxDecisions int64    `msgpack:"max_decisions"` // 0: no cap
	Logits       bool     `msgpack:"logits"`
	Text         bool     `msgpack:"text"`
	Workers      int64    `msgpack:"workers"` // 0: one
}

// DatasetOpened answers DatasetOpen.
type DatasetOpened struct {
	Dataset         uint64 `msgpack:"dataset"`
	Game            string `msgpack:"game"`
	Seed            uint64 `msgpack:"seed"`
	Workers         int64  `msgpack:"workers"`
	Seats           int64  `msgpack:"seats"`
	Actions         int64  `msgpack:"actions"`
	ObservationSize int64  `msgpack:"observation_size"`
}

// DatasetNext asks for the rows that come next; its result is DatasetRows.
type DatasetNext struct {
	Dataset uint64 `msgpack:"dataset"`
	Rows    int64  `msgpack:"rows"` // at most so many; 0: as many as the server likes
}

// DatasetRows are decisions of a dataset, one per row, as columns; see
// train/dataset.Batch.
type DatasetRows struct {
	Rows         int64          `msgpack:"rows"`         // n
	Done         bool           `msgpack:"done"`         // there are no more; then n is 0
	Observations Array[float32] `msgpack:"observations"` // [n×D]
	Masks        Array[uint8]   `msgpack:"masks"`        // [n×A]
	Actions      Array[int32]   `msgpack:"actions"`      // [n]
	Rewards      Array[float32] `msgpack:"rewards"`      // [n×P]
	Returns      Array[float32] `msgpack:"returns"`      // [n×P]
	Actors       Array[int8]    `msgpack:"actors"`       // [n]
	Episodes     Array[int64]   `msgpack:"episodes"`     // [n]
	Steps        Array[int32]   `msgpack:"steps"`        // [n]
	Terminated   Array[uint8]   `msgpack:"terminated"`   // [n]
	Truncated    Array[uint8]   `msgpack:"truncated"`    // [n]
	Seeds        Array[uint64]  `msgpack:"seeds"`        // [n]
	Opening      Lists[int32]   `msgpack:"opening"`
	Chance       Lists[int32]   `msgpack:"chance"`
	Finals       Lists[float32] `msgpack:"finals"`
	Logits       Array[float32] `msgpack:"logits"`     // [n×A] or empty
	HasLogits    Array[uint8]   `msgpack:"has_logits"` // [n] or empty
	Text         []string       `msgpack:"text"`       // [n] or empty
}

// Lists is a column of lists: that of row i is Values[Offsets[i]:Offsets[i+1]].
type Lists[E Element] struct {
	Values  Array[E]     `msgpack:"values"`
	Offsets Array[int32] `msgpack:"offsets"` // [n+1], from 0
}

// Dataset names a dataset: the parameters of dataset.close.
type Dataset struct {
	Dataset uint64 `msgpack:"dataset"`
}

// Move names an action by number or by name. The zero Move names none, so that
// an action that is left out cannot be taken for action 0.
type Move struct {
	kind   moveKind
	number int64
	name   string
}

type moveKind uint8

const (
	noMove moveKind = iota
	byNumber
	byName
)

// ByNumber returns the move that a number names.
func ByNumber[N ~int | ~int32 | ~int64](n N) Move { return Move{kind: byNumber, number: int64(n)} }

// ByName returns the move that a name names.
func ByName(name string) Move { return Move{kind: byName, name: name} }

// Number returns the action's number if the move is by number.
func (m Move) Number() (int64, bool) { return m.number, m.kind == byNumber }

// Name returns the action's name if the move is by name.
func (m Move) Name() (string, bool) { return m.name, m.kind == byName }

// EncodeMsgpack implements msgpack.CustomEncoder.
func (m *Move) EncodeMsgpack(enc *msgpack.Encoder) error {
	switch m.kind {
	case byNumber:
		return enc.EncodeInt(m.number)
	case byName:
		return enc.EncodeString(m.name)
	}
	return enc.EncodeNil()
}

// DecodeMsgpack implements msgpack.CustomDecoder.
func (m *Move) DecodeMsgpack(dec *msgpack.Decoder) error {
	c, err := dec.PeekCode()
	if err != nil {
		return err
	}
	*m = Move{}
	switch {
	case msgpcode.IsString(c):
		m.kind = byName
		m.name, err = dec.DecodeString()
	case c == msgpcode.Nil:
		err = dec.DecodeNil()
	default:
		m.kind = byNumber
		m.number, err = dec.DecodeInt64()
	}
	return err
}

// wireType names the type for errors.
func (m *Move) wireType() string { return "int or str" }
