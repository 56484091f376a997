package checkpoints

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/position"
	"powderkeg/env/encoding"
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
		return fmt.Errorf("%w: the checkpoint reads version %d of the observation of %s, this program writes version %d", ErrVersion, m.Encoding, m.Game, want.Encoding)
	}
	if m.LayoutHash != want.LayoutHash {
		return fmt.Errorf("%w: the layout of its observation has hash %.12s, that of %s here %.12s", ErrMismatch, m.LayoutHash, want.Game, want.LayoutHash)
	}
	if m.VocabularyHash != want.VocabularyHash {
		return fmt.Errorf("%w: its list of actions has hash %.12s, that of %s here %.12s", ErrMismatch, m.VocabularyHash, want.Game, want.VocabularyHash)
	}
	return nil
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
	if version.Format != Format {
		return nil, fmt.Errorf("%w: the checkpoint has format %d, this program reads format %d", ErrVersion, version.Format, Format)
	}
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("%w: %s: %s", ErrCorrupt, manifestName, plain(err))
	}
	if m.Updates < 0 || m.Decisions < 0 || m.Games < 0 {
		return nil, fmt.Errorf("%w: %s: a count is negative", ErrCorrupt, manifestName)
	}
	return &m, nil
}

// plain is a JSON error in words.
func plain(err error) string { return position.Plainly(err, nil) }
