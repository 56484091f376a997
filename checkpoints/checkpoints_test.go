package checkpoints

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var rewrite = flag.Bool("rewrite", false, "write the golden checkpoint anew")

// sample is the golden checkpoint: fixed numbers, no run.
func sample() *Checkpoint {
	return &Checkpoint{
		Manifest: Manifest{
			Identity: Identity{Game: "kuhn", Rules: 1, Encoding: 1, LayoutHash: strings.Repeat("a1", 32), VocabularyHash: strings.Repeat("b2", 32)},
			Network:  json.RawMessage(`{"inputs":2,"actions":2,"seats":1,"hidden":[2],"activation":"relu"}`),
			Updates:  120, Decisions: 4000, Games: 1500, Config: "game: kuhn\nseed: 1\n",
		},
		Weights: []Tensor{
			Float32s("torso.0.weight", []float32{1, -2, 0.5, 3.25}, 2, 2),
			Float32s("torso.0.bias", []float32{0, 1e-20}, 2),
			Float32s("policy.weight", []float32{4, 5, 6, 7}, 2, 2),
			Float32s("value.weight", []float32{-1, 8}, 1, 2),
			Float32s("policy.bias", []float32{0.25, 0.75}, 2),
			Float32s("value.bias", []float32{9}, 1),
		},
		Optimiser: []Tensor{
			Int64s("steps", 480),
			Float32s("first", make([]float32, 15), 15),
			Float32s("second", make([]float32, 15), 15),
		},
		Pool:  []Tensor{Float32s("member.3", make([]float32, 15), 15)},
		State: json.RawMessage(`{"updates":120}`),
	}
}

// equal compares all but what Save fills in.
func equal(t *testing.T, got, want *Checkpoint) {
	t.Helper()
	g, w := *got, *want
	compact := func(m json.RawMessage) string {
		var v any
		if m == nil {
			return ""
		}
		if err := json.Unmarshal(m, &v); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(v)
	}
	if a, b := compact(g.Manifest.Network), compact(w.Manifest.Network); a != b {
		t.Errorf("network is %s, want %s", a, b)
	}
	g.Manifest.Network, w.Manifest.Network = nil, nil
	g.Manifest.Files, w.Manifest.Files = nil, nil
	g.Manifest.Format, w.Manifest.Format = 0, 0
	if !reflect.DeepEqual(g, w) {
		t.Errorf("read %+v, want %+v", g, w)
	}
}

// TestGoldenVersion1 reads the checkpoint that was written when the format was
// new, and demands that it is still written byte for byte.
func TestGoldenVersion1(t *testing.T) {
	if *rewrite {
		if err := os.RemoveAll("testdata/v1"); err != nil {
			t.Fatal(err)
		}
		if err := sample().Write("testdata/v1"); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open("testdata/v1")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, c, sample())
	files, err := sample().files()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		golden, err := os.ReadFile(filepath.Join("testdata/v1", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(golden) != string(data) {
			t.Errorf("%s is written as %q, the golden file has %q", name, data, golden)
		}
	}
}

// TestTheFirstCheckpointsAreRead: those of the first day, without opponents and without a digest of the manifest. The files
// are never written anew.
func TestTheFirstCheckpointsAreRead(t *testing.T) {
	c, err := Open("testdata/first")
	if err != nil {
		t.Fatal(err)
	}
	want := sample()
	want.Pool = nil
	equal(t, c, want)
}

func TestSaveThenOpenIsTheIdentity(t *testing.T) {
	run := t.TempDir()
	s := Store{filepath.Join(run, "checkpoints")}
	for _, updates := range []int64{5, 120, 99} {
		c := sample()
		c.Manifest.Updates = updates
		if _, err := s.Save(c); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Save(sample()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second checkpoint of one name: %v, want one that wraps fs.ErrExist", err)
	}
	for _, ref := range []string{run, s.Dir, filepath.Join(s.Dir, Name(120))} {
		c, err := Open(ref)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, c, sample())
	}
	play := filepath.Join(run, "bot")
	if err := sample().ForPlay().Write(play); err != nil {
		t.Fatal(err)
	}
	c, err := Open(play)
	if err != nil || c.Optimiser != nil || c.Pool != nil || c.State != nil {
		t.Errorf("a checkpoint for play has %v, %s (%v), want neither optimiser nor state", c.Optimiser, c.State, err)
	}
}

// TestRetainKeepsTheNewestAndTheMilestones also checks that what a killed
// writer left is never listed and is cleared away.
func TestRetainKeepsTheNewestAndTheMilestones(t *testing.T) {
	s := Store{t.TempDir()}
	for updates := int64(10); updates <= 100; updates += 10 {
		c := sample()
		c.Manifest.Updates = updates
		if _, err := s.Save(c); err != nil {
			t.Fatal(err)
		}
	}
	// A directory that somebody has made beside them is not touched.
	if err := sample().Write(filepath.Join(s.Dir, "000000010-best")); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(s.Dir, temporary+"123")
	if err := sample().Write(half); err != nil {
		t.Fatal(err)
	}
	if names, err := s.List(); err != nil || len(names) != 11 {
		t.Fatalf("list has %v (%v), want the 11 whole ones", names, err)
	}
	if err := s.Retain(3, 40); err != nil {
		t.Fatal(err)
	}
	names, err := s.List()
	want := []string{"000000010-best", Name(40), Name(80), Name(90), Name(100)}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("left are %v (%v), want %v", names, err, want)
	}
	if _, err := os.Stat(half); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there (%v)", half, err)
	}
}

