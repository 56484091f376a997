package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"powderkeg/agents/roster"
	"powderkeg/serve/web"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// open returns a server with the bots of the roster.
func newServer(t testing.TB, change func(c *Config)) *Server {
	t.Helper()
	c := Default()
	c.NewAgent = web.Players(roster.Limits{Sims: 2000})
	c.Hint = 100 * time.Millisecond
	if change != nil {
		change(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// model is a client of a server: the SDK's own.
type model struct {
	t       testing.TB
	session *sdk.ClientSession
	tools   map[string]*sdk.Tool
}

// connect connects a client over a pair of streams in memory.
func connect(t testing.TB, s *Server) *model {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := s.protocol.Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	return newModel(t, theirs)
}

// newModel connects a client over a transport.
func newModel(t testing.TB, over sdk.Transport) *model {
	t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	m := &model{t, session, map[string]*sdk.Tool{}}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		m.tools[tool.Name] = tool
	}
	return m
}

// ask calls a tool, and holds the arguments and the answer against its schemas.
func (m *model) ask(tool string, arguments map[string]any, into any) string {
	m.t.Helper()
	if err := m.fits(m.tools[tool].InputSchema, arguments); err != nil {
		m.t.Errorf("%s: the arguments %v do not fit the schema: %v", tool, arguments, err)
	}
	text, failed, structured := m.call(tool, arguments)
	if failed {
		m.t.Fatalf("%s %v fails: %s", tool, arguments, text)
	}
	if err := m.fits(m.tools[tool].OutputSchema, structured); err != nil {
		m.t.Errorf("%s: the answer does not fit the schema: %v", tool, err)
	}
	data, err := json.Marshal(structured)
	if err == nil && into != nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return text
}

// call calls a tool whatever comes of it.
func (m *model) call(tool string, arguments any) (text string, failed bool, structured any) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	r, err := m.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		m.t.Fatalf("%s: an error of the protocol: %v", tool, err)
	}
	if len(r.Content) != 1 {
		m.t.Fatalf("%s: %d contents", tool, len(r.Content))
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError, r.StructuredContent
}

// fits holds a value against a schema.
func (m *model) fits(schema, value any) error {
	data, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	if data, err = json.Marshal(value); err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal(data, &plain); err != nil {
		return err
	}
	return resolved.Validate(plain)
}

// wants checks that a call fails with one line that has all parts.
func (m *model) wants(what, tool string, arguments any, parts ...string) {
	m.t.Helper()
	text, failed, _ := m.call(tool, arguments)
	if !failed || !strings.HasPrefix(text, tool+": ") || strings.Contains(text, "\n") || len(text) > 1500 {
		m.t.Errorf("%s: %s answers %.2000q, want one line that begins with the tool", what, tool, text)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			m.t.Errorf("%s: %s answers %q, want it to contain %q", what, tool, text, part)
		}
	}
}
