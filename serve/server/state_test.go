package server_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/worlds"
	"powderkeg/env"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// game is an environment of a client, and what it has shown last.
type game struct {
	c    *client.Client
	env  uint64
	step protocol.Step
}

// ask calls a method and fails the test on an error.
func ask(t *testing.T, c *client.Client, method string, params, result any) {
	t.Helper()
	if err := c.Call(t.Context(), method, params, result); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

func (g *game) made(t *testing.T, method string, params any) *game {
	t.Helper()
	var made protocol.EnvMade
	ask(t, g.c, method, params, &made)
	return &game{g.c, made.Env, made.Step}
}

// remade calls a method that changes the environment, and returns its seed.
func (g *game) remade(t *testing.T, method string, params any) uint64 {
	t.Helper()
	var made protocol.EnvMade
	ask(t, g.c, method, params, &made)
	if made.Env != g.env {
		t.Fatalf("%s of %d answers about %d", method, g.env, made.Env)
	}
	g.step = made.Step
	return made.Seed
}

func (g *game) snapshot(t *testing.T) string {
	t.Helper()
	var s protocol.Snapshot
	ask(t, g.c, protocol.MethodEnvSnapshot, &protocol.Env{Env: g.env}, &s)
	return s.Snapshot
}

// play plays steps at random, the same ones for the same salt, with resets between episodes, and
// writes down what is shown.
func (g *game) play(t *testing.T, salt uint64, steps int) string {
	t.Helper()
	var b strings.Builder
	rng := rand.NewPCG(salt, 0)
	for range steps {
		fmt.Fprintf(&b, "%+v\n", g.step)
		if g.step.Terminated || g.step.Truncated {
			ask(t, g.c, protocol.MethodEnvReset, &protocol.EnvReset{Env: g.env}, &g.step)
			continue
		}
		var legal []int64
		for a, ok := range g.step.Mask {
			if ok == 1 {
				legal = append(legal, int64(a))
			}
		}
		move := protocol.ByNumber(legal[engine.Uint32N(rng, uint32(len(legal)))])
		ask(t, g.c, protocol.MethodEnvStep, &protocol.EnvStep{Env: g.env, Action: move}, &g.step)
	}
	return b.String()
}

// stateGames are one configuration of each game.
var stateGames = []string{"tictactoe", "connect4", "kuhn", "leduc", "liars_dice", "jogu", "bloc", "domination", "insurgency", "minuteman"}

// A copy, a copy into another environment, and what is restored from a snapshot all go on as
// the original does, in every game.
func TestStatesAreValues(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	for _, name := range stateGames {
		g := (&game{c: c}).made(t, protocol.MethodEnvMake, &protocol.EnvMake{Game: name, Seed: new(uint64(3)), MaxDecisions: 40})
		other := g.made(t, protocol.MethodEnvMake, &protocol.EnvMake{Game: name, Seed: new(uint64(9)), MaxDecisions: 40})
		for moment := range uint64(4) {
			g.play(t, moment, 11)
			text := g.snapshot(t)
			copied := g.made(t, protocol.MethodEnvClone, &protocol.EnvClone{Env: g.env})
			into := g.made(t, protocol.MethodEnvClone, &protocol.EnvClone{Env: g.env, Into: other.env})
			if into.env != other.env {
				t.Fatalf("%s: the copy into %d is %d", name, other.env, into.env)
			}
			want := copied.play(t, 50, 60)
			if got := into.play(t, 50, 60); got != want {
				t.Fatalf("%s: the copy into another environment shows\n%s\nwant\n%s", name, got, want)
			}
			other.remade(t, protocol.MethodEnvRestore, &protocol.EnvRestore{Env: other.env, Snapshot: text})
			if got := other.play(t, 50, 60); got != want {
				t.Fatalf("%s: restored it shows\n%s\nwant\n%s", name, got, want)
			}
			if again := g.snapshot(t); again != text {
				t.Fatalf("%s: the original has moved", name)
			}
			ask(t, c, protocol.MethodEnvClose, &protocol.Env{Env: copied.env}, new(protocol.None))
		}
	}
}

// Slots are forked, written down and copied with their vec, and an episode moves from a slot to
// an environment and back.
func TestSlotsAreValues(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	for _, name := range stateGames {
		v, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: name, Envs: 3, Workers: 1, Autoreset: "next-step"})
		if err != nil {
			t.Fatal(err)
		}
		var r protocol.VecResult
		if err := v.Reset(t.Context(), 4, &r); err != nil {
			t.Fatal(err)
		}
		handle, d := v.Made.Vec, int(v.Made.ObservationSize)
		var text protocol.Snapshot
		ask(t, c, protocol.MethodVecSnapshot, &protocol.VecSnapshot{Vec: handle, Slot: 1}, &text)
		g := (&game{c: c}).made(t, protocol.MethodEnvMake, &protocol.EnvMake{Game: name})
		g.remade(t, protocol.MethodEnvRestore, &protocol.EnvRestore{Env: g.env, Snapshot: text.Snapshot})
		if got, want := fmt.Sprint(g.step.Observation), fmt.Sprint(r.Observations[d:2*d]); got != want {
			t.Errorf("%s: an environment goes on from a slot with\n%s\nwant\n%s", name, got, want)
		}
		g.play(t, 1, 9)
		var row protocol.VecReceived
		ask(t, c, protocol.MethodVecRestore, &protocol.VecRestore{Vec: handle, Slot: 2, Snapshot: g.snapshot(t)}, &row)
		if got, want := fmt.Sprint(row.Observations, row.Slots), fmt.Sprint(g.step.Observation, []int32{2}); got != want {
			t.Errorf("%s: a slot goes on from an environment with\n%s\nwant\n%s", name, got, want)
		}
		ask(t, c, protocol.MethodVecFork, &protocol.VecFork{Vec: handle, Slot: 2, Slots: []int32{0}}, &r)
		if got, want := fmt.Sprint(r.Observations[:d]), fmt.Sprint(g.step.Observation); got != want {
			t.Errorf("%s: the fork shows\n%s\nwant\n%s", name, got, want)
		}
		var made protocol.VecMade
		ask(t, c, protocol.MethodVecClone, &protocol.Vec{Vec: handle}, &made)
		if made.Vec == handle || made.Envs != 3 || made.Autoreset != "next-step" || made.Game != v.Made.Game {
			t.Errorf("%s: the copy is %+v", name, made)
		}
		var ours, theirs protocol.VecResult
		for range 20 {
			actions := make([]engine.Action, 3)
			for i := range actions {
				a := int(v.Made.Actions)
				actions[i] = engine.Action(max(0, strings.IndexByte(string(r.Masks[i*a:(i+1)*a]), 1)))
			}
			ask(t, c, protocol.MethodVecStep, &protocol.VecStep{Vec: handle, Actions: actions}, &ours)
			ask(t, c, protocol.MethodVecStep, &protocol.VecStep{Vec: made.Vec, Actions: actions}, &theirs)
			if a, b := fmt.Sprintf("%+v", ours), fmt.Sprintf("%+v", theirs); a != b {
				t.Fatalf("%s: the copy shows\n%s\nwant\n%s", name, b, a)
			}
			r = ours
		}
	}
}

