// Package protocol is the wire format between a powderkeg server and its
// clients: frames, messages, limits and error codes. PROTOCOL.md beside this
// file describes it for people who write a client in another language;
// testdata/vectors.json holds examples that every client must read and write.
//
// A frame is a length and a msgpack array. Nothing of a frame is decoded before
// its length has been held against a limit and its structure has been checked,
// so that no length that a peer claims is ever allocated or recursed into.
package protocol

// Version is the protocol version that this package speaks. It moves when a
// message changes such that an older peer would misread it; new methods, new
// optional parameters and new result fields do not move it, they are told by the
// capabilities of the hello.
const Version = 1

// Versions lists all versions that the server side of this package speaks.
var Versions = []int64{Version}
