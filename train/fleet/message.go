package fleet

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/vmihailenco/msgpack/v5"

	"powderkeg/checkpoints"
)

// Format is the version of the messages. Programs of different ones do not work together.
const Format = 4

const (
	// chunkSize is the most bytes of a message: brokers are fastest with 16 to 128 KiB.
	chunkSize = 128 << 10
	// maxMessage bounds what a compressed message may unfold to.
	maxMessage = 1 << 30

	// maxHeld bounds the bytes of parts that wait at the broker, and those of unfinished
	// parts at the learner.
	maxHeld = 256 << 20
	// maxReport bounds the bytes of what a worker says of itself, maxReports those of all.
	maxReport, maxReports = 4 << 10, 16 << 20
	// maxDeliveries is how often a task is handed out before it is quarantined.
	maxDeliveries = 5
	// maxRefused is how many parts of a worker are refused before it is banned.
	maxRefused = 3
)

// heartbeat is how often everybody says that they are there; who has been silent for patience
// is gone. A worker says every pulse that it is still at a task, which is handed to another
// when it has not for overdue: longer than a heartbeat, for which the broker may give tasks to
// a worker that has gone, and short enough for a loss to be felt for less than five seconds.
// Tests have less of all.
var (
	heartbeat = 3 * time.Second
	patience  = 10 * time.Second
	pulse     = time.Second
	overdue   = 4 * time.Second
)

// Headers of a message.
const (
	headerTask     = "Powderkeg-Task"     // update.from, such as 12.64, or a job's ID
	headerKind     = "Powderkeg-Kind"     // rollout, or job
	headerCopy     = "Powderkeg-Copy"     // tells the parts of one task apart
	headerDelivery = "Powderkeg-Delivery" // how often the task had been handed out, from 1
	headerChunk    = "Powderkeg-Chunk"    // number of the message, from 0, and of all: 2/5
)

// What is handed out: a train.Task, answered by a train.Part, or a job.Job, by bytes.
const (
	kindRollout = "rollout"
	kindJob     = "job"
)

// names are those of what a run has on the broker.
type names struct{ run string }

func (n names) tasks() string       { return "PK_" + n.run + "_TASKS" }
func (n names) parts() string       { return "PK_" + n.run + "_PARTS" }
func (n names) bucket() string      { return "PK_" + n.run }
func (n names) workers() string     { return "PK_" + n.run + "_WORKERS" }
func (n names) weights() string     { return "PK_" + n.run + "_WEIGHTS" }
func (n names) taskSubject() string { return "powderkeg." + n.run + ".task" }

// partSubject is where a worker sends parts: its name is the end of the subject, which the
// broker's permissions bind to its credential.
func (n names) partSubject(worker string) string { return "powderkeg." + n.run + ".part." + worker }

// reportSubject is where a process of a worker says that it is there. It is no key of the run's
// bucket, of which workers may write none.
func (n names) reportSubject(worker, process string) string {
	return n.reportPrefix() + worker + "." + process
}

func (n names) reportPrefix() string { return "powderkeg." + n.run + ".worker." }

func (n names) weightSubject(digest, chunk string) string {
	return "powderkeg." + n.run + ".weights." + digest + "." + chunk
}

// Keys of the run's bucket.
const (
	runKey     = "run"
	learnerKey = "learner"
	bannedKey  = "banned." // and the worker
)

// The queues: of tasks, which workers read, and of parts, which the learner reads. A broker's
// permissions go by them.
const (
	workersQueue = "workers"
	learnerQueue = "learner"
)

// RunName makes a name for the broker of the name of a run's directory: letters, digits, - and _.
func RunName(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, text)
}

// Announcement is what workers are told of a run.
type Announcement struct {
	Format   int                  `json:"format"`
	Identity checkpoints.Identity `json:"identity"`
	// Config is the YAML of a training run, empty where there are jobs alone.
	Config string `json:"config,omitempty"`
	Commit string `json:"commit"` // of the learner's program, empty if unknown
}

// ErrVersion is wrapped by the error of a worker whose program plays other rules, or speaks
// another format, than the run.
var ErrVersion = errors.New("another version")

var (
	encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)) // options that are always right
	decoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxMessage), zstd.WithDecodeAllCapLimit(true))
)

// pack encodes a message.
func pack(v any) ([]byte, error) {
	data, err := msgpack.Marshal(v)
	if err != nil {
		return nil, err
	}
	return encoder.EncodeAll(data, nil), nil
}

// unpack decodes a message of pack, which may come from anybody, within bounds.
func unpack(data []byte, v any, b bounds) error {
	plain, err := unfold(data)
	if err != nil {
		return fmt.Errorf("%w: %w", errMessage, err)
	}
	return decode(plain, v, b)
}

// A message may unfold to foldedMost times its size, or to foldedLeast bytes, whichever is more.
// One of at most unsized bytes need not say what it unfolds to; the encoder leaves it out below 256.
const foldedMost, foldedLeast, unsized = 256, 16 << 20, 1 << 10

// unfold decompresses a message. How large it becomes is known, and bounded, before memory is
// taken for it.
func unfold(data []byte) ([]byte, error) {
	var h zstd.Header
	if err := h.Decode(data); err != nil {
		return nil, err
	}
	size, most := uint64(unsized), uint64(min(max(foldedMost*len(data), foldedLeast), maxMessage))
	if h.HasFCS {
		size = h.FrameContentSize
	}
	if size > most {
		return nil, fmt.Errorf("a message of %d bytes may unfold to %d, and not to %d", len(data), most, size)
	}
	return decoder.DecodeAll(data, make([]byte, 0, size))
}

var errMessage = errors.New("not a message of this format")
