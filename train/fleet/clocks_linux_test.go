package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// TestClocksAreWrong: broker, learner and workers have clocks that are days apart, and those of
// the learner and the workers jump by an hour every other second. For that the processes are a
// build of this test whose package time reads a variable.
func TestClocksAreWrong(t *testing.T) {
	long(t)
	newLab(t).close() // skips before there is much to build
	s := &site{lab: newLab(t), dir: t.TempDir(), updates: 10, program: skewed(t)}
	begin := time.Now()
	s.env = []string{"POWDERKEG_SKEW=864000 0"}
	s.url = s.broker(s.add(1, "", 0), t.TempDir()).url()
	s.look = s.add(2, "", 0)
	s.ready(s.url)
	if err := s.ask(s.url, func(ctx context.Context, js jetstream.JetStream) error {
		_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "clock"})
		if err != nil {
			return err
		}
		stream, err := js.Stream(ctx, "clock")
		if ahead := stream.CachedInfo().Created.Sub(begin); err == nil && ahead < 200*time.Hour {
			return fmt.Errorf("the broker's clock is %v ahead, not ten days", ahead)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	s.env = []string{"POWDERKEG_SKEW=-864000 3600"}
	s.learner = s.lead(s.add(3, "", 0))
	first, second := s.add(4, "", 0), s.add(5, "", 0)
	lost := s.worker(first)
	s.catch(lost)
	s.env = []string{"POWDERKEG_SKEW=432000 -3600"}
	began := time.Now()
	s.worker(second)
	s.await(s.at)
	t.Logf("stopped: felt for %v, where %v of silence mean that a worker is lost", time.Since(began).Round(time.Millisecond), overdue)
	lost.signal(syscall.SIGCONT)
	s.awaitLate()
	for range 3 {
		time.Sleep(time.Second) // the clocks jump
		s.to(s.at + 1)
	}
	if c := s.finish(); c.Redelivered == 0 || c.Refused+c.Quarantined != 0 {
		t.Errorf("the counts are %+v", c)
	}
}

// skewed builds this test with a clock that is off by the first number of seconds in
// POWDERKEG_SKEW, and by the second more in every other second.
func skewed(t *testing.T) string {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no Go here: %v", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	const before = "\tsec, nsec, mono := runtimeNow()\n"
	if strings.Count(string(text), before) == 0 {
		t.Skip("package time of this Go reads the clock in another way")
	}
	changed := strings.ReplaceAll(string(text), before, before+"\tsec += skew[0] + skew[1]*(mono/1e9%2)\n")
	changed += `
var skew = func() (s [2]int64) {
	text, _ := syscall.Getenv("POWDERKEG_SKEW")
	n, sign := 0, int64(1)
	for _, c := range text {
		switch {
		case c == '-':
			sign = -1
		case c == ' ':
			s[0] *= sign
			n, sign = 1, 1
		default:
			s[n] = 10*s[n] + int64(c-'0')
		}
	}
	s[n] *= sign
	return s
}()
`
	changed = strings.Replace(changed, "import (\n", "import (\n\t\"syscall\"\n", 1)
	dir := t.TempDir()
	patched, overlay, program := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "skewed.test")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{source: patched}})
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string][]byte{patched: []byte(changed), overlay: replace} {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", overlay, "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
