package train

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/engine/enginetest"
	"powderkeg/train/league"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
)

// choices are the values of keys that are one of several words.
var choices = map[reflect.Type][]any{
	reflect.TypeFor[network.Activation](): {string(network.ReLU), string(network.Tanh)},
	reflect.TypeFor[league.Priority]():    {string(league.Uniform), string(league.Hard), string(league.Variance)},
}

// TestSchemaIsFresh makes the schema anew from the types, their comments, Default, what Validate
// refuses and the configs of experiments.
func TestSchemaIsFresh(t *testing.T) {
	m := schemaMaker{t: t, comments: configComments(t), examples: configExamples(t)}
	s := m.object("", reflect.TypeFor[Config]())
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "A training run of Powderkeg"
	s.Description = "What powderkeg train reads. A key that is left out has its default."
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Golden(t, "schema.json", string(text)+"\n")
}

// longest is how many characters an example may have.
const longest = 200

// schemaMaker makes the schema of a config.
type schemaMaker struct {
	t        *testing.T
	comments map[string]string // by type and field, such as ppo.Config.Epochs
	examples map[string]any    // by path
}

func (m *schemaMaker) object(path string, t reflect.Type) *jsonschema.Schema {
	nothing := &jsonschema.Schema{Not: &jsonschema.Schema{}}
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: nothing}
	for f := range t.Fields() {
		key := f.Tag.Get("yaml")
		if key == "" {
			continue
		}
		at := strings.TrimPrefix(path+"."+key, ".")
		p := m.value(at, f.Type)
		p.Description = m.comments[f.Type.String()]
		for _, owner := range []string{"network.Config", t.String()} {
			if own, ok := m.comments[owner+"."+f.Name]; ok && (owner != "network.Config" || path == "network") {
				p.Description = own
			}
		}
		if p.Description = strings.Replace(p.Description, "`this`", "`"+key+"`", 1); p.Description == "" {
			m.t.Errorf("%s has no meaning: write a comment on %s.%s", at, t, f.Name)
		}
		if x := defaultOf(at); x.IsValid() && !strings.Contains(at, "[]") && (f.Type.Kind() != reflect.Struct || f.Type == scheduleType) {
			p.Default = asJSON(m.t, x.Interface())
		}
		if x, ok := m.examples[at]; ok && len(asJSON(m.t, x)) <= longest {
			p.Examples = []any{x}
		}
		s.Properties[key] = p
		s.PropertyOrder = append(s.PropertyOrder, key)
	}
	return s
}

func (m *schemaMaker) value(path string, t reflect.Type) *jsonschema.Schema {
	if t == scheduleType {
		one := m.number(path+".start", reflect.TypeFor[float64](), "number")
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{one, m.object(path, t)}}
	}
	switch t.Kind() {
	case reflect.Struct:
		return m.object(path, t)
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: m.value(path+".*", t.Elem())}
	case reflect.Slice:
		s := &jsonschema.Schema{Type: "array", Items: m.value(path+"[]", t.Elem())}
		if path == "network.hidden" {
			s.MinItems, s.MaxItems = m.lengths(path)
		}
		return s
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.String:
		return &jsonschema.Schema{Type: "string", Enum: choices[t]}
	case reflect.Float64:
		return m.number(path, t, "number")
	}
	return m.number(path, t, "integer")
}

// number is the schema of a number, with the range that Validate lets through.
func (m *schemaMaker) number(path string, t reflect.Type, kind string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: kind}
	if strings.HasSuffix(path, ".*") || unbounded[path] {
		return s
	}
	if t.Kind() == reflect.Uint64 {
		s.Minimum = new(float64)
		return s
	}
	low, high := edges(m.t, path, t)
	if low != nil {
		s.Minimum = low
	}
	if high != nil {
		if below := math.Nextafter(*high, 2); below == 1 && kind == "number" {
			s.ExclusiveMaximum = &below
		} else {
			s.Maximum = high
		}
	}
	if kind == "integer" && s.Minimum != nil && *s.Minimum == 0 && !accepted(path, 1) {
		least := 2.0
		for !accepted(path, least) {
			least++
		}
		s.Minimum = &least
	}
	if s.Minimum != nil && *s.Minimum > 0 && accepted(path, 0) { // 0 stands for none
		zero := any(0)
		return &jsonschema.Schema{Type: kind, AnyOf: []*jsonschema.Schema{{Const: &zero}, {Minimum: s.Minimum, Maximum: s.Maximum}}}
	}
	return s
}

