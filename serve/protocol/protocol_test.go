package protocol_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"powderkeg/engine"
	"powderkeg/serve/protocol"
)

func TestFramesSurviveAnySplitOfTheStream(t *testing.T) {
	want := &protocol.VecResult{Observations: make([]float32, 5000), Masks: []uint8{1, 0, 1}, Final: make([]float32, 3000)}
	for i := range want.Observations {
		want.Observations[i] = float32(i) / 7
	}
	var stream bytes.Buffer
	w := protocol.NewWriter()
	for id := range uint64(2) {
		if err := w.Response(id, nil, want); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(&stream, 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	r := iotest.OneByteReader(&stream)
	var body []byte
	for id := range uint64(2) {
		var err error
		if body, err = protocol.ReadFrame(r, 1<<20, body); err != nil {
			t.Fatal(err)
		}
		response, err := protocol.ParseResponse(body)
		if err != nil || response.ID != id {
			t.Fatalf("response %d: got id %d, error %v", id, response.ID, err)
		}
		var got protocol.VecResult
		if err := protocol.NewDecoder(false).Decode(response.Result, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Observations, want.Observations) || !slices.Equal(got.Masks, want.Masks) || !slices.Equal(got.Final, want.Final) {
			t.Errorf("response %d: arrays differ after the way through a frame", id)
		}
	}
	if _, err := protocol.ReadFrame(r, 1<<20, body); err != io.EOF {
		t.Errorf("after the last frame: got %v, want %v", err, io.EOF)
	}
}

func TestReadFrameHoldsTheLengthAgainstTheLimit(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream string
		want   error
	}{
		{"empty body", "\x00\x00\x00\x00", protocol.ErrFrame},
		{"one byte too long", "\x00\x00\x00\x11", protocol.ErrFrame},
		{"as long as can be claimed", "\xff\xff\xff\xff", protocol.ErrFrame},
		{"header cut short", "\x00\x00", io.ErrUnexpectedEOF},
		{"body cut short", "\x00\x00\x00\x10abc", io.ErrUnexpectedEOF},
		{"no body", "\x00\x00\x00\x10", io.ErrUnexpectedEOF},
		{"no frame", "", io.EOF},
	} {
		_, err := protocol.ReadFrame(strings.NewReader(c.stream), 16, nil)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got error %v, want %v", c.name, err, c.want)
		}
	}
}

func TestAClaimedLengthIsNotAllocatedBeforeItArrives(t *testing.T) {
	body, err := protocol.ReadBody(strings.NewReader("little"), 1<<30, nil)
	if !errors.Is(err, io.ErrUnexpectedEOF) || cap(body) > 1<<20 {
		t.Errorf("got a buffer of %d bytes and error %v for 6 bytes of a claimed 1 GiB, want at most 1 MiB and %v", cap(body), err, io.ErrUnexpectedEOF)
	}
}

func TestWriterRefusesAFrameOverTheLimitAndSendsNothing(t *testing.T) {
	w := protocol.NewWriter()
	if err := w.Response(1, nil, &protocol.VecResult{Observations: make([]float32, 10000)}); err != nil {
		t.Fatal(err)
	}
	var sent bytes.Buffer
	if err := w.Flush(&sent, 40000); !errors.Is(err, protocol.ErrFrame) || sent.Len() != 0 {
		t.Errorf("flushed %d bytes of a frame over the limit with error %v, want 0 and %v", sent.Len(), err, protocol.ErrFrame)
	}
}

func TestNestingIsBounded(t *testing.T) {
	const most = 8 // as PROTOCOL.md says
	for depth, want := range map[int]error{most: nil, most + 1: protocol.ErrFrame} {
		err := protocol.Check([]byte(strings.Repeat("\x91", depth) + "\xc0"))
		if !errors.Is(err, want) {
			t.Errorf("%d nested arrays: got error %v, want %v", depth, err, want)
		}
	}
}

func TestLongArraysAreSentWithoutACopy(t *testing.T) {
	long := &protocol.VecResult{Observations: make([]float32, 1<<16)}
	w := protocol.NewWriter()
	if err := w.Response(1, nil, long); err != nil {
		t.Fatal(err)
	}
	long.Observations[1<<15] = 7 // which users must not, to see where the frame comes from
	var frame bytes.Buffer
	if err := w.Flush(&frame, 1<<20); err != nil {
		t.Fatal(err)
	}
	r, err := protocol.ParseResponse(frame.Bytes()[protocol.HeaderSize:])
	if err != nil {
		t.Fatal(err)
	}
	var got protocol.VecResult
	if err := protocol.NewDecoder(false).Decode(r.Result, &got); err != nil {
		t.Fatal(err)
	}
	if got.Observations[1<<15] != 7 {
		t.Error("the frame holds what the array was when it was built, so it was copied")
	}
}

