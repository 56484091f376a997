package insurgency

import (
	"slices"

	"powderkeg/engine"
)

// power implements R9.2 (Q17): Rebellion Power, clamped only at the end.
func (b Board) power() uint8 {
	sum := int(b.Hacked[federal]) - int(b.Hacked[rebel])
	for _, n := range b.Slots {
		sum += int(b.box.stories[n].factor)
	}
	if b.has(Leader) {
		sum += 2
	}
	return uint8(min(max(sum, 0), maxPower))
}

// rpf implements R9.4.
func (b Board) rpf() uint8 { return b.box.rpf[b.power()] }

// storyDeck returns the stories that are nowhere else (R9.5).
func (p *Position) storyDeck() StorySet {
	deck := StorySet(1<<numStories-1) &^ p.Pool &^ p.StoryDiscard
	for _, n := range p.Slots {
		if n != 0 {
			deck.remove(n)
		}
	}
	if p.Drawn != 0 {
		deck.remove(p.Drawn)
	}
	return deck
}

// newsStage is how far a change to the stories has come.
type newsStage uint8

// Stages of NewsFrame: a cycle goes through them in order.
const (
	newsBegin  newsStage = iota
	newsPick             // a story goes to slot 1
	newsRefill           // the pool gets its three stories
)

// poolSize is the number of stories that a cycle leaves in the pool (R9.1).
const poolSize = 3

// startNews begins a change to the stories.
func (p *Position) startNews(do newsDo, by Side, n uint8, optional bool) {
	p.News = NewsFrame{Do: do, By: by, N: n, Optional: optional}
}

// refills reports whether an active story has gone whose slot gets the top of the deck.
func (f *NewsFrame) refills() bool { return f.Do == newsReplace && f.Stage == newsRefill }

// changeNews carries the change to the stories one step further.
func (b Board) changeNews() bool {
	f := &b.News
	switch f.Do {
	case newsCycle, newsChoose:
		return b.cycle(f)
	case newsCensor:
		return b.censor(f)
	case newsFeed:
		return b.feed(f)
	case newsSwap:
		return b.swap(f)
	case newsReplace:
		return b.replace(f)
	case newsRefresh:
		return b.refresh(f)
	}
	panic("insurgency: an unknown change to the stories")
}

// cycle implements R9.3: (a) and (b) the active stories move on, (c) a story goes
// to slot 1, (d) the pool is brought to three.
func (b Board) cycle(f *NewsFrame) bool {
	switch f.Stage {
	case newsBegin:
		b.tell(newsCycled, "R9.3")
		if b.Slots[2] != 0 {
			b.leaveSlot("R9.3", 2)
		}
		b.Slots = [numSlots]StoryID{0, b.Slots[0], b.Slots[1]}
		f.Stage = newsPick
		return false
	case newsPick:
		return b.fillSlot(f)
	}
	switch n := b.Pool.Count(); {
	case n < poolSize:
		if b.drawStory() {
			return true
		}
		if b.Drawn != 0 {
			b.keepStory("R9.3")
			return false
		}
	case n > poolSize:
		b.decide(AskTrim, b.edge())
		b.allowStories(b.Pool)
		return true
	}
	b.News = NewsFrame{}
	return false
}

// fillSlot implements R9.3 (c): the story with the highest Virality, whose ties the
// holder of the Edge breaks (D27), or any story of the pool (D37, card text); with
// an empty pool the top of the deck.
func (b Board) fillSlot(f *NewsFrame) bool {
	if b.Pool == 0 {
		if b.drawStory() {
			return true
		}
		if b.Drawn != 0 {
			b.showStory("R9.3", 0, b.Drawn)
		}
		b.Drawn = 0
		f.Stage = newsRefill
		return false
	}
	if f.Do == newsChoose {
		b.decide(AskStory, f.By)
		b.allowStories(b.Pool)
		return true
	}
	best := b.mostViral(b.Pool)
	if best&(best-1) != 0 {
		b.decide(AskTie, b.edge())
		b.allowStories(best)
		return true
	}
	b.activate(best.First())
	return false
}

// mostViral returns the stories of highest Virality.
func (g *game) mostViral(pool StorySet) StorySet {
	var best StorySet
	top := uint8(0)
	for set := pool; set != 0; set &= set - 1 {
		n := set.First()
		switch v := g.box.stories[n].virality; {
		case v > top:
			best, top = 1<<(n-1), v
		case v == top:
			best.add(n)
		}
	}
	return best
}

// activate moves a story from the pool to slot 1 and goes on to the pool.
func (b Board) activate(n StoryID) {
	b.Pool.remove(n)
	b.showStory("R9.3", 0, n)
	b.News.Stage = newsRefill
}

// drawStory implements R9.5 (Q18): it makes the top of the story deck the drawn
// story. An empty deck is made from the discards; without those nothing is drawn.
// It reports whether it waits for chance; a draw whose result is certain does not.
func (b Board) drawStory() bool {
	if b.Drawn != 0 {
		return false
	}
	deck := b.storyDeck()
	if deck == 0 {
		b.StoryDiscard = 0
		deck = b.storyDeck()
		if deck != 0 {
			b.tell(storiesShuffled, "R9.5")
		}
	}
	switch deck.Count() {
	case 0:
		return false
	case 1:
		b.turnUpStory(deck.First())
		return false
	}
	return b.wait(chanceStory)
}

// censor implements D26: stories of the pool are discarded and not replaced (R9.6,
// Q19).
func (b Board) censor(f *NewsFrame) bool {
	if f.N == 0 || b.Pool == 0 {
		b.News = NewsFrame{}
		return false
	}
	b.decide(AskCensor, f.By)
	b.allowStories(b.Pool)
	if f.Optional {
		b.allow(ActDone)
	}
	return true
}

