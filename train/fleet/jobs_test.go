package fleet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"powderkeg/checkpoints"
	"powderkeg/train"
	"powderkeg/train/job"
)

// double answers the double of its payload after a blob that it names, and fails where the
// payload is refused.
func double(refused uint64) job.Do {
	return func(_ context.Context, j *job.Job, fetch func(job.Digest) ([]byte, error)) ([]byte, error) {
		blob, err := fetch(j.Blobs[0])
		if err != nil {
			return nil, err
		}
		x := binary.LittleEndian.Uint64(j.Payload)
		if x == refused {
			return nil, fmt.Errorf("%d is refused", x)
		}
		time.Sleep(10 * time.Millisecond)
		return binary.LittleEndian.AppendUint64(blob, 2*x), nil
	}
}

// jobsOf is a broker with a list of jobs on it.
type jobsOf struct {
	*fleetOf
	quarantine string
	identity   checkpoints.Identity
}

func newJobs(t *testing.T, own job.Do) *jobsOf {
	t.Helper()
	e, err := Embed(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	f := &jobsOf{fleetOf: &fleetOf{t: t, url: e.URL()}, quarantine: t.TempDir()}
	if f.identity, err = train.IdentityOf(train.Config{Game: "leduc"}); err != nil {
		t.Fatal(err)
	}
	f.learner = f.list("list", own)
	return f
}

func (f *jobsOf) list(name string, own job.Do) *Learner {
	f.t.Helper()
	l, err := Lead(f.t.Context(), f.dial(), Options{
		Run: name, Announcement: Announcement{Format: Format, Identity: f.identity}, Quarantine: f.quarantine, Tell: f.log.tell,
		Kinds: job.Kinds{"double": own}, Passing: true,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

// work starts a worker that does doubles; stop cuts it off.
func (f *jobsOf) work(do job.Do) (stop func()) {
	conn := f.dial()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, conn, Service{Processors: 1, Tell: f.log.tell, Kinds: job.Kinds{"double": do}})
	}()
	f.t.Cleanup(func() { cancel(); <-done })
	return conn.Close
}

// do has the doubles of the numbers below n made, and checks them.
func (f *jobsOf) do(n int, during func()) error {
	f.t.Helper()
	blob := []byte("answer:")
	var jobs []*job.Job
	for x := range n {
		jobs = append(jobs, &job.Job{Kind: "double", Seed: uint64(100 + x), Payload: binary.LittleEndian.AppendUint64(nil, uint64(x)),
			Blobs: []job.Digest{job.DigestOf(blob)}})
	}
	var mu sync.Mutex
	taken := map[int]int{}
	failed := make(chan error, 1)
	go func() {
		failed <- f.learner.Do(f.t.Context(), jobs, map[job.Digest][]byte{job.DigestOf(blob): blob}, func(n int, result []byte) error {
			if want := string(binary.LittleEndian.AppendUint64([]byte("answer:"), uint64(2*n))); string(result) != want {
				return fmt.Errorf("%w: %q", job.ErrResult, result)
			}
			mu.Lock()
			defer mu.Unlock()
			taken[n]++
			return nil
		})
	}()
	if during != nil {
		during()
	}
	select {
	case err := <-failed:
		if err != nil {
			return err
		}
	case <-time.After(time.Minute):
		f.t.Fatalf("the jobs are not done; %+v\n%s", f.learner.Counts(), &f.log)
	}
	for n := range jobs {
		if taken[n] != 1 {
			f.t.Errorf("the result of job %d was taken %d times", n, taken[n])
		}
	}
	return nil
}

// TestJobsAreDoneOnce: by workers some of whom are cut off, and by those of the next list when
// one is over.
func TestJobsAreDoneOnce(t *testing.T) {
	f := newJobs(t, double(0))
	good := double(1 << 40)
	f.work(good)
	if err := f.do(20, func() {
		stop := f.work(good)
		time.Sleep(30 * time.Millisecond)
		stop()
		f.work(good)
	}); err != nil {
		t.Fatal(err)
	}
	if err := f.learner.Close(true); err != nil {
		t.Fatal(err)
	}
	f.learner = f.list("another", double(0))
	if err := f.do(10, nil); err != nil {
		t.Fatal(err)
	}
}

// TestJobsThatNobodyCanDoAreQuarantined: in a line with the seed, and done here; if they cannot
// be, the list ends with that line.
func TestJobsThatNobodyCanDoAreQuarantined(t *testing.T) {
	f := newJobs(t, double(1<<40))
	f.work(double(3))
	if err := f.do(5, nil); err != nil {
		t.Fatal(err)
	}
	line := ""
	for l := range strings.Lines(f.log.String()) {
		if strings.Contains(l, "quarantined") {
			line += l
		}
	}
	files, err := filepath.Glob(filepath.Join(f.quarantine, "double-*.task"))
	if err != nil || len(files) != 1 || strings.Count(line, "\n") != 1 || !strings.Contains(line, "seed 103 is quarantined as "+files[0]) {
		t.Errorf("files %v, error %v, said was %q", files, err, line)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var kept job.Job
	if err := unpack(data, &kept, jobBounds); err != nil || kept.Seed != 103 || binary.LittleEndian.Uint64(kept.Payload) != 3 {
		t.Errorf("kept is %+v, error %v", kept, err)
	}
	if c := f.learner.Counts(); c.Quarantined != 1 || c.Taken != 5 {
		t.Errorf("the counts are %+v", c)
	}
}

func TestListsEndWithWhatCannotBeDoneAnywhere(t *testing.T) {
	f := newJobs(t, double(3))
	f.work(double(3))
	err := f.do(5, nil)
	if err == nil || !strings.Contains(err.Error(), "seed 103, kept as ") || !strings.Contains(err.Error(), "3 is refused") ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	_ = f.learner.Close(true)
}

// TestOthersGoOnWhereAListIsLeft: what a command that was killed has left on the broker lapses,
// and its workers do what else there is.
func TestOthersGoOnWhereAListIsLeft(t *testing.T) {
	f := newJobs(t, double(0))
	f.work(double(1 << 40))
	time.Sleep(heartbeat)
	f.learner.cancel(errors.New("killed"))
	f.learner.group.Wait()
	f.learner = f.list("another", double(0))
	if err := f.do(3, nil); err != nil {
		t.Fatal(err)
	}
}

// TestRolloutsAndJobsOfARun: workers of a training run do what jobs it has, one after the other.
func TestRolloutsAndJobsOfARun(t *testing.T) {
	f := &jobsOf{fleetOf: newFleet(t, config(t))}
	f.learner.options.Kinds = job.Kinds{"double": double(0)}
	f.work(double(1 << 40))
	done := make(chan error, 1)
	go func() { done <- f.do(10, nil) }()
	f.updates(3, nil)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if c := f.learner.Counts(); c.Taken != 3*4+10 {
		t.Errorf("%d answers were taken", c.Taken)
	}
}
