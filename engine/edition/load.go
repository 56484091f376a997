package edition

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// loading compiles the shipped data with some of an edition's changes.
type loading struct {
	data   *engine.Data
	merged map[string]*node
	bytes  ruledata.Folder // of the files as shipped
}

// load compiles the data with all changes. Where they cannot be read it says which records
// are at fault, and what the others break.
func (l *loading) load(changes []*change) (engine.Compiled, []string) {
	rules, err := l.compile(changes)
	if err == nil {
		return rules, rules.Faults()
	}
	if changes == nil {
		return nil, []string{err.Error()}
	}
	good, faults := l.split(byRecord(changes))
	if rules, err = l.compile(good); err != nil {
		return nil, append(faults, err.Error())
	}
	return rules, append(faults, rules.Faults()...)
}

// compile compiles the data with some of the changes.
func (l *loading) compile(changes []*change) (engine.Compiled, error) {
	for _, c := range changes {
		*c.slot = c.new
	}
	files := ruledata.Folder{}
	for name, n := range l.merged {
		touched := slices.ContainsFunc(changes, func(c *change) bool { return c.file == name })
		if files[name] = l.bytes[name]; touched || files[name] == nil {
			var b bytes.Buffer
			n.write(&b)
			files[name] = b.Bytes()
		}
		if !touched {
			l.bytes[name] = files[name]
		}
	}
	for _, c := range changes {
		*c.slot = c.old
	}
	return l.data.Load(files)
}

// split finds the records whose changes cannot be read, by halves, and returns the changes
// of the others.
func (l *loading) split(records [][]*change) (good []*change, faults []string) {
	all := slices.Concat(records...)
	_, err := l.compile(all)
	if err == nil {
		return all, nil
	}
	if len(records) == 1 {
		c := all[0]
		text := strings.TrimPrefix(err.Error(), c.file+".json: ")
		return nil, []string{fmt.Sprintf("%s.json line %d: %s: %s", c.file, c.new.line, c.record, text)}
	}
	half := len(records) / 2
	good, faults = l.split(records[:half])
	more, others := l.split(records[half:])
	return append(good, more...), append(faults, others...)
}

// byRecord puts the changes of each record together.
func byRecord(changes []*change) [][]*change {
	var list [][]*change
	for i, c := range changes {
		if i > 0 && changes[i-1].file == c.file && changes[i-1].record == c.record {
			list[len(list)-1] = append(list[len(list)-1], c)
			continue
		}
		list = append(list, []*change{c})
	}
	return list
}
