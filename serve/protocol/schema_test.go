package protocol_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/kept"
	"powderkeg/serve/protocol"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/vmihailenco/msgpack/v5"
)

// methods are the parameters and the result of every method.
var methods = map[string][2]any{
	protocol.MethodHello:         {protocol.Hello{}, protocol.Welcome{}},
	protocol.MethodGames:         {protocol.None{}, protocol.Games{}},
	protocol.MethodSpec:          {protocol.SpecParams{}, protocol.Spec{}},
	protocol.MethodEnvMake:       {protocol.EnvMake{}, protocol.EnvMade{}},
	protocol.MethodEnvReset:      {protocol.EnvReset{}, protocol.Step{}},
	protocol.MethodEnvStep:       {protocol.EnvStep{}, protocol.Step{}},
	protocol.MethodEnvObserve:    {protocol.EnvObserve{}, protocol.Observed{}},
	protocol.MethodEnvText:       {protocol.EnvText{}, protocol.Text{}},
	protocol.MethodEnvDrawing:    {protocol.EnvText{}, protocol.Drawing{}},
	protocol.MethodEnvView:       {protocol.EnvText{}, protocol.View{}},
	protocol.MethodEnvLegal:      {protocol.Env{}, protocol.Legal{}},
	protocol.MethodEnvPosition:   {protocol.Env{}, protocol.Position{}},
	protocol.MethodEnvClone:      {protocol.EnvClone{}, protocol.EnvMade{}},
	protocol.MethodEnvSnapshot:   {protocol.Env{}, protocol.Snapshot{}},
	protocol.MethodEnvRestore:    {protocol.EnvRestore{}, protocol.EnvMade{}},
	protocol.MethodEnvRedeal:     {protocol.EnvRedeal{}, protocol.EnvMade{}},
	protocol.MethodEnvClose:      {protocol.Env{}, protocol.None{}},
	protocol.MethodVecMake:       {protocol.VecMake{}, protocol.VecMade{}},
	protocol.MethodVecReset:      {protocol.VecReset{}, protocol.VecResult{}},
	protocol.MethodVecResetSlots: {protocol.VecResetSlots{}, protocol.VecResult{}},
	protocol.MethodVecStep:       {protocol.VecStep{}, protocol.VecResult{}},
	protocol.MethodVecStepSlots:  {protocol.VecSend{}, protocol.VecReceived{}},
	protocol.MethodVecSend:       {protocol.VecSend{}, protocol.VecSent{}},
	protocol.MethodVecRecv:       {protocol.VecRecv{}, protocol.VecReceived{}},
	protocol.MethodVecClone:      {protocol.Vec{}, protocol.VecMade{}},
	protocol.MethodVecFork:       {protocol.VecFork{}, protocol.VecResult{}},
	protocol.MethodVecSnapshot:   {protocol.VecSnapshot{}, protocol.Snapshot{}},
	protocol.MethodVecRestore:    {protocol.VecRestore{}, protocol.VecReceived{}},
	protocol.MethodVecClose:      {protocol.Vec{}, protocol.None{}},
	protocol.MethodAgentLoad:     {protocol.AgentLoad{}, protocol.AgentLoaded{}},
	protocol.MethodAct:           {protocol.Act{}, protocol.Acted{}},
	protocol.MethodActBatch:      {protocol.ActBatch{}, protocol.ActedBatch{}},
	protocol.MethodAgentEvaluate: {protocol.AgentEvaluate{}, protocol.Evaluated{}},
	protocol.MethodAgentClose:    {protocol.Agent{}, protocol.None{}},
	protocol.MethodDatasetOpen:   {protocol.DatasetOpen{}, protocol.DatasetOpened{}},
	protocol.MethodDatasetNext:   {protocol.DatasetNext{}, protocol.DatasetRows{}},
	protocol.MethodDatasetClose:  {protocol.Dataset{}, protocol.None{}},
}

// schemaMaker makes schemas of the Go types of messages by a library that knows JSON: it
// hands over types of the same fields with the names of the wire.
type schemaMaker struct {
	comments map[string]string // by "Type.Field"
	params   bool              // may be left out, and nothing else may be there
}

// arrays are the names of the page for the numbers of arrays.
var arrays = map[reflect.Kind]string{reflect.Int8: "i1", reflect.Uint8: "u1", reflect.Int32: "i4", reflect.Int64: "i8", reflect.Uint64: "u8",
	reflect.Float32: "f4"}

