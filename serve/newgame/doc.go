// Package newgame writes the files of a new game into a checkout of this module, and
// enters the game into the lists where games are registered. What it writes compiles and
// can be played at once: a stand-in of a few rules, marked where the author's own are to be
// filled in, whose tests fail at the marks in the order of .github/CONTRIBUTING.md.
package newgame
