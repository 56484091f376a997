package insurgency

import "strconv"

// The vocabulary of actions (R21.1): groups in the order of data/actions.json.
const (
	actCard   = 0 // event card n is actCard + n - 1
	actMode   = 92
	actOp     = 97
	actAmount = 111
	actType   = 142
	actSpace  = 145
	actDone   = 178
	actUnits  = 179 // RECRUIT_militia
	actBase   = 180 // RECRUIT_base
	actSM     = 181
	actAttack = 187
	actStory  = 193 // story n is actStory + n - 1
	actHack   = 213
	actOption = 219
	actYes    = 223
	actNo     = 224
	actRemove = 225
	actPiece  = 226

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
func (b *box) actionNames() []string {
	var n names
	n.count("CARD", 1, numEvents)
	n.words("MODE", modeNames[modeEvent:]...)
	n.words("OP", opNames[:]...)
	n.count("AMOUNT", 0, actType-actAmount-1)
	n.words("TYPE", kindNames...)
	n.words("SPACE", b.ids...)
	n = append(n, "DONE")
	n.words("RECRUIT", "militia", "base")
	n.words("SM", smNames...)
	n.words("ATTACK", attackNames...)
	n.count("STORY", 1, numStories)
	n.words("HACK", hackNames...)
	n.count("OPTION", 1, actYes-actOption)
	n = append(n, "YES", "NO", "VERB_remove_own_piece")
	n.words("PIECE", pieceNames...)
	return n
}

// outcomeNames lays out the vocabulary of chance outcomes.
func (b *box) outcomeNames() []string {
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

// ask is a decision (D1 to D43, by its number) or a chance event that the game
// waits for.
type ask uint8

const (
	askNothing ask = 0 // the game is over

	askCard         ask = 1
	askMode         ask = 2
	askOperation    ask = 3
	askReserves     ask = 4
	askType         ask = 5
	askNetSpace     ask = 6
	askRecruit      ask = 7
	askLiftUnit     ask = 8
	askOrigin       ask = 9
	askDestination  ask = 10
	askUnits        ask = 11
	askActive       ask = 12
	askAttack       ask = 13
	askSurge        ask = 14
	askTax          ask = 15
	askDeploy       ask = 16
	askAgents       ask = 17
	askSwap         ask = 18
	askHunt         ask = 19
	askPacify       ask = 20
	askSecure       ask = 21
	askLiftBase     ask = 22
	askStep         ask = 23
	askSocialAttack ask = 24
	askKeep         ask = 25
	askCensor       ask = 26
	askTie          ask = 27
	askTrim         ask = 28
	askSlot         ask = 29
	askEnrage       ask = 30
	askConvert      ask = 31
	askHack         ask = 32
	askOption       ask = 33
	askSpace        ask = 34
	askNumber       ask = 35
	askMomentum     ask = 36
	askStory        ask = 37
	askRelocate     ask = 38
	askRemoveSpace  ask = 39
	askRemovePiece  ask = 40
	askSetUpSpace   ask = 41
	askSetUpBase    ask = 42
	askSetUpUnit    ask = 43

	numDecisions = 44 // decisions are 1 to 43
)

// The chance events of R18, and the draw of a random set-up.
const (
	chanceDeal    = numDecisions + iota // C1: the next event card of a hand
	chanceTest                          // C2
	chanceStory                         // C3: the next story
	chanceMetro                         // C4
	chanceRegion                        // C5
	chanceAttack                        // C6
	chanceHack                          // C7
	chanceTheft                         // C8
	chanceEvent                         // C9
	chanceDiscard                       // C10
	chanceRandom                        // a choice of a random set-up
	chanceEnd
)

var chanceNames = [...]string{"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "random"}

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