// plain returns a type that the library takes for t.
func (m *schemaMaker) plain(t reflect.Type) reflect.Type {
	switch {
	case strings.HasPrefix(t.Name(), "Array["), t == reflect.TypeFor[protocol.Move]():
		return t
	case t.Kind() == reflect.Pointer:
		return reflect.PointerTo(m.plain(t.Elem()))
	case t.Kind() == reflect.Slice:
		return reflect.SliceOf(m.plain(t.Elem()))
	case t.Kind() != reflect.Struct:
		return t
	}
	var fields []reflect.StructField
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		if f.Anonymous {
			fields = append(fields, slices.Collect(m.plain(f.Type).Fields())...)
			continue
		}
		if name == "" {
			name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
		}
		tag := fmt.Sprintf("json:%q", name)
		if m.params || strings.Contains(string(f.Tag), "omitempty") {
			tag = fmt.Sprintf("json:%q", name+",omitempty")
		}
		if comment := m.comments[t.Name()+"."+f.Name]; comment != "" {
			tag += fmt.Sprintf(" jsonschema:%q", comment)
		}
		fields = append(fields, reflect.StructField{Name: f.Name, Type: m.plain(f.Type), Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

// schema returns the schema of a message.
func (m *schemaMaker) schema(t *testing.T, message any) *jsonschema.Schema {
	t.Helper()
	own := map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[protocol.Move](): {Types: []string{"integer", "string"}}}
	m.arrays(reflect.TypeOf(message), own)
	s, err := jsonschema.ForType(m.plain(reflect.TypeOf(message)), &jsonschema.ForOptions{TypeSchemas: own})
	if err != nil {
		t.Fatal(err)
	}
	m.finish(s)
	return s
}

// arrays adds the types of arrays in a message.
func (m *schemaMaker) arrays(t reflect.Type, own map[reflect.Type]*jsonschema.Schema) {
	switch {
	case strings.HasPrefix(t.Name(), "Array["):
		own[t] = &jsonschema.Schema{Type: "string", ContentEncoding: "base64", Extra: map[string]any{"x-bin": arrays[t.Elem().Kind()]}}
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice:
		m.arrays(t.Elem(), own)
	case t.Kind() == reflect.Struct && t != reflect.TypeFor[protocol.Move]():
		for f := range t.Fields() {
			m.arrays(f.Type, own)
		}
	}
}

// finish says of parameters that nil is as good as what is left out, and of results that a
// client must ignore what it does not know.
func (m *schemaMaker) finish(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Type == "object" && !m.params {
		s.AdditionalProperties = nil
	}
	for _, p := range s.Properties {
		m.finish(p)
		if m.params && p.Type != "" {
			p.Types, p.Type = []string{"null", p.Type}, ""
		} else if m.params && !slices.Contains(p.Types, "null") {
			p.Types = append([]string{"null"}, p.Types...)
		}
	}
	m.finish(s.Items)
}

// makeSchema returns schema.json.
func makeSchema(t *testing.T) []byte {
	t.Helper()
	comments := fieldComments(t, "messages.go", "states.go", "errors.go", "../../engine/option/option.go", "../../env/encoding/encoding.go")
	type pair struct {
		Params *jsonschema.Schema `json:"params"`
		Result *jsonschema.Schema `json:"result"`
	}
	document := struct {
		Comment string             `json:"$comment"`
		Version int                `json:"version"`
		Error   *jsonschema.Schema `json:"error"`
		Methods map[string]pair    `json:"methods"`
	}{
		Comment: "The messages of PROTOCOL.md, made from messages.go and states.go by go test ./serve/protocol -run TestSchemaIsFresh -update. Arrays " +
			"are msgpack bin of x-bin; as JSON, base64.",
		Version: protocol.Version, Methods: map[string]pair{},
	}
	params, result := &schemaMaker{comments, true}, &schemaMaker{comments, false}
	document.Error = result.schema(t, protocol.Error{})
	for name, m := range methods {
		document.Methods[name] = pair{params.schema(t, m[0]), result.schema(t, m[1])}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	if err := e.Encode(document); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fieldComments returns what files say of the fields of their types, in one line each.
func fieldComments(t *testing.T, files ...string) map[string]string {
	t.Helper()
	comments := map[string]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if fields, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range fields.Fields.List {
					text := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
					for _, name := range f.Names {
						comments[spec.Name.Name+"."+name.Name] = text
					}
				}
			}
			return false
		})
	}
	return comments
}

