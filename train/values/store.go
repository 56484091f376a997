package values

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"powderkeg/checkpoints"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/file"
	"powderkeg/env/memory"
	"powderkeg/train/luck"
)

// Format is the version of the files of a store.
const Format = 1

// Bounds of what is kept and read.
const (
	MostGames    = 1 << 24
	MostMoments  = 1 << 10
	mostPlies    = 1 << 30
	mostSegment  = 1 << 30 // bytes
	mostOutcomes = luck.MostOutcomes
)

// Names of files of a store.
const (
	HeadName     = "games.json"
	segmentsName = "games"
)

// Head says what games a store has. Two stores are of the same games exactly if their heads are
// equal, but for how many.
type Head struct {
	Format int `json:"format"`
	checkpoints.Identity
	Agent        string `json:"agent"`
	Others       string `json:"others"`
	AgentDigest  string `json:"agent_digest,omitempty"`
	OthersDigest string `json:"others_digest,omitempty"`
	Seed         uint64 `json:"seed"`
	Moments      int    `json:"moments"`
	Sight        Sight  `json:"sight"`
	SegmentGames int    `json:"segment_games"`
	MostOutcomes int    `json:"most_outcomes"`
	Inputs       int    `json:"-"`
	Seats        int    `json:"-"`
	// Unit is the largest return that the game can pay, in which those of a Store are.
	Unit float32 `json:"-"`
}

func (c Collection) head() (Head, error) {
	e, err := newEyes(c.Game, c.Sight)
	if err != nil {
		return Head{}, err
	}
	if c.Games < 1 || c.Games > MostGames || c.Moments < 1 || c.Moments > MostMoments {
		return Head{}, fmt.Errorf("values: %d games of %d moments, want from 1 to %d of 1 to %d", c.Games, c.Moments, MostGames, MostMoments)
	}
	return Head{
		Format: Format, Identity: checkpoints.IdentityOf(c.Game, e.encoder.Layout()), Agent: c.Names[0], Others: c.Names[1],
		AgentDigest: c.Prints[0], OthersDigest: c.Prints[1], Seed: c.Seed, Moments: c.Moments, Sight: c.Sight,
		SegmentGames: SegmentGames, MostOutcomes: mostOutcomes,
	}, nil
}

func (h Head) encode() []byte {
	data, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		panic(err) // plain strings and numbers
	}
	return append(data, '\n')
}

func segmentPath(dir string, n int) string {
	return filepath.Join(dir, segmentsName, fmt.Sprintf("%06d", n))
}

// prepare makes the folder of a store, or checks that it is one of the same games, and returns
// the segments that it lacks.
func prepare(dir string, h Head, segments int) ([]int, error) {
	if err := durable.Claim(dir, "store of games", HeadName); err != nil {
		return nil, err
	}
	if err := file.MakeFolder(filepath.Join(dir, segmentsName)); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, HeadName)
	switch found, err := file.Read(path, file.Text); {
	case errors.Is(err, fs.ErrNotExist):
		if err := durable.WriteFile(path, h.encode()); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	case !bytes.Equal(found, h.encode()):
		return nil, fmt.Errorf("%w: %s is of other games; name the same agents, seed and moments, or another folder", option.ErrUsage, path)
	}
	var missing []int
	for n := range segments {
		if _, err := os.Stat(segmentPath(dir, n)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, n)
		} else if err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// Stored returns how many games the store in dir has, 0 where there is none.
func Stored(dir string) (games int) {
	entries, err := os.ReadDir(filepath.Join(dir, segmentsName))
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") { // which one is when a kill has left it half written
			games += SegmentGames
		}
	}
	return games
}

// sum is the digest of a segment: of the head of its store, its number, and what it has.
func sum(h Head, n int, data []byte) []byte {
	d := sha256.New()
	d.Write(h.encode())
	fmt.Fprintf(d, "%d\n", n)
	d.Write(data)
	return d.Sum(nil)
}

// writeSegment writes segment n, with its digest in front.
func writeSegment(dir string, h Head, n int, data []byte) error {
	return durable.WriteFile(segmentPath(dir, n), append(sum(h, n, data), data...))
}

// played is a game of a store.
type played struct {
	returns []float32
	plies   int
	chance  int // events of chance of which moments were drawn
	first   int // moment
	moments int
	events  int // of chance among the moments
}

// place is where a moment stands.
type place struct {
	segment, at int32
	game        int32
}

// Store is a store of games in memory. It may be read by many goroutines.
type Store struct {
	Head  Head
	games []played
	// moments of all games, in their order.
	moments  []place
	segments [][]byte
}

