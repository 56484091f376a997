package search

// index finds the nodes of a tree by what identifies them: a table of open addressing, which
// is about three times as fast as a map. Its places hold node+1, 0 for none; at least half of
// them are free.
type index struct {
	places []int32 // a power of two
}

// leastPlaces is the size of an index without nodes.
const leastPlaces = 1 << 10

// reset empties the index. A large one keeps its memory, and becomes small all the same: a
// short search would spend more on clearing it than on its tree.
func (x *index) reset() {
	if x.places == nil {
		x.places = make([]int32, leastPlaces)
	}
	x.places = x.places[:leastPlaces]
	clear(x.places)
}

// place returns where the search for an observation begins.
func (x *index) place(o *observation) int {
	h := (o.view ^ uint64(uint32(o.parent))<<8 ^ uint64(uint8(o.actor))) * 0x9e3779b97f4a7c15
	return int((h ^ h>>32) & uint64(len(x.places)-1))
}

// find returns the node of an observation, and none and its place if there is no such node.
func (x *index) find(o observation, nodes []node) (n int32, place int) {
	for at := x.place(&o); ; at = (at + 1) & (len(x.places) - 1) {
		n := x.places[at] - 1
		if n == none || nodes[n].observation == o {
			return n, at
		}
	}
}

// put adds the last of the nodes at its place. The root is in no index: nothing leads to it.
func (x *index) put(place int, nodes []node) {
	x.places[place] = int32(len(nodes))
	if 2*len(nodes) <= len(x.places) {
		return
	}
	x.places = resize(x.places, 2*len(x.places))
	clear(x.places)
	for n := range nodes[1:] {
		_, at := x.find(nodes[n+1].observation, nodes)
		x.places[at] = int32(n + 2)
	}
}