// The committed schema is that of the Go types.
func TestSchemaIsFresh(t *testing.T) {
	got := makeSchema(t)
	if *kept.Update {
		if err := os.WriteFile("schema.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("schema.json is not that of the messages; write it anew: go test ./serve/protocol -run TestSchemaIsFresh -update")
	}
}

// schemas reads the committed schema: by method and "params" or "result", and of errors.
func schemas(t *testing.T) (by map[string]map[string]*jsonschema.Resolved, fault *jsonschema.Resolved) {
	t.Helper()
	data, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Error   *jsonschema.Schema                       `json:"error"`
		Methods map[string]map[string]*jsonschema.Schema `json:"methods"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	resolve := func(s *jsonschema.Schema) *jsonschema.Resolved {
		r, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	by = map[string]map[string]*jsonschema.Resolved{}
	for name, m := range document.Methods {
		by[name] = map[string]*jsonschema.Resolved{"params": resolve(m["params"]), "result": resolve(m["result"])}
	}
	return by, resolve(document.Error)
}

// asJSON turns a msgpack value into one of JSON, with arrays in base64.
func asJSON(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := msgpack.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v) // which writes []byte in base64
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	return plain
}

// The frames of the vectors fit the schema of their method, and no other than that of an
// equal message. What is wrong about them does not.
func TestRecordedFramesFitTheSchema(t *testing.T) {
	by, fault := schemas(t)
	v := load(t)
	for _, r := range v.Requests {
		request, err := protocol.ParseRequest(unhex(t, r.Hex)[protocol.HeaderSize:])
		if err != nil {
			t.Fatal(err)
		}
		params := asJSON(t, request.Params)
		if params == nil {
			params = map[string]any{}
		}
		if err := by[r.Method]["params"].Validate(params); err != nil {
			t.Errorf("%s: the parameters of %s do not fit: %v", r.Name, r.Method, err)
		}
		params.(map[string]any)["colour"] = "red"
		if by[r.Method]["params"].Validate(params) == nil {
			t.Errorf("%s: a parameter that %s does not have fits", r.Name, r.Method)
		}
	}
	for i, r := range v.Responses {
		response, err := protocol.ParseResponse(unhex(t, r.Hex)[protocol.HeaderSize:])
		if err != nil {
			t.Fatal(err)
		}
		if response.Error != nil {
			if err := fault.Validate(map[string]any{"code": string(response.Error.Code), "message": response.Error.Message}); err != nil {
				t.Errorf("%s: the error does not fit: %v", r.Name, err)
			}
			continue
		}
		result, fits := asJSON(t, response.Result), 0
		for name, m := range methods {
			if reflect.TypeOf(m[1]) != reflect.TypeOf(responses[i]).Elem() {
				continue
			}
			fits++
			if err := by[name]["result"].Validate(result); err != nil {
				t.Errorf("%s: the result of %s does not fit: %v", r.Name, name, err)
			}
			for field := range result.(map[string]any) {
				less := maps.Clone(result.(map[string]any))
				if delete(less, field); by[name]["result"].Validate(less) == nil {
					t.Errorf("%s: a result of %s without %s fits", r.Name, name, field)
				}
			}
		}
		if fits == 0 {
			t.Errorf("%s: no method has a result of %T", r.Name, responses[i])
		}
	}
}

// A parameter that is nil is one that is left out, for each of all messages.
func TestNilIsLeftOut(t *testing.T) {
	d := protocol.NewDecoder(true)
	for name, m := range methods {
		kind := reflect.TypeOf(m[0])
		params := map[string]any{}
		for f := range kind.Fields() {
			field, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
			params[field] = nil
		}
		data, err := msgpack.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		got, none := reflect.New(kind), reflect.New(kind)
		if err := d.Decode(data, got.Interface()); err != nil {
			t.Errorf("%s with parameters that are nil: %v", name, err)
		}
		if err := d.Decode([]byte{0x80}, none.Interface()); err != nil {
			t.Errorf("%s without parameters: %v", name, err)
		}
		for i := range kind.NumField() {
			a, b := got.Elem().Field(i), none.Elem().Field(i)
			if a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 {
				continue
			}
			if !reflect.DeepEqual(a.Interface(), b.Interface()) {
				t.Errorf("%s: %s is %v if it is nil, and %v if it is left out", name, kind.Field(i).Name, a, b)
			}
		}
	}
}

// Numbers, lengths and nesting that no message has are refused in each parameter of every
// method, in one line, and nothing breaks down; of one that is named twice the last counts.
func TestHostileParametersAreRefused(t *testing.T) {
	d := protocol.NewDecoder(true)
	for name, m := range methods {
		kind := reflect.TypeOf(m[0])
		for f := range kind.Fields() {
			field, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
			head := append([]byte{0x81, 0xd9, byte(len(field))}, field...)
			for what, value := range map[string]string{
				"not a number": "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x01", "infinity": "\xca\x7f\x80\x00\x00", "a map": "\x81\xa1x\x01",
				"an array of arrays": "\x91\x91\xc0", "a fraction": "\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00",
			} {
				data := append(slices.Clone(head), value...)
				if err := protocol.Check(data); err != nil {
					t.Fatal(err)
				}
				if err := d.Decode(data, reflect.New(kind).Interface()); err == nil || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: %s for %s gets %v", name, what, field, err)
				}
			}
			for what, value := range map[string]string{
				"a text of 4 GiB": "\xdb\xff\xff\xff\xffx", "bytes of 4 GiB": "\xc6\xff\xff\xff\xffx", "an array of 4 G": "\xdd\xff\xff\xff\xff\x00",
				"nesting": strings.Repeat("\x91", 100) + "\xc0", "an extension": "\xd4\x00\x00",
			} {
				if err := protocol.Check(append(slices.Clone(head), value...)); !errors.Is(err, protocol.ErrFrame) {
					t.Errorf("%s: %s for %s passes with %v", name, what, field, err)
				}
			}
		}
	}
	var env protocol.Env
	if err := d.Decode([]byte("\x82\xa3env\x07\xa3env\x09"), &env); err != nil || env.Env != 9 {
		t.Errorf("of 7 and 9 the parameter is %d, %v; want the last", env.Env, err)
	}
	var text protocol.EnvText
	if err := d.Decode([]byte("\x81\xa4seat\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), &text); err == nil ||
		!strings.Contains(err.Error(), "seat is 18446744073709551615") {
		t.Errorf("a seat of 2^64-1 gets %v", err)
	}
}
