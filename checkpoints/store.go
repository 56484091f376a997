package checkpoints

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"powderkeg/checkpoints/durable"
	"powderkeg/env/file"
)

// The files of a checkpoint's directory.
const (
	manifestName  = "manifest.json"
	digestName    = "manifest.sha256"
	weightsName   = "weights.safetensors"
	optimiserName = "optimiser.safetensors"
	poolName      = "pool.safetensors"
	stateName     = "state.json"
)

// Limits on what is read, in bytes: a manifest is small, and no network of this project,
// nor all that a run keeps beside it, comes near the others.
const (
	maxManifest = 1 << 20
	maxWeights  = 1 << 30
	maxAll      = 4 << 30
)

// Checkpoint is all of one.
type Checkpoint struct {
	Manifest Manifest
	// Weights are the parts of the network by name.
	Weights []Tensor
	// Optimiser, Pool and State are what a run needs to go on, nil where the
	// checkpoint is only for playing. Pool holds the weights of the opponents. State is
	// JSON; train documents its fields.
	Optimiser []Tensor
	Pool      []Tensor
	State     json.RawMessage
}

// Store is a directory of checkpoints of one run.
type Store struct{ Dir string }

// Name returns the name of the checkpoint after so many updates. Names sort as
// the updates do.
func Name(updates int64) string { return fmt.Sprintf("%09d", updates) }

// temporary marks directories that are being written or removed.
const temporary = ".tmp-"

// Save writes the checkpoint under Name(c.Manifest.Updates) and returns its
// path; see Write.
func (s Store) Save(c *Checkpoint) (path string, err error) {
	path = filepath.Join(s.Dir, Name(c.Manifest.Updates))
	return path, c.Write(path)
}

// Write makes the directory path with the files of the checkpoint. It writes to
// a temporary directory beside it, syncs, and renames, so that a kill at any
// moment leaves the whole checkpoint or none. It fails with an error that wraps
// fs.ErrExist if path exists.
func (c *Checkpoint) Write(path string) error {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("save %s: %w", path, fs.ErrExist)
	}
	files, err := c.files()
	if err != nil {
		return err
	}
	parent := filepath.Dir(path)
	if err := file.MakeFolder(parent); err != nil {
		return err
	}
	work, err := os.MkdirTemp(parent, temporary)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) // gone already if all went well
	for name, data := range files {
		if err := durable.Create(filepath.Join(work, name), func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		}); err != nil {
			return err
		}
	}
	if err := os.Chmod(work, 0o755); err != nil { // MkdirTemp makes it private
		return err
	}
	if err := durable.SyncDir(work); err != nil {
		return err
	}
	if err := os.Rename(work, path); err != nil {
		return err
	}
	return durable.SyncDir(parent)
}

// ForPlay returns the checkpoint without what only training needs.
func (c *Checkpoint) ForPlay() *Checkpoint {
	return &Checkpoint{Manifest: c.Manifest, Weights: c.Weights}
}

