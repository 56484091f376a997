package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// commandLines returns those of powderkeg in the files of experiments/cluster, by what they are of.
func commandLines(t *testing.T) map[string][]string {
	t.Helper()
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join("experiments/cluster", name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	lines := map[string][]string{}
	var compose struct {
		Services map[string]struct {
			Image   string
			Command []string
		}
	}
	if err := yaml.Unmarshal(read("compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	for name, s := range compose.Services {
		if s.Image == "powderkeg" {
			lines["compose.yaml "+name] = s.Command
		}
	}
	for document := range strings.SplitSeq(string(read("kubernetes/powderkeg.yaml")), "\n---\n") {
		var m struct {
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct {
							Name, Image string
							Args        []string
						}
					}
				}
			}
		}
		if err := yaml.Unmarshal([]byte(document), &m); err != nil {
			t.Fatal(err)
		}
		for _, c := range m.Spec.Template.Spec.Containers {
			lines["powderkeg.yaml "+c.Name] = c.Args
		}
	}
	for line := range strings.Lines(string(read("powderkeg-worker.service"))) {
		if start, is := strings.CutPrefix(line, "ExecStart="); is {
			lines["powderkeg-worker.service"] = strings.Fields(start)[1:]
		}
	}
	return lines
}

// TestDeploymentFilesNameWhatIsThere: the command lines in the files of experiments/cluster are
// such as the program takes, and begin a learner or a worker.
func TestDeploymentFilesNameWhatIsThere(t *testing.T) {
	lines := commandLines(t)
	if len(lines) != 5 {
		t.Errorf("command lines are %v, five were expected", lines)
	}
	for where, args := range lines {
		c, rest, err := root().Find(args)
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err == nil {
			err = c.ValidateArgs(c.Flags().Args())
		}
		if err != nil {
			t.Errorf("%s: powderkeg %s: %v", where, strings.Join(args, " "), err)
		}
		// The credential is one that "cluster user" writes for a user of that name, as NAME.nk; Docker
		// calls a secret by its name alone.
		nkey, _ := c.Flags().GetString("nkey")
		user, whole := strings.CutSuffix(filepath.Base(nkey), ".nk")
		if user != "learner" && user != "worker" || whole == strings.HasPrefix(where, "compose") {
			t.Errorf("%s: no command here writes the credential %q", where, nkey)
		}
		if name := c.Name(); name != "train" && name != "worker" {
			t.Errorf("%s begins %q", where, name)
		}
	}
}

// TestTheUnitIsOneOfSystemd: systemd has no fault to find in it, where it is installed.
func TestTheUnitIsOneOfSystemd(t *testing.T) {
	text, err := os.ReadFile("experiments/cluster/powderkeg-worker.service")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "POWDERKEG_NATS=") || !strings.Contains(string(text), "LoadCredential=worker.nk:") {
		t.Error("the unit names no broker, or no credential")
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		return
	}
	own, err := os.Executable() // since the program is not installed here
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "powderkeg-worker.service")
	if err := os.WriteFile(unit, []byte(strings.Replace(string(text), "/usr/local/bin/powderkeg", own, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", unit).CombinedOutput()
	if err != nil || strings.Contains(string(out), unit+":") {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}
