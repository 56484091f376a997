package domination

import (
	"fmt"

	"powderkeg/engine"
)

// The verbs of R11.2, none of which is for trade or talk (Q37): where the block of each begins
// in the vocabulary. Blocks by card go by card index, those by Area by Area index; the
// argument of TARGET_PLAYER counts seats clockwise from the actor.
const (
	ActDone           engine.Action = 0
	ActEndTurn        engine.Action = 1
	ActPass           engine.Action = 2
	ActDecline        engine.Action = 3
	ActAccept         engine.Action = 4
	ActBuildWith      engine.Action = 5
	ActAttackWith                   = ActBuildWith + Cards
	ActTextOf                       = ActAttackWith + Cards
	ActDiscard1                     = ActTextOf + Cards
	ActDiscard2First                = ActDiscard1 + Cards
	ActDiscard2Second               = ActDiscard2First + Cards
	ActBuy                          = ActDiscard2Second + Cards
	ActBuildAt                      = ActBuy + Cards
	ActReduceAt                     = ActBuildAt + Areas
	ActRemoveAt                     = ActReduceAt + Areas
	ActTargetPlayer                 = ActRemoveAt + Areas
	numActions                      = ActTargetPlayer + MaxSeats
)

// block is a run of actions with one verb.
type block struct {
	verb      string
	first     engine.Action
	arguments []string // nil for a verb without argument
}

// blocks returns the vocabulary in order.
func (b *box) blocks() []block {
	var cards, areas, seats []string
	for i := range b.Cards {
		cards = append(cards, b.Cards[i].Name)
	}
	for i := range b.Areas {
		areas = append(areas, b.Areas[i].ID)
	}
	for i := range MaxSeats {
		seats = append(seats, fmt.Sprint(i))
	}
	return []block{
		{"DONE", ActDone, nil}, {"END_TURN", ActEndTurn, nil}, {"PASS", ActPass, nil}, {"DECLINE", ActDecline, nil},
		{"ACCEPT", ActAccept, nil}, {"BUILD_WITH", ActBuildWith, cards}, {"ATTACK_WITH", ActAttackWith, cards},
		{"TEXT_OF", ActTextOf, cards}, {"DISCARD1", ActDiscard1, cards}, {"DISCARD2_FIRST", ActDiscard2First, cards},
		{"DISCARD2_SECOND", ActDiscard2Second, cards}, {"BUY", ActBuy, cards}, {"BUILD_AT", ActBuildAt, areas},
		{"REDUCE_AT", ActReduceAt, areas}, {"REMOVE_AT", ActRemoveAt, areas}, {"TARGET_PLAYER", ActTargetPlayer, seats},
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
