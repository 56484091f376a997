package edition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// markKey is the key under which a record of an edition names its fields that are still
// reconstructed.
const markKey = "reconstructed"

// group is the records of one row of the game's open fields.
type group struct {
	open    ruledata.Open
	records []record
}

// record is a record of the shipped data with the fields of it that may be replaced.
type record struct {
	at     *node
	in     *node // the record that it stands in
	where  string
	fields []ruledata.Field
}

// shipped is what a game ships: its data files, taken apart, and the fields of each record
// that may be replaced.
type shipped struct {
	data   *engine.Data
	files  map[string]*node
	groups []group
	open   map[*node][]ruledata.Field // that may be replaced
	marks  map[*node][]ruledata.Field // of these, those that are to be looked up
}

// ship reads the shipped data of a game. Its error is a fault of the program.
func ship(d *engine.Data) (*shipped, error) {
	s := &shipped{data: d, files: map[string]*node{}, open: map[*node][]ruledata.Field{}, marks: map[*node][]ruledata.Field{}}
	for _, name := range d.Names {
		data, err := d.Files.ReadFile("data/" + name + ".json")
		if err != nil {
			return nil, err
		}
		if s.files[name], err = parse(data); err != nil {
			return nil, fmt.Errorf("%s.json: %w", name, err)
		}
	}
	for _, o := range d.Open {
		g := group{open: o}
		mark, outer := strings.CutPrefix(o.Mark, "^")
		for _, r := range find(s.files[o.File], nil, strings.Split(o.At, "."), "") {
			marked := r.at
			if outer {
				marked = r.in
			}
			if mark != "" && !reconstructed(marked, strings.Split(mark, ".")) {
				continue
			}
			for _, f := range o.Fields {
				if r.at.get(f.Name) != nil {
					r.fields = append(r.fields, f)
				}
			}
			if r.fields != nil {
				s.open[r.at] = append(s.open[r.at], r.fields...)
				if !o.Derived {
					s.marks[r.at] = append(s.marks[r.at], r.fields...)
				}
				g.records = append(g.records, r)
			}
		}
		if g.records == nil {
			return nil, fmt.Errorf("%s.json: nothing at %q has a reconstructed field by %q", o.File, o.At, o.Mark)
		}
		s.groups = append(s.groups, g)
	}
	return s, nil
}

// find returns the records at a place of a file (ruledata.Open.At).
func find(n, in *node, at []string, where string) []record {
	if len(at) == 0 || at[0] == "" {
		return []record{{at: n, in: in, where: where}}
	}
	var list []record
	key, only, each := strings.Cut(strings.TrimSuffix(at[0], "]"), "[")
	switch {
	case n == nil:
	case key == "*":
		for i, k := range n.keys {
			if n.items[i].kind == '{' {
				list = append(list, find(n.items[i], n, at[1:], join(where, k))...)
			}
		}
	case !each:
		list = find(n.get(key), n, at[1:], join(where, key))
	default:
		if l := n.get(key); l != nil && l.kind == '[' {
			for i, item := range l.items {
				name := item.label()
				if name == "" {
					name = fmt.Sprint(i + 1)
				}
				if only != "" && only != name {
					continue
				}
				list = append(list, find(item, n, at[1:], fmt.Sprintf("%s[%s]", join(where, key), name))...)
			}
		}
	}
	return list
}

func join(where, key string) string {
	if where == "" {
		return key
	}
	return where + "." + key
}

// reconstructed reports whether the mark at a place of a record says so, of the whole or of
// a part.
func reconstructed(n *node, mark []string) bool {
	for _, key := range mark {
		n = n.get(key)
	}
	if n == nil {
		return false
	}
	if n.kind == '{' {
		return slices.ContainsFunc(n.items, func(i *node) bool { return strings.Contains(i.text, markKey) })
	}
	return strings.Contains(n.text, markKey)
}

// field returns the field of a name, nil where there is none of that name.
func field(fields []ruledata.Field, name string) *ruledata.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// fieldFault says what is wrong with the value of an open field, "" where nothing is. A
// whole number is put into its usual spelling.
func fieldFault(f *ruledata.Field, std, v *node) string {
	switch {
	case v.kind == std.kind && v.compact() == std.compact():
		return ""
	case v.kind == 'n' && (std.kind == 'n' || f.Null):
		return ""
	case f.Free:
		if v.kind != std.kind && std.kind != 'n' {
			return fmt.Sprintf("is %s, want %s", v.said(), kinds[std.kind])
		}
		return ""
	case std.kind == '{' || std.kind == '[':
		return partsFault(f, std, v)
	case f.Low != 0 || f.High != 0:
		return numberFault(f, v)
	case std.kind == 't':
		if v.kind != 't' {
			return fmt.Sprintf("is %s, want true or false", v.said())
		}
		return ""
	case f.Words != nil:
		if v.kind != '"' || !slices.Contains(f.Words, v.text) {
			return fmt.Sprintf("is %s, want one of %s", v.said(), strings.Join(f.Words, ", "))
		}
		return ""
	}
	return textFault(v)
}

// partsFault looks at a list or an object whose parts are numbers or words: it has the form
// of the shipped one.
func partsFault(f *ruledata.Field, std, v *node) string {
	switch {
	case v.kind != std.kind:
		return fmt.Sprintf("is %s, want %s", v.said(), kinds[std.kind])
	case len(v.items) != len(std.items):
		return fmt.Sprintf("has %d entries, want %d", len(v.items), len(std.items))
	}
	for i := range std.items {
		item, name := v.items[i], fmt.Sprintf("entry %d", i+1)
		if std.kind == '{' {
			if name, item = quote(std.keys[i]), v.get(std.keys[i]); item == nil {
				return "lacks " + name
			}
		}
		if fault := fieldFault(f, std.items[i], item); fault != "" {
			return name + " " + fault
		}
	}
	return ""
}

func numberFault(f *ruledata.Field, v *node) string {
	n, err := strconv.Atoi(v.text)
	if v.kind != '0' || err != nil || n < f.Low || n > f.High {
		return fmt.Sprintf("is %s, want a whole number from %d to %d", v.said(), f.Low, f.High)
	}
	v.text = strconv.Itoa(n)
	return ""
}

// maxText is the longest text of a field for people, in characters.
const maxText = 1000

func textFault(v *node) string {
	switch {
	case v.kind != '"':
		return fmt.Sprintf("is %s, want a text", v.said())
	case strings.TrimSpace(v.text) == "":
		return "is empty, want a text"
	case utf8.RuneCountInString(v.text) > maxText:
		return fmt.Sprintf("has %d characters, want at most %d", utf8.RuneCountInString(v.text), maxText)
	case strings.ContainsFunc(v.text, unicode.IsControl):
		return "has control characters, want plain text on one line"
	}
	return ""
}
