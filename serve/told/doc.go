// Package told puts what a seat is told into forms that programs and language models
// read: the question that it is asked with the rule behind it, its legal actions taken
// apart, and the trace of a game as its seats lived it.
//
// Everything here is made from views and from the events that a seat gets to know, so that
// it tells no more than its seat knows. The protocol, the page, the tools for language
// models and the traces all read it.
package told