// TestWhatIsSetAsideIsListedNoMore: another checkpoint can be saved in its place, and
// setting aside twice keeps the later one.
func TestWhatIsSetAsideIsListedNoMore(t *testing.T) {
	s := Store{t.TempDir()}
	for games := range int64(2) {
		c := sample()
		c.Manifest.Games = games
		if _, err := s.Save(c); err != nil {
			t.Fatal(err)
		}
		path, err := s.SetAside(Name(c.Manifest.Updates))
		if err != nil {
			t.Fatal(err)
		}
		if names, err := s.List(); err != nil || len(names) != 0 {
			t.Errorf("the list has %v (%v), want nothing", names, err)
		}
		if c, err = Open(path); err != nil || c.Manifest.Games != games {
			t.Errorf("%s holds %v (%v), want the checkpoint with %d games", path, c, err, games)
		}
	}
}

// TestDamageIsRefused damages one thing at a time in a sound checkpoint.
func TestDamageIsRefused(t *testing.T) {
	sound, err := sample().files()
	if err != nil {
		t.Fatal(err)
	}
	edit := func(name string, change func([]byte) []byte) fstest.MapFS {
		fsys := fstest.MapFS{}
		for n, data := range sound {
			if n == name {
				data = change(slices.Clone(data))
			}
			if data != nil {
				fsys[n] = &fstest.MapFile{Data: data}
			}
		}
		return fsys
	}
	// manifest changes the manifest and its digest with it.
	manifest := func(old, new string) fstest.MapFS {
		fsys := edit(manifestName, func(b []byte) []byte { return []byte(strings.Replace(string(b), old, new, 1)) })
		fsys[digestName].Data = digestLine(fsys[manifestName].Data)
		return fsys
	}
	tests := []struct {
		name string
		fsys fs.FS
		want error
		line string
	}{
		{"bit", edit(weightsName, func(b []byte) []byte { b[len(b)-1] ^= 1; return b }), ErrCorrupt, "SHA-256"},
		{"cut", edit(weightsName, func(b []byte) []byte { return b[:len(b)-4] }), ErrCorrupt, "has"},
		{"long", edit(stateName, func(b []byte) []byte { return append(b, ' ') }), ErrCorrupt, "more than"},
		{"gone", edit(optimiserName, func([]byte) []byte { return nil }), fs.ErrNotExist, optimiserName},
		{"no manifest", edit(manifestName, func([]byte) []byte { return nil }), fs.ErrNotExist, manifestName},
		{"manifest cut", edit(manifestName, func(b []byte) []byte { return b[:20] }), ErrCorrupt, manifestName},
		{"manifest bit", edit(manifestName, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }), ErrCorrupt, "manifest.json has the SHA-256"},
		{"count", edit(manifestName, func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"updates": 120`, `"updates": 121`, 1))
		}), ErrCorrupt, "manifest.json has the SHA-256"},
		{"digest cut", edit(digestName, func(b []byte) []byte { return b[:9] }), ErrCorrupt, "manifest.sha256 says"},
		{"digest gone, manifest cut", func() fstest.MapFS {
			fsys := edit(manifestName, func(b []byte) []byte { return b[:20] })
			delete(fsys, digestName)
			return fsys
		}(), ErrCorrupt, manifestName},
		{"newer", manifest(`"format": 1`, `"format": 2`), ErrVersion, "format 2, this program reads format 1"},
		{"unknown field", manifest(`"rules"`, `"rulez"`), ErrCorrupt, "rulez"},
		{"unknown file", manifest(`"state.json"`, `"../state.json"`), ErrCorrupt, "unknown file"},
		{"no weights", manifest(`"weights.safetensors"`, `"state.json"`), ErrCorrupt, "lists no weights.safetensors"},
		{"negative", manifest(`"updates": 120`, `"updates": -1`), ErrCorrupt, "negative"},
		{"huge", manifest(`"size": 15`, `"size": 99999999999999`), ErrCorrupt, "the most is"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(test.fsys)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.line) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %v, want one line that wraps %v and has %q", err, test.want, test.line)
			}
		})
	}
}

func TestCheckSaysWhatDiffers(t *testing.T) {
	m := sample().Manifest
	if err := m.Check(m.Identity); err != nil {
		t.Errorf("its own identity: %v", err)
	}
	tests := []struct {
		change func(*Identity)
		want   error
		line   string
	}{
		{func(i *Identity) { i.Game = "leduc" }, ErrMismatch, "it plays kuhn, this is leduc"},
		{func(i *Identity) { i.Rules = 2 }, ErrVersion, "version 1 of the rules of kuhn, this program has version 2"},
		{func(i *Identity) { i.Encoding = 3 }, ErrVersion, "version 1 of the observation of kuhn, this program writes version 3"},
		{func(i *Identity) { i.LayoutHash = "ffff" }, ErrMismatch, "observation has hash a1a1a1a1a1a1, that of kuhn here ffff"},
		{func(i *Identity) { i.VocabularyHash = "ffff" }, ErrMismatch, "list of actions has hash b2b2b2b2b2b2, that of kuhn here ffff"},
	}
	for _, test := range tests {
		want := m.Identity
		test.change(&want)
		if err := m.Check(want); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.line) {
			t.Errorf("error is %v, want one that wraps %v and has %q", err, test.want, test.line)
		}
	}
}

func TestZooListsWhatItHas(t *testing.T) {
	files, err := sample().ForPlay().files()
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{"README.md": {}}
	if _, err := openZoo(fsys, "kuhn"); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "empty") {
		t.Errorf("an empty zoo: %v", err)
	}
	for name, data := range files {
		fsys["kuhn/"+name] = &fstest.MapFile{Data: data}
	}
	c, err := openZoo(fsys, "kuhn")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, c, sample().ForPlay())
	if _, err := openZoo(fsys, "../kuhn"); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "it has kuhn") {
		t.Errorf("an unknown name: %v", err)
	}
	// Whatever ships must be readable.
	for _, name := range Zoo() {
		if _, err := Open(zooPrefix + name); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenSaysWhatToGive(t *testing.T) {
	_, err := Open(t.TempDir())
	if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "zoo:NAME") {
		t.Errorf("error is %v", err)
	}
}

// raw builds a safetensors file from a header text and data of n bytes.
func raw(header string, n int) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), make([]byte, n)...)
}

func TestMalformedSafetensorsAreRefused(t *testing.T) {
	tests := []struct {
		name string
		file []byte
		line string
	}{
		{"empty", nil, "too few"},
		{"length beyond the file", binary.LittleEndian.AppendUint64(nil, 1<<60), "claims"},
		{"not an object", raw(`[]`, 0), "object"},
		{"cut object", raw(`{"a":{"dtype":"F32"`, 0), "header"},
		{"text behind", raw(`{} {}`, 0), "follow"},
		{"name twice", raw(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 2), "twice"},
		{"type", raw(`{"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}}`, 2), "BF16"},
		{"negative shape", raw(`{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}`, 1), "impossible shape"},
		{"overflowing shape", raw(`{"a":{"dtype":"U8","shape":[4294967296,4294967296,16],"data_offsets":[0,1]}}`, 1), "impossible shape"},
		{"offsets beyond", raw(`{"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}}`, 8), "offsets"},
		{"offsets backwards", raw(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[2,1]}}`, 4), "offsets"},
		{"offsets missing", raw(`{"a":{"dtype":"U8","shape":[1]}}`, 1), "offsets"},
		{"wrong size", raw(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 4), "takes 8"},
		{"gap", raw(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 2), "starts at byte 1"},
		{"overlap", raw(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 3),
			"starts at byte 1"},
		{"rest", raw(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 2), "1 bytes of the 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := decodeTensors(test.file)
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), test.line) {
				t.Errorf("error is %v, want one that wraps ErrCorrupt and has %q", err, test.line)
			}
		})
	}
	good := raw(`{"__metadata__":{"k":"v"},"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}, "e":{"dtype":"F64","shape":[0,3],"data_offsets":[1,1]}}   `, 2)
	tensors, err := decodeTensors(good)
	var names []string
	for _, x := range tensors {
		names = append(names, x.Name)
	}
	if err != nil || !slices.Equal(names, []string{"a", "e", "b"}) {
		t.Errorf("a sound file has %v (%v), want a, e, b in the order of their data", names, err)
	}
}

// FuzzDecode demands that no input makes the decoder panic, and that what it
// accepts is written again as the same tensors.
func FuzzDecode(f *testing.F) {
	files, err := sample().files()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(files[weightsName])
	f.Add(files[optimiserName])
	f.Add(raw(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 1))
	f.Fuzz(func(t *testing.T, file []byte) {
		tensors, err := decodeTensors(file)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("error %v does not wrap ErrCorrupt", err)
			}
			return
		}
		again, err := EncodeTensors(tensors)
		if err != nil {
			if slices.ContainsFunc(tensors, func(x Tensor) bool { return x.Name == "" }) {
				return // read, but never written
			}
			t.Fatal(err)
		}
		back, err := decodeTensors(again)
		if err != nil || len(back) != len(tensors) {
			t.Fatalf("written again: %v", err)
		}
		for i := range back {
			if back[i].Name != tensors[i].Name || back[i].DType != tensors[i].DType || !slices.Equal(back[i].Shape, tensors[i].Shape) ||
				string(back[i].Data) != string(tensors[i].Data) {
				t.Fatalf("tensor %d is %+v, was %+v", i, back[i], tensors[i])
			}
		}
	})
}

// FuzzManifest demands that no text makes the reader of manifests panic, and
// that each error wraps one of the sentinels.
func FuzzManifest(f *testing.F) {
	files, err := sample().files()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(files[manifestName])
	f.Add([]byte(`{"format":1,"files":{"weights.safetensors":{"size":-1}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		fsys := fstest.MapFS{}
		for name, data := range files {
			fsys[name] = &fstest.MapFile{Data: data}
		}
		fsys[manifestName] = &fstest.MapFile{Data: text}
		delete(fsys, digestName) // its mismatch would hide every other fault
		c, err := Read(fsys)
		if err == nil {
			if c.Manifest.Format != Format {
				t.Fatalf("format %d was accepted", c.Manifest.Format)
			}
			return
		}
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) || strings.Contains(err.Error(), "\n") {
			t.Fatalf("error %q is not one line that wraps ErrCorrupt or ErrVersion", err)
		}
	})
}

// A network plays its game under other options, as long as they change neither
// the observation nor the list of actions.
func TestOptionsDoNotMatterByThemselves(t *testing.T) {
	m := Manifest{Identity: Identity{Game: "jogu(first=any)", Rules: 1, Encoding: 1, LayoutHash: "a", VocabularyHash: "b"}}
	want := m.Identity
	want.Game = "jogu(second=guards)"
	if err := m.Check(want); err != nil {
		t.Errorf("another match-up is refused: %v", err)
	}
	want.VocabularyHash = "c"
	if err := m.Check(want); !errors.Is(err, ErrMismatch) {
		t.Errorf("another list of actions: error %v, want ErrMismatch", err)
	}
}
