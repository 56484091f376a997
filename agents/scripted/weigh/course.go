package weigh

import (
	"math"
	"slices"
)

// Course is the weights of a seat through a game. Each weight has a value in the middle and
// for each of the course's ways, such as from the first turn to the last, a factor by which it
// has grown at the end of the way, and has yet to grow at its beginning.
type Course[W any] struct {
	middle, now W
	factors     []W
	all         List
	parts       []List // middle, then the factors
	to          List   // now
	at          []float64
	known       bool
}

// NewCourse returns weights that begin as a player's own and stay the same, with the names of
// ways along which they may be made to change.
func NewCourse[W any](player W, ways ...string) *Course[W] {
	c := &Course[W]{middle: player, factors: make([]W, len(ways)), at: make([]float64, len(ways))}
	c.parts, c.to = []List{Of(&c.middle)}, Of(&c.now)
	c.all = List{names: slices.Clone(c.parts[0].names), values: slices.Clone(c.parts[0].values)}
	for i, way := range ways {
		l := Of(&c.factors[i])
		for k := range l.Len() {
			l.Set(k, 1)
			c.all.names = append(c.all.names, way+"."+l.names[k])
		}
		c.all.values, c.all.factors = append(c.all.values, l.values...), c.all.factors+l.Len()
		c.parts = append(c.parts, l)
	}
	return c
}

// Own lists a seat's own weights, which begin as the player's where there are none yet.
func Own[W any](own **Course[W], player W, ways ...string) List {
	if *own == nil {
		*own = NewCourse(player, ways...)
	}
	return (*own).List()
}

// List lists the weights of the middle by their names, and the factors of a way as in
// late.army. Who writes to it after At asks for it again.
func (c *Course[W]) List() List {
	c.known = false
	return c.all
}

// At returns the weights at a place, for each way from -1 at its beginning to 1 at its end. They
// are the course's and stay until the next call.
func (c *Course[W]) At(place ...float64) *W {
	if c.known && slices.Equal(c.at, place) {
		return &c.now
	}
	c.known = true
	copy(c.at, place)
	for i := range c.to.Len() {
		v := c.parts[0].Value(i)
		for k, x := range place {
			v *= math.Pow(c.parts[k+1].Value(i), x)
		}
		c.to.Set(i, v)
	}
	return &c.now
}
