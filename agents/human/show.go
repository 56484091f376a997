package human

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/games"
	"powderkeg/engine/ruledata"
)

const (
	// wholeBelow is the number of lines below which a situation is shown whole, however
	// little of it has changed.
	wholeBelow = 20
	// listed is how many choices are listed unasked.
	listed = 60
)

// show shows the whole situation.
func (a *Agent) show(view engine.View) {
	a.shown = nil
	a.situation(view)
}

// situation shows the situation, or, between small steps of a person's own, what has
// changed in it.
func (a *Agent) situation(view engine.View) {
	if teller, ok := view.(engine.Teller); ok {
		lines := strings.Split(strings.TrimRight(teller.Text(a.seat), "\n"), "\n")
		shown := lines
		if a.steps && a.shown != nil && len(lines) >= wholeBelow {
			if news := Changes(a.shown, lines); len(news) < len(lines)/2 {
				shown = append(news, "(What has changed; show shows the whole situation.)")
			}
		}
		a.shown = lines
		a.terminal.printf("\n%s\n", strings.Join(shown, "\n"))
	}
	a.terminal.printf("\n")
	if a.draw == nil {
		return
	}
	if err := a.draw(view); err != nil {
		a.terminal.printf("No drawing: %v\n", err)
		a.draw = nil // told once
	}
}

// Changes returns the lines of a text that are not in the one before, each with what it
// stands under: the first line of its paragraph, such as the head of a table, and the line
// from which it is indented. A line that is gone without another in its place is told as
// such.
func Changes(before, after []string) (news []string) {
	told := make([]bool, len(after))
	tell := func(i int) {
		if !told[i] {
			told[i] = true
			news = append(news, after[i])
		}
	}
	old, replaced := 0, false
	gone := func(to int) {
		for ; old < to; old++ {
			if !replaced && strings.TrimSpace(before[old]) != "" {
				news = append(news, "(gone) "+strings.TrimSpace(before[old]))
			}
		}
		old, replaced = to+1, false
	}
	for i, kept := range common(before, after) {
		if kept >= 0 {
			gone(kept)
			continue
		}
		for _, head := range under(after, i) {
			tell(head)
		}
		tell(i)
		replaced = true
	}
	gone(len(before))
	return news
}

// under returns which lines a line stands under, at most two. The head of a table is that
// of lines in columns only.
func under(lines []string, i int) (heads []int) {
	indent := func(i int) int { return len(lines[i]) - len(strings.TrimLeft(lines[i], " ")) }
	first, parent := i, i
	for first > 0 && lines[first-1] != "" {
		first--
		if parent == i && indent(first) < indent(i) {
			parent = first
		}
	}
	columns := func(i int) bool { return strings.Contains(strings.TrimSpace(lines[i]), "  ") }
	if first < parent && (columns(i) || !columns(first)) {
		heads = append(heads, first)
	}
	if parent < i {
		heads = append(heads, parent)
	}
	return heads
}

