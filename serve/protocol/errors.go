package protocol

import "fmt"

// Code is the stable name of a kind of error. Clients decide by it; the message
// beside it is for people.
type Code string

// The codes. After the fatal ones the server closes the connection.
const (
	// CodeHello: the first request was not hello, or hello came again (fatal).
	CodeHello Code = "hello"
	// CodeVersion: the server speaks none of the versions offered (fatal).
	CodeVersion Code = "version"
	// CodeToken: the server demands a token, and it was not given (fatal).
	CodeToken Code = "token"
	// CodeFrame: the bytes are no request: too long, cut short, not msgpack, or
	// not of the shape of a request (fatal).
	CodeFrame Code = "frame"
	// CodeBusy: the server has as many connections as it takes (fatal).
	CodeBusy Code = "busy"
	// CodeIdle: no request came for too long (fatal).
	CodeIdle Code = "idle"
	// CodeShutdown: the server is going down (fatal).
	CodeShutdown Code = "shutdown"
	// CodeMethod: there is no such method.
	CodeMethod Code = "method"
	// CodeParams: a parameter is unknown, missing, of the wrong type or out of range.
	CodeParams Code = "params"
	// CodeHandle: the handle names nothing of that kind on this connection.
	CodeHandle Code = "handle"
	// CodeGame: the game string is wrong.
	CodeGame Code = "game"
	// CodeAgent: the agent string is wrong, or the agent cannot do what is asked.
	CodeAgent Code = "agent"
	// CodePosition: the position is not one of the game.
	CodePosition Code = "position"
	// CodeIllegal: the action is unknown or not legal now; nothing has changed.
	CodeIllegal Code = "illegal"
	// CodeOver: the episode has ended; reset first.
	CodeOver Code = "over"
	// CodeForbidden: the server's configuration does not allow it.
	CodeForbidden Code = "forbidden"
	// CodeLimit: a limit of the server would be passed.
	CodeLimit Code = "limit"
	// CodeTimeout: an agent thought for longer than a request may take.
	CodeTimeout Code = "timeout"
	// CodeOverloaded: more acts wait for a network than its queue holds; try again.
	CodeOverloaded Code = "overloaded"
	// CodeInternal: a fault of the server.
	CodeInternal Code = "internal"
)

// Codes lists every code.
var Codes = []Code{CodeHello, CodeVersion, CodeToken, CodeFrame, CodeBusy, CodeIdle, CodeShutdown, CodeMethod, CodeParams,
	CodeHandle, CodeGame, CodeAgent, CodePosition, CodeIllegal, CodeOver, CodeForbidden, CodeLimit, CodeTimeout, CodeOverloaded, CodeInternal}

// Fatal reports whether the server closes the connection after an error of this
// code.
func (c Code) Fatal() bool {
	switch c {
	case CodeHello, CodeVersion, CodeToken, CodeFrame, CodeBusy, CodeIdle, CodeShutdown:
		return true
	}
	return false
}

// Error is an error as it crosses the wire.
type Error struct {
	Code Code `msgpack:"code"`
	// Message is one line that says what was wrong and what would be right.
	Message string `msgpack:"message"`
}

// Error implements error.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Errorf returns an error with a formatted message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
