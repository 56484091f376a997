package bloc

import codec "powderkeg/engine/position"

// pendingKeys are the keys of pending in their order.
var pendingKeys = []string{
	"verb", "program", "counter", "who", "cell", "from", "count", "left", "keep", "last", "enough", "occupation", "basic", "bonus", "roll",
	"order", "scan", "decider", "liberating", "chooser", "lost", "partner", "give", "want",
}

// sharedKey is a key of pending that stands for a field of the procedure at hand.
type sharedKey struct {
	name string
	none uint8 // its value where it means nothing, and no other can be given
	most int
	of   func(p *Position) *uint8 // the field, nil where it means nothing
}

var (
	fromKey  = sharedKey{"from", uint8(NoCell), Cells - 1, (*Position).keyFrom}
	countKey = sharedKey{"count", 0, small, (*Position).keyCount}
	leftKey  = sharedKey{"left", 0, small, (*Position).keyLeft}
	keepKey  = sharedKey{"keep", 0, small, (*Position).keyKeep}
	lastKey  = sharedKey{"last", 0, small, (*Position).keyLast}
	orderKey = sharedKey{"order", 0, small, (*Position).keyOrder}
	scanKey  = sharedKey{"scan", 0, small, (*Position).keyScan}
)

var sharedKeys = []*sharedKey{&fromKey, &countKey, &leftKey, &keepKey, &lastKey, &orderKey, &scanKey}

// small is the most that a small number of a position can be.
const small = 30

// value returns what the key stands for.
func (k *sharedKey) value(p *Position) uint8 {
	if field := k.of(p); field != nil {
		return *field
	}
	return k.none
}

// write is the form of the key.
func (k *sharedKey) write(p *Position, _ int) any {
	if n := k.value(p); n != uint8(NoCell) {
		return int(n)
	}
	return nil
}

// read reads the key, once the step is known.
func (k *sharedKey) read(r *codec.Reader, p *Position, v any) {
	n := uint8(r.Number("", v, 0, k.most))
	switch field := k.of(p); {
	case field != nil:
		*field = n
	case n != k.none:
		r.Fail("pending: %s is %d, which has no meaning in step %s", k.name, n, stages[p.Step].name)
	}
}

func (p *Position) keyFrom() *uint8 {
	switch p.Step {
	case moveSource, moveCount, moveDestination:
		return (*uint8)(&p.Now.From)
	case occupyCell, chooseOccupation:
		return (*uint8)(&p.Now.Site)
	}
	return nil
}

func (p *Position) keyCount() *uint8 {
	switch p.Step {
	case moveSource, moveCount, moveDestination:
		return &p.Now.Blocs
	case kickArm:
		return &p.Now.Kicks
	}
	return nil
}

func (p *Position) keyLeft() *uint8 {
	switch p.Step {
	case rollDice, rollExtra:
		return &p.Now.Rolls
	case drawOps:
		return &p.Now.Ops
	case barricadeArm, manifestArm:
		return &p.Now.Barricades
	case drawLoot, discardDrawn:
		return &p.Now.Cards
	case nameVictims:
		return &p.Now.Victims
	case marchOrNot, occupyCell, mutiny:
		return &p.Now.Times
	case moveSource, moveCount, moveDestination, chooseOccupation:
		if p.manifesting() {
			return &p.Now.Times
		}
	}
	return nil
}

func (p *Position) keyKeep() *uint8 {
	switch p.Step {
	case drawLoot, discardDrawn:
		return &p.Now.Keep
	case rescue, rescueTo:
		return (*uint8)(&p.Now.LostTo)
	}
	return nil
}

func (p *Position) keyLast() *uint8 {
	switch p.Step {
	case barricadeArm, manifestArm:
		return (*uint8)(&p.Now.LeastArm)
	case attackBoost:
		return &p.Now.Rank
	case askMasks:
		return &p.Now.Doors
	case nameVictims:
		return (*uint8)(&p.Now.Victim)
	case mutiny, occupyCell, chooseOccupation:
		return (*uint8)(&p.Now.Least)
	}
	return nil
}

func (p *Position) keyOrder() *uint8 {
	switch {
	case p.Step == dealLoot || p.Step == chooseStart:
		return &p.Now.Seat
	case p.manifesting():
		return &p.Now.Next
	case p.Step >= scanVans && p.Step < liberate:
		return &p.Now.Order
	}
	return nil
}

func (p *Position) keyScan() *uint8 {
	switch {
	case p.Step == layTile || p.Step == turnTile:
		return &p.Now.Laid
	case p.Step >= scanVans && p.Step <= liberate:
		return &p.Now.Scan
	}
	return nil
}
