package server

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"powderkeg/serve/protocol"
)

// bomb is a value that is far longer than any parameter has to be.
type bomb struct {
	name string
	data []byte
}

// long is how long bombs are, in bytes; little is what refusing one may allocate: its error,
// and what else goes on in the process.
const long, little = 1 << 20, 1 << 16

func header(code byte, n int) []byte { return binary.BigEndian.AppendUint32([]byte{code}, uint32(n)) }

// bombs are values of every type that can be long.
func bombs() []bomb {
	zeros := make([]byte, long)
	empty := bytes.Repeat([]byte{0xa0}, long)
	pairs := bytes.Repeat([]byte{0xa1, 'a', 0xc0}, long/3)
	return []bomb{
		{"a str", append(header(0xdb, long), zeros...)},
		{"a bin", append(header(0xc6, long), zeros...)},
		{"an array of empty strings", append(header(0xdd, long), empty...)},
		{"an array of zeros", append(header(0xdd, long), zeros...)},
		{"an array of one str", append(append([]byte{0x91}, header(0xdb, long)...), zeros...)},
		{"a map", append(header(0xdf, long/3), pairs...)},
		{"arrays in arrays", append(append([]byte{0x91, 0x91, 0x91}, header(0xdd, long)...), empty...)},
	}
}

// schemaParams are the names of the parameters of every method, as schema.json has them.
func schemaParams(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("../protocol/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Methods map[string]struct {
			Params struct {
				Properties map[string]any
			}
		}
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	for method, m := range document.Methods {
		list[method] = nil
		for name := range m.Params.Properties {
			list[method] = append(list[method], name)
		}
	}
	return list
}

// str is a short string as msgpack.
func str(s string) []byte { return append([]byte{0xd9, byte(len(s))}, s...) }

// allocated returns how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// ask carries out a request, of hello as if it had not been said, and returns the error.
func ask(t *testing.T, c *conn, body []byte) *protocol.Error {
	if r, err := protocol.ParseRequest(body); err == nil && string(r.Method) == protocol.MethodHello {
		_, err := c.handlers[protocol.MethodHello].call(t.Context(), r.Params)
		return c.fault(err)
	}
	_, fault := c.serve(t.Context(), body)
	return fault
}

// Whatever is too long, in whatever parameter of whatever method, is refused in one line
// before anything is allocated for it.
func TestWhatIsTooLongIsRefusedBeforeItIsAllocated(t *testing.T) {
	c := alone(t)
	for _, body := range [][]byte{
		request(t, 1, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn"}),
		request(t, 2, protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 2}),
		request(t, 3, protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "random"}),
	} {
		if _, fault := c.serve(t.Context(), body); fault != nil {
			t.Fatal(fault)
		}
	}
	handles := map[string]byte{"env": 1, "vec": 2, "agent": 3}
	check := func(what string, body []byte) {
		t.Helper()
		var fault *protocol.Error
		size := allocated(func() { fault = ask(t, c, body) })
		switch {
		case fault == nil:
			t.Errorf("%s is not refused", what)
		case size > little:
			t.Errorf("%s: %d bytes were allocated for it before it was refused: %v", what, size, fault)
		case len(fault.Message) > 1000 || strings.Contains(fault.Message, "\n"):
			t.Errorf("%s: the message is not one short line: %.200q", what, fault.Message)
		}
	}
	all := bombs()
	methods := schemaParams(t)
	if len(methods) != len(c.methods()) {
		t.Errorf("the schema has %d methods, the server %d", len(methods), len(c.methods()))
	}
	checked := 0
	for method, params := range methods {
		start := append([]byte("\x94\x00\x07"), str(method)...)
		for _, b := range all {
			check(method+" with "+b.name+" for parameters", slices.Concat(start, b.data))
			check(method+" with a parameter that it does not have, "+b.name, slices.Concat(start, []byte{0x81}, str("nonsense"), b.data))
			for _, name := range params {
				checked++
				entries, body := byte(1), slices.Concat(str(name), b.data)
				for handle, number := range handles {
					if handle != name && slices.Contains(params, handle) {
						entries++ // before and behind the bomb
						body = slices.Concat(str(handle), []byte{number}, body)
					}
				}
				check(method+" with "+b.name+" for "+name, slices.Concat(start, []byte{0x80 | entries}, body))
			}
		}
		check(method+" with a long name of a parameter", slices.Concat(start, []byte{0x81}, all[0].data, []byte{0xc0}))
		twice := slices.Concat(start, header(0xdf, 400))
		for range 400 {
			twice = append(append(twice, str("game")...), 0xa0)
		}
		check(method+" with a parameter that is named 400 times", twice)
	}
	check("a long method", slices.Concat([]byte("\x94\x00\x07"), all[0].data, []byte{0xc0}))
	check("a long id", slices.Concat([]byte("\x94\x00"), all[0].data, str("games"), []byte{0xc0}))
	if checked < 300 {
		t.Errorf("%d pairs of a parameter and a value were tried, want more", checked)
	}
}

