package insurgency

import (
	"strconv"

	"powderkeg/engine"
)

// The vocabulary of actions (R21.1): the first action of each group, in the order of
// data/actions.json; the others follow in order.
const (
	ActCard   engine.Action = 0 // event card n is ActCard + n - 1
	ActMode   engine.Action = 92
	ActOp     engine.Action = 97
	ActAmount engine.Action = 111
	ActType   engine.Action = 142
	ActSpace  engine.Action = 145
	ActDone   engine.Action = 178
	ActUnits  engine.Action = 179 // RECRUIT_militia
	ActBase   engine.Action = 180 // RECRUIT_base
	ActSM     engine.Action = 181
	ActAttack engine.Action = 187
	ActStory  engine.Action = 193 // story n is ActStory + n - 1
	ActHack   engine.Action = 213
	ActOption engine.Action = 219
	ActYes    engine.Action = 223
	ActNo     engine.Action = 224
	ActRemove engine.Action = 225
	ActPiece  engine.Action = 226

	numActions = 230
)

// names is a vocabulary that is being laid out.
type names []string

// words adds a name for each of the words.
func (n *names) words(group string, words ...string) {
	for _, word := range words {
		*n = append(*n, group+"_"+word)
	}
}

// count adds a name for each number from first to last.
func (n *names) count(group string, first, last int) {
	for i := first; i <= last; i++ {
		n.words(group, strconv.Itoa(i))
	}
}

// actionNames lays out the vocabulary of actions, by the offsets above.
func (b *Box) actionNames() []string {
	var n names
	n.count("CARD", 1, numEvents)
	n.words("MODE", modeNames[modeEvent:]...)
	n.words("OP", opNames[:]...)
	n.count("AMOUNT", 0, int(ActType-ActAmount)-1)
	n.words("TYPE", kindNames...)
	n.words("SPACE", b.ids...)
	n = append(n, "DONE")
	n.words("RECRUIT", "militia", "base")
	n.words("SM", smNames...)
	n.words("ATTACK", attackNames...)
	n.count("STORY", 1, numStories)
	n.words("HACK", hackNames...)
	n.count("OPTION", 1, int(ActYes-ActOption))
	n = append(n, "YES", "NO", "VERB_remove_own_piece")
	n.words("PIECE", pieceNames...)
	return n
}

// outcomeNames lays out the vocabulary of chance outcomes.
func (b *Box) outcomeNames() []string {
	var n names
	n.count("DEAL", 1, numEvents)
	n.count("DRAW_STORY", 1, numStories)
	n.count("D6", 1, d6Faces)
	n.count("D20", 1, d20Faces)
	n.count("DISCARD", 1, numEvents)
	n.words("SETUP", b.ids[:numUS]...)
	n.words("SETUP", "done")
	return n
}

// Chance outcomes. The random set-up has one for each choice of R16.4.
const (
	outDeal    = 0                     // card n is outDeal + n - 1
	outStory   = outDeal + numEvents   // story n is outStory + n - 1
	outD6      = outStory + numStories // face n is outD6 + n - 1
	outD20     = outD6 + d6Faces       // face n is outD20 + n - 1
	outDiscard = outD20 + d20Faces     // card n is outDiscard + n - 1
	outSetUp   = outDiscard + numEvents
	outSetDone = outSetUp + numUS
)
