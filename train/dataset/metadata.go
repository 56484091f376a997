package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"powderkeg/agents/roster"
	"powderkeg/engine/position"
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
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: %s", ErrCorrupt, position.Plainly(err, nil))
	}
	return nil
}

// open looks up what the metadata names and checks it against this program. The
// agents are not made: a trajectory is proved without them.
func (m *Metadata) open() (*plan, error) {
	p, err := lookUp(m.Config)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err := p.checkStart(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	switch {
	case m.Rules != p.spec.Version:
		return nil, fmt.Errorf("%w: it was played by version %d of the rules of %s, this program has version %d", ErrVersion, m.Rules, p.spec.Name, p.spec.Version)
	case m.Encoding != p.layout.Version:
		return nil, fmt.Errorf("%w: it has version %d of the observation of %s, this program writes version %d", ErrVersion, m.Encoding, p.spec.Name, p.layout.Version)
	case m.LayoutHash != p.layout.Hash():
		return nil, fmt.Errorf("%w: the layout of its observation has hash %.12s, that of %s here %.12s", ErrVersion, m.LayoutHash, p.spec.Name, p.layout.Hash())
	case m.VocabularyHash != p.spec.VocabularyHash():
		return nil, fmt.Errorf("%w: its vocabulary has hash %.12s, that of %s here %.12s", ErrVersion, m.VocabularyHash, p.spec.Name, p.spec.VocabularyHash())
	case m.Layout == nil || m.Layout.Hash() != m.LayoutHash:
		return nil, fmt.Errorf("%w: its layout does not have the hash that it states", ErrCorrupt)
	case !equalJSON(m.Actions, p.spec.Actions) || !equalJSON(m.Outcomes, p.spec.Outcomes):
		return nil, fmt.Errorf("%w: its vocabulary does not have the hash that it states", ErrCorrupt)
	case m.From < 0 || m.To <= m.From || m.To > m.Config.Episodes:
		return nil, fmt.Errorf("%w: it says to hold the episodes %d to %d of %d", ErrCorrupt, m.From, m.To, m.Config.Episodes)
	}
	return p, nil
}

func equalJSON(a, b []string) bool { return string(encode(a)) == string(encode(b)) }
