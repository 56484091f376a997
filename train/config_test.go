package train

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/option"
	"powderkeg/train/ppo"
)

func TestConfigFilesAreReadOverTheDefaults(t *testing.T) {
	c, err := ParseConfig([]byte("game: kuhn\nseed: 18446744073709551615 # the largest\nppo:\n  entropy: {start: 0.5}\nleague:\n  agents:\n    - " +
		"{name: scripted, share: 0.25}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Game, want.Seed = "kuhn", 1<<64-1
	want.PPO.Entropy.Start = 0.5
	if c.League.Agents[0].Name != "scripted" || c.League.Agents[0].Share != 0.25 {
		t.Errorf("agents are %v", c.League.Agents)
	}
	want.League.Agents = c.League.Agents
	got, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	text, err := want.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if got != text {
		t.Errorf("the config is\n%s\nwant\n%s", got, text)
	}
	// What is kept with a run reads back as the same.
	again, err := ParseConfig([]byte(got))
	if err != nil {
		t.Fatal(err)
	}
	if back, err := again.YAML(); err != nil || back != got {
		t.Errorf("read back (%v):\n%s\nwant\n%s", err, back, got)
	}
	if err := again.Validate(); err != nil {
		t.Error(err)
	}
}

func TestConfigMistakesAreOneLineThatHelps(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"unknown", "gama: kuhn", `unknown key "gama"; did you mean "game"; keys here: game, position, seed, updates`},
		{"unknown inside", "ppo: {clip: 0.1}", `unknown key "ppo.clip"; keys here: epochs, minibatch`},
		{"unknown in a list", "league: {agents: [{nam: random}]}", `unknown key "league.agents[0].nam"; did you mean "name"; keys here: name, share`},
		{"swapped letters", "league: {mathcmaking: {}}", `did you mean "matchmaking"`},
		{"wrong type", "updates: many", `config: updates is "many", it must be a whole number`},
		{"not a mapping", "[1, 2]", "config:"},
		{"broken", "ppo: {", "config:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseConfig([]byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %v, want one line with %q", err, test.want)
			}
		})
	}
}

func TestConfigReportsAllFaults(t *testing.T) {
	c := Default()
	c.Game, c.Updates, c.Network.Hidden, c.PPO.Epochs, c.League.Share, c.Checkpoints.Keep = "chess", 0, nil, 0, 2, 0
	err := c.Validate()
	if !errors.Is(err, option.ErrUsage) {
		t.Fatalf("error is %v, want one that wraps option.ErrUsage for the unknown game", err)
	}
	for _, want := range []string{"updates is 0", "hidden has 0 layers", "epochs is 0", "share is 2", "checkpoints.keep is 0", "chess"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%q is more than one line", err)
	}
	c = Default()
	c.Game, c.Network.Advice, c.PPO.Unmasked = "kuhn", 5, true
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "network.advice: masks carry it; ppo.unmasked must be false") {
		t.Errorf("advice without masks: %v", err)
	}
	c = Default()
	c.Game, c.Evaluation.Against = "kuhn", []string{"nobody"}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), `unknown agent "nobody"`) {
		t.Errorf("an unknown opponent: %v", err)
	}
	for _, n := range []int{-1, 1, 10_001} {
		c = Default()
		c.Game, c.Evaluation.Luck = "kuhn", n
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("evaluation.luck is %d, it must be from 2 to 10000, or 0 for none",
			n)) {
			t.Errorf("luck in %d games: %v", n, err)
		}
	}
}