// Whoever plays against agents of the server may not look ahead: nothing of these methods is
// theirs, unless the server shows positions anyway, and where it shows none nobody's.
func TestPlayersGetNoCopies(t *testing.T) {
	for policy, want := range map[server.Positions][2]bool{server.PositionsOwn: {true, false}, server.PositionsNone: {false, false}} {
		cfg := config()
		cfg.Positions = policy
		address, _ := start(t, cfg)
		c := dial(t, address)
		all := (&game{c: dial(t, startShowing(t))}).made(t, protocol.MethodEnvMake, &protocol.EnvMake{Game: "leduc"}).snapshot(t)
		for i, agents := range [][]string{nil, {"", "first"}} {
			g := (&game{c: c}).made(t, protocol.MethodEnvMake, &protocol.EnvMake{Game: "leduc", Agents: agents})
			v, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: "leduc", Envs: 2, Workers: 1, Agents: agents})
			if err == nil {
				err = v.Reset(t.Context(), 1, new(protocol.VecResult))
			}
			if err != nil {
				t.Fatal(err)
			}
			for method, call := range map[string]struct{ params, result any }{
				protocol.MethodEnvClone:    {&protocol.EnvClone{Env: g.env}, new(protocol.EnvMade)},
				protocol.MethodEnvSnapshot: {&protocol.Env{Env: g.env}, new(protocol.Snapshot)},
				protocol.MethodEnvRestore:  {&protocol.EnvRestore{Env: g.env, Snapshot: all}, new(protocol.EnvMade)},
				protocol.MethodEnvRedeal:   {&protocol.EnvRedeal{Env: g.env}, new(protocol.EnvMade)},
				protocol.MethodVecClone:    {&protocol.Vec{Vec: v.Made.Vec}, new(protocol.VecMade)},
				protocol.MethodVecFork:     {&protocol.VecFork{Vec: v.Made.Vec, Slots: []int32{1}}, new(protocol.VecResult)},
				protocol.MethodVecSnapshot: {&protocol.VecSnapshot{Vec: v.Made.Vec}, new(protocol.Snapshot)},
				protocol.MethodVecRestore:  {&protocol.VecRestore{Vec: v.Made.Vec, Snapshot: all}, new(protocol.VecReceived)},
			} {
				err := c.Call(t.Context(), method, call.params, call.result)
				if want[i] {
					if err != nil {
						t.Errorf("policy %s, agents %q: %s: %v", policy, agents, method, err)
					}
					continue
				}
				wantCode(t, string(policy)+", "+method, err, protocol.CodeForbidden, "cop")
			}
		}
	}
}

