package run

import "strings"

// columns writes a table of which some columns may be left out.
type columns struct {
	line  func(string, ...any)
	names []string
	shown []bool
}

func newColumns(line func(string, ...any), names ...string) *columns {
	return (&columns{line: line}).add(true, names...)
}

// add adds columns, to be shown or left out.
func (m *columns) add(shown bool, names ...string) *columns {
	for _, name := range names {
		m.names, m.shown = append(m.names, name), append(m.shown, shown)
	}
	return m
}

func (m *columns) head() {
	m.row(m.names...)
	m.line("|%s", strings.Repeat("---|", strings.Count(m.text(m.names), "|")-1))
}

// row writes a row that has all columns.
func (m *columns) row(cells ...string) { m.line("%s", m.text(cells)) }

func (m *columns) text(cells []string) string {
	text := "|"
	for i, cell := range cells {
		if m.shown[i] {
			text += " " + cell + " |"
		}
	}
	return text
}
