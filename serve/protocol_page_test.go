package serve_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/serve/client"
)

const pagePath = "protocol/PROTOCOL.md"

// The page's table of agent strings is that of the roster, and it names the zoo.
func TestThePageNamesTheAgents(t *testing.T) {
	page := read(t, pagePath)
	table := agentTable()
	begin, end := strings.Index(page, "| `random` |"), strings.Index(page, "\nWithin brackets a network")
	if begin < 0 || end < 0 {
		t.Fatalf("%s has no table of agent strings", pagePath)
	}
	if page[begin:end] != table {
		t.Errorf("%s has the agents\n%s\nwant\n%s", pagePath, page[begin:end], table)
	}
	if want := "behind `zoo:`: `" + strings.Join(checkpoints.Zoo(), "`, `") + "`."; !strings.Contains(page, want) {
		t.Errorf("%s does not say %q", pagePath, want)
	}
}

// agentTable is the table of the agents that a server can offer.
func agentTable() string {
	var b strings.Builder
	offered := roster.Limits{Files: true}.Names()
	for _, k := range roster.List() {
		if !strings.Contains(strings.Join(offered, " "), k.Name) {
			continue
		}
		written := k.Name
		if k.Argument != "" {
			written += ":" + k.Argument
		} else if len(k.Options) > 0 {
			written += "(...)"
		}
		var options []string
		for _, o := range k.Options {
			options = append(options, fmt.Sprintf("`%s=%s` (%s): %s", o.Name, o.Default, strings.ReplaceAll(o.Wants(), "|", "or"), o.Help))
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", k.Name, written, strings.Join(append([]string{k.Help}, options...), "<br>"))
	}
	return b.String()
}

// The schema has the methods that a server has.
func TestTheSchemaHasEveryMethod(t *testing.T) {
	var schema struct {
		Methods map[string]any `json:"methods"`
	}
	if err := json.Unmarshal([]byte(read(t, "protocol/schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	c, err := client.Dial(t.Context(), running(t, config()))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, want := slices.Sorted(maps.Keys(schema.Methods)), c.Welcome().Methods; !slices.Equal(got, want) {
		t.Errorf("the schema has the methods %q, the server %q", got, want)
	}
}