// startShowing returns the address of a server that forbids none of it.
func startShowing(t *testing.T) string {
	cfg := config()
	cfg.Positions = server.PositionsAll
	address, _ := start(t, cfg)
	return address
}

// sealed is a snapshot with a body that somebody has made up.
func sealed(body string) string {
	sum := sha256.Sum256([]byte(body))
	return "powderkeg snapshot 1 " + hex.EncodeToString(sum[:])[:16] + "\n" + body
}

// Whatever somebody writes into the body of a snapshot, it is refused or played, and never a fault
// of the server's.
func TestForgedSnapshotsBreakNothing(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	rng := rand.New(rand.NewPCG(3, 3))
	for _, name := range stateGames {
		g := (&game{c: c}).made(t, protocol.MethodEnvMake, &protocol.EnvMake{Game: name, Seed: new(uint64(1))})
		var bodies []string
		for moment := range uint64(6) {
			g.play(t, moment, 5)
			_, body, _ := strings.Cut(g.snapshot(t), "\n")
			bodies = append(bodies, body)
		}
		taken, refused := 0, 0
		for range 120 {
			body := []byte(bodies[rng.IntN(len(bodies))])
			other := bodies[rng.IntN(len(bodies))]
			for range 1 + rng.IntN(3) {
				if rng.IntN(2) == 0 { // a digit for a digit
					digits := regexp.MustCompile(`\d`).FindAllIndex(body, -1)
					body[digits[rng.IntN(len(digits))][0]] = byte('0' + rng.IntN(10))
					continue
				}
				at, from := rng.IntN(len(body)), rng.IntN(len(other))
				n := min(1+rng.IntN(6), len(body)-at, len(other)-from)
				copy(body[at:at+n], other[from:from+n])
			}
			var made protocol.EnvMade
			switch err := c.Call(t.Context(), protocol.MethodEnvRestore, &protocol.EnvRestore{Env: g.env, Snapshot: sealed(string(body))}, &made); {
			case err != nil:
				refused++
				wantCode(t, name+": "+string(body), err, protocol.CodePosition)
			default:
				taken++
				g.step = made.Step
				g.play(t, 1, 10)
				g.snapshot(t)
			}
		}
		if taken == 0 || refused == 0 {
			t.Errorf("%s: %d were taken, %d refused; want some of both", name, taken, refused)
		}
	}
}

