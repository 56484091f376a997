package insurgency

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// power implements R9.2 (Q17): Rebellion Power, clamped only at the end.
func (g *game) power(p *Position) uint8 {
	sum := int(p.Hacked[federal]) - int(p.Hacked[rebel])
	for _, n := range p.Slots {
		sum += int(g.box.stories[n].factor)
	}
	if p.has(Leader) {
		sum += 2
	}
	return uint8(min(max(sum, 0), maxPower))
}

// rpf implements R9.4.
func (g *game) rpf(p *Position) uint8 { return g.box.rpf[g.power(p)] }

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
func (g *game) changeNews(p *Position, w *flow.Witness) bool {
	f := &p.News
	switch f.Do {
	case newsCycle, newsChoose:
		return g.cycle(p, w, f)
	case newsCensor:
		return g.censor(p, w, f)
	case newsFeed:
		return g.feed(p, w, f)
	case newsSwap:
		return g.swap(p, w, f)
	case newsReplace:
		return g.replace(p, w, f)
	case newsRefresh:
		return g.refresh(p, w, f)
	}
	panic("insurgency: an unknown change to the stories")
}

// cycle implements R9.3: (a) and (b) the active stories move on, (c) a story goes
// to slot 1, (d) the pool is brought to three.
func (g *game) cycle(p *Position, w *flow.Witness, f *NewsFrame) bool {
	switch f.Stage {
	case newsBegin:
		if w != nil {
			w.All("news_cycle", "R9.3")
		}
		if p.Slots[2] != 0 {
			g.leaveSlot(p, w, "R9.3", 2)
		}
		p.Slots = [numSlots]StoryID{0, p.Slots[0], p.Slots[1]}
		f.Stage = newsPick
		return false
	case newsPick:
		return g.fillSlot(p, w, f)
	}
	switch n := p.Pool.Count(); {
	case n < poolSize:
		if g.drawStory(p, w) {
			return true
		}
		if p.Drawn != 0 {
			g.keepStory(p, w, "R9.3")
			return false
		}
	case n > poolSize:
		p.decide(AskTrim, g.edge(p))
		p.allowStories(p.Pool)
		return true
	}
	p.News = NewsFrame{}
	return false
}

