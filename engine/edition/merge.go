package edition

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine/ruledata"
)

// merger puts the values of an edition into the shipped data: what it may not replace stays
// as shipped, so that whatever a file says the game can be loaded, and what it says
// otherwise is a fault.
type merger struct {
	*shipped
	file    string
	faults  []string
	changes []*change
	count   FileReport
	digest  io.Writer // of the open fields and their values
}

// change is a value that an edition puts in the place of a shipped one.
type change struct {
	file, record string
	slot         **node // in the merged data
	old, new     *node
}

func (m *merger) fault(line int, format string, args ...any) {
	at := m.file + ".json"
	if line > 0 {
		at = fmt.Sprintf("%s line %d", at, line)
	}
	m.faults = append(m.faults, at+": "+fmt.Sprintf(format, args...))
}

// isNote reports whether a key is one of those that say where facts come from, or that are
// for people alone.
func isNote(key string) bool {
	switch key {
	case "source", "cite", "why", "note", "notes", "sources_by_field", "field_sources":
		return true
	}
	return strings.HasSuffix(key, "_source") || strings.HasSuffix(key, "_why") || strings.HasSuffix(key, "_note")
}

// merge returns a copy of the shipped value and notes the changes to it.
func (m *merger) merge(std, v *node, where string) *node {
	out := *std
	out.items = slices.Clone(std.items)
	switch {
	case v.kind != std.kind:
		m.fault(v.line, "%s is %s, want %s", orFile(where), v.said(), wanted(std))
	case std.kind == '{':
		m.object(std, v, &out, where)
	case std.kind == '[':
		m.list(std, v, &out, where)
	case !equal(std, v):
		m.fault(v.line, "%s is %s, want %s: it is not among what an owner may replace", where, v.said(), std.said())
	}
	return &out
}

// wanted is a shipped value that was looked for.
func wanted(std *node) string {
	if std.kind == '{' || std.kind == '[' {
		return kinds[std.kind]
	}
	return std.said()
}

// equal compares two scalars, numbers by their value.
func equal(a, b *node) bool {
	if a.kind == '0' {
		x, err := strconv.ParseFloat(a.text, 64)
		y, err2 := strconv.ParseFloat(b.text, 64)
		return err == nil && err2 == nil && x == y
	}
	return a.text == b.text
}

func orFile(where string) string {
	if where == "" {
		return "the file"
	}
	return where
}

// object merges the fields of a record, the open ones as changes.
func (m *merger) object(std, v, out *node, where string) {
	for _, key := range v.keys {
		switch {
		case isNote(key) || std.get(key) != nil:
		case key == markKey && m.shipped.marks[std] != nil:
		case key == markKey:
			m.fault(v.get(key).line, "%s has nothing that can be %s", orFile(where), markKey)
		default:
			m.fault(v.get(key).line, "%s has no field %s", orFile(where), quote(key))
		}
	}
	m.countMarks(std, v, where)
	for i, key := range std.keys {
		item := v.get(key)
		f := field(m.open[std], key)
		if field(m.shipped.marks[std], key) != nil {
			m.count.Open++
		}
		switch {
		case isNote(key) && f == nil:
		case item == nil:
			m.fault(v.line, "%s is missing", join(where, key))
		case f == nil:
			out.items[i] = m.merge(std.items[i], item, join(where, key))
		default:
			m.replace(f, std.items[i], item, &out.items[i], where)
		}
	}
}

// replace notes the value of an open field.
func (m *merger) replace(f *ruledata.Field, std, item *node, slot **node, where string) {
	path := join(where, f.Name)
	if fault := fieldFault(f, std, item); fault != "" {
		m.fault(item.line, "%s %s", path, fault)
		return
	}
	value := sorted(item)
	fmt.Fprintf(m.digest, "%s %s %s\n", m.file, path, value)
	if !bytes.Equal(value, sorted(std)) {
		m.changes = append(m.changes, &change{m.file, orFile(where), slot, std, item})
		m.count.Changed++
	}
}

// countMarks counts the fields that a record says are still reconstructed.
func (m *merger) countMarks(std, v *node, where string) {
	list, marks := v.get(markKey), m.shipped.marks[std]
	if list == nil || marks == nil {
		return
	}
	if list.kind != '[' {
		m.fault(list.line, "%s is %s, want a list of names of fields", join(where, markKey), list.said())
		return
	}
	seen := map[string]bool{}
	for _, item := range list.items {
		switch {
		case item.kind != '"' || field(marks, item.text) == nil:
			m.fault(item.line, "%s names %s; the fields of it that can be are %s", join(where, markKey), item.said(), names(marks))
		case seen[item.text]:
			m.fault(item.line, "%s names %s twice", join(where, markKey), item.said())
		default:
			m.count.Left++
		}
		seen[item.text] = true
	}
}

func names(fields []ruledata.Field) string {
	var list []string
	for _, f := range fields {
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}

// list merges a list: by the names of its records where they have some, else by place.
func (m *merger) list(std, v, out *node, where string) {
	key := m.labelKey(std)
	if key == "" {
		if len(v.items) != len(std.items) {
			m.fault(v.line, "%s has %d entries, want %d", where, len(v.items), len(std.items))
		}
		for i := range min(len(v.items), len(std.items)) {
			out.items[i] = m.merge(std.items[i], v.items[i], fmt.Sprintf("%s[%d]", where, i+1))
		}
		return
	}
	given := map[string]*node{}
	var order, strange []string
	for _, item := range v.items {
		name := "a record"
		if l := item.get(key); l != nil {
			name = strings.Trim(l.said(), `"`)
		}
		switch {
		case !slices.ContainsFunc(std.items, func(s *node) bool { return strings.Trim(s.get(key).said(), `"`) == name }):
			strange = append(strange, fmt.Sprintf("%s (line %d)", name, item.line))
		case given[name] != nil:
			m.fault(item.line, "%s: %s comes twice", where, name)
		default:
			given[name] = item
			order = append(order, name)
		}
	}
	var missing, want []string
	for i, s := range std.items {
		name := strings.Trim(s.get(key).said(), `"`)
		item := given[name]
		if item == nil {
			missing = append(missing, name)
			continue
		}
		want = append(want, name)
		out.items[i] = m.merge(s, item, fmt.Sprintf("%s[%s]", where, name))
	}
	if missing != nil {
		m.fault(v.line, "%s: %s missing", where, some(missing, "is", "are"))
	}
	if strange != nil {
		m.fault(v.line, "%s: %s not in the game", where, some(strange, "is", "are"))
	}
	for i, name := range order {
		if want[i] != name {
			m.fault(given[name].line, "%s: %s stands where %s belongs: the order is that of the game", where, name, want[i])
			break
		}
	}
}

// some names the first of a list of names, and how many more there are.
func some(list []string, one, many string) string {
	const most = 5
	switch n := len(list); {
	case n == 1:
		return list[0] + " " + one
	case n > most:
		return fmt.Sprintf("%s and %d more %s", strings.Join(list[:most], ", "), n-most, many)
	}
	return strings.Join(list, ", ") + " " + many
}

// labelKey returns the field by which the records of a list are known: all have it, each
// another, and it may not be replaced. "" where there is none.
func (m *merger) labelKey(std *node) string {
	for _, key := range labels {
		seen := map[string]bool{}
		for _, s := range std.items {
			l := s.get(key)
			if l == nil || l.kind == '{' || l.kind == '[' || seen[l.text] || field(m.open[s], key) != nil {
				break
			}
			seen[l.text] = true
		}
		if len(seen) == len(std.items) && len(seen) > 0 {
			return key
		}
	}
	return ""
}