// Open reads the first games of the store in dir, in whole segments, and verifies them.
func Open(dir string, g engine.Game, games int) (*Store, error) {
	data, err := readFile(filepath.Join(dir, HeadName), 1<<20)
	if err != nil {
		return nil, err
	}
	s := &Store{}
	if err := json.Unmarshal(data, &s.Head); err != nil || !bytes.Equal(s.Head.encode(), data) {
		return nil, fmt.Errorf("%w: %s is no head of a store of games", checkpoints.ErrCorrupt, filepath.Join(dir, HeadName))
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	if s.Head.Format != Format || s.Head.Identity != checkpoints.IdentityOf(g, encoder.Layout()) {
		return nil, fmt.Errorf("%w: the games in %s are of format %d and %s, version %d; play them anew",
			checkpoints.ErrVersion, dir, s.Head.Format, s.Head.Game, s.Head.Rules)
	}
	e, err := newEyes(g, s.Head.Sight)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", checkpoints.ErrCorrupt, err)
	}
	s.Head.Inputs, s.Head.Seats, s.Head.Unit = e.inputs(), g.Spec().Seats, unit(g)
	for n := range games / SegmentGames {
		if err := s.read(segmentPath(dir, n), n); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// unit is the largest return that the game can pay.
func unit(g engine.Game) float32 { return float32(max(-g.Spec().MinReturn, g.Spec().MaxReturn)) }

// readFile reads a file of at most so many bytes.
func readFile(path string, most int64) ([]byte, error) {
	data, err := file.Read(path, most)
	if errors.Is(err, file.ErrTooLong) {
		return nil, fmt.Errorf("%w: %w, at most so many were written", checkpoints.ErrCorrupt, err)
	}
	return data, err
}

// read reads segment n and looks for the games and moments in it.
func (s *Store) read(path string, n int) error {
	data, err := readFile(path, mostSegment)
	if err != nil {
		return err
	}
	if len(data) < sha256.Size || !bytes.Equal(data[:sha256.Size], sum(s.Head, n, data[sha256.Size:])) {
		return fmt.Errorf("%w: %s is not what was written, by its digest; remove it, and its games are played again", checkpoints.ErrCorrupt, path)
	}
	r := reader{data: data[sha256.Size:]}
	s.segments = append(s.segments, r.data)
	var m view
	for range SegmentGames {
		g := played{plies: r.number(mostPlies), chance: r.number(mostPlies), first: len(s.moments)}
		for range s.Head.Seats {
			g.returns = append(g.returns, r.float()/s.Head.Unit)
		}
		g.moments = r.number(2 * MostMoments)
		for range g.moments {
			s.moments = append(s.moments, place{int32(n), int32(r.at), int32(len(s.games))})
			if m.read(&r, &s.Head, 1); len(m.outcomes) > 0 {
				g.events++
			}
		}
		s.games = append(s.games, g)
	}
	if r.err == nil && r.at != len(r.data) {
		r.fail(errors.New("it goes on behind its games"))
	}
	if r.err != nil {
		return fmt.Errorf("%w: %s: %w", checkpoints.ErrCorrupt, path, r.err)
	}
	return nil
}

// Games is how many games it has, Moments how many moments of them, Bytes how long those are.
func (s *Store) Games() int   { return len(s.games) }
func (s *Store) Moments() int { return len(s.moments) }
func (s *Store) Bytes() (n memory.Size) {
	for _, d := range s.segments {
		n = n.Plus(memory.Size(len(d)))
	}
	return n
}

// Digest identifies what the store has.
func (s *Store) Digest() string {
	d := sha256.New()
	d.Write(s.Head.encode())
	for _, data := range s.segments {
		d.Write(data)
	}
	return hex.EncodeToString(d.Sum(nil))
}

// outcome is one of an event of chance.
type outcome struct {
	p       float32
	from    int // of its list
	to      int
	over    bool
	returns []float32
}

// view is a moment as it is read. It is reused.
type view struct {
	ply      int
	base     []uint64 // for kernel.Gather
	after    []uint64 // of all outcomes
	outcomes []outcome
	came     int
}

// read reads a moment at which the reader stands.
func (v *view) read(r *reader, h *Head, stride int) {
	v.ply = r.number(mostPlies)
	v.base, v.after = r.row(v.base[:0], h.Inputs, stride), v.after[:0]
	n := r.number(mostOutcomes)
	v.outcomes, v.came = slices.Grow(v.outcomes[:0], n)[:n], 0
	if n == 0 {
		return
	}
	v.came = r.number(n - 1)
	total := float32(0)
	for i := range v.outcomes {
		o := &v.outcomes[i]
		o.p = float32(r.number(math.MaxUint32))
		total += o.p
		o.from, o.returns = len(v.after), o.returns[:0]
		if o.over = r.number(1) == 1; o.over {
			for range h.Seats {
				o.returns = append(o.returns, r.float()/h.Unit)
			}
		} else {
			v.after = r.row(v.after, h.Inputs, stride)
		}
		o.to = len(v.after)
	}
	if !(total > 0) {
		r.fail(errors.New("outcomes have no weight"))
	}
	for i := range v.outcomes {
		v.outcomes[i].p /= total
	}
}

// look reads moment n.
func (s *Store) look(n, stride int, into *view) {
	p := s.moments[n]
	r := reader{data: s.segments[p.segment], at: int(p.at)}
	into.read(&r, &s.Head, stride)
	if r.err != nil {
		panic("values: a moment that was read before is not there: " + r.err.Error())
	}
}