func TestArraysRefuseOddLengths(t *testing.T) {
	// {"vec": 1, "actions": 5 bytes}
	params := []byte("\x82\xa3vec\x01\xa7actions\xc4\x05abcde")
	err := protocol.NewDecoder(true).Decode(params, &protocol.VecStep{})
	if err == nil || !strings.Contains(err.Error(), "5 bytes, which is no multiple of 4") {
		t.Errorf("got error %v, want it to speak of 5 bytes and multiples of 4", err)
	}
}

func TestDecodeErrorsSayWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct {
		name, params string
		into         any
		want         []string
	}{
		{"unknown field", "\x81\xa4sead\x01", &protocol.EnvReset{}, []string{`unknown field "sead"`, "env (uint)", "seed (uint)"}},
		{"wrong type", "\x81\xa3env\xa1x", &protocol.EnvStep{}, []string{"env (uint)", "action (int or str)"}},
		{"array for a number", "\x81\xa4envs\x91\x01", &protocol.VecMake{}, []string{"envs (int)", "autoreset (str)"}},
		{"bin for arrays", "\x81\xa7actions\x91\x01", &protocol.VecStep{}, []string{"actions (bin of int32)"}},
		{"action of another type", "\x82\xa3env\x01\xa6action\xc3", &protocol.EnvStep{}, []string{"action (int or str)"}},
		{"float for an action", "\x82\xa3env\x01\xa6action\xca\x3f\x80\x00\x00", &protocol.EnvStep{},
			[]string{"action is the float 1, it must be a whole number; fields: "}},
		{"double for a seed", "\x81\xa4seed\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", &protocol.EnvReset{},
			[]string{"seed is the float 1.5, it must be a whole number from 0 to"}},
		{"negative seed", "\x81\xa4seed\xff", &protocol.EnvReset{}, []string{"seed is negative, it must be a whole number from 0 to"}},
		{"negative seed of eight bytes", "\x81\xa4seed\xd3\xff\xff\xff\xff\xff\xff\xff\xff", &protocol.EnvReset{}, []string{"seed is negative"}},
		{"action of 64 bits", "\x82\xa3env\x01\xa6action\xcf\xff\xff\xff\xff\xff\xff\xff\xff", &protocol.EnvStep{},
			[]string{"action is 18446744073709551615, it must be below 2^63"}},
		{"float among versions", "\x81\xa8versions\x92\x01\xca\x3f\x80\x00\x00", &protocol.Hello{},
			[]string{"versions is the float 1, it must be a whole number"}},
		{"none takes nothing", "\x81\xa1a\x01", &protocol.None{}, []string{`unknown field "a"`, "fields: none"}},
	} {
		if err := protocol.Check([]byte(c.params)); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		err := protocol.NewDecoder(true).Decode([]byte(c.params), c.into)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got error %v, want it to contain %q", c.name, err, want)
			}
		}
	}
}

func TestARequestHasAnID(t *testing.T) {
	if _, err := protocol.ParseRequest([]byte("\x94\x00\x00\xa5games\xc0")); !errors.Is(err, protocol.ErrFrame) ||
		!strings.Contains(err.Error(), "the id is 0") {
		t.Errorf("id 0: error %v", err)
	}
	if r, err := protocol.ParseRequest([]byte("\x94\x00\x01\xa5games\xc0")); err != nil || r.ID != 1 {
		t.Errorf("id 1: %+v, error %v", r, err)
	}
}

