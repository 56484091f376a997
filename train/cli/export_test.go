package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/env/cli"
	"powderkeg/train/dataset"

	"github.com/spf13/cobra"
)

// execute runs a command and returns its output, its error stream and exit code.
func execute(t *testing.T, c *cobra.Command, args ...string) (out, progress string, code int, err error) {
	t.Helper()
	var o bytes.Buffer
	var e lines // of the command, its bar and the broker's connection
	c.SetOut(&o)
	c.SetErr(&e)
	c.SetIn(strings.NewReader(`{"board": ["x..", ".o.", "..."]}`))
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetFlagErrorFunc(cli.FlagError)
	err = c.ExecuteContext(t.Context())
	return o.String(), e.String(), cli.Code(err), err
}

func TestExportAndImportCheck(t *testing.T) {
	for _, format := range []string{"parquet", "arrow", "npz"} {
		dir := filepath.Join(t.TempDir(), "data")
		args := []string{"leduc", "--agent", "scripted", "--agent", "random", "--episodes", "50", "--shard-episodes", "20", "--text", "--format", format,
			"--out", dir}
		out, progress, code, err := execute(t, Export(), args...)
		if code != 0 || !strings.Contains(out, "data written: 50 episodes, ") || !strings.Contains(out, " 3 files, ") ||
			!strings.Contains(progress, "episodes: 50 of 50\n") {
			t.Errorf("export %s: code %d (%v), output %q, progress %q", format, code, err, out, progress)
		}
		if out, _, code, err := execute(t, Export(), args...); code != 0 || !strings.Contains(out, "data was whole already: 50 episodes") {
			t.Errorf("export %s again: code %d (%v), output %q", format, code, err, out)
		}
		if out, _, code, err := execute(t, ImportCheck(), dir); code != 0 || !strings.HasPrefix(out, "3 files, 0 faults; 50 episodes with ") {
			t.Errorf("import-check %s: code %d (%v), output %q", format, code, err, out)
		}
		if out, _, code, err := execute(t, ImportCheck(), filepath.Join(dir, "leduc-00001."+format)); code != 0 ||
			!strings.HasPrefix(out, "1 files, 0 faults; 20 episodes") {
			t.Errorf("import-check of a file: code %d (%v), output %q", code, err, out)
		}
		if err := os.WriteFile(filepath.Join(dir, "leduc-00001."+format), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		out, _, code, err = execute(t, ImportCheck(), "--json", dir)
		var r dataset.Report
		if jerr := json.Unmarshal([]byte(out), &r); jerr != nil || code != 1 || !errors.Is(err, cli.ErrCheck) || len(r.Faults) != 1 ||
			!strings.HasSuffix(r.Faults[0].File, "leduc-00001."+format) {
			t.Errorf("import-check of an emptied file: code %d (%v), output %q", code, err, out)
		}
		if out, _, code, err := execute(t, Export(), append(args, "--json")...); code != 0 || !strings.Contains(out, `"made": 2`) ||
			!strings.Contains(out, `"files": 3`) {
			t.Errorf("export of what is missing: code %d (%v), output %q", code, err, out)
		}
	}
}

func TestExportFromAPosition(t *testing.T) {
	dir := t.TempDir()
	if _, _, code, err := execute(t, Export(), "tictactoe", "--agent", "random", "--episodes", "5", "--max-decisions", "3", "--start", "-", "--out",
		dir); code != 0 {
		t.Fatalf("code %d: %v", code, err)
	}
	if out, _, code, err := execute(t, ImportCheck(), dir); code != 0 || out != "1 files, 0 faults; 5 episodes with 15 rows replayed\n" {
		t.Errorf("import-check: code %d (%v), output %q", code, err, out)
	}
}

func TestExportUsage(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		want string
		args []string
	}{
		{"accepts 1 arg(s), received 0", nil},
		{"--out must be given, such as powderkeg export kuhn --agent random --episodes 100 --out games",
			[]string{"kuhn", "--agent", "random", "--episodes", "5"}},
		{"--agent must be given", []string{"kuhn", "--episodes", "5", "--out", dir}},
		{"--episodes must be given", []string{"kuhn", "--agent", "random", "--out", dir}},
		{"--agent and --episodes and --out must be given", []string{"kuhn"}},
		{"--episodes is -5, it must be from 1 to", []string{"kuhn", "--agent", "random", "--episodes", "-5", "--out", dir}},
		{`unknown game "chess"`, []string{"chess", "--agent", "random", "--episodes", "5", "--out", dir}},
		{`unknown agent "deep"`, []string{"kuhn", "--agent", "deep", "--episodes", "5", "--out", dir}},
		{"people do not play datasets", []string{"kuhn", "--agent", "human", "--episodes", "5", "--out", dir}},
		{"3 agents; kuhn takes 1 for all seats or 2", []string{"kuhn", "--agent", "random", "--agent", "random", "--agent", "random", "--episodes", "5",
			"--out", dir}},
		{`unknown format "csv"; formats: parquet, arrow, npz`, []string{"kuhn", "--agent", "random", "--episodes", "5", "--format", "csv", "--out", dir}},
		{`parquet files have no compression "lz4"; they have zstd, snappy, none`,
			[]string{"kuhn", "--agent", "random", "--episodes", "5", "--compression", "lz4", "--out", dir}},
		{"--workers is 0, it must be from 1 to", []string{"kuhn", "--agent", "random", "--episodes", "5", "--workers", "0", "--out", dir}},
		{"--start: open none.json", []string{"kuhn", "--agent", "random", "--episodes", "5", "--start", "none.json", "--out", dir}},
		{`--episodes is "many", it must be a whole number, from 1 to `, []string{"kuhn", "--agent", "random", "--episodes", "many", "--out", dir}},
	} {
		_, _, code, err := execute(t, Export(), c.args...)
		if code != 2 || err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("export %s: code %d, error %v; want 2 and one line with %q", strings.Join(c.args, " "), code, err, c.want)
		}
	}
	for _, args := range [][]string{nil, {filepath.Join(dir, "none")}, {t.TempDir()}, {"export.go"}} {
		if _, _, code, err := execute(t, ImportCheck(), args...); code != 2 || strings.Contains(err.Error(), "\n") {
			t.Errorf("import-check %v: code %d, error %v; want 2 and one line", args, code, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("refused exports left %v (%v)", entries, err)
	}
}
