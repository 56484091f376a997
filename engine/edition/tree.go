package edition

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a data file: several times what the largest of the games needs.
const (
	maxBytes = 2 << 20
	maxDepth = 24
	maxNodes = 200_000
)

// node is a JSON value that knows the line where it begins.
type node struct {
	kind  byte // { [ " 0 (a number) t (true or false) n (null)
	text  string
	keys  []string // of an object, in their order
	items []*node  // of an object or a list
	line  int
	start int // of an object: where its first key may stand
}

// kinds are the words for what a value is.
var kinds = map[byte]string{'{': "an object", '[': "a list", '"': "a text", '0': "a number", 't': "true or false", 'n': "null"}

// get returns the value of a key, nil where there is none.
func (n *node) get(key string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return nil
}

// parser reads a file token by token, so that a key that comes twice, a file that is nested
// too deeply and one with too many values are told apart from what encoding/json accepts.
type parser struct {
	d     *json.Decoder
	data  []byte
	at    int64 // up to where lines have been counted
	line  int
	nodes int
}

// parse reads a JSON file.
func parse(data []byte) (*node, error) {
	switch {
	case len(data) > maxBytes:
		return nil, fmt.Errorf("it has %d bytes, a data file has at most %d", len(data), maxBytes)
	case !utf8.Valid(data):
		return nil, fmt.Errorf("it is not UTF-8 text")
	}
	p := &parser{d: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1}
	p.d.UseNumber()
	n, err := p.value(0)
	if err == nil {
		if _, end := p.d.Token(); end != io.EOF {
			err = fmt.Errorf("text behind the end")
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = fmt.Errorf("it ends in the middle")
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", p.here(), err)
	}
	return n, nil
}

// here returns the line of what was read last.
func (p *parser) here() int {
	to := min(p.d.InputOffset(), int64(len(p.data)))
	p.line += bytes.Count(p.data[p.at:to], []byte{'\n'})
	p.at = to
	return p.line
}

func (p *parser) value(depth int) (*node, error) {
	t, err := p.d.Token()
	if err != nil {
		return nil, err
	}
	if p.nodes++; p.nodes > maxNodes {
		return nil, fmt.Errorf("more than %d values", maxNodes)
	}
	n := &node{line: p.here()}
	switch t := t.(type) {
	case json.Delim:
		if depth >= maxDepth {
			return nil, fmt.Errorf("nested more than %d deep", maxDepth)
		}
		n.kind, n.start = byte(t), int(p.d.InputOffset())
		return n, p.inside(n, depth)
	case string:
		n.kind, n.text = '"', t
	case json.Number:
		n.kind, n.text = '0', t.String()
	case bool:
		n.kind, n.text = 't', strconv.FormatBool(t)
	default:
		n.kind, n.text = 'n', "null"
	}
	return n, nil
}

// inside reads what stands in an object or a list, and its end.
func (p *parser) inside(n *node, depth int) error {
	seen := map[string]bool{}
	for p.d.More() {
		if n.kind == '{' {
			t, err := p.d.Token()
			if err != nil {
				return err
			}
			key := t.(string) // nothing else is a key to the decoder
			if seen[key] {
				return fmt.Errorf("the key %s comes twice in one object", quote(key))
			}
			seen[key] = true
			n.keys = append(n.keys, key)
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, err := p.d.Token()
	return err
}

// quote repeats in a message what stands in a file, cut off where it is long.
func quote(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return strconv.Quote(text)
}

// said is a value as a message repeats it.
func (n *node) said() string {
	switch n.kind {
	case '"':
		return quote(n.text)
	case '{', '[':
		return kinds[n.kind]
	}
	if len(n.text) > 30 {
		return n.text[:30] + "…"
	}
	return n.text
}

// write appends the value as JSON without spaces.
func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, k := range n.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(encode(k))
			b.WriteByte(':')
			n.items[i].write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case '"':
		b.Write(encode(n.text))
	default:
		b.WriteString(n.text)
	}
}

// encode writes a text as JSON, with the characters of HTML as they are.
func encode(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a text always encodes
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// compact returns the value as JSON on one line.
func (n *node) compact() string {
	var b bytes.Buffer
	n.write(&b)
	return b.String()
}

// sorted returns a value as JSON with the keys of its objects in order.
func sorted(n *node) []byte {
	var v any
	d := json.NewDecoder(strings.NewReader(n.compact()))
	d.UseNumber()
	err := d.Decode(&v)
	data, err2 := json.Marshal(v)
	if err != nil || err2 != nil {
		panic(fmt.Sprint(err, err2)) // it was written a moment ago
	}
	return data
}

// labels are the fields that records are known by, the best first.
var labels = []string{"key", "id", "number", "name", "title", "roll"}

// label names a record by the first of its fields that does, "" where none does.
func (n *node) label() string {
	for _, key := range labels {
		if v := n.get(key); v != nil && (v.kind == '"' || v.kind == '0') {
			return strings.Trim(v.said(), `"`)
		}
	}
	return ""
}
