package insurgency

import "math/bits"

// nodeID numbers the road nodes in the order of data/interstates.json.
type nodeID uint8

// nodeSet is a set of road nodes: bit n for node n.
type nodeSet uint64

func (s nodeSet) has(n nodeID) bool { return s>>n&1 != 0 }

// first returns the lowest node of a set that is not empty.
func (s nodeSet) first() nodeID { return nodeID(bits.TrailingZeros64(uint64(s))) }

// roads is the graph of the interstates (R4.8). Every edge joins two spaces, so
// that each step along it is an entry into the space of the node it leads to.
type roads struct {
	space [numNodes]SpaceID  // where a node lies
	next  [numNodes]nodeSet  // its neighbours
	nodes [numSpaces]nodeSet // the nodes of a space; none in Canada and Mexico
}

// maxEntries bounds the entries that the cheapest road between two spaces can
// need: no node is entered twice.
const maxEntries = numNodes

// layers returns the spaces that a group from a space reaches by road, sorted by
// the fewest entries into the guarded spaces on the way: layers[k] needs k. The
// destination is entered, the start is not (R4.8). It is a breadth-first search
// in which steps to nodes of unguarded spaces are free.
func (r *roads) layers(from SpaceID, guarded SpaceSet) (layers [maxEntries]SpaceSet) {
	walk := r.begin(from, guarded)
	for k := 0; walk.frontier != 0; k++ {
		layers[k] = walk.layer()
	}
	return layers
}

// entries returns the fewest entries into guarded spaces on the way between two
// spaces of the United States.
func (r *roads) entries(from, to SpaceID, guarded SpaceSet) uint8 {
	walk := r.begin(from, guarded)
	for k := uint8(0); walk.frontier != 0; k++ {
		if walk.layer().Has(to) {
			return k
		}
	}
	panic("insurgency: two spaces without a road between them")
}

// walk is a search over the roads, layer by layer.
type walk struct {
	r        *roads
	guarded  nodeSet  // nodes whose entry counts
	visited  nodeSet  // nodes reached so far
	frontier nodeSet  // nodes of the next layer that were reached by an entry that counts
	spaces   SpaceSet // spaces reached so far
}

// begin starts on every road of the space.
func (r *roads) begin(from SpaceID, guarded SpaceSet) walk {
	w := walk{r: r, frontier: r.nodes[from], visited: r.nodes[from]}
	for set := guarded; set != 0; set &= set - 1 {
		w.guarded |= r.nodes[set.First()]
	}
	return w
}

// layer moves one layer on and returns the spaces that are new in it.
func (w *walk) layer() SpaceSet {
	reached, grow := nodeSet(0), w.frontier
	w.frontier = 0
	var spaces SpaceSet
	for grow != 0 {
		n := grow.first()
		grow &= grow - 1
		reached |= 1 << n
		spaces |= 1 << w.r.space[n]
		fresh := w.r.next[n] &^ w.visited
		w.visited |= fresh &^ w.guarded
		grow |= fresh &^ w.guarded
		w.frontier |= fresh & w.guarded
	}
	// A guarded node may be met from several nodes of this layer; it is marked
	// once the layer is complete.
	w.visited |= w.frontier
	spaces &^= w.spaces
	w.spaces |= spaces
	return spaces
}