// lengths is how many entries a list may have.
func (m *schemaMaker) lengths(path string) (least, most *int) {
	fits := func(n int) bool {
		c := base(path)
		v := at(&c, path)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			v.Index(i).SetInt(1)
		}
		return c.Validate() == nil
	}
	low, high := 0, 1
	for !fits(low) {
		low++
	}
	for fits(high + 1) {
		high++
	}
	return &low, &high
}

func asJSON(t *testing.T, v any) json.RawMessage {
	t.Helper()
	text, err := yaml.Marshal(v) // by the names of the file
	if err != nil {
		t.Fatal(err)
	}
	if text, err = yaml.YAMLToJSON(text); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(text)
}

// configExamples are values of keys, other than the defaults, that configs of experiments have.
func configExamples(t *testing.T) map[string]any {
	t.Helper()
	found := map[string]any{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		if keys, ok := v.(map[string]any); ok {
			for _, k := range slices.Sorted(maps.Keys(keys)) {
				walk(strings.TrimPrefix(path+"."+k, "."), keys[k])
			}
		}
		if list, ok := v.([]any); ok {
			for _, x := range list {
				walk(path+"[]", x)
			}
		}
		if _, ok := found[path]; ok || path == "" {
			return
		}
		if x := defaultOf(path); x.IsValid() {
			mapping := reflect.ValueOf(v).Kind() == reflect.Map && x.Type() != scheduleType
			if mapping || string(asJSON(t, x.Interface())) == string(asJSON(t, v)) {
				return
			}
		}
		if text, ok := v.(string); ok {
			if x, isNumber := numeric(text); isNumber {
				v = x
			}
		}
		found[path] = v
	}
	for _, file := range configFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := yaml.Unmarshal(data, &document); err != nil {
			t.Fatal(err)
		}
		walk("", document)
	}
	return found
}

func configFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../experiments/configs/*/*.yaml")
	if err != nil || len(files) < 20 {
		t.Fatalf("found the configs %v, %v", files, err)
	}
	return files
}

// TestSchemaTakesTheConfigs validates the committed configs by the schema.
func TestSchemaTakesTheConfigs(t *testing.T) {
	schema := resolvedSchema(t)
	for _, file := range configFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, schema, string(data)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	whole, err := Default().YAML()
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, schema, whole); err != nil {
		t.Errorf("Default: %v", err)
	}
}

func resolvedSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(Schema, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// validate holds a config file against the schema.
func validate(t *testing.T, s *jsonschema.Resolved, text string) error {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	return s.Validate(numbers(document))
}

// numbers turns texts such as 1e-4 into the numbers that they are in a config.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case string:
		if x, ok := numeric(v); ok {
			return x
		}
	}
	return v
}

// TestSchemaRefuses shows the schema and the parser what neither takes.
func TestSchemaRefuses(t *testing.T) {
	schema := resolvedSchema(t)
	for _, text := range []string{
		"gmae: kuhn", "game: kuhn\nppo: {epoch: 3}", "game: kuhn\nupdates: many", "game: kuhn\nupdates: 1.5", "game: kuhn\nnetwork: {hidden: 64}",
		"game: kuhn\nnetwork: {activation: sigmoid}", "game: kuhn\nppo: {entropy: [0.1]}", "game: kuhn\nppo: {entropy: {begin: 1}}",
		"game: kuhn\nleague: {agents: [{nmae: random}]}", "game: kuhn\nskip_forced: 1", "game: kuhn\nseed: -1", "game: kuhn\nnetwork: {hidden: []}",
	} {
		c, err := ParseConfig([]byte(text))
		if err == nil {
			err = c.Validate()
		}
		if err == nil {
			t.Errorf("%q is let through by the parser and Validate", text)
		}
		if validate(t, schema, text) == nil {
			t.Errorf("%q is let through by the schema", text)
		}
	}
}

// TestSchemaAndValidateAgree tries, for every number of the schema, the ends of its range and what
// lies just outside, as files.
func TestSchemaAndValidateAgree(t *testing.T) {
	schema := resolvedSchema(t)
	tried := 0
	walkSchema(schema.Schema(), "", func(path string, s *jsonschema.Schema) {
		for _, end := range ends(s) {
			tried++
			c := base(path)
			set(&c, path, end.value)
			text, err := c.YAML()
			if err != nil {
				t.Fatal(err)
			}
			back, err := ParseConfig([]byte(text))
			if err == nil {
				err = back.Validate()
			}
			if by := validate(t, schema, text); (by == nil) != end.inside || (err == nil) != end.inside {
				t.Errorf("%s = %v, inside: %v; the schema says %v, Validate %v", path, end.value, end.inside, by, err)
			}
		}
	})
	if tried < 150 {
		t.Errorf("tried %d values only", tried)
	}
}

type end struct {
	value  float64
	inside bool
}

// ends are the ends of a number's range and what lies just outside.
func ends(s *jsonschema.Schema) (list []end) {
	next := func(x, towards float64) float64 {
		if s.Type == "integer" {
			return x + math.Copysign(1, towards)
		}
		return x + math.Copysign(max(math.Abs(x)*1e-9, 1e-12), towards)
	}
	ranges := slices.Concat([]*jsonschema.Schema{s}, s.AnyOf)
	for _, r := range ranges {
		if r.Properties != nil {
			continue // the mapping of a schedule: its numbers are tried by themselves
		}
		if r.Minimum != nil {
			list = append(list, end{*r.Minimum, true}, end{next(*r.Minimum, -1), false})
		}
		if r.Maximum != nil {
			list = append(list, end{*r.Maximum, true}, end{next(*r.Maximum, 1), false})
		}
		if r.ExclusiveMaximum != nil {
			list = append(list, end{*r.ExclusiveMaximum, false}, end{math.Nextafter(*r.ExclusiveMaximum, 0), true})
		}
	}
	return list
}

// walkSchema shows every number of a schema with its path.
func walkSchema(s *jsonschema.Schema, path string, show func(path string, s *jsonschema.Schema)) {
	for key, p := range s.Properties {
		walkSchema(p, strings.TrimPrefix(path+"."+key, "."), show)
	}
	if s.Items != nil {
		walkSchema(s.Items, path+"[]", show)
	}
	for _, one := range s.AnyOf {
		if one.Properties != nil {
			walkSchema(one, path, show)
		}
	}
	if (s.Type == "number" || s.Type == "integer") && path != "seed" {
		show(path, s)
	}
}

// TestSchemaDefaults holds the schema's defaults against Default.
func TestSchemaDefaults(t *testing.T) {
	n := 0
	var walk func(s *jsonschema.Schema, path string)
	walk = func(s *jsonschema.Schema, path string) {
		if s.Default != nil {
			n++
			if want := asJSON(t, defaultOf(path).Interface()); !reflect.DeepEqual(parsed(t, want), parsed(t, s.Default)) {
				t.Errorf("%s is %s by default, the schema says %s", path, want, s.Default)
			}
		}
		for key, p := range s.Properties {
			walk(p, strings.TrimPrefix(path+"."+key, "."))
		}
	}
	walk(resolvedSchema(t).Schema(), "")
	if n < 60 {
		t.Errorf("the schema has %d defaults only", n)
	}
}

func parsed(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
