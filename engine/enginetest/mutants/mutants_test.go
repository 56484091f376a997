package mutants_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/mutants"
)

// TestWhatIsChanged compares the mutants of small functions: the rules that the place carries
// out, the line, the change, and the line as it is then.
func TestWhatIsChanged(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		want   []string
	}{
		"the comment on the function": {
			"// f implements R1.2 and R1.3.\nfunc f() {\n}",
			[]string{"R1.2 R1.3 | 2 returns at once | func f() { return ;"},
		},
		"no rule": {"// f does nothing.\nfunc f(a int) bool {\n\treturn a < 1\n}", nil},
		"a rule in the line, before that of the function": {
			"// f implements R1.2.\nfunc f(a int) (b int, err error) {\n\tb = a + 2 // R9\n\treturn\n}",
			[]string{
				"R1.2 | 2 returns at once with zero | func f(a int) (b int, err error) { return *new(int), *new(error);",
				"R9 | 3 without b = a + 2 | if false { b = a + 2 } // R9",
				"R9 | 3 - for + in a + 2 | b = a - 2 // R9",
				"R9 | 3 3 for 2 in a + 2 | b = a + 3 // R9",
			},
		},
		"an if, with what stands in it": {
			"func f(a int) {\n\t// R2 holds.\n\tif a <= b {\n\t\ta++\n\t}\n\ta--\n}",
			[]string{
				"R2 | 3 not (a <= b) | if !(a <= b) {",
				"R2 | 3 < for <= in a <= b | if a < b {",
				"R2 | 4 -- for ++ | a--",
				"R2 | 4 without a++ | if false { a++ }",
			},
		},
		"a string in a call": {
			"func f() {\n\tg.lose(p, \"R3.1\", 1)\n\tpanic(\"R3.2\")\n}",
			[]string{"R3.1 | 2 without g.lose(p, \"R3.1\", 1) | if false { g.lose(p, \"R3.1\", 1) }",
				"R3.1 | 2 2 for 1 in g.lose(p, \"R3.1\", 1) | g.lose(p, \"R3.1\", 2)"},
		},
		"cases that are conditions": {
			"func f() {\n\tswitch {\n\tcase a == b: // R4\n\tdefault:\n\t}\n}",
			[]string{"R4 | 3 not (a == b) | case !(a == b): // R4", "R4 | 3 != for == in a == b | case a != b: // R4"},
		},
		"an error that cites a rule": {
			"// f is R5.\nfunc f() error {\n\tif a && b {\n\t\treturn wrong(\"R7\")\n\t}\n\tif a == b {\n\t\tc()\n\t\treturn wrong(\"R8\")\n\t}\n}",
			[]string{
				"R5 | 2 returns at once with zero | func f() error { return *new(error);",
				"R7 | 3 not (a && b) | if !(a && b) {",
				"R7 | 3 || for && in a && b | if a || b {",
				"R5 | 6 not (a == b) | if !(a == b) {",
				"R5 | 6 != for == in a == b | if a != b {",
				"R5 | 7 without c() | if false { c() }",
			},
		},
		"what is nil, and text": {
			"// f is R5.\nfunc f() {\n\tif w != nil {\n\t}\n\tx = \"a\" + y\n}",
			[]string{"R5 | 2 returns at once | func f() { return ;", "R5 | 5 without x = \"a\" + y | if false { x = \"a\" + y }"},
		},
		"a table": {
			"var steps = []step{\n\t{rule: \"R6\", may: func() bool { return a || b }},\n}",
			[]string{"R6 | 2 && for || in a || b | {rule: \"R6\", may: func() bool { return a && b }},"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			source := []byte("package x\n" + test.source + "\n")
			list, err := mutants.InSource("x.go", source)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range list {
				changed := strings.Split(string(m.Apply(source)), "\n")[m.Line-1]
				got = append(got, fmt.Sprintf("%s | %d %s | %s", strings.Join(m.Rules, " "), m.Line-1, m.What, strings.TrimSpace(changed)))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("the mutants are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// code has a rule that its test holds, one that another rule's test holds, one that a test
// holds which cites nothing, and one that no test holds.
const code = `package x

// double implements R1.
func double(a int) int { return a + a }

// half implements R2 and R3.
func half(a int) int { return a / 2 }

// third implements R4.
func third(a int) int { return a / 3 }

// loose implements R5.
func loose() int { return 1 }
`

const tests = `package x

import "testing"

// R1
func TestDouble(t *testing.T) {
	if double(2) != 4 {
		t.Error("double")
	}
}

// R3
func TestHalf(t *testing.T) {
	if half(4) != 2 {
		t.Error("half")
	}
}

// R2 and R4
func TestNothing(t *testing.T) {
	if loose() < 0 {
		t.Error("loose")
	}
}

func TestThird(t *testing.T) {
	if third(9) != 3 {
		t.Error("third")
	}
}

// R5
func TestLoose(t *testing.T) {
	if loose() < 0 {
		t.Error("loose")
	}
}
`

func TestFates(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "go.mod", "module x\n\ngo 1.26\n")
	write(t, folder, "x.go", code)
	write(t, folder, "x_test.go", tests)
	lab, err := mutants.NewLab(t.Context(), folder, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := mutants.Sample(t.Context(), lab, []string{"R1", "R2", "R4", "R5", "R9"}, 9, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	fates := map[string]mutants.Fate{}
	for _, o := range outcomes { // R9 has no code
		fates[o.Rule] = o.Fate
	}
	if n := mutants.Count(outcomes); n != [4]int{1, 1, 1, 1} {
		t.Errorf("the fates are %v, want one of each: %v", n, outcomes)
	}
	want := map[string]mutants.Fate{"R1": mutants.KilledByRule, "R2": mutants.KilledByPlace, "R4": mutants.KilledByAny, "R5": mutants.Survived}
	for rule, fate := range want {
		if fates[rule] != fate {
			t.Errorf("%s has the fate %d, want %d", rule, fates[rule], fate)
		}
	}
	if _, _, err := lab.Try(t.Context(), noGo(t, folder), "R1"); !errors.Is(err, mutants.ErrNoMutant) {
		t.Errorf("a change that does not compile gives the error %v", err)
	}
}

// noGo returns a mutant of a file in the folder that the compiler refuses.
func noGo(t *testing.T, folder string) *mutants.Mutant {
	t.Helper()
	write(t, folder, "y.go", "package x\n\n// R1\nfunc s(a string) string { return a + a }\n")
	list, err := mutants.Find(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.File == "y.go" && strings.HasPrefix(m.What, "- for +") {
			return &m
		}
	}
	t.Fatal("the sum of strings has no mutant")
	return nil
}

// A package whose tests fail, or that does not compile, or has no tests, can tell nothing.
func TestNewLabRefuses(t *testing.T) {
	for words, test := range map[string]string{
		"the tests fail before anything is changed": "package x\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Error(1) }\n",
		"there is no test":                          "package x\n",
		"undefined: y":                              "package x\n\nvar x = y\n",
	} {
		folder := t.TempDir()
		write(t, folder, "go.mod", "module x\n\ngo 1.26\n")
		write(t, folder, "x_test.go", test)
		if _, err := mutants.NewLab(t.Context(), folder, t.TempDir()); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("the error is %v, want one with %q", err, words)
		}
	}
}

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
