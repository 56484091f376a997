package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// scoreAssassination (D32): the best class of the hex, and one marker at a time:
// each raises the chance by a third, and the second may be spared (R13). Of several
// players the Government is the victim.
func (t *situation) scoreAssassination(a engine.Action) float32 {
	switch {
	case a >= minuteman.FirstPlayer:
		return pick(int(a-minuteman.FirstPlayer) == t.gov, 1, 0)
	case a >= minuteman.FirstAmount:
		return -float32(a - minuteman.FirstAmount)
	}
	return t.classWorth(int(a - minuteman.FirstClass))
}

// scoreTalk (D81, D82): a Rebel who serves the Government shares its victory (R28.9),
// which the others cannot hope for while it stands; so he offers himself, and it
// accepts. A Revolution finds him ready when he would declare it himself.
func (t *situation) scoreTalk(a engine.Action) float32 {
	if t.state.Decision() == minuteman.DecidesAnswer {
		accepts := t.chain.Proposal != minuteman.JointRevolution && t.chain.Proposal >= 0 || t.timeToRise()
		return pick((a == minuteman.Accept) == accepts, 1, 0)
	}
	switch {
	case a == minuteman.ProposeFederalize:
		return pick(t.rebel, 2, -1)
	case a == minuteman.FirstPlayer+engine.Action(t.gov):
		return 1
	case a == minuteman.Done:
		return 0.5
	}
	return 0
}
