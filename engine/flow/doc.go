// Package flow is the floor under the rules of a game: the table of its questions, the
// one shell of a state over that table, the trail of answers by which a moment in the middle
// of a procedure is written and loaded, and the telling of what happens.
package flow
