package train

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/train/league"
)

// unbounded are numbers whose range the game decides, or that may be any.
var unbounded = map[string]bool{
	"league.learner_seats": true, "league.rota[]": true, "network.advisers[].seats[]": true,
	"network.entities[].count": true, "network.entities[].width": true,
}

// base is a config in which the key at a path may have any value that it may have at all.
func base(path string) Config {
	c := Default()
	c.Game = "kuhn"
	c.Evaluation.Against = nil
	switch key, _, _ := strings.Cut(path, "."); {
	case key == "margin":
		c.Game = "insurgency"
	case strings.HasPrefix(path, "network.advi"):
		c.Game, c.Network.Advice = "jogu", 1
	case path == "network.sharpen":
		c.Game, c.Network.From = "jogu", "zoo:jogu"
	case path == "ppo.vtrace.c":
		c.PPO.VTrace.Rho = math.MaxFloat32
	case path == "ppo.vtrace.rho":
		c.PPO.VTrace.C = 0
	case path == "lessons.updates":
		c.Lessons.Teacher = "random"
	case path == "league.snapshot_every":
		c.League.Share = 0
	case path == "league.capacity":
		c.League.Share, c.League.SnapshotEvery = 0, 0
	case path == "league.gate.above":
		c.League.Gate.Games = 1
	}
	return c
}

// templates are what lists of mappings are tried with.
var templates = map[string]any{
	"league.agents":    []league.Named{{Name: "random"}},
	"network.advisers": []network.Adviser{{}},
}

// at returns the field at a path; [] is the first entry of a list.
func at(c *Config, path string) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	so := ""
	for name := range strings.SplitSeq(path, ".") {
		key := strings.TrimSuffix(name, "[]")
		so = strings.TrimPrefix(so+"."+key, ".")
		for f := range v.Type().Fields() {
			if f.Tag.Get("yaml") == key && f.IsExported() {
				v = v.FieldByIndex(f.Index)
				break
			}
		}
		if key != name {
			if list, ok := templates[so]; ok && v.Len() == 0 {
				copied := reflect.MakeSlice(v.Type(), 1, 1)
				reflect.Copy(copied, reflect.ValueOf(list))
				v.Set(copied)
			} else if v.Len() == 0 || v.Type().Elem().Kind() == reflect.Int {
				v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			}
			v = v.Index(0)
		}
	}
	return v
}

func set(c *Config, path string, x float64) {
	if v := at(c, path); v.CanInt() {
		v.SetInt(int64(x))
	} else {
		v.SetFloat(x)
	}
}

// accepted reports whether Validate lets the key at a path have a value.
func accepted(path string, x float64) bool {
	c := base(path)
	set(&c, path, x)
	return c.Validate() == nil
}

// edges finds the least and the greatest value that Validate lets through, nil where there is no
// such end, by halving what lies between the default, or 1, and what is refused.
func edges(t *testing.T, path string, kind reflect.Type) (low, high *float64) {
	t.Helper()
	from := 1.0
	if x := defaultOf(path); x.IsValid() && x.CanInt() {
		from = float64(x.Int())
	} else if x.IsValid() && x.CanFloat() {
		from = x.Float()
	}
	if path == "network.sharpen" {
		from = 1
	}
	if !accepted(path, from) {
		t.Fatalf("%s: Validate refuses %v", path, from)
	}
	const far = 1 << 62
	whole := kind.Kind() != reflect.Float64
	towards := func(x float64) *float64 {
		if accepted(path, x) {
			return nil
		}
		in, out := from, x
		for {
			middle := between(in, out, whole)
			if middle == in || middle == out {
				return &in
			}
			if accepted(path, middle) {
				in = middle
			} else {
				out = middle
			}
		}
	}
	end := math.MaxFloat64
	if whole {
		end = far
	}
	return towards(-end), towards(end)
}

// between is a number half way, by the order of the numbers that there are.
func between(a, b float64, whole bool) float64 {
	if whole {
		return float64(int64(a) + (int64(b)-int64(a))/2)
	}
	x, y := ordered(a), ordered(b)
	return unordered(x/2 + y/2 + (x%2+y%2)/2)
}

// ordered numbers the floats in their order, unordered returns the float of a number.
func ordered(x float64) int64 {
	if i := int64(math.Float64bits(x)); i >= 0 {
		return i
	}
	return -int64(math.Float64bits(-x))
}

func unordered(n int64) float64 {
	if n < 0 {
		return -math.Float64frombits(uint64(-n))
	}
	return math.Float64frombits(uint64(n))
}

// configComments are the comments of the types of a config and of their fields, in the words of
// the file: the names of fields are those of keys, and references to Go are left out.
func configComments(t *testing.T) map[string]string {
	t.Helper()
	keys, all := map[string]string{}, []commented{}
	for _, dir := range []string{".", "ppo", "league", "lessons", "../agents/network"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
					all = append(all, commentsOf(parsed.Name.Name, d, keys)...)
				}
			}
		}
	}
	comments := map[string]string{}
	for _, c := range all {
		if text := inKeys(c.text, c.owner, keys); text != "" {
			comments[c.name] = text
		}
	}
	return comments
}

// commented is the comment of a field or of a type, both named with their package, and the type
// whose fields it speaks of.
type commented struct{ name, text, owner string }

// commentsOf are the comments of a type and of its fields that a file has; it notes their keys.
func commentsOf(pkg string, d *ast.GenDecl, keys map[string]string) (list []commented) {
	spec := d.Specs[0].(*ast.TypeSpec)
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	owner := pkg + "." + spec.Name.Name
	list = append(list, commented{owner, typeComment(d.Doc.Text(), spec.Name.Name), owner})
	for _, f := range fields.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
		key := tag.Get("yaml")
		if owner == "network.Config" { // describes what train.Network has too
			key, _, _ = strings.Cut(tag.Get("json"), ",")
		}
		if key == "" {
			continue
		}
		keys[owner+"."+f.Names[0].Name] = key
		text := f.Doc.Text()
		if text == "" {
			continue // the comment of its type, or of network.Config, says it
		}
		list = append(list, commented{owner + "." + f.Names[0].Name, text, owner})
	}
	return list
}

// typeComment is what the comment of a type says of its key: the first paragraph.
func typeComment(text, name string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	return strings.Replace(first, name+" ", "`this` ", 1)
}

var (
	aside = regexp.MustCompile(` ?\((?:[a-z]+\.)?(?:[A-Z]\w*)(?:\.[A-Z]\w*)*\)| ?\(agents/roster\)| ?\(package [a-z/]+\)`)
	word  = regexp.MustCompile(`\b(?:[a-z]+\.)?(?:[A-Z]\w*)(?:\.[A-Z]\w*)*\b`)
)

// inKeys writes a comment in the words of a file.
func inKeys(text, own string, keys map[string]string) string {
	text = aside.ReplaceAllString(strings.Join(strings.Fields(text), " "), "")
	return word.ReplaceAllStringFunc(text, func(w string) string {
		parts := strings.Split(w, ".")
		if key, ok := keys[own+"."+parts[len(parts)-1]]; ok && len(parts) == 1 {
			return "`" + key + "`"
		}
		for _, name := range []string{w, strings.SplitN(own, ".", 2)[0] + "." + w} {
			if key, ok := keys[name]; ok {
				return "`" + prefixes[name[:strings.LastIndexByte(name, '.')]] + key + "`"
			}
		}
		return w
	})
}

// prefixes are where a config has the mappings of types.
var prefixes = map[string]string{
	"train.Config": "", "train.Network": "network.", "network.Config": "network.", "ppo.Config": "ppo.", "league.Config": "league.",
}