// fillSlot implements R9.3 (c): the story with the highest Virality, whose ties the
// holder of the Edge breaks (D27), or any story of the pool (D37, card text); with
// an empty pool the top of the deck.
func (g *game) fillSlot(p *Position, w *flow.Witness, f *NewsFrame) bool {
	if p.Pool == 0 {
		if g.drawStory(p, w) {
			return true
		}
		if p.Drawn != 0 {
			g.showStory(p, w, "R9.3", 0, p.Drawn)
		}
		p.Drawn = 0
		f.Stage = newsRefill
		return false
	}
	if f.Do == newsChoose {
		p.decide(AskStory, f.By)
		p.allowStories(p.Pool)
		return true
	}
	best := g.mostViral(p.Pool)
	if best&(best-1) != 0 {
		p.decide(AskTie, g.edge(p))
		p.allowStories(best)
		return true
	}
	g.activate(p, w, best.First())
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
func (g *game) activate(p *Position, w *flow.Witness, n StoryID) {
	p.Pool.remove(n)
	g.showStory(p, w, "R9.3", 0, n)
	p.News.Stage = newsRefill
}

// drawStory implements R9.5 (Q18): it makes the top of the story deck the drawn
// story. An empty deck is made from the discards; without those nothing is drawn.
// It reports whether it waits for chance; a draw whose result is certain does not.
func (g *game) drawStory(p *Position, w *flow.Witness) bool {
	if p.Drawn != 0 {
		return false
	}
	deck := p.storyDeck()
	if deck == 0 {
		p.StoryDiscard = 0
		deck = p.storyDeck()
		if w != nil && deck != 0 {
			w.All("reshuffle", "R9.5")
		}
	}
	switch deck.Count() {
	case 0:
		return false
	case 1:
		g.turnUpStory(p, w, deck.First())
		return false
	}
	return p.wait(chanceStory)
}

// censor implements D26: stories of the pool are discarded and not replaced (R9.6,
// Q19).
func (g *game) censor(p *Position, w *flow.Witness, f *NewsFrame) bool {
	if f.N == 0 || p.Pool == 0 {
		p.News = NewsFrame{}
		return false
	}
	p.decide(AskCensor, f.By)
	p.allowStories(p.Pool)
	if f.Optional {
		p.allow(ActDone)
	}
	return true
}

// feed implements D25: stories are drawn one at a time; each goes to the pool or
// to the discards. All see it (Q32).
func (g *game) feed(p *Position, w *flow.Witness, f *NewsFrame) bool {
	if f.N == 0 {
		p.News = NewsFrame{}
		return false
	}
	if g.drawStory(p, w) {
		return true
	}
	if p.Drawn == 0 {
		p.News = NewsFrame{}
		return false
	}
	p.decide(AskKeep, f.By)
	p.allow(ActYes)
	p.allow(ActNo)
	return true
}

// swap implements D29: the story of slot 1 may give way to any story of the pool.
func (g *game) swap(p *Position, w *flow.Witness, f *NewsFrame) bool {
	if p.Pool == 0 {
		p.News = NewsFrame{}
		return false
	}
	p.decide(AskSlot, f.By)
	p.allowStories(p.Pool)
	p.allow(ActDone)
	return true
}

// replace implements D37 on active stories: the one chosen is discarded, and the
// top of the deck takes its slot.
func (g *game) replace(p *Position, w *flow.Witness, f *NewsFrame) bool {
	if f.Stage == newsBegin {
		var active StorySet
		for _, n := range p.Slots {
			if n != 0 {
				active.add(n)
			}
		}
		if active == 0 {
			p.News = NewsFrame{}
			return false
		}
		p.decide(AskStory, f.By)
		p.allowStories(active)
		return true
	}
	if g.drawStory(p, w) {
		return true
	}
	if p.Drawn != 0 {
		g.showStory(p, w, "R14.1", f.Slot, p.Drawn)
	}
	p.Drawn, p.News = 0, NewsFrame{}
	return false
}

// refresh discards the pool and draws three stories.
func (g *game) refresh(p *Position, w *flow.Witness, f *NewsFrame) bool {
	if f.Stage == newsBegin {
		for ; p.Pool != 0; p.Pool &= p.Pool - 1 {
			g.discardStory(p, w, "R14.1", p.Pool.First())
		}
		p.Pool, f.N, f.Stage = 0, poolSize, newsRefill
	}
	if f.N == 0 || g.drawStory(p, w) {
		if f.N == 0 {
			p.News = NewsFrame{}
			return false
		}
		return true
	}
	if p.Drawn == 0 {
		p.News = NewsFrame{}
		return false
	}
	g.keepStory(p, w, "R14.1")
	f.N--
	return false
}

// chooseKeep carries out D25.
func (g *game) chooseKeep(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActYes {
		g.keepStory(p, w, "R13.3.3")
	} else {
		g.discardStory(p, w, "R13.3.3", p.Drawn)
	}
	p.Drawn = 0
	p.News.N--
}

// chooseCensor carries out D26.
func (g *game) chooseCensor(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActDone {
		p.News = NewsFrame{}
		return
	}
	g.leavePool(p, w, "R13.3.3", storyOf(a))
	p.News.N--
}

// chooseTie carries out D27.
func (g *game) chooseTie(p *Position, w *flow.Witness, a engine.Action) { g.activate(p, w, storyOf(a)) }

// chooseTrim carries out D28.
func (g *game) chooseTrim(p *Position, w *flow.Witness, a engine.Action) {
	g.leavePool(p, w, "R9.3", storyOf(a))
}

// chooseSlot carries out D29.
func (g *game) chooseSlot(p *Position, w *flow.Witness, a engine.Action) {
	if a != ActDone {
		if old := p.Slots[0]; old != 0 {
			g.discardStory(p, w, "R13.3.3", old)
		}
		p.Pool.remove(storyOf(a))
		g.showStory(p, w, "R13.3.3", 0, storyOf(a))
	}
	p.News = NewsFrame{}
}

// chooseStory carries out D37: a story of the pool comes to slot 1, or an active one goes.
func (g *game) chooseStory(p *Position, w *flow.Witness, a engine.Action) {
	f, n := &p.News, storyOf(a)
	if f.Do == newsChoose {
		g.activate(p, w, n)
		return
	}
	slot := slices.Index(p.Slots[:], n)
	g.leaveSlot(p, w, "R14.1", uint8(slot))
	f.Slot, f.Stage = uint8(slot), newsRefill
}

func storyOf(a engine.Action) StoryID { return StoryID(a-ActStory) + 1 }

// leavePool discards a story of the pool, leaveSlot an active one.
func (g *game) leavePool(p *Position, w *flow.Witness, rule string, n StoryID) {
	p.Pool.remove(n)
	g.discardStory(p, w, rule, n)
}

func (g *game) leaveSlot(p *Position, w *flow.Witness, rule string, slot uint8) {
	n, before := p.Slots[slot], g.power(p)
	p.Slots[slot] = 0
	g.discardStory(p, w, rule, n)
	g.tellPower(p, w, before)
}

// storiesToDraw and storyDrawn are C3.
func (g *game) storiesToDraw(p *Position) CardSet { return CardSet{uint64(p.storyDeck())} }

func (g *game) storyDrawn(p *Position, w *flow.Witness, a engine.Action) {
	g.turnUpStory(p, w, StoryID(a-outStory)+1)
}

// turnUpStory makes a story the drawn one (R19.4).
func (g *game) turnUpStory(p *Position, w *flow.Witness, n StoryID) {
	p.Drawn = n
	tellStory(w, "story_drawn", "R19.4", n)
}

// keepStory brings the drawn story to the pool.
func (g *game) keepStory(p *Position, w *flow.Witness, rule string) {
	p.Pool.add(p.Drawn)
	tellStory(w, "story_pool", rule, p.Drawn)
	p.Drawn = 0
}

// discardStory lays a story on the discards.
func (g *game) discardStory(p *Position, w *flow.Witness, rule string, n StoryID) {
	p.StoryDiscard.add(n)
	tellStory(w, "story_discarded", rule, n)
}

// showStory makes a story active.
func (g *game) showStory(p *Position, w *flow.Witness, rule string, slot uint8, n StoryID) {
	before := g.power(p)
	p.Slots[slot] = n
	if w != nil {
		w.All("story_active", rule, flow.Arg("story", int(n)), flow.Arg("slot", int(slot)+1))
	}
	g.tellPower(p, w, before)
}

func tellStory(w *flow.Witness, kind, rule string, n StoryID) {
	if w != nil {
		w.All(kind, rule, flow.Arg("story", int(n)))
	}
}
