// Package flow is the floor under the rules of a game: the table of its questions, the
// one shell of a state over that table, and the telling of what happens.
package flow
