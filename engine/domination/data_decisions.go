package domination

import (
	"encoding/json"
	"fmt"
	"slices"
)

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

type rawBlock struct {
	Verb      string            `json:"verb"`
	First     int               `json:"first"`
	Count     int               `json:"count"`
	Arguments []json.RawMessage `json:"arguments"`
	Meaning   string            `json:"meaning"`
}

// readDecisions compares decisions.json (R11.2) with the questions and the
// vocabulary of the engine.
func readDecisions(b *box) error {
	var d struct {
		source
		Decisions []struct {
			ID    string   `json:"id"`
			Name  string   `json:"name"`
			Who   string   `json:"who"`
			Verbs []string `json:"verbs"`
			Rule  string   `json:"rule"`
		} `json:"decisions"`
		Chance []struct {
			ID           string `json:"id"`
			Name         string `json:"name"`
			Distribution string `json:"distribution"`
			Outcomes     int    `json:"outcomes"`
			Rule         string `json:"rule"`
		} `json:"chance"`
		Vocabulary struct {
			Size   int        `json:"size"`
			Blocks []rawBlock `json:"blocks"`
		} `json:"vocabulary"`
		Order struct {
			Rule      string   `json:"rule"`
			Decisions []string `json:"decisions"`
			FreeFor   []string `json:"free_for"`
		} `json:"order_of_points"`
	}
	if err := decodeFile("decisions", &d); err != nil {
		return err
	}
	if len(d.Decisions) != int(numDecisions) || len(d.Chance) != 4 || d.Chance[0].Outcomes != int(choose(baseCards-1, poolSize)) {
		return fmt.Errorf("decisions.json: %d decisions and %d chance events, expected %d and 4", len(d.Decisions), len(d.Chance), numDecisions)
	}
	verbs := map[string]bool{}
	for i, x := range d.Decisions {
		if x.ID != fmt.Sprintf("D%d", i+1) || len(x.Verbs) == 0 {
			return fmt.Errorf("decisions.json: %s is out of order or has no verbs", x.ID)
		}
		for _, v := range x.Verbs {
			verbs[v] = true
		}
	}
	return b.checkVocabulary(d.Vocabulary.Size, d.Vocabulary.Blocks, verbs)
}

// checkVocabulary compares the blocks with those of the engine, and their verbs with
// those that the decisions use.
func (b *box) checkVocabulary(size int, raw []rawBlock, verbs map[string]bool) error {
	blocks := b.blocks()
	if len(raw) != len(blocks) || size != numActions || len(verbs) != len(blocks) {
		return fmt.Errorf("decisions.json: a vocabulary of %d actions and %d verbs, expected %d and %d", size, len(verbs), numActions, len(blocks))
	}
	for i, x := range raw {
		want := blocks[i]
		var arguments []string
		for _, raw := range x.Arguments {
			var name string
			if string(raw) != "null" {
				if json.Unmarshal(raw, &name) != nil {
					name = string(raw)
				}
				arguments = append(arguments, name)
			}
		}
		if x.Verb != want.verb || x.First != want.first || x.Count != max(1, len(want.arguments)) ||
			!slices.Equal(arguments, want.arguments) || !verbs[x.Verb] {
			return fmt.Errorf("decisions.json: block %s is not the engine's %s", x.Verb, want.verb)
		}
	}
	return nil
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
