package engine

// Marginal is a state of a game in which it can be told how well a seat does, such as by
// points: more than who has won, and for learning alone.
type Marginal interface {
	State
	// Margins appends a number per seat from -1 to 1, the higher the better: where seats
	// compete, above 0 for a seat that is ahead of all others and below 0 for one that is
	// behind another; where they win or lose together, 1 where they have won. At Terminal it
	// agrees with Returns: a seat with less than another has less here too, and who has won
	// is not below 0. It says what is so now, and expects nothing of what is to come.
	Margins(dst []float32) []float32
}
