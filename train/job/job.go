// Package job describes work that is a list of independent pieces, such as the games of a
// match, the files of a dataset or the runs of a sweep, so that whoever is there can do them:
// goroutines, processes, other machines (package fleet).
package job

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
)

// Digest names bytes that jobs share, such as weights: their SHA-256.
type Digest [sha256.Size]byte

// DigestOf returns the name of data.
func DigestOf(data []byte) Digest { return sha256.Sum256(data) }

// String returns the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Job is a piece of work. Its result follows from it alone, so that it does not matter who does
// it, or how often.
type Job struct {
	Kind string
	// Seed is that of the work, for people who look for a fault; a kind takes it from here or
	// from the payload.
	Seed uint64
	// Payload says what is to be done, in the form of the kind.
	Payload []byte
	// Blobs are the names of the bytes that it needs.
	Blobs []Digest
}

// ID names the job by what it is: two jobs with the same ID have the same result.
func (j *Job) ID() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", j.Kind)
	var seed [8]byte
	binary.LittleEndian.PutUint64(seed[:], j.Seed)
	h.Write(seed[:])
	h.Write(j.Payload)
	return j.Kind + "-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// String tells people of the job.
func (j *Job) String() string { return fmt.Sprintf("job %s, seed %d", j.ID(), j.Seed) }

// Do does a job and returns its result. fetch returns the bytes of a name, as Hands.Do was given
// them.
type Do func(ctx context.Context, j *Job, fetch func(Digest) ([]byte, error)) ([]byte, error)

// Kinds says how jobs are done, by their kinds.
type Kinds map[string]Do

// Do does a job of one of the kinds. A panic is its error: it ends nobody's other work.
func (k Kinds) Do(ctx context.Context, j *Job, fetch func(Digest) ([]byte, error)) (result []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			result, err = nil, fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	do, known := k[j.Kind]
	if !known {
		return nil, fmt.Errorf("%w: %q; known are: %s", ErrKind, j.Kind, strings.Join(slices.Sorted(maps.Keys(k)), ", "))
	}
	return do(ctx, j, fetch)
}

// ErrKind is wrapped by the error of a job that nobody here can do.
var ErrKind = errors.New("unknown kind of job")

// ErrResult is wrapped by the errors of results that cannot be those of their jobs.
var ErrResult = errors.New("not the result of the job")

// Hands do jobs somewhere else.
type Hands interface {
	// Do has every job done and gives each one's result to take, which may be called by several
	// goroutines at once, but for one job by one. A result that take refuses with an error that
	// wraps ErrResult is asked for again; any other error ends the call. blobs are all that the
	// jobs name. No two of the jobs have the same ID. After an error, such as that of ctx, no
	// more calls of take may come.
	Do(ctx context.Context, jobs []*Job, blobs map[Digest][]byte, take func(n int, result []byte) error) error
}
