package protocol_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"powderkeg/engine"
	"powderkeg/serve/protocol"
)

// vectors is testdata/vectors.json, which the Python client is tested with too.
type vectors struct {
	Requests []struct {
		Name   string `json:"name"`
		ID     uint64 `json:"id"`
		Method string `json:"method"`
		Hex    string `json:"hex"`
	} `json:"requests"`
	Responses []struct {
		Name  string          `json:"name"`
		ID    uint64          `json:"id"`
		Error *protocol.Error `json:"error"`
		Hex   string          `json:"hex"`
	} `json:"responses"`
	Refused []struct {
		Side string `json:"side"`
		Name string `json:"name"`
		Hex  string `json:"hex"`
	} `json:"refused"`
}

func load(t testing.TB) *vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	v := &vectors{}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
	return v
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func seed(n uint64) *uint64 { return &n }

var seatOne = int64(1)

// requests are the parameters of the vectors, in order; what they mean is
// written beside the vectors.
var requests = []any{
	&protocol.Hello{Versions: []int64{1}, Client: "example 1.0"},
	&protocol.None{},
	&protocol.EnvMake{Game: "kuhn", Agents: []string{}},
	&protocol.EnvMake{Game: "kuhn", Seed: seed(1<<64 - 1), MaxDecisions: 100, Position: `{"cards":["K","Q"],"actions":[]}`,
		Agents: []string{"", "random"}},
	&protocol.EnvStep{Env: 7, Action: protocol.ByNumber(1)},
	&protocol.EnvStep{Env: 7, Action: protocol.ByName("bet")},
	&protocol.EnvReset{Env: 7, Seed: seed(4000000000)},
	&protocol.EnvText{Env: 7, Seat: &seatOne},
	&protocol.VecMake{Game: "leduc", Envs: 3, Workers: 2, Autoreset: "next-step"},
	&protocol.VecStep{Vec: 8, Actions: []engine.Action{0, 2, -1}},
	&protocol.VecResetSlots{Vec: 8, Slots: []int32{1}, Seeds: []uint64{1 << 63}},
	&protocol.AgentLoad{Game: "kuhn", Agent: "mcts(sims=100)", Seed: 5},
	&protocol.ActBatch{Agent: 9, Observations: []float32{1, 0, 0.5, 0, 1, -0.25}, Masks: []uint8{1, 0, 1, 1}},
	&protocol.VecSend{Vec: 8, Slots: []int32{2, 0}, Actions: []engine.Action{1, 0}},
	&protocol.VecRecv{Vec: 8, Count: 2},
	&protocol.DatasetOpen{Game: "kuhn", Agents: []string{"random"}, Episodes: 2, Seed: seed(3), Text: true},
	&protocol.DatasetNext{Dataset: 10, Rows: 1},
	&protocol.EnvObserve{Env: 7, Seat: 1},
	&protocol.VecSend{Vec: 8, Slots: []int32{2, 0}, Actions: []engine.Action{1, 0}},
	&protocol.AgentEvaluate{Agent: 9, Observations: []float32{1, 0, 0.5, 0, 1, -0.25}},
	&protocol.VecMake{Game: "kuhn", Envs: 2, MaxDecisions: 5, Position: `{"cards":["K","Q"],"actions":[]}`, Agents: []string{"", "random"}},
	&protocol.EnvText{Env: 7},
}