// Snapshots that are not of here, and what somebody has made up, are refused in one line that
// says why, and nothing changes.
func TestForeignSnapshotsAreRefused(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	g := (&game{c: c}).made(t, protocol.MethodEnvMake, &protocol.EnvMake{Game: "leduc", Seed: new(uint64(1))})
	g.play(t, 1, 2)
	text := g.snapshot(t)
	_, body, _ := strings.Cut(text, "\n")
	if sealed(body) != text {
		t.Fatalf("the snapshot is %q", text)
	}
	changed := func(change func(doc map[string]any)) string {
		doc := map[string]any{}
		if err := json.Unmarshal([]byte(body), &doc); err != nil {
			t.Fatal(err)
		}
		change(doc)
		out, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		return sealed(string(out))
	}
	within := func(key string, value any) string {
		return changed(func(doc map[string]any) { doc["env"].(map[string]any)[key] = value })
	}
	for _, bad := range []struct{ text, want string }{
		{"", "these 0 bytes are none"},
		{"powderkeg snapshot 1 0123456789abcdef", "are none"},
		{strings.Repeat("\n", 100), "these 100 bytes are none"},
		{strings.Replace(text, "snapshot 1", "snapshot 2", 1), "its format is 2, this program reads 1"},
		{strings.Replace(text, `"decisions":`, `"Decisions":`, 1), "it is damaged"},
		{text[:len(text)-1], "it is damaged"},
		{sealed(body + "{}"), "something follows it"},
		{sealed(body[:len(body)/2]), "unexpected EOF"},
		{sealed("[1]"), "cannot unmarshal"},
		{changed(func(doc map[string]any) { doc["game"] = "kuhn" }), `it is of the game "kuhn", this is leduc`},
		{changed(func(doc map[string]any) { doc["rules"] = 99 }), "version 99 of the rules of leduc, this program has version 1"},
		{changed(func(doc map[string]any) { doc["layout"] = 99 }), "version 99 of the observations"},
		{changed(func(doc map[string]any) { doc["agents"] = []string{"", "first"} }), "against the agents"},
		{changed(func(doc map[string]any) { doc["more"] = 1 }), `unknown field "more"`},
		{changed(func(doc map[string]any) { doc["decided"] = 1000 }), "1000 decisions"},
		{changed(func(doc map[string]any) { doc["before"] = []float64{1e30, 0} }), "a seat had gained"},
		{changed(func(doc map[string]any) { doc["minds"] = []any{nil, "AAAA"} }), "no generator"},
		{within("moves", -5), "decisions among -5 moves"},
		{within("chance", "AAAA"), "generator"},
		{within("rewards", []float64{1}), "1 rewards for 2 seats"},
		{within("start", map[string]any{"cards": 7}), "restore start: bad position"},
		{within("position", map[string]any{"cards": []string{"Js", "Js"}}), "restore position: bad position"},
		{within("position", map[string]any{}), "before a chance event"},
		{within("fresh", true), "no episodes yet"},
	} {
		err := c.Call(t.Context(), protocol.MethodEnvRestore, &protocol.EnvRestore{Env: g.env, Snapshot: bad.text}, new(protocol.Step))
		wantCode(t, bad.want, err, protocol.CodePosition, bad.want)
		if strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Errorf("the error is no short line: %q", err)
		}
		if g.snapshot(t) != text {
			t.Fatalf("%s: the environment has changed", bad.want)
		}
	}
}

// In two worlds that a seat cannot tell apart the same seed deals the same world anew, and all
// that the client is shown of it is the same, byte for byte.
func TestRedealTellsNothing(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	for _, name := range []string{"kuhn", "leduc", "liars_dice(players=3,dice=2)", "jogu", "bloc", "domination(players=3)", "insurgency",
		"minuteman(scenario=partisan)"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		rng, s, parted := rand.NewPCG(2, 8), g.New(), 0
		for n := 0; parted < 5 && n < 600; n++ {
			if s.ToAct() == engine.Terminal {
				s = g.New()
			}
			if seat := s.ToAct(); seat >= 0 && (n%9 == 4 || g.Spec().MaxDecisions < 40) {
				deal := worlds.Elsewhere(t, g, s, seat, rng)
				if deal != nil && deal.Hash() != s.Hash() {
					parted++
					a, b := redealt(t, c, g, s, seat, 1), redealt(t, c, g, deal, seat, 2)
					if a != b {
						t.Fatalf("%s: seat %d is dealt\n%.2000s\nin one world, and in the other\n%.2000s", name, seat, a, b)
					}
				}
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
		if parted == 0 {
			t.Errorf("%s: no two worlds were compared", name)
		}
	}
}

// redealt is what follows a redeal from a position that was come to with another seed.
func redealt(t *testing.T, c *client.Client, g engine.Game, s engine.State, seat engine.Player, seed uint64) string {
	t.Helper()
	position, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	e := (&game{c: c}).made(t, protocol.MethodEnvMake, &protocol.EnvMake{Game: g.Spec().Text, Seed: &seed, Position: string(position)})
	own := int64(seat)
	if dealt := e.remade(t, protocol.MethodEnvRedeal, &protocol.EnvRedeal{Env: e.env, Seed: new(uint64(5)), Seat: &own}); dealt != 5 {
		t.Fatalf("the seed is %d, want 5", dealt)
	}
	if e.step.Decisions != 0 || e.step.Actor != own {
		t.Fatalf("after a redeal seat %d acts after %d decisions, want seat %d after none", e.step.Actor, e.step.Decisions, own)
	}
	var b strings.Builder
	for n := uint64(0); n < 15 && !e.step.Terminated; n++ {
		b.WriteString(e.play(t, n, 1))
	}
	ask(t, c, protocol.MethodEnvClose, &protocol.Env{Env: e.env}, new(protocol.None))
	return b.String()
}
