//go:build !library

package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"powderkeg/agents/roster"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
	"powderkeg/env"
	"powderkeg/env/encoding"
)

// formatVersion names the columns, their meaning and the metadata; it moves when
// any of them does.
const formatVersion = "powderkeg-dataset/2"

var (
	// ErrCorrupt is wrapped by errors about a file or folder that is no whole dataset.
	ErrCorrupt = errors.New("corrupt dataset")
	// ErrVersion is wrapped by errors about one that another version of the rules, the
	// observation or the format has made.
	ErrVersion = errors.New("dataset of another version")
)

// Identity says what is in a dataset and by which versions it was made.
type Identity struct {
	Format string `json:"format"`
	Config Config `json:"config"`
	// Weights has the SHA-256 of the weights of each seat's agent, empty for one that
	// is no checkpoint.
	Weights []string `json:"weights"`
	// Rules is the version of the rules, Encoding that of the observation.
	Rules          int    `json:"rules"`
	Encoding       int    `json:"encoding"`
	LayoutHash     string `json:"layout_hash"`
	VocabularyHash string `json:"vocabulary_hash"`
}

// Metadata is what every file says of itself, as JSON.
type Metadata struct {
	Identity
	// From and To are the episodes in the file, To not included.
	From int64 `json:"from"`
	To   int64 `json:"to"`
	// Actions and Outcomes name what the columns action, mask and chance number;
	// Layout describes the observation.
	Actions  []string         `json:"actions"`
	Outcomes []string         `json:"outcomes"`
	Layout   *encoding.Layout `json:"layout"`
}

// identity describes the dataset of the plan.
func (p *plan) identity() (Identity, error) {
	i := Identity{
		Format: formatVersion, Config: p.config, Rules: p.spec.Version, Encoding: p.layout.Version,
		LayoutHash: p.layout.Hash(), VocabularyHash: p.spec.VocabularyHash(),
	}
	for _, name := range p.seats {
		digest, err := roster.Weights(name)
		if err != nil {
			return i, err
		}
		i.Weights = append(i.Weights, digest)
	}
	return i, nil
}

func (p *plan) metadata(i Identity, from, to int64) Metadata {
	return Metadata{Identity: i, From: from, To: to, Actions: p.spec.Actions, Outcomes: p.spec.Outcomes, Layout: p.layout}
}

// encode writes v as one line of JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("dataset: %v", err)) // of strings, numbers and a position in valid JSON
	}
	return bytes.TrimSpace(b.Bytes())
}

// decode reads JSON that this program's version has written.
func decode(data []byte, v any) error {
	var version struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return fmt.Errorf("%w: %s", ErrCorrupt, position.Plainly(err, nil))
	}
	if version.Format != formatVersion {
		return fmt.Errorf("%w: it has format %q, this program reads %q", ErrVersion, version.Format, formatVersion)
	}
	if err := checkLists(data); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: %s", ErrCorrupt, position.Plainly(err, nil))
	}
	return nil
}

// checkLists bounds the lists of an object with an Identity before they are made.
func checkLists(data []byte) error {
	var whole struct {
		Config  json.RawMessage `json:"config"`
		Weights json.RawMessage `json:"weights"`
	}
	var config struct {
		Agents json.RawMessage `json:"agents"`
	}
	if json.Unmarshal(data, &whole) != nil || json.Unmarshal(whole.Config, &config) != nil {
		return nil // which the reader of all finds out
	}
	for name, list := range map[string]json.RawMessage{"config.agents": config.Agents, "weights": whole.Weights} {
		if len(list) > mostSeats*mostNamed/8 {
			return fmt.Errorf("%s takes %d bytes, the most is %d", name, len(list), mostSeats*mostNamed/8)
		}
	}
	return nil
}

// stated is Metadata as a file states them. What this program knows better is looked at only
// where it is no longer than that: a list of nothing takes many times its bytes.
type stated struct {
	Identity
	From     int64           `json:"from"`
	To       int64           `json:"to"`
	Actions  json.RawMessage `json:"actions"`
	Outcomes json.RawMessage `json:"outcomes"`
	Layout   json.RawMessage `json:"layout"`
}

// parseMetadata reads the JSON of Metadata and looks up what they name.
func parseMetadata(data []byte) (*Metadata, *plan, error) {
	if len(data) > maxMetadata {
		return nil, nil, fmt.Errorf("%w: %d bytes of metadata, the most is %d", ErrCorrupt, len(data), maxMetadata)
	}
	var s stated
	if err := decode(data, &s); err != nil {
		return nil, nil, err
	}
	m := &Metadata{Identity: s.Identity, From: s.From, To: s.To}
	p, err := m.lookUp()
	if err != nil {
		return nil, nil, err
	}
	for _, part := range []struct {
		name string
		text json.RawMessage
		own  any
		to   any
	}{{"actions", s.Actions, p.spec.Actions, &m.Actions}, {"outcomes", s.Outcomes, p.spec.Outcomes, &m.Outcomes}, {"layout", s.Layout, p.layout,
		&m.Layout}} {
		if own := len(encode(part.own)); len(part.text) > 2*own {
			return nil, nil, fmt.Errorf("%w: its %s take %d bytes, those of %s %d", ErrCorrupt, part.name, len(part.text), p.spec.Name, own)
		}
		d := json.NewDecoder(bytes.NewReader(part.text))
		d.DisallowUnknownFields()
		if err := d.Decode(part.to); err != nil {
			return nil, nil, fmt.Errorf("%w: %s: %s", ErrCorrupt, part.name, strings.TrimPrefix(err.Error(), "json: "))
		}
	}
	return m, p, m.check(p)
}

