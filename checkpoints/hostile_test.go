package checkpoints

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"powderkeg/env/file"
)

// spent returns what a call takes of memory, freed or not.
func spent(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Each header claims what its bytes cannot hold, or is made of as many small parts as fit.
func TestAHeaderTakesNoMoreThanItsBytes(t *testing.T) {
	const many = 1 << 18
	for name, c := range map[string]struct{ header, want string }{
		"tensors":    {"{" + strings.Repeat(`"a":{},`, many) + `"b":{}}`, "comes twice"},
		"names":      {"{" + numbered(1<<16) + `"b":{}}`, "one of more than 4096"},
		"dimensions": {`{"a":{"dtype":"U8","shape":[` + strings.Repeat("1,", many) + `1],"data_offsets":[0,1]}}`, "bytes describe it, the most is 1024"},
		"nine":       {`{"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}}`, "it has 9 dimensions, the most is 8"},
		"metadata":   {`{"__metadata__":{` + strings.Repeat(`"aaaa":"",`, many) + `"b":""}}`, "bytes of metadata, the most is 65536"},
		"depth":      {`{"a":` + strings.Repeat("[", many), "depth"},
		"unknown":    {`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"rubbish":1}}`, "rubbish"},
		"kinds":      {`{"a":7}`, `tensor "a"`},
		"overflow":   {`{"a":{"dtype":"U8","shape":[1],"data_offsets":[9223372036854775807,-9223372036854775808]}}`, "offsets"},
		"long":       {strings.Repeat(" ", maxHeader+1), "of which it may have 16777216"},
	} {
		data := raw(c.header, 1)
		var err error
		took := spent(func() { _, err = decodeTensors(data) })
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
			t.Errorf("%s: error %.300v, want one short line with %q", name, err, c.want)
		}
		if took > 20*uint64(len(data))+1<<16 {
			t.Errorf("%s: %d bytes took %d of memory", name, len(data), took)
		}
	}
}

// numbered has n empty tensors.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%d":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},`, i)
	}
	return b.String()
}

func TestNumbersThatAreNoneAreRefusedByName(t *testing.T) {
	for name, change := range map[string]func(c *Checkpoint){
		"weights":   func(c *Checkpoint) { copy(c.Weights[0].Data[8:], []byte{0, 0, 0xc0, 0x7f}) },
		"optimiser": func(c *Checkpoint) { copy(c.Optimiser[1].Data[8:], []byte{0, 0, 0x80, 0x7f}) },
		"pool":      func(c *Checkpoint) { copy(c.Pool[0].Data[8:], []byte{0, 0, 0x80, 0xff}) },
		"double": func(c *Checkpoint) {
			c.Pool = []Tensor{{Name: "member.3", DType: F64, Shape: []int{3}, Data: append(make([]byte, 16), 0, 0, 0, 0, 0, 0, 0xf0, 0x7f)}}
		},
	} {
		c := sample()
		change(c)
		files, err := c.files()
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"weights":   "weights.safetensors: corrupt checkpoint: tensor torso.0.weight: number 2 of [2 2] is NaN",
			"optimiser": "optimiser.safetensors: corrupt checkpoint: tensor first: number 2 of [15] is +Inf",
			"pool":      "pool.safetensors: corrupt checkpoint: tensor member.3: number 2 of [15] is -Inf",
			"double":    "pool.safetensors: corrupt checkpoint: tensor member.3: number 2 of [3] is +Inf",
		}[name]
		if _, err := Read(mapped(files)); !errors.Is(err, ErrCorrupt) || err.Error() != want {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
}

func mapped(files map[string][]byte) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	return fsys
}

// Every key of a manifest is given each of these, right digests and all. Keys whose rubbish is
// found out by whoever knows more (the architecture, by package network) are left out.
func TestRubbishInAManifestIsRefused(t *testing.T) {
	files, err := sample().files()
	if err != nil {
		t.Fatal(err)
	}
	rubbish := []string{
		`null`, `true`, `-1`, `1.5`, `1e300`, `9223372036854775807`, `99999999999999999999`, `"rubbish"`, `"kuhn(rubbish=1)"`, `"kuhn(("`, `[]`, `[1]`,
		`{"a":1}`,
		`"- a\n- b\n"`, `"game: kuhn\nx: ["`, `"game: jogu\n"`, `"game: [kuhn]\n"`, `"seed: 1\n"`, `"game: kuhn\na: &x [1]\nb: *x\n"`,
		`"game: kuhn\nx: ` + strings.Repeat("[", 1<<16) + `"`,
	}
	keys := []string{"format", "game", "rules", "encoding", "layout_hash", "vocabulary_hash", "updates", "decisions", "games", "config", "files", "luck"}
	for _, key := range append(keys, "unknown", "files/weights.safetensors", "files/weights.safetensors/size", "files/weights.safetensors/sha256") {
		for _, value := range rubbish {
			if key == "unknown" && value == "null" || key == "game" && value == `"rubbish"` {
				continue // a game that another program may have
			}
			var whole map[string]any
			if err := json.Unmarshal(files[manifestName], &whole); err != nil {
				t.Fatal(err)
			}
			at := whole
			path := strings.Split(key, "/")
			for _, name := range path[:len(path)-1] {
				at = at[name].(map[string]any)
			}
			at[path[len(path)-1]] = json.RawMessage(value)
			text, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			fsys := mapped(files)
			fsys[manifestName].Data, fsys[digestName].Data = text, digestLine(text)
			c, err := Read(fsys)
			if err == nil {
				t.Errorf("%s: %.60s is accepted: %+v", key, value, c.Manifest)
			} else if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%s: %.60s: error %.200q is not one short line that wraps ErrCorrupt or ErrVersion", key, value, err)
			}
		}
	}
}

// A file of gigabytes costs nothing on a disk that keeps no zeros.
func TestWhatAFileClaimsIsComparedBeforeItIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bot")
	if err := sample().Write(path); err != nil {
		t.Fatal(err)
	}
	weights := filepath.Join(path, weightsName)
	if err := os.Truncate(weights, maxWeights+1); err != nil {
		t.Fatal(err)
	}
	var err error
	if took := spent(func() { _, err = Open(path) }); took > 1<<20 || !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), weightsName+": file too long") {
		t.Errorf("weights that are longer than the manifest says: %v, after %d bytes", err, took)
	}
	manifest := filepath.Join(path, manifestName)
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	whole["files"].(map[string]any)[weightsName].(map[string]any)["size"] = maxWeights + 1
	if text, err = json.Marshal(whole); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(manifest, text, 0o644), os.WriteFile(filepath.Join(path, digestName), digestLine(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	if took := spent(func() { _, err = Open(path) }); took > 1<<20 || !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), "the most is 1073741824") {
		t.Errorf("weights of more than a network has: %v, after %d bytes", err, took)
	}
}

// A named pipe without a writer would make the test hang.
func TestWhatIsNoFileIsRefusedAtOnce(t *testing.T) {
	for _, name := range []string{manifestName, digestName, weightsName, optimiserName, poolName, stateName} {
		path := filepath.Join(t.TempDir(), "bot")
		if err := sample().Write(path); err != nil {
			t.Fatal(err)
		}
		for kind, put := range oddities() {
			at := filepath.Join(path, name)
			if err := errors.Join(os.RemoveAll(at), put(at)); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path); !errors.Is(err, file.ErrIrregular) || !strings.Contains(err.Error(), name+" is "+kind) {
				t.Errorf("%s as %s: %v", name, kind, err)
			}
		}
	}
}