// files encodes the checkpoint, manifest included.
func (c *Checkpoint) files() (map[string][]byte, error) {
	files := map[string][]byte{}
	var err error
	if files[weightsName], err = EncodeTensors(c.Weights); err != nil {
		return nil, err
	}
	if c.Optimiser != nil {
		if files[optimiserName], err = EncodeTensors(c.Optimiser); err != nil {
			return nil, err
		}
	}
	if c.Pool != nil {
		if files[poolName], err = EncodeTensors(c.Pool); err != nil {
			return nil, err
		}
	}
	if c.State != nil {
		files[stateName] = c.State
	}
	m := c.Manifest
	m.Format, m.Files = Format, map[string]File{}
	for name, data := range files {
		m.Files[name] = File{int64(len(data)), digest(data)}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	files[manifestName] = append(text, '\n')
	files[digestName] = digestLine(files[manifestName])
	return files, nil
}

// List returns the names of the checkpoints, oldest first. A directory that
// does not exist has none.
func (s Store) List() ([]string, error) {
	names, err := list(os.DirFS(s.Dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return names, err
}

// list returns the directories with a manifest in alphabetical order.
func list(fsys fs.FS) ([]string, error) {
	dirs, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range dirs {
		if !d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			continue
		}
		if _, err := fs.Stat(fsys, d.Name()+"/"+manifestName); err == nil {
			names = append(names, d.Name())
		}
	}
	return names, nil
}

// latest returns the path of the newest checkpoint. Errors wrap ErrNotFound
// where there is none.
func (s Store) latest() (string, error) {
	names, err := s.List()
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%w in %s", ErrNotFound, s.Dir)
	}
	return filepath.Join(s.Dir, names[len(names)-1]), nil
}

// aside marks checkpoints that turned out to be damaged.
const aside = ".damaged-"

// SetAside removes the checkpoint of that name from the list, so that another one
// can be saved in its place, and returns where it is now. What was there from an
// earlier time is removed.
func (s Store) SetAside(name string) (path string, err error) {
	path = filepath.Join(s.Dir, aside+name)
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	return path, os.Rename(filepath.Join(s.Dir, name), path)
}

// Retain removes all checkpoints but the newest keep ones and, if every is above
// 0, those after a multiple of every updates. It also clears away what killed
// writers have left behind; no other writer may be at work.
func (s Store) Retain(keep, every int) error {
	names, err := s.List()
	if err != nil {
		return err
	}
	var old []string
	for i, name := range names {
		updates, err := strconv.ParseInt(name, 10, 64)
		if err != nil || Name(updates) != name {
			continue // not one of Save's
		}
		if i < len(names)-keep && (every <= 0 || updates%int64(every) != 0) {
			old = append(old, name)
		}
	}
	for _, name := range old {
		// Removal is not atomic: under another name half of one is not taken for a
		// checkpoint.
		gone := filepath.Join(s.Dir, temporary+name)
		if err := os.Rename(filepath.Join(s.Dir, name), gone); err != nil {
			return err
		}
	}
	leftovers, err := filepath.Glob(filepath.Join(s.Dir, temporary+"*"))
	if err != nil {
		return err
	}
	for _, path := range leftovers {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// Open reads the checkpoint that ref names: "zoo:NAME", the directory of a
// checkpoint, or that of a run, which means its latest one.
func Open(ref string) (*Checkpoint, error) {
	if name, ok := strings.CutPrefix(ref, zooPrefix); ok {
		return openZoo(zoo(), name)
	}
	path, err := locate(ref)
	if err != nil {
		return nil, err
	}
	c, err := Read(file.FS(path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Fingerprint returns what identifies the checkpoint that Open would now read: a
// digest of its path and its manifest, which holds those of the other files. That
// of a checkpoint that ships with the program never changes.
func Fingerprint(ref string) (string, error) {
	if strings.HasPrefix(ref, zooPrefix) {
		return ref, nil
	}
	path, err := locate(ref)
	if err != nil {
		return "", err
	}
	manifest, err := readFile(file.FS(path), manifestName, maxManifest)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return digest(append([]byte(path+"\n"), manifest...)), nil
}

// locate returns the directory of the checkpoint that ref names.
func locate(ref string) (path string, err error) {
	if _, err := os.Stat(filepath.Join(ref, manifestName)); err == nil {
		return ref, nil
	}
	for _, dir := range []string{filepath.Join(ref, "checkpoints"), ref} {
		if path, err = (Store{dir}).latest(); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w at %s; give the directory of a checkpoint (with %s), that of a run, or zoo:NAME", ErrNotFound, ref, manifestName)
}

// Read reads a checkpoint from the files at the root of fsys and verifies sizes
// and digests. Errors wrap ErrVersion, ErrCorrupt or what the file system says.
func Read(fsys fs.FS) (*Checkpoint, error) {
	m, err := readManifest(fsys)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{Manifest: *m}
	if c.Weights, err = readTensors(fsys, m, weightsName); err != nil {
		return nil, err
	}
	if c.Optimiser, err = readTensors(fsys, m, optimiserName); err != nil {
		return nil, err
	}
	if c.Pool, err = readTensors(fsys, m, poolName); err != nil {
		return nil, err
	}
	if _, ok := m.Files[stateName]; ok {
		if c.State, err = verified(fsys, m, stateName); err != nil {
			return nil, err
		}
		if !json.Valid(c.State) {
			return nil, fmt.Errorf("%w: %s is not JSON", ErrCorrupt, stateName)
		}
	}
	return c, nil
}

// readManifest reads the manifest alone.
func readManifest(fsys fs.FS) (*Manifest, error) {
	text, err := readFile(fsys, manifestName, maxManifest)
	if err != nil {
		return nil, err
	}
	if err := verifyManifest(fsys, text); err != nil {
		return nil, err
	}
	return parseManifest(text)
}

// digestLine is manifest.sha256, in the form of the program sha256sum.
func digestLine(manifest []byte) []byte {
	return []byte(digest(manifest) + "  " + manifestName + "\n")
}

// verifyManifest compares the manifest, which has the digests of all other files,
// with its own. Checkpoints from before there was one lack it.
func verifyManifest(fsys fs.FS, manifest []byte) error {
	line, err := readFile(fsys, digestName, 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if string(line) != string(digestLine(manifest)) {
		return fmt.Errorf("%w: %s has the SHA-256 %.12s, %s says %.12q", ErrCorrupt, manifestName, digest(manifest), digestName, line)
	}
	return nil
}

// readTensors reads a file that may be absent from the manifest.
func readTensors(fsys fs.FS, m *Manifest, name string) ([]Tensor, error) {
	if _, ok := m.Files[name]; !ok {
		return nil, nil
	}
	data, err := verified(fsys, m, name)
	if err != nil {
		return nil, err
	}
	tensors, err := decodeTensors(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, t := range tensors {
		if err := t.Finite(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return tensors, nil
}

// verified reads a file and compares it with the manifest.
func verified(fsys fs.FS, m *Manifest, name string) ([]byte, error) {
	want := m.Files[name]
	data, err := readFile(fsys, name, want.Size)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != want.Size {
		return nil, fmt.Errorf("%w: %s has %d bytes, %s says %d", ErrCorrupt, name, len(data), manifestName, want.Size)
	}
	if got := digest(data); got != want.SHA256 {
		return nil, fmt.Errorf("%w: %s has the SHA-256 %.12s, %s says %.12s", ErrCorrupt, name, got, manifestName, want.SHA256)
	}
	return data, nil
}

// readFile reads at most limit bytes and refuses a longer file.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	data, err := file.ReadFS(fsys, name, limit)
	if errors.Is(err, file.ErrTooLong) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return data, err
}