// TestShippedConfigsAreValid reads every file under experiments/configs.
func TestShippedConfigsAreValid(t *testing.T) {
	files, err := filepath.Glob("../experiments/configs/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no configs: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ParseConfig(text)
		if err == nil {
			err = c.Validate()
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if game := filepath.Base(filepath.Dir(file)); !strings.HasPrefix(c.Game, game) {
			t.Errorf("%s plays %s", file, c.Game)
		}
	}
}

// TestOneKeyIsSet: that key and no other changes, and mistakes are one line.
func TestOneKeyIsSet(t *testing.T) {
	base := small("kuhn")
	base.Seed = 1<<64 - 1
	before, err := base.YAML()
	if err != nil {
		t.Fatal(err)
	}
	same, err := base.With("ppo.gamma", "1")
	if err != nil {
		t.Fatal(err)
	}
	if after, err := same.YAML(); err != nil || after != before {
		t.Errorf("setting a key to what it was changes (%v)\n%s\nto\n%s", err, before, after)
	}
	c, err := base.With("ppo.learning_rate.start", "1e-4")
	if err != nil || c.PPO.LearningRate.Start != 1e-4 {
		t.Errorf("learning rate is %v (error %v), want 1e-4", c.PPO.LearningRate, err)
	}
	if c, err = base.With("network.hidden", "[8, 9]"); err != nil || !slices.Equal(c.Network.Hidden, []int{8, 9}) {
		t.Errorf("hidden is %v (error %v), want [8 9]", c.Network.Hidden, err)
	}
	for _, test := range []struct{ key, value, want string }{
		{"ppo.epoch", "2", `unknown key "ppo.epoch"; did you mean "epochs"`},
		{"pp.epochs", "2", `unknown key "pp"; did you mean "ppo"`},
		{"ppo.epochs", "many", "config:"},
		{"ppo.epochs", "{", "config: ppo.epochs={"},
	} {
		if _, err := base.With(test.key, test.value); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%s: error %v, want one line with %q", test.key, test.value, err, test.want)
		}
	}
}

func TestMistypedNamesAreGuessed(t *testing.T) {
	names := []string{"game", "seed", "epochs", "matchmaking"}
	for word, want := range map[string]string{
		"games": "game", "gmae": "game", "sede": "seed", "epoch": "epochs", "mathcmakin": "matchmaking", "workers": "", "x": "",
	} {
		got := nearest(word, names)
		if want != "" {
			want = fmt.Sprintf("; did you mean %q", want)
		}
		if got != want {
			t.Errorf("of %q the guess is %q, want %q", word, got, want)
		}
	}
}

// A number where a schedule is expected stands for one that does not change, in a file, as one key
// and within a list of them.
func TestANumberIsASchedule(t *testing.T) {
	for _, text := range []string{
		"game: kuhn\nppo: {learning_rate: 0.1, entropy: 0, magnet: 1e-3}\nmargin: 0\narchive: {reach: 1}",
		"game: kuhn\nppo: {learning_rate: {start: 0.1, end: 0.1}, entropy: {start: 0, end: 0}, magnet: {start: 0.001, end: 0.001}}\narchive: {reach: " +
			"{start: 1, end: 1}}",
	} {
		c, err := ParseConfig([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if c.PPO.LearningRate != ppo.Constant(0.1) || c.PPO.Entropy != ppo.Constant(0) || c.PPO.Magnet != ppo.Constant(1e-3) ||
			c.Archive.Reach != ppo.Constant(1) {
			t.Errorf("%s\ngives %+v, %+v", text, c.PPO, c.Archive)
		}
	}
	base := Default()
	base.PPO.LearningRate = ppo.Schedule{Start: 5, End: 4, Until: 0.5, Power: 1, Most: 2}
	if c, err := base.With("ppo.learning_rate", "0.1"); err != nil || c.PPO.LearningRate != ppo.Constant(0.1) {
		t.Errorf("set to a number it is %+v (%v), nothing of what was there may stay", c.PPO.LearningRate, err)
	}
	if c, err := base.With("ppo.learning_rate", "{start: 0.1}"); err != nil || c.PPO.LearningRate.End != 1e-4 {
		t.Errorf("set to a mapping it is %+v (%v), what is left out has its default", c.PPO.LearningRate, err)
	}
}

// Every number of a config has a bound, whose refusal names the key.
func TestEveryNumberOfAConfigHasABound(t *testing.T) {
	var check func(path string, v reflect.Value, whole *Config)
	check = func(path string, v reflect.Value, whole *Config) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if name := v.Type().Field(i).Tag.Get("yaml"); name != "" {
					check(strings.TrimPrefix(path+"."+name, "."), v.Field(i), whole)
				}
			}
			return
		case reflect.Int, reflect.Int64:
			before := v.Int()
			v.SetInt(math.MaxInt64)
			defer v.SetInt(before)
		case reflect.Float64:
			before := v.Float()
			v.SetFloat(math.NaN())
			defer v.SetFloat(before)
		default:
			return
		}
		name := path[strings.LastIndexByte(path, '.')+1:]
		if err := whole.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s may be anything: %v", path, err)
		}
	}
	c := Default()
	c.Game = "jogu"
	c.Archive.Share, c.Lessons.Updates, c.Lessons.Teacher, c.League.Gate.Games, c.Network.From = 0.5, 1, "scripted", 10, "zoo:jogu"
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	check("", reflect.ValueOf(&c).Elem(), &c)
}
