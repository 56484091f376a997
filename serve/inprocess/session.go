package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"powderkeg/serve/lineup"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// What functions return beside numbers from 0 on. README.md says when.
const (
	statusFault   = -1
	statusUnknown = -2
	statusLater   = -3
)

// interfaceVersion counts changes by which callers of the functions break.
const interfaceVersion = 1

// engines is the server of the process, made at the first session.
var engines = sync.OnceValues(func() (*server.Server, error) {
	config := server.Default()
	// Those of a server that a program starts for itself alone (serve/python/powderkeg/server.py):
	// whoever calls the library can read the files of the machine and fill its memory anyway.
	config.Agents = []string{"random", "scripted", "mcts", "md", "network", "zoo", "level", "checkpoint"}
	config.AgentsPerConnection, config.Environments, config.AllEnvironments, config.MemoryBytes = 16384, 1<<20, 1<<20, 1<<40
	config.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	lineup.Configure(&config, lineup.Sims, func(line string) {
		config.Logger.Warn("an agent was trained on another edition", "agent", line)
	})
	s, err := server.New(config)
	if err == nil {
		go s.Watch(context.Background()) // ends with the process
	}
	return s, err
})

// session is a session with what its caller has not taken yet. One call at a time is about a
// handle, or a request (handle 0).
type session struct {
	*server.Session
	patience time.Duration // after which calls that think return statusLater; 0: never
	faults   sync.Map      // handle to error, of the call before
	waits    atomic.Int32  // calls under way that their caller has left
	calls    sync.Map      // handle to chan int64, of these
	answer   []byte        // of the request before, until its caller has it
}

// sessions are those that are open, by number.
var (
	sessions    sync.Map // uint64 to *session
	lastSession atomic.Uint64
	errUnderWay = protocol.Errorf(protocol.CodeParams, "the call before is under way; wait for it first")
)

// openSession opens a session and returns its number, 0 where that cannot be.
func openSession(patience time.Duration) uint64 {
	s, err := engines()
	if err != nil {
		fmt.Fprintln(os.Stderr, "powderkeg:", err)
		return 0
	}
	number := lastSession.Add(1)
	sessions.Store(number, &session{Session: s.Open(), patience: patience})
	return number
}

// sessionOf returns a session that is open, or nil.
func sessionOf(number uint64) *session {
	if s, ok := sessions.Load(number); ok {
		return s.(*session)
	}
	return nil
}

// closeSession gives a session up.
func closeSession(number uint64) {
	if s, ok := sessions.LoadAndDelete(number); ok {
		s.(*session).Close()
	}
}

// outcome is what a fast call returns, given its error.
func (s *session) outcome(handle uint64, err error) int64 {
	switch err {
	case nil:
		return 0
	case server.ErrUnbound, server.ErrClosed:
		return statusUnknown
	}
	s.faults.Store(handle, err)
	return statusFault
}

// busy reports whether the call before about a handle is under way, and leaves that as a fault.
func (s *session) busy(handle uint64) bool {
	if s.waits.Load() == 0 {
		return false
	}
	if _, under := s.calls.Load(handle); !under {
		return false
	}
	s.faults.Store(handle, errUnderWay)
	return true
}

// later makes a call in a goroutine of its own and waits for it as long as the session has
// patience.
func (s *session) later(handle uint64, call func() int64) int64 {
	done := make(chan int64, 1)
	s.calls.Store(handle, done)
	s.waits.Add(1)
	go func() { done <- call() }()
	return s.await(handle, done)
}

// await waits for a call.
func (s *session) await(handle uint64, done <-chan int64) int64 {
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case result := <-done:
		s.calls.Delete(handle)
		s.waits.Add(-1)
		return result
	case <-timer.C:
		return statusLater
	}
}

// wait goes on waiting for the call under way about a handle.
func (s *session) wait(handle uint64) int64 {
	done, ok := s.calls.Load(handle)
	if !ok {
		s.faults.Store(handle, protocol.Errorf(protocol.CodeParams, "no call is under way"))
		return statusFault
	}
	return s.await(handle, done.(chan int64))
}

// fault returns the error of the call before about a handle and forgets it.
func (s *session) fault(handle uint64) string {
	if err, ok := s.faults.LoadAndDelete(handle); ok {
		return err.(error).Error()
	}
	return ""
}

// slow reports whether a fast call about a handle is one to wait for in turns.
func (s *session) slow(handle uint64) bool { return s.patience > 0 && s.Long(handle) }

// quick are the methods that no agent thinks in.
var quick = []string{
	protocol.MethodHello, protocol.MethodGames, protocol.MethodSpec, protocol.MethodEnvObserve, protocol.MethodEnvText, protocol.MethodEnvDrawing,
	protocol.MethodEnvView, protocol.MethodEnvLegal, protocol.MethodEnvPosition, protocol.MethodEnvClone, protocol.MethodEnvSnapshot,
	protocol.MethodEnvRestore, protocol.MethodEnvClose, protocol.MethodVecSend, protocol.MethodVecClone, protocol.MethodVecFork,
	protocol.MethodVecSnapshot, protocol.MethodVecRestore, protocol.MethodVecClose, protocol.MethodAgentClose,
}

// call carries out a request, whose response is s.answer when it returns 0.
func (s *session) call(request []byte) int64 {
	if s.busy(0) {
		return statusFault
	}
	respond := func() int64 {
		var err error
		s.answer, err = s.Call(request)
		return s.outcome(0, err)
	}
	if s.patience == 0 {
		return respond()
	}
	if r, err := protocol.ParseRequest(request); err != nil || slices.Contains(quick, string(r.Method)) {
		return respond()
	}
	request = slices.Clone(request) // which is the caller's
	return s.later(0, respond)
}