// lookUp looks up what the metadata name. The agents are not made: a trajectory is proved
// without them.
func (m *Metadata) lookUp() (*plan, error) {
	if err := m.Identity.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	p, err := lookUp(m.Config)
	if errors.Is(err, env.ErrEdition) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if seats := p.spec.Seats; len(m.Config.Agents) != seats || len(m.Weights) != seats {
		return nil, fmt.Errorf("%w: it has %d agents and %d weights for the %d seats of %s", ErrCorrupt, len(m.Config.Agents), len(m.Weights), seats,
			p.spec.Text)
	}
	if err := errors.Join(p.checkStart(), p.checkText()); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrCorrupt, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return p, nil
}

// mostSeats bounds the seats of any game, mostNamed the bytes of an agent's name.
const (
	mostSeats = 64
	mostNamed = 4 << 10
)

// check says what cannot be in any dataset.
func (i *Identity) check() error {
	c := &i.Config
	switch {
	case c.Episodes < 1 || c.Episodes > maxEpisodes:
		return fmt.Errorf("config: episodes is %d, it must be from 1 to %d", c.Episodes, int64(maxEpisodes))
	case c.MaxDecisions < 0 || c.MaxDecisions > math.MaxInt32:
		return fmt.Errorf("config: max_decisions is %d, it must be from 0 to %d", c.MaxDecisions, math.MaxInt32)
	case len(c.Agents) < 1 || len(c.Agents) > mostSeats || len(i.Weights) > mostSeats:
		return fmt.Errorf("config: %d agents and %d weights, want one of each per seat", len(c.Agents), len(i.Weights))
	case i.Rules < 1 || i.Encoding < 1:
		return fmt.Errorf("rules is %d and encoding %d, both must be at least 1", i.Rules, i.Encoding)
	}
	for _, name := range c.Agents {
		if len(name) > mostNamed {
			return fmt.Errorf("config: the name of an agent has %d bytes, the most is %d", len(name), mostNamed)
		}
		if err := roster.Check(name); err != nil {
			return fmt.Errorf("config: agents: %w", err)
		}
	}
	hashes := append([]string{i.LayoutHash, i.VocabularyHash}, slices.DeleteFunc(slices.Clone(i.Weights), func(w string) bool { return w == "" })...)
	for _, hash := range hashes {
		if err := checkDigest(hash); err != nil {
			return err
		}
	}
	return nil
}

// checkDigest says whether a text can be a SHA-256.
func checkDigest(text string) error {
	if sum, err := hex.DecodeString(text); err != nil || len(sum) != sha256.Size {
		return fmt.Errorf("%q is no SHA-256", option.Shorten(text))
	}
	return nil
}

// check compares the metadata with what this program knows.
func (m *Metadata) check(p *plan) error {
	switch {
	case m.Rules != p.spec.Version:
		return fmt.Errorf("%w: it was played by version %d of the rules of %s, this program has version %d", ErrVersion, m.Rules, p.spec.Name,
			p.spec.Version)
	case m.Encoding != p.layout.Version:
		return fmt.Errorf("%w: it has version %d of the observation of %s, this program writes version %d", ErrVersion, m.Encoding, p.spec.Name,
			p.layout.Version)
	case m.LayoutHash != p.layout.Hash():
		return fmt.Errorf("%w: the layout of its observation has hash %.12s, that of %s here %.12s", ErrVersion, m.LayoutHash, p.spec.Name, p.layout.Hash())
	case m.VocabularyHash != p.spec.VocabularyHash():
		return fmt.Errorf("%w: its vocabulary has hash %.12s, that of %s here %.12s", ErrVersion, m.VocabularyHash, p.spec.Name, p.spec.VocabularyHash())
	case m.Layout == nil || m.Layout.Hash() != m.LayoutHash:
		return fmt.Errorf("%w: its layout does not have the hash that it states", ErrCorrupt)
	case !equalJSON(m.Actions, p.spec.Actions) || !equalJSON(m.Outcomes, p.spec.Outcomes):
		return fmt.Errorf("%w: its vocabulary does not have the hash that it states", ErrCorrupt)
	case m.From < 0 || m.To <= m.From || m.To > m.Config.Episodes:
		return fmt.Errorf("%w: it says to hold the episodes %d to %d of %d", ErrCorrupt, m.From, m.To, m.Config.Episodes)
	}
	return nil
}

func equalJSON(a, b []string) bool { return string(encode(a)) == string(encode(b)) }
