package tabular

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
	"powderkeg/env/file"
)

// fileFormat names the file format and its version.
const fileFormat = "powderkeg-policy/1"

// document is the file.
type document struct {
	Format string `json:"format"`
	// Game is the game string, Rules the Spec.Version that the policy is for.
	Game   string  `json:"game"`
	Rules  int     `json:"rules"`
	States []state `json:"information_states"`
}

// state is one line of the file.
type state struct {
	Seat          engine.Player      `json:"seat"`
	Key           string             `json:"key"`
	Probabilities map[string]float64 `json:"probabilities"`
}

// UnmarshalJSON reads a line. One without a choice is refused as it comes, since a list of
// nothing would take many times its bytes.
func (s *state) UnmarshalJSON(data []byte) error {
	type plain state
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode((*plain)(s)); err != nil {
		return err
	}
	if len(s.Probabilities) == 0 {
		return fmt.Errorf("information state %q: the probabilities add up to 0, want 1", option.Shorten(s.Key))
	}
	return nil
}

// Write writes the file. Equal policies give equal bytes.
func (p *Policy) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	spec := p.game.Spec()
	fmt.Fprintf(out, "{\"format\": %q, \"game\": %s, \"rules\": %d, \"information_states\": [", fileFormat, quoted(spec.Text), spec.Version)
	for i, r := range p.rows {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "\n  {\"seat\": %d, \"key\": %s, \"probabilities\": {", r.Seat, quoted(escape(r.Key)))
		for k, a := range r.Actions {
			if k > 0 {
				out.WriteString(", ")
			}
			fmt.Fprintf(out, "%s: %s", quoted(spec.Actions[a]), strconv.FormatFloat(r.Probabilities[k], 'g', -1, 64))
		}
		out.WriteString("}}")
	}
	out.WriteString("\n]}\n")
	return out.Flush() // which tells of the first error
}

// quoted returns the JSON form of a text.
func quoted(text string) []byte {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return data
}

// escape makes a key printable. Keys are bytes, JSON holds characters.
func escape(key string) string {
	q := strconv.Quote(key)
	return q[1 : len(q)-1]
}

func unescape(text string) (string, error) {
	key, err := strconv.Unquote(`"` + text + `"`)
	if err != nil {
		return "", fmt.Errorf("the key %q is no text with the escapes of a Go string", text)
	}
	return key, nil
}

// Open reads the policy of a file for the game.
func Open(g engine.Game, path string) (*Policy, error) {
	data, err := file.Read(path, file.Record)
	if err != nil {
		return nil, err
	}
	p, err := Read(g, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Read reads the text of a file. It refuses one for another game or other rules.
func Read(g engine.Game, data []byte) (*Policy, error) {
	d := document{Format: fileFormat} // so that a JSON file of another kind is told by its fields
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("not a policy: %s", position.Plainly(err, nil))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("not a policy: text after the end")
	}
	spec := g.Spec()
	switch {
	case d.Format != fileFormat:
		return nil, fmt.Errorf("format is %q, this program reads %q", d.Format, fileFormat)
	case d.Game != spec.Text:
		return nil, fmt.Errorf("the policy is for %s, not for %s", d.Game, spec.Text)
	case d.Rules != spec.Version:
		return nil, fmt.Errorf("the policy is for version %d of the rules of %s, this program has %d", d.Rules, d.Game, spec.Version)
	}
	rows := make([]Row, len(d.States))
	for i, s := range d.States {
		row, err := s.row(spec)
		if err != nil {
			return nil, err
		}
		rows[i] = row
	}
	return New(g, rows)
}

// row looks the actions up by name.
func (s state) row(spec *engine.Spec) (Row, error) {
	key, err := unescape(s.Key)
	if err != nil {
		return Row{}, err
	}
	r := Row{Seat: s.Seat, Key: key}
	for i, name := range spec.Actions {
		if x, ok := s.Probabilities[name]; ok {
			r.Actions = append(r.Actions, engine.Action(i))
			r.Probabilities = append(r.Probabilities, x)
		}
	}
	if len(r.Actions) == len(s.Probabilities) {
		return r, nil
	}
	for name := range s.Probabilities {
		if !slices.Contains(spec.Actions, name) {
			return Row{}, fmt.Errorf("information state %q: unknown action %q; powderkeg spec %s lists the actions", s.Key, name, spec.Name)
		}
	}
	panic("tabular: two actions have one name")
}
