package insurgency

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// power implements R9.2 (Q17): Rebellion Power, clamped only at the end.
func (g *game) power(p *position) uint8 {
	sum := int(p.hacked[federal]) - int(p.hacked[rebel])
	for _, n := range p.slots {
		sum += int(g.box.stories[n].factor)
	}
	if p.has(Leader) {
		sum += 2
	}
	return uint8(min(max(sum, 0), maxPower))
}

// rpf implements R9.4.
func (g *game) rpf(p *position) uint8 { return g.box.rpf[g.power(p)] }

// storyDeck returns the stories that are nowhere else (R9.5).
func (p *position) storyDeck() storySet {
	deck := storySet(1<<numStories-1) &^ p.pool &^ p.storyDiscard
	for _, n := range p.slots {
		if n != 0 {
			deck.remove(n)
		}
	}
	if p.drawn != 0 {
		deck.remove(p.drawn)
	}
	return deck
}

// Stages of newsFrame: a cycle goes through them in order.
const (
	newsBegin  uint8 = iota
	newsPick         // a story goes to slot 1
	newsRefill       // the pool gets its three stories
)

// poolSize is the number of stories that a cycle leaves in the pool (R9.1).
const poolSize = 3

// startNews begins a change to the stories.
func (p *position) startNews(do newsDo, by, n uint8, optional bool) {
	p.news = newsFrame{do: do, by: by, n: n, optional: optional}
}

