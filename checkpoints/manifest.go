package checkpoints

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"

	"powderkeg/engine"
	"powderkeg/engine/edition"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
	"powderkeg/env/encoding"
	"powderkeg/env/file"
)

// Format is the version of the files that this program writes and reads.
const Format = 1

// Identity says what a network was trained for. Two networks can replace each
// other exactly if their identities are equal.
type Identity struct {
	// Game is the canonical game string, Rules the version of its rules.
	Game  string `json:"game"`
	Rules int    `json:"rules"`
	// Encoding is the version of the observation, LayoutHash the hash of its
	// layout (encoding.Layout.Hash).
	Encoding   int    `json:"encoding"`
	LayoutHash string `json:"layout_hash"`
	// VocabularyHash is the SHA-256 of the JSON list of the action names.
	VocabularyHash string `json:"vocabulary_hash"`
}

// Admit returns the identity that a network of older rules or an older observation
// has, where it still plays g: the rules from Spec.NetworksSince on, and the
// observation where its layout is the beginning of the present one. Of any other it
// returns the present identity, which Check then tells apart.
func (m *Manifest) Admit(g engine.Game, l *encoding.Layout) Identity {
	want := IdentityOf(g, l)
	if since := g.Spec().NetworksSince; since > 0 && since <= m.Rules && m.Rules < want.Rules {
		want.Rules = m.Rules
	}
	if older, ok := l.Beginning(m.Encoding, m.LayoutHash); ok {
		want.Encoding, want.LayoutHash = older.Version, m.LayoutHash
	}
	return want
}

// IdentityOf returns the identity of networks that play g from observations of
// the given layout.
func IdentityOf(g engine.Game, l *encoding.Layout) Identity {
	spec := g.Spec()
	return Identity{
		Game: spec.Text, Rules: spec.Version, Encoding: l.Version,
		LayoutHash: l.Hash(), VocabularyHash: spec.VocabularyHash(),
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// File is the size and the SHA-256 of one of the other files.
type File struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Manifest is manifest.json.
type Manifest struct {
	// Format is the version of the files; Save sets it.
	Format int `json:"format"`
	Identity
	// Network is the architecture (train/nn.Config).
	Network json.RawMessage `json:"network"`
	// Values says what a network of values alone reads, which plays nothing (package
	// train/values); absent of players.
	Values json.RawMessage `json:"values,omitempty"`
	// Luck is the newest measurement of what the values know of luck, nil without one.
	Luck *Luck `json:"luck,omitempty"`
	// Updates counts the updates of the weights' owner so far and names the
	// checkpoint, Decisions the decisions that were played for them, Games the
	// games that were finished.
	Updates   int64 `json:"updates"`
	Decisions int64 `json:"decisions"`
	Games     int64 `json:"games"`
	// Config is the resolved configuration of the run, as YAML.
	Config string `json:"config,omitempty"`
	// Files describes the other files by their names; Save sets it.
	Files map[string]File `json:"files"`
}

// Check compares the manifest with what the caller plays. Errors wrap
// ErrMismatch or ErrVersion.
func (m *Manifest) Check(want Identity) error {
	if family(m.Game) != family(want.Game) {
		return fmt.Errorf("%w: it plays %s, this is %s", ErrMismatch, m.Game, want.Game)
	}
	if m.Rules != want.Rules {
		return fmt.Errorf("%w: the checkpoint knows version %d of the rules of %s, this program has version %d", ErrVersion, m.Rules, m.Game, want.Rules)
	}
	if m.Encoding != want.Encoding {
		return fmt.Errorf("%w: the checkpoint reads version %d of the observation of %s, this program writes version %d", ErrVersion, m.Encoding, m.Game,
			want.Encoding)
	}
	if m.LayoutHash != want.LayoutHash {
		return fmt.Errorf("%w: the layout of its observation has hash %.12s, that of %s here %.12s", ErrMismatch, m.LayoutHash, want.Game, want.LayoutHash)
	}
	if m.VocabularyHash != want.VocabularyHash {
		return fmt.Errorf("%w: its list of actions has hash %.12s, that of %s here %.12s", ErrMismatch, m.VocabularyHash, want.Game, want.VocabularyHash)
	}
	return nil
}

// OtherEdition says that the network was trained on another edition of the game than it is
// to play (package engine/edition), in a line, and "" where it was not. It plays on, since
// its actions and its observation are the same, but its values are those of other cards.
func (m *Manifest) OtherEdition(want Identity) string {
	own, _, _ := option.Split(m.Game)
	if name, _, _ := option.Split(want.Game); name != own || editionOf(m.Game) == editionOf(want.Game) {
		return "" // a network of another game does not play at all
	}
	return fmt.Sprintf("it was trained on %s and plays %s, by other values", m.Game, want.Game)
}

// editionOf returns the digest of the edition that a canonical game string names, "" for the
// data that ship.
func editionOf(game string) string {
	_, arguments, err := option.Split(game)
	if err != nil {
		return ""
	}
	for _, a := range arguments {
		if a.Name == edition.Option.Name {
			return a.Value
		}
	}
	return ""
}

// family returns the name of the game that a game string configures. A network
// plays a game under all options that leave its observation and its list of
// actions the same, such as another match-up than the one it has learned.
func family(game string) string {
	name, _, _ := strings.Cut(game, "(")
	return name
}

// parseManifest reads a manifest. Unknown fields are refused: a file that says
// more than this program understands is of another version.
func parseManifest(data []byte) (*Manifest, error) {
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("%w: %s: %s", ErrCorrupt, manifestName, plain(err))
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return nil, fmt.Errorf("%w: %s: %s", ErrCorrupt, manifestName, plain(err))
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if string(keys[key]) == "null" { // which would leave a count at 0
			return nil, fmt.Errorf("%w: %s: %s is null", ErrCorrupt, manifestName, option.Shorten(key))
		}
	}
	if version.Format != Format {
		return nil, fmt.Errorf("%w: the checkpoint has format %d, this program reads format %d", ErrVersion, version.Format, Format)
	}
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("%w: %s: %s", ErrCorrupt, manifestName, plain(err))
	}
	if err := m.validate(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrCorrupt, manifestName, err)
	}
	return &m, nil
}