// feed implements D25: stories are drawn one at a time; each goes to the pool or
// to the discards. All see it (Q32).
func (b Board) feed(f *NewsFrame) bool {
	if f.N == 0 {
		b.News = NewsFrame{}
		return false
	}
	if b.drawStory() {
		return true
	}
	if b.Drawn == 0 {
		b.News = NewsFrame{}
		return false
	}
	b.decide(AskKeep, f.By)
	b.allow(ActYes)
	b.allow(ActNo)
	return true
}

// swap implements D29: the story of slot 1 may give way to any story of the pool.
func (b Board) swap(f *NewsFrame) bool {
	if b.Pool == 0 {
		b.News = NewsFrame{}
		return false
	}
	b.decide(AskSlot, f.By)
	b.allowStories(b.Pool)
	b.allow(ActDone)
	return true
}

// replace implements D37 on active stories: the one chosen is discarded, and the
// top of the deck takes its slot.
func (b Board) replace(f *NewsFrame) bool {
	if f.Stage == newsBegin {
		var active StorySet
		for _, n := range b.Slots {
			if n != 0 {
				active.add(n)
			}
		}
		if active == 0 {
			b.News = NewsFrame{}
			return false
		}
		b.decide(AskStory, f.By)
		b.allowStories(active)
		return true
	}
	if b.drawStory() {
		return true
	}
	if b.Drawn != 0 {
		b.showStory("R14.1", f.Slot, b.Drawn)
	}
	b.Drawn, b.News = 0, NewsFrame{}
	return false
}

// refresh discards the pool and draws three stories.
func (b Board) refresh(f *NewsFrame) bool {
	if f.Stage == newsBegin {
		for ; b.Pool != 0; b.Pool &= b.Pool - 1 {
			b.discardStory("R14.1", b.Pool.First())
		}
		b.Pool, f.N, f.Stage = 0, poolSize, newsRefill
	}
	if f.N == 0 || b.drawStory() {
		if f.N == 0 {
			b.News = NewsFrame{}
			return false
		}
		return true
	}
	if b.Drawn == 0 {
		b.News = NewsFrame{}
		return false
	}
	b.keepStory("R14.1")
	f.N--
	return false
}

// chooseKeep carries out D25.
func (b Board) chooseKeep(a engine.Action) {
	if a == ActYes {
		b.keepStory("R13.3.3")
	} else {
		b.discardStory("R13.3.3", b.Drawn)
	}
	b.Drawn = 0
	b.News.N--
}

// chooseCensor carries out D26.
func (b Board) chooseCensor(a engine.Action) {
	if a == ActDone {
		b.News = NewsFrame{}
		return
	}
	b.leavePool("R13.3.3", storyOf(a))
	b.News.N--
}

// chooseTie carries out D27.
func (b Board) chooseTie(a engine.Action) { b.activate(storyOf(a)) }

// chooseTrim carries out D28.
func (b Board) chooseTrim(a engine.Action) {
	b.leavePool("R9.3", storyOf(a))
}

// chooseSlot carries out D29.
func (b Board) chooseSlot(a engine.Action) {
	if a != ActDone {
		if old := b.Slots[0]; old != 0 {
			b.discardStory("R13.3.3", old)
		}
		b.Pool.remove(storyOf(a))
		b.showStory("R13.3.3", 0, storyOf(a))
	}
	b.News = NewsFrame{}
}

// chooseStory carries out D37: a story of the pool comes to slot 1, or an active one goes.
func (b Board) chooseStory(a engine.Action) {
	f, n := &b.News, storyOf(a)
	if f.Do == newsChoose {
		b.activate(n)
		return
	}
	slot := slices.Index(b.Slots[:], n)
	b.leaveSlot("R14.1", uint8(slot))
	f.Slot, f.Stage = uint8(slot), newsRefill
}

func storyOf(a engine.Action) StoryID { return StoryID(a-ActStory) + 1 }

// leavePool discards a story of the pool, leaveSlot an active one.
func (b Board) leavePool(rule string, n StoryID) {
	b.Pool.remove(n)
	b.discardStory(rule, n)
}

func (b Board) leaveSlot(rule string, slot uint8) {
	n, before := b.Slots[slot], b.power()
	b.Slots[slot] = 0
	b.discardStory(rule, n)
	b.tellPower(before)
}

// storiesToDraw and storyDrawn are C3.
func (b Board) storiesToDraw() CardSet { return CardSet{uint64(b.storyDeck())} }

func (b Board) storyDrawn(a engine.Action) {
	b.turnUpStory(StoryID(a-outStory) + 1)
}

// turnUpStory makes a story the drawn one (R19.4).
func (b Board) turnUpStory(n StoryID) {
	b.Drawn = n
	b.tell(storyTurnedUp, "R19.4", n)
}

// keepStory brings the drawn story to the pool.
func (b Board) keepStory(rule string) {
	b.Pool.add(b.Drawn)
	b.tell(storyPooled, rule, b.Drawn)
	b.Drawn = 0
}

// discardStory lays a story on the discards.
func (b Board) discardStory(rule string, n StoryID) {
	b.StoryDiscard.add(n)
	b.tell(storyDiscarded, rule, n)
}

// showStory makes a story active.
func (b Board) showStory(rule string, slot uint8, n StoryID) {
	before := b.power()
	b.Slots[slot] = n
	b.tell(storyActive, rule, n, int(slot)+1)
	b.tellPower(before)
}
