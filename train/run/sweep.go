package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
	"powderkeg/env/file"
	"powderkeg/env/memory"
	"powderkeg/train"
	"powderkeg/train/job"

	"github.com/goccy/go-yaml"
)

// Setting is a key of the config, such as ppo.learning_rate.start, and the values
// that a sweep gives it, as YAML.
type Setting struct {
	Key    string   `yaml:"key"`
	Values []string `yaml:"values"`
}

// String is the setting as ParseSetting reads it.
func (s Setting) String() string { return s.Key + "=" + strings.Join(s.Values, ",") }

// ParseSetting reads key=value,value,... A comma inside of brackets belongs to its
// value: network.hidden=[64],[64,64] has two.
func ParseSetting(text string) (Setting, error) {
	key, rest, ok := strings.Cut(text, "=")
	if key = strings.TrimSpace(key); !ok || key == "" || strings.TrimSpace(rest) == "" {
		return Setting{}, fmt.Errorf("setting %q is not of the form key=value,value", option.Shorten(text))
	}
	s := Setting{Key: key}
	depth, from := 0, 0
	for i, c := range rest + "," {
		switch c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',':
			if depth > 0 && i < len(rest) {
				continue
			}
			value := strings.TrimSpace(rest[from:i])
			if value == "" {
				return Setting{}, fmt.Errorf("setting %q has an empty value", option.Shorten(text))
			}
			s.Values = append(s.Values, value)
			from = i + 1
		}
	}
	return s, nil
}

// Sweep is a set of runs: one config with every combination of some settings, each
// from several seeds.
type Sweep struct {
	Base     train.Config
	Settings []Setting
	// Seeds is how many seeds, from that of the config upwards.
	Seeds int
	// Hands, if not nil, make the runs somewhere else, each a job.
	Hands job.Hands
}

// MostRuns bounds the runs of a sweep, each of which is a folder.
const MostRuns = 1 << 16

// Variant is one combination of the settings.
type Variant struct {
	// Name says how it is set: key=value,key=value, or base without settings.
	Name string
	// Folder is the name of its directory.
	Folder string
	// Runs has a config for each seed.
	Runs []train.Config
}

// Variants lists the combinations, those of the last setting next to each other.
func (s Sweep) Variants() ([]Variant, error) {
	if s.Seeds < 1 {
		return nil, fmt.Errorf("sweep: %d seeds, want at least 1", s.Seeds)
	}
	runs := memory.Size(s.Seeds) // counted as sizes are, which do not overflow
	for _, setting := range s.Settings {
		runs = runs.Times(int64(len(setting.Values)))
	}
	if runs > MostRuns {
		return nil, fmt.Errorf("sweep: %d seeds of every combination of %d settings are more than %d runs; give fewer seeds or values", s.Seeds,
			len(s.Settings), MostRuns)
	}
	type partial struct {
		name   []string
		config train.Config
	}
	list := []partial{{config: s.Base}}
	for _, setting := range s.Settings {
		if setting.Key == "seed" {
			return nil, errors.New("sweep: seed is no setting of a sweep; give the number of seeds")
		}
		var next []partial
		for _, p := range list {
			for _, value := range setting.Values {
				c, err := p.config.With(setting.Key, value)
				if err != nil {
					return nil, err
				}
				next = append(next, partial{append(p.name[:len(p.name):len(p.name)], setting.Key+"="+value), c})
			}
		}
		list = next
	}
	var variants []Variant
	for i, p := range list {
		v := Variant{Name: strings.Join(p.name, ",")}
		if v.Name == "" {
			v.Name = "base"
		}
		if err := p.config.Validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		// The number keeps apart what looks alike as the name of a folder.
		v.Folder = fmt.Sprintf("%0*d-%s", len(strconv.Itoa(len(list)-1)), i, fileName(v.Name))
		for n := range s.Seeds {
			c := p.config
			c.Seed += uint64(n)
			v.Runs = append(v.Runs, c)
		}
		variants = append(variants, v)
	}
	return variants, nil
}

// fileName keeps of a text what every file system takes.
func fileName(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("=._+-", r):
			return r
		}
		return '-'
	}, text), "-")
}

func runFolder(dir string, v Variant, c train.Config) string {
	return filepath.Join(dir, v.Folder, fmt.Sprintf("seed-%d", c.Seed))
}

const sweepName = "sweep.yaml"

