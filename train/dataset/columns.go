//go:build !library

package dataset

// kind says how a column lies in a file.
type kind uint8

const (
	scalar   kind = iota // a number per row
	flag                 // true or false, 1 and 0 in the batch
	fixed                // width numbers per row
	list                 // any count of numbers per row
	optional             // width numbers per row, or none (Batch.HasLogits)
	text                 // a string a row
)

// column is a column of a batch by the name that it has in files. Values points
// to a slice of numbers, or for text of strings, in the batch.
type column struct {
	name    string
	kind    kind
	width   int
	values  any
	offsets *[]int32 // of a list
}

// shape is the widths of a dataset's columns, and which of them there are.
type shape struct {
	observation, actions, seats int
	logits, text                bool
}

func (p *plan) shape() shape {
	return shape{p.layout.Size, len(p.spec.Actions), p.spec.Seats, p.config.Logits, p.config.Text}
}

// columns lists the columns in the order in which files have them.
func (b *Batch) columns(s shape) []column {
	columns := []column{
		{"episode", scalar, 1, &b.Episodes, nil},
		{"step", scalar, 1, &b.Steps, nil},
		{"actor", scalar, 1, &b.Actors, nil},
		{"observation", fixed, s.observation, &b.Observations, nil},
		{"mask", fixed, s.actions, &b.Masks, nil},
		{"action", scalar, 1, &b.Actions, nil},
		{"rewards", fixed, s.seats, &b.Rewards, nil},
		{"returns", fixed, s.seats, &b.Returns, nil},
		{"terminated", flag, 1, &b.Terminated, nil},
		{"truncated", flag, 1, &b.Truncated, nil},
		{"seed", scalar, 1, &b.Seeds, nil},
		{"opening", list, 0, &b.Opening.Values, &b.Opening.Offsets},
		{"chance", list, 0, &b.Chance.Values, &b.Chance.Offsets},
		{"state_hash", scalar, 1, &b.Hashes, nil},
		{"final_observation", list, 0, &b.Finals.Values, &b.Finals.Offsets},
	}
	if s.logits {
		columns = append(columns, column{"logits", optional, s.actions, &b.Logits, nil})
	}
	if s.text {
		columns = append(columns, column{"text", text, 1, &b.Text, nil})
	}
	return columns
}
