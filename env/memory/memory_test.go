package memory

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/option"
)

func TestSizesDoNotOverflow(t *testing.T) {
	for _, c := range []struct {
		got, want Size
	}{
		{Of(3, 4, 5), 60},
		{Of(1<<40, 1<<40, 4), Most},
		{Of(math.MaxInt, math.MaxInt), Most},
		{Of(math.MaxInt, 0), 0},
		{Most.Times(2), Most},
		{Most.Plus(1), Most},
		{Size(5).Plus(6, 7), 18},
		{Size(1 << 62).Plus(1 << 62), Most},
	} {
		if c.got != c.want {
			t.Errorf("got %d, want %d", c.got, c.want)
		}
	}
}

func TestSizesAreReadable(t *testing.T) {
	for size, want := range map[Size]string{
		0: "0 bytes", 999: "999 bytes", 1500: "1.5 kB", 123_456_789: "123 MB", 2_000_000_000: "2.0 GB", 3_400_000_000_000_000: "3.4 PB",
		Most: "9 EB or more",
	} {
		if got := size.String(); got != want {
			t.Errorf("%d bytes are written %q, want %q", int64(size), got, want)
		}
	}
}

func TestCheckNamesWhatWouldFit(t *testing.T) {
	for _, c := range []struct {
		n                    int64
		usable, each, beside Size
		want                 string // "" for no error
	}{
		{10, 1000, 90, 100, ""},
		{11, 1000, 90, 100, "--envs is 11, which takes about 1.1 kB of memory; 1.0 kB may be taken here, so 10 would fit"},
		{math.MaxInt64, 1000, 100, 0, "--envs is 9223372036854775807, which takes about 9 EB or more of memory; 1.0 kB may be taken here, so 10 would fit"},
		{1, 1000, 2000, 0, "so even 1 does not fit"},
		{1, 1000, 1, 2000, "so even 1 does not fit"},
	} {
		err := Count{"--envs", c.n}.CheckIn(c.usable, c.each, c.beside)
		if (err == nil) != (c.want == "") {
			t.Errorf("%+v: error %v", c, err)
			continue
		}
		if err != nil && (!strings.Contains(err.Error(), c.want) || !errors.Is(err, option.ErrUsage)) {
			t.Errorf("error %q, want %q", err, c.want)
		}
	}
}

// What is free is the least of what the machine and the groups of the process leave.
func TestFreeMemory(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	meminfo := write("meminfo", "MemTotal:       16000 kB\nMemAvailable:    8000 kB\nBuffers: 5 kB\n")
	group := write("cgroup", "0::/outer/inner\n")
	if got := fromFiles(meminfo, group, filepath.Join(folder, "none")); got != 8000*1024 {
		t.Errorf("without limits %d bytes are free", got)
	}
	write("groups/outer/memory.max", "5000000\n")
	write("groups/outer/memory.current", "1000000\n")
	write("groups/outer/inner/memory.max", "max\n")
	write("groups/outer/inner/memory.current", "900000\n")
	groups := filepath.Join(folder, "groups")
	if got := fromFiles(meminfo, group, groups); got != 4_000_000 {
		t.Errorf("with a limit of the outer group %d bytes are free", got)
	}
	write("groups/outer/inner/memory.max", "900001\n")
	if got := fromFiles(meminfo, group, groups); got != 1 {
		t.Errorf("with a limit of the inner group %d bytes are free", got)
	}
	if got := fromFiles("none", "none", groups); got != unknown {
		t.Errorf("where nothing is told %d bytes are free", got)
	}
	if Usable() <= 0 {
		t.Error("nothing is free here")
	}
}
