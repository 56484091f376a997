package insurgency_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// R16.3: every scenario file loads as it stands, begins with its tests, and can be played
// to the end; README.md shows one of them word for word.
func TestScenarioFiles(t *testing.T) {
	const text = "insurgency(scenario=custom,mode=preset)"
	paths, err := filepath.Glob("testdata/scenarios/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no scenario files: ", err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readme), "```json\n"+string(data)+"```") {
			t.Errorf("README.md does not show %s", path)
		}
		g := enginetest.Game(t, text)
		loaded, err := g.Load(data, engine.Strict)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		s, rng := loaded.(*insurgency.State), rand.NewPCG(16, 3)
		expect(t, s, map[string]string{"decision": `"C2"`, "vp": `{"federal":20,"rebel":20}`})
		for s.ToAct() != engine.Terminal {
			step(t, s, rng)
		}
	}
}

// R16.3: a scenario file with one thing wrong is refused with the rule's number.
func TestScenarioFilesThatAreWrong(t *testing.T) {
	data, err := os.ReadFile("testdata/scenarios/coasts.json")
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ space, field, value, rule string }{
		"an agent too many":               {"texas", "agents", "3", "federal: 13 units, it must be 12 (R16.3)"},
		"a militia too few":               {"cascadia", "sleepers", "1", "rebel: 11 units, it must be 12 (R16.3)"},
		"population 15 in Order":          {"south", "status", `"unmarked"`, "R16.3"},
		"21 points":                       {"plains", "federal_bases", "1", "federal: 21 victory points, it must be 20 (R16.3)"},
		"19 points":                       {"cascadia", "rebel_bases", "0", "R16.3"},
		"a third base":                    {"texas", "federal_bases", "3", "it must be 0 to 2"},
		"bases of both sides, three":      {"texas", "rebel_bases", "2", "R1.6"},
		"militia in Order":                {"denver_city", "sleepers", "1", "R16.3"},
		"agents where a Rebel base is":    {"cascadia", "agents", "1", "cascadia: agents stand in Order spaces or where a Federal base is (R16.3)"},
		"militia where a Federal base is": {"midwest", "sleepers", "1", "midwest: militia stand in Revolt spaces or where a Rebel base is (R16.3)"},
		"Defiance":                        {"mesa", "status", `"defiance"`, "R16.3"},
		"active militia":                  {"cascadia", "active", "1", "R16.3"},
		"Unrest":                          {"cascadia", "unrest", "1", "R16.3"},
		"a base in Mexico":                {"mexico", "federal_bases", "1", "R4.3"},
		"a space that does not exist":     {"ohio", "agents", "1", "ohio"},
	} {
		var file struct {
			Board string                                `json:"board"`
			Space map[string]map[string]json.RawMessage `json:"space"`
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		if file.Space[c.space] == nil {
			file.Space[c.space] = map[string]json.RawMessage{}
		}
		file.Space[c.space][c.field] = json.RawMessage(c.value)
		bad, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(what, func(t *testing.T) { refuse(t, "insurgency(scenario=custom,mode=preset)", string(bad), c.rule) })
	}
}
