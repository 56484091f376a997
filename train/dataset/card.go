//go:build !library

package dataset

import (
	"bytes"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"powderkeg/checkpoints/durable"
)

// CardName is the file that tells people of a dataset, in Markdown with the front matter
// of dataset hubs. They want it as README.md; here it has a name that readers of whole
// folders pass over.
const CardName = "_card.md"

//go:embed card.md.tmpl
var cardText string

var cardTemplate = template.Must(template.New(CardName).Parse(cardText))

// card is what the template tells of.
type card struct {
	*Manifest
	Name, Title     string // of the game
	Rows            int64
	Episodes        int64 // of the shards
	Truncated       int64
	Seats           []cardSeat
	Observation     int // numbers
	NumberOfActions int
	Fields          int
	Secret          []string
	Command         string
}

type cardSeat struct {
	Seat          int
	Agent, Digest string
	Return        string // mean
}

// writeCard tells of the shards that are there.
func (m *Manifest) writeCard(dir string, p *plan) error {
	c := card{Manifest: m, Name: p.spec.Name, Title: p.spec.Text, Observation: p.layout.Size, NumberOfActions: len(p.spec.Actions),
		Fields: len(p.layout.Fields),
		Secret: []string{"opening", "chance", "state_hash", "seed"}, Command: m.command()}
	returns := make([]float64, p.spec.Seats)
	for _, s := range m.Shards {
		c.Rows, c.Episodes, c.Truncated = c.Rows+s.Rows, c.Episodes+s.To-s.From, c.Truncated+s.Truncated
		for seat, sum := range s.Returns {
			returns[seat] += sum
		}
	}
	for seat, agent := range p.seats {
		c.Seats = append(c.Seats, cardSeat{seat, agent, m.Weights[seat], fmt.Sprintf("%+.3f", returns[seat]/float64(max(c.Episodes, 1)))})
	}
	var text bytes.Buffer
	if err := cardTemplate.Execute(&text, &c); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, CardName), text.Bytes())
}

// command is how the dataset is made again, but for a start position, which is a file.
func (m *Manifest) command() string {
	words := []string{"powderkeg export", "'" + m.Config.Game + "'"}
	agents := m.Config.Agents
	if !slices.ContainsFunc(agents, func(a string) bool { return a != agents[0] }) {
		agents = agents[:1]
	}
	for _, a := range agents {
		words = append(words, "--agent '"+a+"'")
	}
	words = append(words, fmt.Sprintf("--episodes %d --seed %d", m.Config.Episodes, m.Config.Seed))
	if m.Config.Start != nil {
		words = append(words, "--start POSITION.json")
	}
	if m.Config.MaxDecisions > 0 {
		words = append(words, fmt.Sprintf("--max-decisions %d", m.Config.MaxDecisions))
	}
	if m.Config.Logits {
		words = append(words, "--logits")
	}
	if m.Config.Text {
		words = append(words, "--text")
	}
	return strings.Join(append(words, fmt.Sprintf("--format %s --compression %s --shard-episodes %d --out DIR", m.FileFormat, m.Compression,
		m.ShardEpisodes)), " ")
}
