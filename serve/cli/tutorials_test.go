package cli

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"powderkeg/train/fleet"
)

// tutorials are the pages whose commands are typed here.
const tutorials = "../../.github/site/tutorials"

// TestTutorials does what the tutorials say, each in an empty folder, and compares what the
// program prints with what the page shows. Files are written as the page has them; blocks called
// console are typed. There "..." is any lines, "…" any text within one, and in a block that is
// marked "about" a number may differ by a third, or by 0.2, as where a processor rounds otherwise.
func TestTutorials(t *testing.T) {
	pages, err := filepath.Glob(tutorials + "/*.md")
	if err != nil || len(pages) < 4 {
		t.Fatalf("found the pages %v, %v", pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			follow(t, string(text))
		})
	}
}

// block is a fenced block of a page.
type block struct {
	line         int
	header, text string
}

var title = regexp.MustCompile(`title="([^"]+)"`)

// blocks are the fenced blocks of a page.
func blocks(page string) (list []block) {
	var open *block
	for i, line := range strings.Split(page, "\n") {
		switch header, fence := strings.CutPrefix(line, "```"); {
		case fence && open == nil:
			open = &block{line: i + 1, header: header}
		case fence:
			list = append(list, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return list
}

// follow does what a page says.
func follow(t *testing.T, page string) {
	dir := t.TempDir()
	broker := ""
	if strings.Contains(page, "nats://broker:4222") {
		b, err := fleet.Embed(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		broker = b.URL()
	}
	code := 0 // of the last command
	for _, b := range blocks(page) {
		if m := title.FindStringSubmatch(b.header); m != nil {
			if err := os.WriteFile(filepath.Join(dir, m[1]), []byte(b.text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.Contains(b.header, "console") {
			continue
		}
		for _, c := range strings.Split("\n"+b.text, "\n$ ")[1:] {
			command, shown, _ := strings.Cut(c, "\n")
			typed, shown := answers(shown)
			command = strings.ReplaceAll(command, "nats://broker:4222", broker)
			command = strings.ReplaceAll(command, "$?", strconv.Itoa(code))
			var printed string
			if printed, code = run(t, dir, command, typed); !strings.HasSuffix(command, " &") {
				if why := compare(shown, printed, strings.Contains(b.header, "about")); why != "" {
					t.Fatalf("line %d, %q: %s; it prints\n%s", b.line, command, why, printed)
				}
			}
		}
	}
}

// prompt is the end of a line at which an answer is typed.
var prompt = regexp.MustCompile(`(?m)((?:for help\)|not to): )(.*)$`)

// answers takes the answers out of what a page shows of a conversation.
func answers(shown string) (typed, rest string) {
	for _, m := range prompt.FindAllStringSubmatch(shown, -1) {
		typed += m[2] + "\n"
	}
	return typed, prompt.ReplaceAllString(shown, "$1")
}

// run types a command into a shell and returns what it prints, errors included, and its exit code.
// One that ends in & goes on until the test ends.
func run(t *testing.T, dir, command, typed string) (string, int) {
	t.Helper()
	behind := strings.HasSuffix(command, " &")
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute) // a command that waits for what never comes
	c := exec.CommandContext(ctx, "sh", "-c", "exec "+strings.TrimSuffix(command, " &"))
	if !behind && strings.ContainsAny(command, ";|&") {
		c = exec.CommandContext(ctx, "sh", "-c", command)
	}
	c.Dir, c.Stdin = dir, strings.NewReader(typed)
	var out, progress bytes.Buffer
	c.Stdout, c.Stderr = &out, &progress
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if behind {
		t.Cleanup(func() {
			stop()
			c.Wait()
		})
		return "", 0
	}
	defer stop()
	c.Wait()
	text, said := out.String(), progress.String()
	if strings.Contains(said, "against ") {
		text = said // what a run says at its end
	} else if c.ProcessState.ExitCode() != 0 {
		text += said[strings.LastIndex("\n"+strings.TrimSpace(said), "\n"):] // the message
	}
	return prompt.ReplaceAllString(text, "$1\n$2"), c.ProcessState.ExitCode()
}

// compare says what is printed otherwise than shown, "" for nothing.
func compare(shown, printed string, about bool) string {
	have := strings.Split(strings.TrimRight(printed, "\n"), "\n")
	at, skip := 0, false
	for _, line := range strings.Split(strings.TrimRight(shown, "\n"), "\n") {
		if line == "..." {
			skip = true
			continue
		}
		for skip && at < len(have) && !like(line, have[at], about) {
			at++
		}
		switch {
		case at == len(have):
			return "it does not print " + strconv.Quote(line)
		case !like(line, have[at], about):
			return "it prints " + strconv.Quote(have[at]) + ", the page has " + strconv.Quote(line)
		}
		at, skip = at+1, false
	}
	if at < len(have) && !skip && strings.TrimSpace(strings.Join(have[at:], "")) != "" {
		return "the page does not have " + strconv.Quote(have[at])
	}
	return ""
}

var number = regexp.MustCompile(`[-+]?\d[\d,]*(?:\.\d+)?`)

// like reports whether a line is as the page shows it.
func like(shown, printed string, about bool) bool {
	shown, printed = strings.TrimRight(shown, " "), strings.TrimRight(printed, " ")
	if !about {
		return regexp.MustCompile(`^` + strings.ReplaceAll(regexp.QuoteMeta(shown), "…", ".*") + `$`).MatchString(printed)
	}
	words := func(s string) string { return strings.Join(strings.Fields(number.ReplaceAllString(s, " N ")), " ") }
	a, b := number.FindAllString(shown, -1), number.FindAllString(printed, -1)
	if words(shown) != words(printed) || len(a) != len(b) {
		return false
	}
	for i := range a {
		x, errX := strconv.ParseFloat(strings.ReplaceAll(a[i], ",", ""), 64)
		y, errY := strconv.ParseFloat(strings.ReplaceAll(b[i], ",", ""), 64)
		if errX != nil || errY != nil || math.Abs(x-y) > max(math.Abs(x)/3, 0.2) {
			return false
		}
	}
	return true
}

// TestComparison shows what a tutorial may leave open and what not.
func TestComparison(t *testing.T) {
	for _, c := range []struct {
		shown, printed string
		about, same    bool
	}{
		{"a\nb\n", "a\nb\n", false, true},
		{"a\nb\n", "a\nc\n", false, false},
		{"a\n", "a\nb\n", false, false},
		{"a\nb\n", "a\n", false, false},
		{"a\n...\nd\n", "a\nb\nc\nd\n", false, true},
		{"a\n...\nd\n", "a\nb\nc\n", false, false},
		{"...\nd\n", "d\ne\n", false, false},
		{"in … s\n", "in 12 s\n", false, true},
		{"in … s\n", "in 12 min\n", false, false},
		{"won 88.0%\n", "won 79.5%\n", true, true},
		{"won 88.0%\n", "won 50.1%\n", true, false},
		{"won 88.0%\n", "lost 88.0%\n", true, false},
		{"won 88.0%\n", "won 79.5%\n", false, false},
	} {
		if why := compare(c.shown, c.printed, c.about); (why == "") != c.same {
			t.Errorf("%q shown, %q printed: %q", c.shown, c.printed, why)
		}
	}
}