// changeNews carries the change to the stories one step further.
func (g *game) changeNews(p *position, w *flow.Witness) bool {
	f := &p.news
	switch f.do {
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
func (g *game) cycle(p *position, w *flow.Witness, f *newsFrame) bool {
	switch f.stage {
	case newsBegin:
		if w != nil {
			w.All("news_cycle", "R9.3")
		}
		if p.slots[2] != 0 {
			g.leaveSlot(p, w, "R9.3", 2)
		}
		p.slots = [numSlots]uint8{0, p.slots[0], p.slots[1]}
		f.stage = newsPick
		return false
	case newsPick:
		return g.fillSlot(p, w, f)
	}
	switch n := p.pool.count(); {
	case n < poolSize:
		if g.drawStory(p, w) {
			return true
		}
		if p.drawn != 0 {
			g.keepStory(p, w, "R9.3")
			return false
		}
	case n > poolSize:
		p.decide(AskTrim, g.edge(p))
		p.allowStories(p.pool)
		return true
	}
	p.news = newsFrame{}
	return false
}

// fillSlot implements R9.3 (c): the story with the highest Virality, whose ties the
// holder of the Edge breaks (D27), or any story of the pool (D37, card text); with
// an empty pool the top of the deck.
func (g *game) fillSlot(p *position, w *flow.Witness, f *newsFrame) bool {
	if p.pool == 0 {
		if g.drawStory(p, w) {
			return true
		}
		if p.drawn != 0 {
			g.showStory(p, w, "R9.3", 0, p.drawn)
		}
		p.drawn = 0
		f.stage = newsRefill
		return false
	}
	if f.do == newsChoose {
		p.decide(AskStory, f.by)
		p.allowStories(p.pool)
		return true
	}
	best := g.mostViral(p.pool)
	if best&(best-1) != 0 {
		p.decide(AskTie, g.edge(p))
		p.allowStories(best)
		return true
	}
	g.activate(p, w, best.first())
	return false
}

// mostViral returns the stories of highest Virality.
func (g *game) mostViral(pool storySet) storySet {
	var best storySet
	top := uint8(0)
	for set := pool; set != 0; set &= set - 1 {
		n := set.first()
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
func (g *game) activate(p *position, w *flow.Witness, n uint8) {
	p.pool.remove(n)
	g.showStory(p, w, "R9.3", 0, n)
	p.news.stage = newsRefill
}

// drawStory implements R9.5 (Q18): it makes the top of the story deck the drawn
// story. An empty deck is made from the discards; without those nothing is drawn.
// It reports whether it waits for chance; a draw whose result is certain does not.
func (g *game) drawStory(p *position, w *flow.Witness) bool {
	if p.drawn != 0 {
		return false
	}
	deck := p.storyDeck()
	if deck == 0 {
		p.storyDiscard = 0
		deck = p.storyDeck()
		if w != nil && deck != 0 {
			w.All("reshuffle", "R9.5")
		}
	}
	switch deck.count() {
	case 0:
		return false
	case 1:
		g.turnUpStory(p, w, deck.first())
		return false
	}
	return p.wait(chanceStory)
}

// censor implements D26: stories of the pool are discarded and not replaced (R9.6,
// Q19).
func (g *game) censor(p *position, w *flow.Witness, f *newsFrame) bool {
	if f.n == 0 || p.pool == 0 {
		p.news = newsFrame{}
		return false
	}
	p.decide(AskCensor, f.by)
	p.allowStories(p.pool)
	if f.optional {
		p.allow(actDone)
	}
	return true
}

// feed implements D25: stories are drawn one at a time; each goes to the pool or
// to the discards. All see it (Q32).
func (g *game) feed(p *position, w *flow.Witness, f *newsFrame) bool {
	if f.n == 0 {
		p.news = newsFrame{}
		return false
	}
	if g.drawStory(p, w) {
		return true
	}
	if p.drawn == 0 {
		p.news = newsFrame{}
		return false
	}
	p.decide(AskKeep, f.by)
	p.allow(actYes)
	p.allow(actNo)
	return true
}

// swap implements D29: the story of slot 1 may give way to any story of the pool.
func (g *game) swap(p *position, w *flow.Witness, f *newsFrame) bool {
	if p.pool == 0 {
		p.news = newsFrame{}
		return false
	}
	p.decide(AskSlot, f.by)
	p.allowStories(p.pool)
	p.allow(actDone)
	return true
}

// replace implements D37 on active stories: the one chosen is discarded, and the
// top of the deck takes its slot.
func (g *game) replace(p *position, w *flow.Witness, f *newsFrame) bool {
	if f.stage == newsBegin {
		var active storySet
		for _, n := range p.slots {
			if n != 0 {
				active.add(n)
			}
		}
		if active == 0 {
			p.news = newsFrame{}
			return false
		}
		p.decide(AskStory, f.by)
		p.allowStories(active)
		return true
	}
	if g.drawStory(p, w) {
		return true
	}
	if p.drawn != 0 {
		g.showStory(p, w, "R14.1", f.n, p.drawn)
	}
	p.drawn, p.news = 0, newsFrame{}
	return false
}

// refresh discards the pool and draws three stories.
func (g *game) refresh(p *position, w *flow.Witness, f *newsFrame) bool {
	if f.stage == newsBegin {
		for ; p.pool != 0; p.pool &= p.pool - 1 {
			g.discardStory(p, w, "R14.1", p.pool.first())
		}
		p.pool, f.n, f.stage = 0, poolSize, newsRefill
	}
	if f.n == 0 || g.drawStory(p, w) {
		if f.n == 0 {
			p.news = newsFrame{}
			return false
		}
		return true
	}
	if p.drawn == 0 {
		p.news = newsFrame{}
		return false
	}
	g.keepStory(p, w, "R14.1")
	f.n--
	return false
}

// chooseKeep carries out D25.
func (g *game) chooseKeep(p *position, w *flow.Witness, a engine.Action) {
	if a == actYes {
		g.keepStory(p, w, "R13.3.3")
	} else {
		g.discardStory(p, w, "R13.3.3", p.drawn)
	}
	p.drawn = 0
	p.news.n--
}

// chooseCensor carries out D26.
func (g *game) chooseCensor(p *position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		p.news = newsFrame{}
		return
	}
	g.leavePool(p, w, "R13.3.3", storyOf(a))
	p.news.n--
}

// chooseTie carries out D27.
func (g *game) chooseTie(p *position, w *flow.Witness, a engine.Action) { g.activate(p, w, storyOf(a)) }

// chooseTrim carries out D28.
func (g *game) chooseTrim(p *position, w *flow.Witness, a engine.Action) {
	g.leavePool(p, w, "R9.3", storyOf(a))
}

// chooseSlot carries out D29.
func (g *game) chooseSlot(p *position, w *flow.Witness, a engine.Action) {
	if a != actDone {
		if old := p.slots[0]; old != 0 {
			g.discardStory(p, w, "R13.3.3", old)
		}
		p.pool.remove(storyOf(a))
		g.showStory(p, w, "R13.3.3", 0, storyOf(a))
	}
	p.news = newsFrame{}
}

// chooseStory carries out D37: a story of the pool comes to slot 1, or an active one goes.
func (g *game) chooseStory(p *position, w *flow.Witness, a engine.Action) {
	f, n := &p.news, storyOf(a)
	if f.do == newsChoose {
		g.activate(p, w, n)
		return
	}
	slot := slices.Index(p.slots[:], n)
	g.leaveSlot(p, w, "R14.1", uint8(slot))
	f.n, f.stage = uint8(slot), newsRefill
}

func storyOf(a engine.Action) uint8 { return uint8(a-actStory) + 1 }

// leavePool discards a story of the pool, leaveSlot an active one.
func (g *game) leavePool(p *position, w *flow.Witness, rule string, n uint8) {
	p.pool.remove(n)
	g.discardStory(p, w, rule, n)
}

func (g *game) leaveSlot(p *position, w *flow.Witness, rule string, slot uint8) {
	n, before := p.slots[slot], g.power(p)
	p.slots[slot] = 0
	g.discardStory(p, w, rule, n)
	g.tellPower(p, w, before)
}

// storiesToDraw and storyDrawn are C3.
func (g *game) storiesToDraw(p *position) cardSet { return cardSet{uint64(p.storyDeck())} }

func (g *game) storyDrawn(p *position, w *flow.Witness, a engine.Action) {
	g.turnUpStory(p, w, uint8(a-outStory)+1)
}

// turnUpStory makes a story the drawn one (R19.4).
func (g *game) turnUpStory(p *position, w *flow.Witness, n uint8) {
	p.drawn = n
	tellStory(w, "story_drawn", "R19.4", n)
}

// keepStory brings the drawn story to the pool.
func (g *game) keepStory(p *position, w *flow.Witness, rule string) {
	p.pool.add(p.drawn)
	tellStory(w, "story_pool", rule, p.drawn)
	p.drawn = 0
}

// discardStory lays a story on the discards.
func (g *game) discardStory(p *position, w *flow.Witness, rule string, n uint8) {
	p.storyDiscard.add(n)
	tellStory(w, "story_discarded", rule, n)
}

// showStory makes a story active.
func (g *game) showStory(p *position, w *flow.Witness, rule string, slot, n uint8) {
	before := g.power(p)
	p.slots[slot] = n
	if w != nil {
		w.All("story_active", rule, flow.Arg("story", int(n)), flow.Arg("slot", int(slot)+1))
	}
	g.tellPower(p, w, before)
}

func tellStory(w *flow.Witness, kind, rule string, n uint8) {
	if w != nil {
		w.All(kind, rule, flow.Arg("story", int(n)))
	}
}
