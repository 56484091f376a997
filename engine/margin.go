package engine

// Marginal is a state of a game in which it can be told by how much a seat is ahead, such
// as in points: more than who has won, and for learning alone.
type Marginal interface {
	State
	// Margins appends a number per seat from -1 to 1: above 0 for a seat that is ahead of
	// all others, below 0 for one that is behind another, further from 0 the further it
	// is. At Terminal it agrees with Returns: a seat with less than another has less here
	// too. It says what is so now, and expects nothing of what is to come.
	Margins(dst []float32) []float32
}
