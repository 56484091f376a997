package file

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a YAML document. The parser takes memory as the square of how deep a document
// nests, or how many keys a mapping has: 500 kB of brackets are more than 10 GB. The largest
// configuration of this project has 8 kB and 1,500 tokens.
const (
	yamlBytes  = 1 << 20
	yamlTokens = 1 << 14
	yamlDepth  = 32
)

// CheckYAML refuses a document that is too large or too deep for the YAML parser, or that
// refers to a part of itself, which may multiply it. Its errors are single lines.
func CheckYAML(data []byte) error {
	if len(data) > yamlBytes {
		return fmt.Errorf("%d bytes of YAML, the most is %d", len(data), yamlBytes)
	}
	if !utf8.Valid(data) {
		return errors.New("it is no text in UTF-8")
	}
	tokens := lexer.Tokenize(string(data))
	if len(tokens) > yamlTokens {
		return fmt.Errorf("%d signs and words of YAML, the most is %d", len(tokens), yamlTokens)
	}
	brackets, line, entries := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType:
			return fmt.Errorf("line %d: anchors and aliases (%s) are not read here; write the value out", line, t.Value)
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType, token.TagType:
			entries++
		}
		if max(brackets, 0)+entries+t.Position.IndentNum/minIndent > yamlDepth {
			return fmt.Errorf("line %d: nested more than %d deep", line, yamlDepth)
		}
	}
	return nil
}

// minIndent is by how much a part of a document that people write is indented at least.
const minIndent = 2
