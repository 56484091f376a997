package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// scoreSocial (D24): the attacks that the rest of the Ops pays for, by what they
// gain. Feed brings a story that can be refused; it costs what is left over.
func (t *thought) scoreSocial(a engine.Action) float64 {
	const fed = 0.02
	switch int(a - insurgency.ActAttack) {
	case insurgency.Feed:
		return fed
	case insurgency.Censor:
		return t.censorGain()
	case insurgency.Persuade:
		v, _ := t.stepGain(t.b.marker)
		return v
	case insurgency.Distract:
		return t.distractGain()
	case insurgency.Enrage:
		v, _ := t.enrageGain()
		return v
	case insurgency.Convert:
		v, _ := t.convertGain()
		return v
	}
	return 0 // DONE
}

// scoreKeep (D25): a story stays if the player would like it to become active more
// than what the next cycle brings, or if it would not come up.
func (t *thought) scoreKeep(a engine.Action) float64 {
	drawn := int(t.view.P.Drawn)
	virality, _ := t.view.Story(drawn)
	v := t.storyWorth(drawn)
	if first := t.viral(0); first != 0 {
		if top, _ := t.view.Story(first); top >= virality {
			v /= 4
		} else {
			v -= t.storyWorth(first)
		}
	}
	if a == insurgency.ActNo {
		return 0
	}
	return v
}

// scoreStory (D26 to D29, D37): the best story becomes active, the worst one of the
// pool goes, the one that would come up first before others.
func (t *thought) scoreStory(d int, a engine.Action) float64 {
	if a == insurgency.ActDone {
		if d == insurgency.AskSlot && t.b.slot[0] != 0 {
			return t.storyWorth(t.b.slot[0])
		}
		return 0
	}
	n := int(a-insurgency.ActStory) + 1
	switch d {
	case insurgency.AskCensor, insurgency.AskTrim:
		v := -t.storyWorth(n)
		if n != t.viral(0) {
			v /= 4
		}
		return v
	case insurgency.AskStory:
		if !t.view.P.Pool.Has(insurgency.StoryID(n)) { // one of the active stories goes; the newest stay longest
			v := -t.storyWorth(n)
			for i, m := range t.b.slot {
				if m == n {
					v *= float64(insurgency.Slots - i)
				}
			}
			return v
		}
	}
	return t.storyWorth(n)
}
