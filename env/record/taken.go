package record

import (
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/program"

	"github.com/klauspost/cpuid/v2"
)

// unknown is how program.Commit says that nobody knows the commit.
const unknown = "unknown"

// ErrCommit says that a program does not know the commit that it was built from, so that nothing
// that it measures could be repeated.
var ErrCommit = errors.New("this program does not know its commit: build it in a clone of the repository with -buildvcs=true, " +
	"or with -ldflags '-X powderkeg/env/program.stamp=COMMIT'")

// Found is what a command has found, and of what.
type Found struct {
	// Result is what the command prints with --json; its numbers are the figures.
	Result any
	// Curves are what was found on the way, by name, nil of what has none.
	Curves map[string][]Point
	// Games are those that were played, nil of what plays none.
	Games []engine.Game
	// Config is the configuration that was trained by, nil without one.
	Config *Config
	// Networks has digests of weights by the agent's name.
	Networks map[string]string
	Seeds    []uint64
	// Played is how many games were played to measure.
	Played int
	// Elsewhere says that others have worked too whose processor time nobody counts, or that this process
	// has gone on with what an earlier one began.
	Elsewhere bool
}

// Watch is a measurement under way.
type Watch struct {
	began     time.Time
	processor float64
	machine   times
}

// Begin begins to measure. It returns ErrCommit where nobody could say what has measured.
func Begin() (*Watch, error) {
	if program.Commit() == unknown {
		return nil, ErrCommit
	}
	w := &Watch{began: time.Now(), processor: ProcessorSeconds()}
	w.machine = machineTimes()
	return w, nil
}

// End returns the record of what was found since Begin by a command line. The record is named after
// its file.
func (w *Watch) End(f Found, command, file string) (*Record, error) {
	r := &Record{
		Format: Format, Name: named(file), Command: command, Commit: program.Commit(), Config: f.Config, Networks: f.Networks, Curves: f.Curves,
		Build: built(), Seeds: f.Seeds, Played: f.Played, Seconds: round(time.Since(w.began).Seconds()), Machine: w.on(),
		Date: time.Now().UTC().Format(time.DateOnly),
	}
	if !f.Elsewhere {
		r.Processor = round(ProcessorSeconds() - w.processor)
	}
	var err error
	if r.Figures, err = Figures(f.Result); err != nil {
		return nil, err
	}
	if r.Games, err = versions(f.Games); err != nil {
		return nil, err
	}
	return r, r.check()
}

// named is the name of the record in a file: the folder's name and its own, without ending.
func named(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if folder := filepath.Base(filepath.Dir(file)); folder != "." && folder != string(filepath.Separator) {
		return path.Join(folder, name)
	}
	return name
}

// versions are those of games, each once, in the order of their strings.
func versions(games []engine.Game) ([]Version, error) {
	byText := map[string]Version{}
	for _, g := range games {
		v, err := VersionOf(g)
		if err != nil {
			return nil, err
		}
		byText[v.Game] = v
	}
	var list []Version
	for _, text := range slices.Sorted(maps.Keys(byText)) {
		list = append(list, byText[text])
	}
	return list, nil
}

// VersionOf returns the versions of a game today.
func VersionOf(g engine.Game) (Version, error) {
	e, err := env.EncoderFor(g)
	if err != nil {
		return Version{}, err
	}
	return Version{g.Spec().Text, g.Spec().Version, e.Layout().Version}, nil
}

// built says what this program was made with.
func built() Build {
	b := Build{BLAS: "pure Go", System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" && slices.Contains(strings.Split(s.Value, ","), "openblas") {
				b.BLAS = "OpenBLAS"
			}
		}
	}
	return b
}

// on says on what it was measured.
func (w *Watch) on() Machine {
	m := Machine{CPU: cpuid.CPU.BrandName, Processors: runtime.GOMAXPROCS(0)}
	now := machineTimes()
	all, busy := now.all-w.machine.all, now.busy-w.machine.busy
	const least = 0.1 // seconds; the system counts in hundredths
	if all < least {
		return m
	}
	others := max(0, min(1, (busy-(ProcessorSeconds()-w.processor))/all))
	others = round(others)
	m.Others = &others
	return m
}

// times are seconds of all processors of the machine since it was started.
type times struct{ all, busy float64 }

// machineTimes reads them from Linux, zeroes on other systems.
func machineTimes() times {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return times{}
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	const (
		first, end = 1, 9 // user, nice, system, idle, waiting for I/O, interrupts (two kinds), stolen
		idle, wait = 4, 5
		perSecond  = 100 // as Linux shows them on every machine
	)
	if len(fields) < end || fields[0] != "cpu" {
		return times{}
	}
	var t times
	for i := first; i < end; i++ {
		n, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return times{}
		}
		t.all += n / perSecond
		if i != idle && i != wait {
			t.busy += n / perSecond
		}
	}
	return t
}

// round keeps three decimals, which is finer than any clock here tells.
func round(x float64) float64 {
	const places = 1000
	return float64(int64(x*places+0.5)) / places
}