// What a parameter may hold at most is taken, and one byte or element more is refused in a
// line that names the parameter and the limit.
func TestEveryBoundIsNamed(t *testing.T) {
	c := alone(t)
	if _, fault := c.serve(t.Context(), request(t, 1, protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 2})); fault != nil {
		t.Fatal(fault)
	}
	methodOf := map[string]string{"versions": protocol.MethodHello, "client": protocol.MethodHello, "token": protocol.MethodHello,
		"agent":  protocol.MethodAgentLoad,
		"agents": protocol.MethodVecMake, "game": protocol.MethodVecMake, "autoreset": protocol.MethodVecMake, "position": protocol.MethodVecMake,
		"snapshot": protocol.MethodEnvRestore, "action": protocol.MethodEnvStep}
	for name, bound := range protocol.Bounds {
		method := methodOf[name]
		if method == "" {
			t.Errorf("the test does not know a method with %s", name)
			continue
		}
		send := func(value []byte) *protocol.Error {
			return ask(t, c, slices.Concat([]byte("\x94\x00\x07"), str(method), []byte{0x81}, str(name), value))
		}
		text := func(n int) []byte { return append(header(0xdb, n), make([]byte, n)...) }
		list := func(n int) []byte { return append(header(0xdd, n), make([]byte, n)...) }
		if bound.Items > 0 {
			wantLimit(t, name, send(list(bound.Items+1)), "has", "elements, the limit is")
			if fault := send(list(bound.Items)); fault != nil && fault.Code == protocol.CodeLimit {
				t.Errorf("%s with %d elements: %v", name, bound.Items, fault)
			}
			if bound.Bytes > 0 {
				wantLimit(t, name, send(append([]byte{0x91}, text(bound.Bytes+1)...)), "an element of", "the limit is")
			}
			continue
		}
		wantLimit(t, name, send(text(bound.Bytes+1)), "bytes, the limit is")
		if fault := send(text(bound.Bytes)); fault != nil && fault.Code == protocol.CodeLimit {
			t.Errorf("%s with %d bytes: %v", name, bound.Bytes, fault)
		}
	}
}

func wantLimit(t *testing.T, name string, fault *protocol.Error, parts ...string) {
	t.Helper()
	if fault == nil || fault.Code != protocol.CodeLimit {
		t.Errorf("%s over its bound: got %v, want code limit", name, fault)
		return
	}
	for _, part := range append(parts, name) {
		if !strings.Contains(fault.Message, part) {
			t.Errorf("%s over its bound: the message is %q, want it to contain %q", name, fault.Message, part)
		}
	}
}

// A long request is charged before it is read, and given back when the client is silent.
func TestLongRequestsAreCharged(t *testing.T) {
	c := alone(t)
	c.server.config.MemoryBytes = 4 << 20
	if fault := c.take(large); fault != nil || c.memory != 0 {
		t.Errorf("a request of %d bytes: %d are charged, fault %v, want none", large, c.memory, fault)
	}
	if fault := c.take(2 << 20); fault != nil || c.memory != 4<<20 {
		t.Errorf("a request of 2 MiB: %d are charged, fault %v, want 4 MiB", c.memory, fault)
	}
	if fault := c.take(1 << 20); fault != nil || c.memory != 4<<20 {
		t.Errorf("a shorter one after it: %d are charged, fault %v, want no more", c.memory, fault)
	}
	fault := c.take(3 << 20)
	if fault == nil || fault.Code != protocol.CodeFrame || !strings.Contains(fault.Message, "4194304 of at most 4194304") {
		t.Errorf("a request of 3 MiB: got %v, want an error of code frame that names the limit", fault)
	}
	c.body = make([]byte, 2<<20)
	c.shed()
	if c.memory != 0 || c.body != nil {
		t.Errorf("%d bytes are charged of a silent connection, want none", c.memory)
	}
}

// Reading a frame takes little more memory than the frame.
func TestReadingAFrameTakesLittleMoreThanIt(t *testing.T) {
	const n = 16 << 20
	size := allocated(func() {
		if _, err := protocol.ReadBody(io.LimitReader(zeros{}, n), n, nil); err != nil {
			t.Fatal(err)
		}
	})
	if size > n*3/2 {
		t.Errorf("reading %d bytes allocates %d, want at most half as much again", n, size)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