// responses are the results of the vectors, in order, nil for an error.
var responses = []any{
	&protocol.Welcome{Version: 1, Server: "powderkeg", Release: "0.2.0", Capabilities: []string{"envs"}, Methods: []string{"games", "hello"},
		Agents: []string{"random"},
		Limits: protocol.Limits{FrameBytes: 67108864, Environments: 4096, Agents: 16, Workers: 2, IdleSeconds: 600, RequestSeconds: 60}},
	&protocol.Step{Actor: 1, Observer: 1, Observation: []float32{0, 1, 0.5}, Mask: []uint8{1, 0}, Rewards: []float32{0, 0},
		Returns: []float32{-1.5, 1.5}, Decisions: 300},
	&protocol.Step{Actor: -2, Observation: []float32{0, 1, 0.5}, Mask: []uint8{0, 0}, Rewards: []float32{0, 0}, Returns: []float32{-1.5, 1.5},
		Terminated: true, Decisions: 300},
	&protocol.Position{Position: `{"cards":[],"actions":[]}`, Hash: "00000000000000ff"},
	&protocol.VecResult{Seed: 1, Observations: []float32{1, 0, 0, 1}, Masks: []uint8{1, 1, 0, 0, 1, 1}, Actors: []engine.Player{0, -2},
		Rewards: []float32{0, 0, 1, -1}, Terminated: []uint8{0, 1}, Truncated: []uint8{0, 0}, Ended: []int32{1}, Returns: []float32{1, -1},
		Lengths: []int32{3}, Final: []float32{0.5, 0.25}, FinalActors: []engine.Player{-2}},
	&protocol.None{},
	nil,
	nil,
	&protocol.VecSent{Pending: 3},
	&protocol.VecReceived{VecResult: protocol.VecResult{Seed: 1, Observations: []float32{1, 0, 0, 1}, Masks: []uint8{1, 1, 0, 0, 1, 1},
		Actors:  []engine.Player{0, 1},
		Rewards: []float32{1, -1, 0, 0}, Terminated: []uint8{1, 0}, Truncated: []uint8{0, 0}, Ended: []int32{2}, Returns: []float32{1, -1},
		Lengths: []int32{3}, Final: []float32{0.5, 0.25}, FinalActors: []engine.Player{-2}}, Slots: []int32{2, 0}},
	&protocol.DatasetRows{Rows: 1, Observations: []float32{1, 0}, Masks: []uint8{1, 1}, Actions: []int32{1}, Rewards: []float32{0, 0},
		Returns: []float32{-2, 2},
		Actors:  []int8{0}, Episodes: []int64{1 << 32}, Steps: []int32{0}, Terminated: []uint8{0}, Truncated: []uint8{0}, Seeds: []uint64{1<<64 - 1},
		Opening: protocol.Lists[int32]{Values: []int32{2, 0}, Offsets: []int32{0, 2}}, Chance: protocol.Lists[int32]{Offsets: []int32{0, 0}},
		Finals: protocol.Lists[float32]{Values: []float32{1, 0.5}, Offsets: []int32{0, 2}}, Text: []string{"seat 0: K"}},
	&protocol.Evaluated{Logits: []float32{0.5, -1}, Values: []float32{0.25, -0.25}},
	&protocol.Legal{Actor: 0, Question: "D1", Rule: "R2.1", RuleTitle: "bids", RuleText: "A seat bids or calls.", Says: "Make the first bid",
		Actions: []engine.Action{9, 12},
		Names:   []string{"2-4", "Liar"}, Descriptions: []string{"bid 2 fours", "call"}, Verbs: []string{"BID", "Liar"}, Objects: []string{"4", ""},
		Amounts: []int32{2, -1}},
	&protocol.View{Seat: 1, View: `{"cards":["?","K"],"actions":["pass"]}`},
}

func TestRequestsAreTheVectors(t *testing.T) {
	v := load(t)
	if len(v.Requests) != len(requests) {
		t.Fatalf("%d request vectors, the test knows %d", len(v.Requests), len(requests))
	}
	w, d := protocol.NewWriter(), protocol.NewDecoder(true)
	for i, want := range v.Requests {
		t.Run(want.Name, func(t *testing.T) {
			var frame bytes.Buffer
			if err := w.Request(want.ID, want.Method, requests[i]); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(&frame, 1<<20); err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(frame.Bytes()); got != want.Hex {
				t.Errorf("encoded as\n%s, want\n%s", got, want.Hex)
			}
			body, err := protocol.ReadFrame(bytes.NewReader(unhex(t, want.Hex)), 1<<20, nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := protocol.ParseRequest(body)
			if err != nil || r.ID != want.ID || string(r.Method) != want.Method {
				t.Fatalf("parsed as %d %s, %v, want %d %s", r.ID, r.Method, err, want.ID, want.Method)
			}
			got := reflect.New(reflect.TypeOf(requests[i]).Elem()).Interface()
			if err := d.Decode(r.Params, got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, requests[i]) {
				t.Errorf("decoded as %+v, want %+v", got, requests[i])
			}
		})
	}
}

func TestResponsesAreTheVectors(t *testing.T) {
	v := load(t)
	if len(v.Responses) != len(responses) {
		t.Fatalf("%d response vectors, the test knows %d", len(v.Responses), len(responses))
	}
	w, d := protocol.NewWriter(), protocol.NewDecoder(false)
	for i, want := range v.Responses {
		t.Run(want.Name, func(t *testing.T) {
			var frame bytes.Buffer
			if err := w.Response(want.ID, want.Error, responses[i]); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(&frame, 1<<20); err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(frame.Bytes()); got != want.Hex {
				t.Errorf("encoded as\n%s, want\n%s", got, want.Hex)
			}
			r, err := protocol.ParseResponse(unhex(t, want.Hex)[protocol.HeaderSize:])
			if err != nil || r.ID != want.ID || !reflect.DeepEqual(r.Error, want.Error) {
				t.Fatalf("parsed as %d with error %v, %v, want %d with %v", r.ID, r.Error, err, want.ID, want.Error)
			}
			if responses[i] == nil {
				return
			}
			got := reflect.New(reflect.TypeOf(responses[i]).Elem()).Interface()
			if err := d.Decode(r.Result, got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, responses[i]) {
				t.Errorf("decoded as %+v, want %+v", got, responses[i])
			}
		})
	}
}

func TestBadMessagesAreRefused(t *testing.T) {
	for _, v := range load(t).Refused {
		t.Run(v.Side+": "+v.Name, func(t *testing.T) {
			body, err := protocol.ReadFrame(bytes.NewReader(unhex(t, v.Hex)), 1<<20, nil)
			if err != nil {
				t.Fatalf("the frame around it: %v", err)
			}
			if v.Side == "request" {
				_, err = protocol.ParseRequest(body)
			} else {
				_, err = protocol.ParseResponse(body)
			}
			if !errors.Is(err, protocol.ErrFrame) {
				t.Errorf("got error %v, want one that wraps %q", err, protocol.ErrFrame)
			}
		})
	}
}
