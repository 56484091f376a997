package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine/games"
	"powderkeg/env"
)

// checkpoint writes a network with random weights for a game and returns the name
// of its agent.
func checkpoint(t *testing.T, text string) string {
	t.Helper()
	g, err := games.New(text)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	c := network.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: g.Spec().Seats, Hidden: []int{8}, Activation: network.ReLU}
	net, err := network.New(c, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bot")
	bot := checkpoints.Checkpoint{Manifest: checkpoints.Manifest{Identity: checkpoints.IdentityOf(g, encoder.Layout()), Network: config},
		Weights: net.Tensors()}
	if err := bot.Write(path); err != nil {
		t.Fatal(err)
	}
	return "checkpoint:" + path
}

// gathered collects all episodes of a config into one batch.
func gathered(t testing.TB, c *Collector) *Batch {
	t.Helper()
	var all Batch
	all.reset()
	if err := c.Collect(t.Context(), 0, c.Config().Episodes, 2, func(b *Batch) error { all.add(b); return nil }); err != nil {
		t.Fatal(err)
	}
	return &all
}

// writtenFile writes batches to a file of a test's own and returns its path.
func writtenFile(t testing.TB, c *Collector, f Format, codec Compression, change func(*Metadata), batches ...*Batch) string {
	t.Helper()
	identity, err := c.plan.identity()
	if err != nil {
		t.Fatal(err)
	}
	m := c.plan.metadata(identity, 0, c.Config().Episodes)
	change(&m)
	path := filepath.Join(t.TempDir(), "data."+string(f))
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWriter(out, f, codec, m, c.plan.shape())
	for _, b := range batches {
		if err == nil {
			err = w.write(b)
		}
	}
	if err == nil {
		err = w.close()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func asIs(*Metadata) {}

// readBack returns the rows of a file.
func readBack(t *testing.T, path string, p *plan) *Batch {
	t.Helper()
	r, err := openReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	var all, b Batch
	all.reset()
	for {
		err := r.next(&b, p)
		if err != nil {
			break
		}
		all.add(&b)
	}
	return &all
}

func collector(t testing.TB, c Config) *Collector {
	t.Helper()
	collector, err := NewCollector(c)
	if err != nil {
		t.Fatal(err)
	}
	return collector
}

// same reports whether two batches are equal bit for bit.
func same(a, b *Batch, s shape) bool {
	others := b.columns(s)
	for i, c := range a.columns(s) {
		if c.kind == text {
			if !slices.Equal(a.Text, b.Text) {
				return false
			}
			continue
		}
		_, x := numbers(c.values)
		_, y := numbers(others[i].values)
		if !bytes.Equal(x, y) || c.kind == list && !slices.Equal(*c.offsets, *others[i].offsets) {
			return false
		}
	}
	return slices.Equal(a.HasLogits, b.HasLogits)
}

// Every format and codec gives back what was written, in one piece or in many,
// across row groups.
func TestFilesGiveBackTheRows(t *testing.T) {
	c := collector(t, Config{Game: "leduc", Agents: []string{checkpoint(t, "leduc"), "random"}, Episodes: 4100, Logits: true, Text: true})
	all := gathered(t, c)
	if all.Rows() <= rowGroup {
		t.Fatalf("%d rows; want more than a row group", all.Rows())
	}
	var parts []*Batch
	if err := c.Collect(t.Context(), 0, 4100, 1, func(b *Batch) error {
		part := new(Batch)
		part.reset()
		part.add(b)
		parts = append(parts, part)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats {
		for _, codec := range f.Compressions() {
			if got := readBack(t, writtenFile(t, c, f, codec, asIs, parts...), c.plan); !same(got, all, c.plan.shape()) {
				t.Errorf("%s with %s: %d rows came back changed, of %d", f, codec, got.Rows(), all.Rows())
			}
		}
		if got := readBack(t, writtenFile(t, c, f, f.Compressions()[0], asIs, all), c.plan); !same(got, all, c.plan.shape()) {
			t.Errorf("%s in one batch: %d rows came back changed, of %d", f, got.Rows(), all.Rows())
		}
	}
}

// faultOf checks one file.
func faultOf(t *testing.T, path string) *Fault {
	t.Helper()
	r, err := Check(context.Background(), []string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Faults) == 0 {
		return nil
	}
	return &r.Faults[0]
}

// tampering changes one thing of a dataset of Leduc, and says which column and
// row must be named.
type tampering struct {
	name   string
	change func(b *Batch, row int)
	column string
}

// row returns the row that is at fault when the given one, the first of an episode, is
// tampered with.
func (t tampering) row(b *Batch, row int) int {
	if strings.HasPrefix(t.column, finalColumn) && !strings.HasSuffix(t.name, "before the end") {
		return lastOf(b, row)
	}
	return row
}

var tamperings = []tampering{
	{"episode", func(b *Batch, i int) { b.Episodes[i]++ }, "episode"},
	{"step", func(b *Batch, i int) { b.Steps[i]++ }, "step"},
	{"actor", func(b *Batch, i int) { b.Actors[i] ^= 1 }, "actor"},
	{"observation", func(b *Batch, i int) { b.Observations[(i+1)*len(b.Observations)/b.Rows()-1] += 1e-6 }, "observation["},
	{"observation, sign of zero", func(b *Batch, i int) { negateZero(b.Observations[i*len(b.Observations)/b.Rows():]) }, "observation["},
	{"mask", func(b *Batch, i int) { b.Masks[3*i+1] ^= 1 }, "mask[1]"},
	{"action", func(b *Batch, i int) { b.Actions[i] = 7 }, "action"},
	{"negative action", func(b *Batch, i int) { b.Actions[i] = -1 }, "action"},
	{"rewards", func(b *Batch, i int) { b.Rewards[2*i+1] += 1 }, "rewards[1]"},
	{"returns", func(b *Batch, i int) { b.Returns[2*i] += 1 }, "returns[0]"},
	{"terminated", func(b *Batch, i int) { b.Terminated[i] ^= 1 }, "terminated"},
	{"truncated", func(b *Batch, i int) { b.Truncated[i] = 1 }, "truncated"},
	{"seed", func(b *Batch, i int) { b.Seeds[i]++ }, "seed"},
	{"state_hash", func(b *Batch, i int) { b.Hashes[i] ^= 1 << 63 }, "state_hash"},
	{"logits, not normal", func(b *Batch, i int) { b.Logits[3*i+1] = -0.001 }, "logits"},
	{"logits, absent number", func(b *Batch, i int) { b.Logits[3*i+1] = nan }, "logits[1]"},
	{"final_observation", func(b *Batch, i int) { changeFinal(b, lastOf(b, i), func(f []float32) []float32 { f[5]++; return f }) },
		"final_observation[5]"},
	{"final_observation, cut short", func(b *Batch, i int) {
		changeFinal(b, lastOf(b, i), func(f []float32) []float32 {
			return f[1:]
		})
	}, "final_observation"},
	{"final_observation, absent", func(b *Batch, i int) { changeFinal(b, lastOf(b, i), func([]float32) []float32 { return nil }) }, "final_observation"},
	{"final_observation, before the end", func(b *Batch, i int) {
		changeFinal(b, i, func(f []float32) []float32 {
			return append(f, 1)
		})
	}, "final_observation"},
	{"text", func(b *Batch, i int) { b.Text[i] += "!" }, "text"},
}

// lastOf returns the last row of an episode in which the actor of a row decides.
func lastOf(b *Batch, row int) int {
	last := row
	for i := row; i < b.Rows() && b.Episodes[i] == b.Episodes[row]; i++ {
		if b.Actors[i] == b.Actors[row] {
			last = i
		}
	}
	return last
}

// changeFinal puts something in the place of a row's final observation.
func changeFinal(b *Batch, row int, change func([]float32) []float32) {
	var changed List[float32]
	changed.reset()
	for i := range b.Rows() {
		final := slices.Clone(b.Finals.Row(i))
		if i == row {
			final = change(final)
		}
		changed.Values = append(changed.Values, final...)
		changed.end()
	}
	b.Finals = changed
}

func negateZero(numbers []float32) {
	for k, x := range numbers {
		if x == 0 {
			numbers[k] *= -1
			return
		}
	}
}

// Every column is proved, in every format: a change at any row is found there. The
// learned agent sits first, so that rows of step 0 have logits.
func TestTamperingIsFound(t *testing.T) {
	c := collector(t, Config{Game: "leduc", Agents: []string{checkpoint(t, "leduc"), "random"}, Episodes: 40, Logits: true, Text: true})
	sound := gathered(t, c)
	if f := faultOf(t, writtenFile(t, c, Parquet, Zstd, asIs, sound)); f != nil {
		t.Fatalf("a sound file has the fault %s", f.Error())
	}
	for _, format := range Formats {
		for _, test := range tamperings {
			for _, row := range []int{0, rowOf(sound, 21)} {
				var b Batch
				b.reset()
				b.add(sound)
				test.change(&b, row)
				f := faultOf(t, writtenFile(t, c, format, None, asIs, &b))
				if f == nil {
					t.Errorf("%s: %s of row %d: the change is not found", format, test.name, row)
				} else if at := test.row(sound, row); !strings.HasPrefix(f.Column, test.column) || f.Row != int64(at) && test.column != "returns[0]" {
					t.Errorf("%s: %s of row %d: the fault is %s, want column %s", format, test.name, row, f.Error(), test.column)
				}
			}
		}
	}
}

// rowOf returns the first row of an episode.
func rowOf(b *Batch, episode int64) int {
	for i, e := range b.Episodes {
		if e == episode {
			return i
		}
	}
	return -1
}

// rebuilt returns a copy of b whose lists are changed by f.
func rebuilt(b *Batch, f func(row int, opening, chance []int32) ([]int32, []int32)) *Batch {
	var c Batch
	c.reset()
	c.add(b)
	c.Opening.reset()
	c.Chance.reset()
	for i := range b.Rows() {
		opening, chance := f(i, append([]int32{}, b.Opening.Row(i)...), append([]int32{}, b.Chance.Row(i)...))
		c.Opening.Values = append(c.Opening.Values, opening...)
		c.Chance.Values = append(c.Chance.Values, chance...)
		c.Opening.end()
		c.Chance.end()
	}
	return &c
}

// Chance is proved too, even a card that no seat has seen.
func TestTamperingWithChanceIsFound(t *testing.T) {
	c := collector(t, Config{Game: "kuhn", Agents: []string{"random"}, Episodes: 40})
	sound := gathered(t, c)
	second := rowOf(sound, 1)
	for _, test := range []struct {
		name   string
		change func(row int, opening, chance []int32) ([]int32, []int32)
		column string
	}{
		{"hidden card", func(i int, o, c []int32) ([]int32, []int32) {
			if i == second {
				o[1] = 3 - o[0] - o[1] // the card that is left
			}
			return o, c
		}, "state_hash"},
		{"card dealt twice", func(i int, o, c []int32) ([]int32, []int32) {
			if i == second {
				o[1] = o[0]
			}
			return o, c
		}, "opening"},
		{"no cards", func(i int, o, c []int32) ([]int32, []int32) { return nil, c }, "opening"},
		{"cards in play", func(i int, o, c []int32) ([]int32, []int32) { return o, append(c, 0) }, "chance"},
		{"opening within", func(i int, o, c []int32) ([]int32, []int32) {
			if i == second+1 {
				o = []int32{0}
			}
			return o, c
		}, "opening"},
	} {
		f := faultOf(t, writtenFile(t, c, Parquet, None, asIs, rebuilt(sound, test.change)))
		if f == nil || f.Column != test.column {
			t.Errorf("%s: the fault is %v, want one of %s", test.name, f, test.column)
		}
	}
}

// The last action of a truncated episode shows in nothing but the state.
func TestTamperingWithALastActionIsFound(t *testing.T) {
	c := collector(t, Config{Game: "connect4", Agents: []string{"random"}, Episodes: 3, MaxDecisions: 5})
	b := gathered(t, c)
	last := b.Rows() - 1
	b.Actions[last] = (b.Actions[last] + 1) % 7
	if f := faultOf(t, writtenFile(t, c, NPZ, None, asIs, b)); f == nil || f.Column != "state_hash" || f.Row != int64(last) {
		t.Errorf("the fault is %v, want state_hash of row %d", f, last)
	}
}

// Rows that are missing are found, and metadata that are not of this program.
func TestTamperingWithTheWholeIsFound(t *testing.T) {
	c := collector(t, Config{Game: "kuhn", Agents: []string{"random"}, Episodes: 40})
	b := gathered(t, c)
	collected := func(from, to int64) *Batch {
		var all Batch
		all.reset()
		if err := c.Collect(t.Context(), from, to, 1, func(b *Batch) error { all.add(b); return nil }); err != nil {
			t.Fatal(err)
		}
		return &all
	}
	for _, test := range []struct {
		name   string
		change func(*Metadata)
		rows   []*Batch
		want   string
	}{
		{"episodes missing at the end", asIs, []*Batch{collected(0, 39)}, "it stops before episode 39"},
		{"episodes missing within", asIs, []*Batch{collected(0, 10), collected(11, 40)}, "the file has 11, replaying gives 10"},
		{"episodes twice", asIs, []*Batch{b, b}, "the file has 0, replaying gives 40"},
		{"no rows", asIs, nil, "it stops before episode 0"},
		{"another seed", func(m *Metadata) { m.Config.Seed++ }, []*Batch{b}, "seed: the file has"},
		{"another game", func(m *Metadata) { m.Config.Game = "leduc" }, []*Batch{b}, "hash"},
		{"unknown game", func(m *Metadata) { m.Config.Game = "chess" }, []*Batch{b}, `unknown game "chess"`},
		{"other rules", func(m *Metadata) { m.Rules++ }, []*Batch{b}, "version 2 of the rules of kuhn, this program has version 1"},
		{"other observation", func(m *Metadata) { m.Encoding++ }, []*Batch{b}, "version 2 of the observation of kuhn"},
		{"other layout", func(m *Metadata) { m.LayoutHash = "00" + m.LayoutHash[2:] }, []*Batch{b}, "the layout of its observation has hash 00"},
		{"false layout", func(m *Metadata) { l := *m.Layout; l.Version = 5; m.Layout = &l }, []*Batch{b}, "its layout does not have the hash"},
		{"other vocabulary", func(m *Metadata) { m.VocabularyHash = "00" + m.VocabularyHash[2:] }, []*Batch{b}, "its vocabulary has hash 00"},
		{"false vocabulary", func(m *Metadata) { m.Actions = []string{"bet", "pass"} }, []*Batch{b}, "its vocabulary does not have the hash"},
		{"other format", func(m *Metadata) { m.Format = "powderkeg-dataset/9" }, []*Batch{b},
			`it has format "powderkeg-dataset/9", this program reads "powderkeg-dataset/2"`},
		{"false range", func(m *Metadata) { m.To = 41 }, []*Batch{b}, "episodes 0 to 41 of 40"},
		{"start", func(m *Metadata) { m.Config.Start = json.RawMessage(`{"fold":1}`) }, []*Batch{b}, "unknown field"},
	} {
		for _, format := range Formats {
			f := faultOf(t, writtenFile(t, c, format, None, test.change, test.rows...))
			if f == nil || !strings.Contains(f.Error(), test.want) || strings.Contains(f.Error(), "\n") {
				t.Errorf("%s: %s: the fault is %v, want a line with %q", format, test.name, f, test.want)
			}
		}
	}
}

// A file that is cut or in which a byte has changed gives an error or a fault and
// never a panic. Arrow files are only cut: arrow-go believes the lengths in their
// schema, and runs out of memory over some changed ones. The digest of a manifest
// keeps it from reading them (README.md).
func TestMalformedFilesAreRefused(t *testing.T) {
	c := collector(t, Config{Game: "kuhn", Agents: []string{"random"}, Episodes: 10, Text: true})
	b, rng := gathered(t, c), rand.New(rand.NewPCG(5, 5))
	for _, format := range Formats {
		for _, codec := range format.Compressions() {
			data, err := os.ReadFile(writtenFile(t, c, format, codec, asIs, b))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "bad."+string(format))
			refused := 0
			const cases = 60
			for n := range cases {
				bad := append([]byte{}, data...)
				if n%3 == 0 || format == Arrow {
					bad = bad[:rng.IntN(len(bad))]
				} else {
					bad[rng.IntN(len(bad))] ^= byte(1 + rng.IntN(255))
				}
				if err := os.WriteFile(path, bad, 0o666); err != nil {
					t.Fatal(err)
				}
				if f := faultOf(t, path); f != nil {
					refused++
					if strings.Contains(f.Error(), "\n") {
						t.Errorf("%s: the fault has several lines: %q", format, f.Error())
					}
				}
			}
			if refused < cases/3 { // all that are cut, at least
				t.Errorf("%s with %s: %d of %d malformed files are refused", format, codec, refused, cases)
			}
		}
	}
}