func TestNoActionIsNotActionZero(t *testing.T) {
	for name, params := range map[string]string{"left out": "\x81\xa3env\x01", "nil": "\x82\xa3env\x01\xa6action\xc0"} {
		var got protocol.EnvStep
		if err := protocol.NewDecoder(true).Decode([]byte(params), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n, ok := got.Action.Number(); ok {
			t.Errorf("%s: an action that was not given is number %d", name, n)
		}
		if _, ok := got.Action.Name(); ok {
			t.Errorf("%s: an action that was not given has a name", name)
		}
	}
}

func TestALenientDecoderIgnoresWhatItDoesNotKnow(t *testing.T) {
	var got protocol.Text
	err := protocol.NewDecoder(false).Decode([]byte("\x82\xa5newer\x92\x01\x91\xc0\xa4text\xa1x"), &got)
	if err != nil || got.Text != "x" {
		t.Errorf("got %+v, error %v, want the text x", got, err)
	}
}

func TestStepsOfManySizesAreDecodedIntoTheSameMemory(t *testing.T) {
	var got protocol.VecStep
	d, w := protocol.NewDecoder(true), protocol.NewWriter()
	for _, n := range []int{4, 0, 3, 1} {
		got.Reset()
		want := &protocol.VecStep{Vec: 1, Actions: make([]engine.Action, n)}
		for i := range want.Actions {
			want.Actions[i] = math.MinInt32 + engine.Action(i)
		}
		var frame bytes.Buffer
		if err := errors.Join(w.Request(1, protocol.MethodVecStep, want), w.Flush(&frame, 1<<20)); err != nil {
			t.Fatal(err)
		}
		r, err := protocol.ParseRequest(frame.Bytes()[protocol.HeaderSize:])
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Decode(r.Params, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Actions, want.Actions) || cap(got.Actions) != 4 {
			t.Errorf("%d actions: got %v with room for %d, want %v with room for 4", n, got.Actions, cap(got.Actions), want.Actions)
		}
	}
}

func TestThePageNamesEveryFieldAndCode(t *testing.T) {
	data, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, code := range protocol.Codes {
		closes := "no"
		if code.Fatal() {
			closes = "yes"
		}
		i := strings.Index(page, fmt.Sprintf("\n| `%s` |", code))
		if i < 0 {
			t.Errorf("PROTOCOL.md has no row for code %s", code)
			continue
		}
		row, _, _ := strings.Cut(page[i+1:], "\n")
		if !strings.HasSuffix(row, "| "+closes+" |") {
			t.Errorf("PROTOCOL.md says of code %s: %s, want closes: %s", code, row, closes)
		}
	}
	for _, message := range []any{
		protocol.Hello{}, protocol.Welcome{}, protocol.Limits{}, protocol.GameInfo{}, protocol.SpecParams{}, protocol.Spec{},
		protocol.EnvMake{}, protocol.EnvMade{}, protocol.EnvReset{}, protocol.EnvStep{}, protocol.Step{}, protocol.EnvObserve{}, protocol.Observed{},
		protocol.EnvText{},
		protocol.Text{}, protocol.Drawing{}, protocol.View{}, protocol.Legal{}, protocol.Position{}, protocol.VecMake{}, protocol.VecMade{},
		protocol.VecReset{},
		protocol.VecResetSlots{}, protocol.VecStep{}, protocol.VecResult{}, protocol.VecSend{}, protocol.VecSent{}, protocol.VecRecv{},
		protocol.VecReceived{}, protocol.AgentLoad{}, protocol.AgentLoaded{},
		protocol.Act{}, protocol.Acted{}, protocol.ActBatch{}, protocol.ActedBatch{}, protocol.AgentEvaluate{}, protocol.Evaluated{},
		protocol.DatasetOpen{}, protocol.DatasetOpened{}, protocol.DatasetNext{}, protocol.DatasetRows{}, protocol.Lists[int32]{}, protocol.Error{},
	} {
		for f := range reflect.TypeOf(message).Fields() {
			name, _, inline := strings.Cut(f.Tag.Get("msgpack"), ",")
			if inline && f.Anonymous {
				continue // its fields are those of another message of the list
			}
			if name == "" {
				t.Errorf("%T.%s has no name on the wire", message, f.Name)
				continue
			}
			for _, form := range []string{"| " + name + " |", "| " + name + ",", ", " + name + " |", ", " + name + ",", "`" + name + "`", `"` + name + `"`} {
				if strings.Contains(page, form) {
					name = ""
					break
				}
			}
			if name != "" {
				t.Errorf("PROTOCOL.md does not describe %s of %T", name, message)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	v := load(f)
	for _, r := range v.Requests {
		f.Add(unhex(f, r.Hex)[protocol.HeaderSize:])
	}
	for _, r := range v.Responses {
		f.Add(unhex(f, r.Hex)[protocol.HeaderSize:])
	}
	for _, r := range v.Refused {
		f.Add(unhex(f, r.Hex)[protocol.HeaderSize:])
	}
	strict, lenient, w := protocol.NewDecoder(true), protocol.NewDecoder(false), protocol.NewWriter()
	f.Fuzz(func(t *testing.T, body []byte) {
		// Whatever is decoded must come back the same after another way over the wire.
		again := func(got any, d *protocol.Decoder) {
			var frame bytes.Buffer
			if err := errors.Join(w.Request(1, "m", got), w.Flush(&frame, 1<<30)); err != nil {
				t.Fatal(err)
			}
			r, err := protocol.ParseRequest(frame.Bytes()[protocol.HeaderSize:])
			if err != nil {
				t.Fatalf("%T %+v encodes to what is refused: %v", got, got, err)
			}
			second := reflect.New(reflect.TypeOf(got).Elem()).Interface()
			if err := d.Decode(r.Params, second); err != nil {
				t.Fatalf("%T %+v encodes to what cannot be decoded: %v", got, got, err)
			}
			var other bytes.Buffer
			if err := errors.Join(w.Request(1, "m", second), w.Flush(&other, 1<<30)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(frame.Bytes(), other.Bytes()) {
				t.Fatalf("%T: %x became %x", got, frame.Bytes(), other.Bytes())
			}
		}
		if r, err := protocol.ParseRequest(body); err == nil {
			for _, p := range requests {
				got := reflect.New(reflect.TypeOf(p).Elem()).Interface()
				if strict.Decode(r.Params, got) == nil {
					again(got, strict)
				}
			}
		}
		if r, err := protocol.ParseResponse(body); err == nil && r.Error == nil {
			for _, p := range responses {
				if p == nil {
					continue
				}
				got := reflect.New(reflect.TypeOf(p).Elem()).Interface()
				if lenient.Decode(r.Result, got) == nil {
					again(got, lenient)
				}
			}
		}
	})
}
