package domination

import "fmt"

// The verbs of R11.2, none of which is for trade or talk (Q37): where the block of each
// begins in the vocabulary. Blocks
// by card go by card index, those by Area by Area index; the argument of
// TARGET_PLAYER counts seats clockwise from the actor.
const (
	actDone           = 0
	actEndTurn        = 1
	actPass           = 2
	actDecline        = 3
	actAccept         = 4
	actBuildWith      = 5
	actAttackWith     = actBuildWith + numCards
	actTextOf         = actAttackWith + numCards
	actDiscard1       = actTextOf + numCards
	actDiscard2First  = actDiscard1 + numCards
	actDiscard2Second = actDiscard2First + numCards
	actBuy            = actDiscard2Second + numCards
	actBuildAt        = actBuy + numCards
	actReduceAt       = actBuildAt + numAreas
	actRemoveAt       = actReduceAt + numAreas
	actTargetPlayer   = actRemoveAt + numAreas
	numActions        = actTargetPlayer + maxSeats
)

// block is a run of actions with one verb.
type block struct {
	verb      string
	first     int
	arguments []string // nil for a verb without argument
}

// blocks returns the vocabulary in order.
func (b *box) blocks() []block {
	var cards, areas, seats []string
	for i := range b.cards {
		cards = append(cards, b.cards[i].name)
	}
	for i := range b.areas {
		areas = append(areas, b.areas[i].id)
	}
	for i := range maxSeats {
		seats = append(seats, fmt.Sprint(i))
	}
	return []block{
		{"DONE", actDone, nil}, {"END_TURN", actEndTurn, nil}, {"PASS", actPass, nil}, {"DECLINE", actDecline, nil},
		{"ACCEPT", actAccept, nil}, {"BUILD_WITH", actBuildWith, cards}, {"ATTACK_WITH", actAttackWith, cards},
		{"TEXT_OF", actTextOf, cards}, {"DISCARD1", actDiscard1, cards}, {"DISCARD2_FIRST", actDiscard2First, cards},
		{"DISCARD2_SECOND", actDiscard2Second, cards}, {"BUY", actBuy, cards}, {"BUILD_AT", actBuildAt, areas},
		{"REDUCE_AT", actReduceAt, areas}, {"REMOVE_AT", actRemoveAt, areas}, {"TARGET_PLAYER", actTargetPlayer, seats},
	}
}

// actionNames returns the names of all actions: the verb and, after a space, its
// argument.
func (b *box) actionNames() []string {
	var names []string
	for _, k := range b.blocks() {
		if k.arguments == nil {
			names = append(names, k.verb)
		}
		for _, argument := range k.arguments {
			names = append(names, k.verb+" "+argument)
		}
	}
	return names
}

// choose returns the number of sets of k out of n things.
func choose(n, k int) uint32 {
	if k < 0 || k > n {
		return 0
	}
	x := uint64(1)
	for i := range k {
		x = x * uint64(n-i) / uint64(i+1)
	}
	return uint32(x)
}
