package dataset_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/train/dataset"
)

// python returns a Python that has numpy.
func python(t *testing.T) string {
	t.Helper()
	if os.Getenv("POWDERKEG_NO_PYTHON") == "1" {
		t.Skip("POWDERKEG_NO_PYTHON=1")
	}
	for _, name := range []string{os.Getenv("POWDERKEG_PYTHON"), "../../bin/venv/bin/python", "python3"} {
		if name != "" && exec.Command(name, "-c", "import numpy").Run() == nil {
			return name
		}
	}
	t.Fatal("no Python with numpy; make test sets one up; name one in POWDERKEG_PYTHON, or set POWDERKEG_NO_PYTHON=1 to leave the files untested in " +
		"Python")
	return ""
}

// expectedColumn is an array as Python must see it; values are flat, null for
// those that are compared otherwise.
type expectedColumn struct {
	DType  string `json:"dtype"`
	Shape  []int  `json:"shape"`
	Values any    `json:"values"`
}

// replayed plays the file's episodes again in an environment, from seeds and
// actions alone, and returns what it shows.
func replayed(t *testing.T, c *dataset.Collector, b *dataset.Batch) (columns map[string]expectedColumn, chance [][]int32) {
	t.Helper()
	var drawn []int32
	e, err := env.New(c.Game(), env.Options{Drawn: func(o engine.Action) { drawn = append(drawn, int32(o)) }})
	if err != nil {
		t.Fatal(err)
	}
	n, d, a, p := b.Rows(), c.Layout().Size, len(c.Game().Spec().Actions), c.Game().Spec().Seats
	obs, masks := make([]float32, n*d), make([]int, n*a)
	var rewards []float32
	actors, ends, finals, last := make([]int8, n), make([]bool, n), make([][]float32, n), map[int8]int{}
	for i := range n {
		if b.Steps[i] == 0 {
			e.Reset(b.Seeds[i])
		}
		mask := make([]uint8, a)
		e.Observe(obs[i*d:(i+1)*d], mask)
		for k, m := range mask {
			masks[i*a+k] = int(m)
		}
		actors[i] = int8(e.Actor())
		last[actors[i]] = i
		drawn = []int32{}
		if err := e.Step(engine.Action(b.Actions[i])); err != nil {
			t.Fatal(err)
		}
		chance = append(chance, drawn)
		rewards = append(rewards, e.Rewards()...)
		if e.Terminated() {
			ends[i] = true
			for seat, row := range last {
				finals[row] = make([]float32, d)
				e.ObserveAs(engine.Player(seat), finals[row])
			}
			clear(last)
		}
	}
	finalOffsets := []int{0}
	for _, f := range finals {
		finalOffsets = append(finalOffsets, finalOffsets[len(finalOffsets)-1]+len(f))
	}
	all := slices.Concat(finals...)
	return map[string]expectedColumn{
		"observation": {"<f4", []int{n, d}, obs}, "mask": {"|u1", []int{n, a}, masks}, "rewards": {"<f4", []int{n, p}, rewards},
		"actor": {"|i1", []int{n}, actors}, "terminated": {"|b1", []int{n}, ends},
		"truncated": {"|b1", []int{n}, make([]bool, n)}, "action": {"<i4", []int{n}, b.Actions},
		"episode": {"<i8", []int{n}, b.Episodes}, "step": {"<i4", []int{n}, b.Steps}, "seed": {"<u8", []int{n}, b.Seeds},
		"returns": {"<f4", []int{n, p}, b.Returns}, "state_hash": {"<u8", []int{n}, b.Hashes},
		"opening": {"<i4", []int{len(b.Opening.Values)}, b.Opening.Values}, "opening_offsets": {"<i4", []int{n + 1}, b.Opening.Offsets},
		"chance": {"<i4", []int{len(b.Chance.Values)}, b.Chance.Values}, "chance_offsets": {"<i4", []int{n + 1}, b.Chance.Offsets},
		"final_observation": {"<f4", []int{len(all)}, all}, "final_observation_offsets": {"<i4", []int{n + 1}, finalOffsets},
	}, chance
}

// NumPy loads a file in one line and finds in it what a replay shows.
func TestNumPyReadsWhatAReplayShows(t *testing.T) {
	interpreter := python(t)
	for _, codec := range dataset.NPZ.Compressions() {
		config := dataset.Config{Game: "leduc", Agents: []string{"random"}, Episodes: 60, Seed: 8, Text: true}
		c, list := collected(t, config, 1)
		b := list[0]
		dir := t.TempDir()
		export(t, dir, config, dataset.Options{Format: dataset.NPZ, Compression: codec})
		columns, chance := replayed(t, c, b)
		bytes := len(strings.Join(b.Text, ""))
		columns["text"] = expectedColumn{"|u1", []int{bytes}, nil}
		columns["text_offsets"] = expectedColumn{"<i4", []int{b.Rows() + 1}, nil}
		metadata := len(metadataOf(t, filepath.Join(dir, "leduc-00000.npz"), interpreter))
		columns["metadata"] = expectedColumn{"|u1", []int{metadata}, nil}
		data, err := json.Marshal(map[string]any{"columns": columns, "chance": chance, "text": b.Text})
		if err != nil {
			t.Fatal(err)
		}
		expected := filepath.Join(dir, "expected.json")
		if err := os.WriteFile(expected, data, 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), interpreter, "-W", "error", "testdata/compare.py", filepath.Join(dir, "leduc-00000.npz"),
			expected).CombinedOutput()
		if want := fmt.Sprintf("%d rows agree\n", b.Rows()); err != nil || string(out) != want {
			t.Errorf("with %s: Python says %q (%v), want %q", codec, out, err, want)
		}
	}
}

// metadataOf returns the metadata as Python prints it.
func metadataOf(t *testing.T, path, interpreter string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), interpreter, "-c",
		"import sys, numpy; sys.stdout.write(bytes(numpy.load(sys.argv[1])['metadata']).decode())", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	var m dataset.Metadata
	if err := json.Unmarshal(out, &m); err != nil || m.Config.Game != "leduc" || m.To != 60 || m.Layout.Hash() != m.LayoutHash {
		t.Errorf("the metadata are %.200s (%v)", out, err)
	}
	return string(out)
}