// mostCounted bounds counts and versions: JSON readers elsewhere keep whole numbers up to here.
const mostCounted = 1 << 53

// validate says what is wrong with a manifest, whatever it is compared with later.
func (m *Manifest) validate() error {
	for name, n := range map[string]int64{"updates": m.Updates, "decisions": m.Decisions, "games": m.Games} {
		if n < 0 || n > mostCounted {
			return fmt.Errorf("%s is %d, it must not be negative or above %d", name, n, int64(mostCounted))
		}
	}
	for name, n := range map[string]int{"rules": m.Rules, "encoding": m.Encoding} {
		if n < 1 || n > mostVersion {
			return fmt.Errorf("%s is %d, it must be from 1 to %d", name, n, mostVersion)
		}
	}
	hashes := map[string]string{"layout_hash": m.LayoutHash, "vocabulary_hash": m.VocabularyHash}
	for name, f := range m.Files {
		hashes["files."+name+".sha256"] = f.SHA256
	}
	for name, hash := range hashes {
		if sum, err := hex.DecodeString(hash); err != nil || len(sum) != sha256.Size {
			return fmt.Errorf("%s is %q, it must be a SHA-256", name, option.Shorten(hash))
		}
	}
	if m.Luck != nil {
		if err := m.Luck.validate(m.Updates); err != nil {
			return fmt.Errorf("luck: %w", err)
		}
	}
	if err := checkGame(m.Game); err != nil {
		return fmt.Errorf("game: %w", err)
	}
	if err := m.validateConfig(); err != nil {
		return fmt.Errorf("config: %w", err)
	}
	return m.validateFiles()
}

// checkGame says what is wrong with a game string. Of a game that this program does not have,
// but another may, it knows the form alone, and of an edition, whose folder is needed by those
// only who play by its values.
func checkGame(text string) error {
	name, arguments, err := option.Split(text)
	if err != nil {
		return err
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return fmt.Errorf("%q is no name", option.Shorten(name))
	}
	if _, err := games.Find(name); err != nil {
		return nil
	}
	var rest []string
	for _, a := range arguments {
		switch {
		case a.Name != edition.Option.Name:
			rest = append(rest, a.Name+"="+a.Value)
		case !edition.IsDigest(a.Value):
			return fmt.Errorf("%q is no digest of an edition", option.Shorten(a.Value))
		}
	}
	if len(rest) > 0 {
		name += "(" + strings.Join(rest, ",") + ")"
	}
	_, err = games.New(name)
	return err
}

// mostVersion bounds the versions of rules and observations.
const mostVersion = 1 << 16

// validateConfig checks what is known of a run's config here: it is a mapping in YAML, and of
// the game that the network plays. Whoever goes on with the run reads the rest, whose keys
// are others from version to version.
func (m *Manifest) validateConfig() error {
	if m.Config == "" {
		return nil
	}
	if err := file.CheckYAML([]byte(m.Config)); err != nil {
		return err
	}
	var c struct {
		Game string `yaml:"game"`
	}
	if err := yaml.Unmarshal([]byte(m.Config), &c); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return errors.New(line)
	}
	if err := checkGame(c.Game); err != nil {
		return fmt.Errorf("game: %w", err)
	}
	if family(c.Game) != family(m.Game) {
		return fmt.Errorf("it is of a run of %s, the network plays %s", option.Shorten(c.Game), option.Shorten(m.Game))
	}
	return nil
}

// validateFiles checks the list of the other files before any is read.
func (m *Manifest) validateFiles() error {
	var all int64
	for name, f := range m.Files {
		most := int64(maxAll)
		switch name {
		case weightsName:
			most = maxWeights
		case optimiserName, poolName, stateName:
		default:
			return fmt.Errorf("it lists an unknown file %q", option.Shorten(name))
		}
		if f.Size < 0 || f.Size > most {
			return fmt.Errorf("it says that %s has %d bytes, the most is %d", name, f.Size, most)
		}
		all += f.Size
	}
	if _, ok := m.Files[weightsName]; !ok {
		return fmt.Errorf("it lists no %s", weightsName)
	}
	if all > maxAll {
		return fmt.Errorf("it says that its files have %d bytes together, the most is %d", all, int64(maxAll))
	}
	return nil
}

// plain is a JSON error in words.
func plain(err error) string { return position.Plainly(err, nil) }