// common returns for every line of after its place in before, as a longest common
// subsequence has it, -1 for those that are not in it.
func common(before, after []string) []int {
	// longest[i][j] is the length of one of before[i:] and after[j:].
	longest := make([][]int, len(before)+1)
	for i := range longest {
		longest[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	places := make([]int, len(after))
	i := 0
	for j := range after {
		places[j] = -1
		for i < len(before) && before[i] != after[j] && longest[i+1][j] == longest[i][j] {
			i++
		}
		if i < len(before) && before[i] == after[j] {
			places[j] = i
			i++
		}
	}
	return places
}

// list tells the question and prints the choices, unless there are very many of them.
func (a *Agent) list(view engine.View, legal []engine.Action) {
	question := ""
	if teller, ok := view.(engine.Teller); ok {
		question = teller.Question()
	}
	switch rule := a.asked(view); {
	case rule.Number != "":
		a.terminal.printf("%s (%s, %s)\n", flow.Closed(question), rule.Number, rule.Title)
	case question != "":
		a.terminal.printf("%s\n", flow.Closed(question))
	}
	if order := a.ascending(view, legal); order != "" {
		a.terminal.printf("%s\n", order)
	}
	if len(legal) <= listed {
		a.print(view, legal, nil)
		return
	}
	first, last := a.title(view, legal[0]), a.title(view, legal[len(legal)-1])
	a.terminal.printf("%d choices, from %s to %s. list lists them all, list WORD those with a word.\n", len(legal), first, last)
}

// pick notes what the person has chosen.
func (a *Agent) pick(view engine.View, legal []engine.Action, action engine.Action) {
	a.picked, a.picks, a.answer = action, slices.Clone(legal), question(view)
}

// question returns the name of the question of a view, "" if the game has no names.
func question(view engine.View) string {
	asker, ok := view.(engine.Asker)
	if !ok {
		return ""
	}
	name, _ := asker.Asks()
	return name
}

// ascending says that things are picked in the order of the list, "" where they are not: if
// the same is asked again, and of the things that could be picked before those in front of
// the last one, several of them, cannot be any more, and others behind it still can.
func (a *Agent) ascending(view engine.View, legal []engine.Action) string {
	if !a.steps || a.picks == nil || question(view) == "" || question(view) != a.answer {
		return ""
	}
	names := a.game.Spec().Actions
	kind := kindOf(names[a.picked])
	gone, left := 0, false
	for _, b := range a.picks {
		can := slices.Contains(legal, b)
		switch {
		case kindOf(names[b]) != kind:
		case b < a.picked && can:
			return ""
		case b < a.picked:
			gone++
		case b > a.picked && can:
			left = true
		}
	}
	if gone < 2 || !left {
		return ""
	}
	return fmt.Sprintf("Things are picked in the order of the list: what stands before %s cannot be picked any more.",
		engine.MoveName(a.game, view, a.picked))
}

// kindOf returns what the names of like actions begin with: CARD of CARD_knight_3, nothing
// of a number.
func kindOf(name string) string {
	if i := strings.IndexAny(name, " _0123456789"); i >= 0 {
		return name[:i]
	}
	return name
}

// listAll prints the choices, those that have the word in them if it is not empty.
func (a *Agent) listAll(view engine.View, legal []engine.Action, word string) {
	word = plain(word)
	if n := a.print(view, legal, func(name, about string) bool {
		return strings.Contains(plain(name), word) || strings.Contains(plain(about), word)
	}); n == 0 {
		a.terminal.printf("No choice has %q in it.\n", word)
	}
}

// print prints the choices that are meant, or all of them, with their places, names and
// descriptions, and returns how many there are. Where numbers name things, the place of a
// choice has its mark.
func (a *Agent) print(view engine.View, legal []engine.Action, meant func(name, about string) bool) (n int) {
	mark := ""
	if a.numbersName(view, legal) {
		mark = "#"
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for i, action := range legal {
		name, about := engine.MoveName(a.game, view, action), a.describe(view, action)
		if meant != nil && !meant(name, about) {
			continue
		}
		n++
		if about != "" && !strings.EqualFold(name, about) {
			name += "\t" + strings.TrimPrefix(about, name+" ")
		}
		fmt.Fprintf(w, "%5s\t%s\n", fmt.Sprint(mark, i+1), name)
	}
	w.Flush()
	a.terminal.printf("%s", table.String())
	return n
}

// asked returns the rule by which the person is asked, the zero Rule if the game does not
// say.
func (a *Agent) asked(view engine.View) ruledata.Rule {
	asker, ok := view.(engine.Asker)
	if !ok {
		return ruledata.Rule{}
	}
	_, number := asker.Asks()
	for _, rule := range games.Rules(a.game.Spec().Name) {
		if rule.Number == number {
			return rule
		}
	}
	return ruledata.Rule{}
}

// rules tells the rules that a word names, without one that by which the person is asked.
func (a *Agent) rules(view engine.View, word string) {
	rules := games.Rules(a.game.Spec().Name)
	var found []ruledata.Rule
	if word != "" {
		found = ruledata.Find(rules, word)
	} else if rule := a.asked(view); rule.Number != "" {
		found = []ruledata.Rule{rule}
	}
	for _, rule := range found {
		a.terminal.printf("\n%v", rule)
	}
	switch {
	case len(rules) == 0:
		a.terminal.printf("This game has no written rules here.\n")
	case len(found) == 0:
		a.terminal.printf("No rule has the number or the word %q; the chapters are %s.\n", word, strings.Join(ruledata.Chapters(rules), ", "))
	}
}

// borders tells what borders a space.
func (a *Agent) borders(view engine.View, space string) {
	mapper, ok := view.(engine.Mapper)
	if !ok {
		a.terminal.printf("The borders of this game are not listed here.\n")
		return
	}
	name, borders, ok := mapper.BorderNames(space)
	if !ok {
		a.terminal.printf("No space is called %q; its name or id is needed whole.\n", space)
		return
	}
	a.terminal.printf("%s borders %s.\n", name, strings.Join(borders, ", "))
}
