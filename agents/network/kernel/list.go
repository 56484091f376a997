package kernel

// Entry is a number of a list and the place of the row that it multiplies, for Gather.
func Entry(x float32, at int) uint64 { return entry(x, at) }

// Parts returns the number and the place of an Entry.
func Parts(e uint64) (x float32, at int) { return value(e) }

// Gather adds to c the rows of b that a list of Entries names, each as long as c and times its
// number, in the order of the list. The length of c must be a multiple of GatherUnit.
func Gather(c []float32, list []uint64, b []float32) {
	if len(c)%GatherUnit != 0 {
		panic("kernel: gather: a length that is no multiple of 16")
	}
	(*sparse)(nil).gather(c, list, b)
}

// GatherUnit is what lengths must be multiples of for Gather.
const GatherUnit = gatherLeast
