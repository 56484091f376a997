package edition

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// Files returns what stands in the folder of a new edition of a game, by name: its data
// files as shipped, in which every record names its reconstructed fields, edition.json and
// the check-list.
func Files(f engine.Family) (map[string][]byte, error) {
	if f.Data == nil {
		return nil, fmt.Errorf("%s has no editions", f.Name)
	}
	std, err := ship(f.Data)
	if err != nil {
		return nil, err
	}
	manifest, err := json.MarshalIndent(Manifest{Format, f.Name, f.Data.Version}, "", "  ")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{ManifestName: append(manifest, '\n'), ListName: std.checkList(f)}
	for _, name := range f.Data.Names {
		data, err := f.Data.Files.ReadFile("data/" + name + ".json")
		if err != nil {
			return nil, err
		}
		files[name+".json"] = std.marked(data, std.files[name])
	}
	return files, nil
}

// marked writes the marks of the open fields into a data file, before the first key of
// each record, and leaves the rest as it stands.
func (s *shipped) marked(data []byte, root *node) []byte {
	type mark struct {
		at     int
		fields []ruledata.Field
	}
	var marks []mark
	var walk func(n *node)
	walk = func(n *node) {
		if fields := s.marks[n]; fields != nil {
			marks = append(marks, mark{n.start, fields})
		}
		for _, item := range n.items {
			walk(item)
		}
	}
	walk(root)
	var b bytes.Buffer
	from := 0
	for _, m := range marks {
		rest := data[m.at:]
		space := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))] // the indentation of the first key
		list := []string{}
		for _, f := range m.fields {
			list = append(list, string(encode(f.Name)))
		}
		b.Write(data[from:m.at])
		fmt.Fprintf(&b, "%s%q: [%s],", space, markKey, strings.Join(list, ", "))
		if len(space) == 0 {
			b.WriteByte(' ')
		}
		from = m.at
	}
	b.Write(data[from:])
	return b.Bytes()
}

// checkList writes the list that an owner goes through the box with.
func (s *shipped) checkList(f engine.Family) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# %s: what to look up in the box

The rulebook does not print these values; those that ship are reconstructed. Compare each
with your copy of the game. Where another value is printed, write it beside the shipped one
here and into the data file; then take the name of the field out of the list "reconstructed"
of its record, also where the shipped value was right. Everything else in the files is fixed.

    powderkeg edition check FOLDER

says what is wrong and what is left, and a game string such as `+"`%s(edition=FOLDER)`"+` plays it.
`, f.Title, f.Name)
	for _, g := range s.groups {
		if !g.open.Derived {
			g.section(&b)
		}
	}
	if fixed := f.Data.Fixed; fixed != nil {
		b.WriteString("\n## What cannot be replaced\n\n")
		for _, x := range fixed {
			fmt.Fprintf(&b, "- %s: %s.\n", x.What, x.Why)
		}
	}
	return b.Bytes()
}

// section writes the fields of a group of records: a table with a row for each record where
// all of them are short, else a row for each field.
func (g *group) section(b *bytes.Buffer) {
	title := g.open.File + ".json"
	if g.open.At != "" {
		title += ", " + strings.NewReplacer("[]", "", ".*", "", ".", " ").Replace(g.open.At)
	}
	fmt.Fprintf(b, "\n## %s\n", title)
	first := "\n"
	for _, f := range g.open.Fields {
		switch {
		case f.Low != 0 || f.High != 0:
			fmt.Fprintf(b, "%s- `%s`: whole numbers from %d to %d.\n", first, f.Name, f.Low, f.High)
			first = ""
		case f.Words != nil:
			fmt.Fprintf(b, "%s- `%s`: one of %s.\n", first, f.Name, strings.Join(f.Words, ", "))
			first = ""
		}
	}
	if !slices.ContainsFunc(g.records, long) {
		var head, line strings.Builder
		for _, f := range g.open.Fields {
			head.WriteString(" " + f.Name + " |")
			line.WriteString("---|")
		}
		fmt.Fprintf(b, "\n| record |%s\n|---|%s\n", head.String(), line.String())
		for _, r := range g.records {
			fmt.Fprintf(b, "| %s |", cell(name(&r)))
			for _, f := range g.open.Fields {
				if v := r.at.get(f.Name); v == nil {
					b.WriteString(" |")
				} else {
					fmt.Fprintf(b, " %s %s |", cell(value(v)), blank)
				}
			}
			b.WriteByte('\n')
		}
		return
	}
	b.WriteString("\n| record | field | reconstructed | in the box |\n|---|---|---|---|\n")
	for _, r := range g.records {
		for _, f := range r.fields {
			rows(b, name(&r), f.Name, r.at.get(f.Name))
		}
	}
}

// blank is where a value is filled in by hand.
const blank = "____"

// short is the length of a value that fits a column.
const short = 16

func long(r record) bool {
	return slices.ContainsFunc(r.fields, func(f ruledata.Field) bool { return utf8.RuneCountInString(value(r.at.get(f.Name))) > short })
}

// rows writes a field, a table among them row by row.
func rows(b *bytes.Buffer, record, field string, v *node) {
	nested := len(v.items) > 0 && !slices.ContainsFunc(v.items, func(i *node) bool { return i.kind != '[' })
	if !nested {
		fmt.Fprintf(b, "| %s | %s | %s | %s%s |\n", cell(record), field, cell(value(v)), blank, blank)
		return
	}
	for i, item := range v.items {
		key := fmt.Sprint(i + 1)
		if v.kind == '{' {
			key = v.keys[i]
		}
		rows(b, record, field+" "+key, item)
	}
}

// name is what a record is called: where it stands and its name for people.
func name(r *record) string {
	name := r.where
	if i := strings.LastIndexByte(name, '['); i >= 0 {
		name = strings.Trim(name[i:], "[]")
	}
	for _, key := range []string{"name", "title"} {
		if v := r.at.get(key); v != nil && v.kind == '"' && v.text != name {
			return name + " " + v.text
		}
	}
	return name
}

// value is a value as it is written, a text without its quotes.
func value(v *node) string {
	if v.kind == '"' {
		return v.text
	}
	return v.compact()
}

// cell makes a text fit a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