// Run makes the runs of the sweep one after the other, each a directory of its
// own under dir, and sums up what is there after each of them. Runs that are done
// are left as they are, and one that was stopped or killed goes on, so that the
// same sweep may be started again at any time.
func (s Sweep) Run(ctx context.Context, dir string, progress io.Writer) (err error) {
	variants, err := s.Variants()
	if err != nil {
		return err
	}
	own := []string{sweepName}
	for _, v := range variants {
		own = append(own, v.Folder)
	}
	if err := durable.Claim(dir, "sweep", own...); err != nil {
		return err
	}
	release, err := durable.Lock(dir, "sweep folder")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := s.claim(dir); err != nil {
		return err
	}
	if progress == nil {
		progress = io.Discard
	}
	made := map[string]bool{}
	if s.Hands != nil {
		if made, err = s.runElsewhere(ctx, dir, variants, progress); err != nil {
			return fmt.Errorf("sweep: %w; the same command goes on with it", err)
		}
	}
	number, total := 0, len(variants)*s.Seeds
	for n := range s.Seeds { // every variant has its first seed before any its second
		for _, v := range variants {
			number++
			c := v.Runs[n]
			folder := runFolder(dir, v, c)
			if made[folder] {
				continue
			}
			done, err := finished(folder, c)
			if err != nil {
				return err
			}
			if done {
				fmt.Fprintf(progress, "run %d of %d: %s, seed %d: done before\n", number, total, v.Name, c.Seed)
				continue
			}
			fmt.Fprintf(progress, "run %d of %d: %s, seed %d\n", number, total, v.Name, c.Seed)
			err = Start(ctx, c, Options{Dir: folder, Progress: progress})
			if errors.Is(err, ErrStopped) {
				return fmt.Errorf("%w in run %d of %d of the sweep; the same command goes on with it", ErrStopped, number, total)
			}
			if err != nil {
				return fmt.Errorf("sweep: %s, seed %d: %w", v.Name, c.Seed, err)
			}
			if err := s.summarise(dir, variants); err != nil {
				return err
			}
		}
	}
	return s.summarise(dir, variants)
}

// claim writes the settings into a new directory, or checks that an old one is of
// the same sweep. More seeds may be asked for than before.
func (s Sweep) claim(dir string) error {
	base, err := s.Base.YAML()
	if err != nil {
		return err
	}
	settings, err := yaml.Marshal(s.Settings)
	if err != nil {
		return err
	}
	text := "# Every combination of the settings, over the config below.\nsettings:\n" + string(settings) + "config:\n" + base
	path := filepath.Join(dir, sweepName)
	old, err := file.Read(path, file.Text)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := file.MakeFolder(dir); err != nil {
			return err
		}
		return durable.WriteFile(path, []byte(text))
	case err != nil:
		return err
	case string(old) != text:
		return train.Taken(dir, "another sweep", s.difference(string(old), text), "its own settings")
	}
	return nil
}

// difference says where the text of the sweep of a folder differs from that of this one: in the
// settings, as --set has them, or in the config.
func (s Sweep) difference(old, text string) string {
	var there struct {
		Settings []Setting `yaml:"settings"`
	}
	if err := yaml.Unmarshal([]byte(old), &there); err == nil {
		if a, b := fmt.Sprint(there.Settings), fmt.Sprint(s.Settings); a != b {
			return fmt.Sprintf("%s there, %s here", option.Shorten(a), option.Shorten(b))
		}
	}
	return train.FirstDifference(old, text)
}

// runElsewhere has those runs made that nobody has begun, and returns the folders that it has
// filled. One that is begun goes on where it is.
func (s Sweep) runElsewhere(ctx context.Context, dir string, variants []Variant, progress io.Writer) (map[string]bool, error) {
	var names []string
	var orders []Order
	for n := range s.Seeds {
		for _, v := range variants {
			o := Order{Config: v.Runs[n], Dir: runFolder(dir, v, v.Runs[n])}
			if _, err := os.Stat(o.Dir); err == nil {
				continue
			}
			names, orders = append(names, v.Name), append(orders, o)
		}
	}
	made := map[string]bool{}
	err := Elsewhere(ctx, s.Hands, orders, func(n int) error {
		made[orders[n].Dir] = true
		fmt.Fprintf(progress, "run %d of %d: %s, seed %d\n", len(made), len(orders), names[n], orders[n].Config.Seed)
		return s.summarise(dir, variants)
	})
	return made, err
}
