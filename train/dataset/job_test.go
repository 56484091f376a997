package dataset_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"powderkeg/train/dataset"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
)

var kinds = job.Kinds{dataset.ExportKind: dataset.DoExport}

// TestOthersMakeTheSameFiles: byte for byte, in every format, also where results were refused
// on the way and where some files were there already.
func TestOthersMakeTheSameFiles(t *testing.T) {
	for _, format := range dataset.Formats {
		o := smallShard
		o.Format = format
		dir := t.TempDir()
		export(t, dir, small, o)
		want := contents(t, dir)
		for name, spoil := range map[string]func([]byte) []byte{
			"as they are": nil,
			"cut":         func(r []byte) []byte { return r[:3] },
			"a bit":       func(r []byte) []byte { r[len(r)-1] ^= 1; return r },
			"long":        func(r []byte) []byte { r[3] = 0xff; return r },
			"no shard":    func(r []byte) []byte { r[4] = '!'; return r },
		} {
			h := &jobtest.Hands{Kinds: kinds, Spoil: spoil}
			o.Hands = h
			other := t.TempDir()
			r := export(t, other, small, o)
			sameFiles(t, string(format)+", "+name, contents(t, other), want)
			if h.Jobs != 5 || r.Made != 5 {
				t.Errorf("%s, %s: %d jobs and %d files made, want 5", format, name, h.Jobs, r.Made)
			}
		}
	}
}

// few are hands that leave after so many jobs.
type few struct {
	jobtest.Hands
	jobs int
}

var errLeft = errors.New("everybody has left")

func (f *few) Do(ctx context.Context, jobs []*job.Job, blobs map[job.Digest][]byte, take func(int, []byte) error) error {
	if err := f.Hands.Do(ctx, jobs[len(jobs)-f.jobs:], blobs, func(n int, r []byte) error { return take(len(jobs)-f.jobs+n, r) }); err != nil {
		return err
	}
	return errLeft
}

// TestExportsByOthersGoOn: what was made out of order is made again unless all before it is
// there.
func TestExportsByOthersGoOn(t *testing.T) {
	dir, straight := t.TempDir(), t.TempDir()
	export(t, straight, small, smallShard)
	o := smallShard
	o.Hands = &few{Hands: jobtest.Hands{Kinds: kinds}, jobs: 2}
	if r, err := dataset.Export(t.Context(), dir, small, o); !errors.Is(err, errLeft) || len(r.Manifest.Shards) != 0 {
		t.Fatalf("%d files are listed, error %v", len(r.Manifest.Shards), err)
	}
	h := &jobtest.Hands{Kinds: kinds}
	o.Hands = h
	export(t, dir, small, o)
	sameFiles(t, "gone on", contents(t, dir), contents(t, straight))
	if export(t, dir, small, o); h.Jobs != 5 {
		t.Errorf("%d jobs, want 5 and none when all is there", h.Jobs)
	}
}

func TestExportJobsAreChecked(t *testing.T) {
	var list []*job.Job
	o := smallShard
	o.Hands = collects{&list}
	if _, err := dataset.Export(t.Context(), t.TempDir(), small, o); !errors.Is(err, errLeft) {
		t.Fatal(err)
	}
	for want, change := range map[string][2]string{
		"this program would make": {`"encoding":`, `"encoding":7`},
		"there is no shard 99":    {`"shard":0`, `"shard":99`},
		"there is no shard 0":     {`"shard_episodes":20`, `"shard_episodes":0`},
		"unknown game":            {`"game":"leduc"`, `"game":"chess"`},
		"unknown format":          {`"file_format":"parquet"`, `"file_format":"xml"`},
		"invalid character":       {`{`, `!`},
	} {
		text := strings.Replace(string(list[0].Payload), change[0], change[1], 1)
		_, err := kinds.Do(t.Context(), &job.Job{Kind: dataset.ExportKind, Payload: []byte(text)}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// collects are hands that look at jobs and leave.
type collects struct{ list *[]*job.Job }

func (c collects) Do(_ context.Context, jobs []*job.Job, _ map[job.Digest][]byte, _ func(int, []byte) error) error {
	*c.list = jobs
	return errLeft
}
