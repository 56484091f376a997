package human_test

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/human"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// people answer at a shared terminal: with Enter where the terminal is handed over,
// with DECLINE to a question whether they react, else with the next line of a script,
// after which they leave.
type people struct {
	said   strings.Builder
	in     *io.PipeWriter
	script []string
}

// Write implements io.Writer: it reads what is printed, and answers prompts.
func (p *people) Write(text []byte) (int, error) {
	p.said.Write(text)
	switch prompt := string(text); {
	case strings.HasSuffix(prompt, "looking: ") || strings.HasSuffix(prompt, "pass the terminal on: "):
		go fmt.Fprintln(p.in)
	case strings.HasSuffix(prompt, "for help): "):
		said := p.said.String()
		answer := "quit"
		if choices := said[strings.LastIndex(said, "\n\n"):]; strings.Contains(choices, "DECLINE") {
			answer = "DECLINE"
		} else if len(p.script) > 0 {
			answer, p.script = p.script[0], p.script[1:]
		}
		go fmt.Fprintln(p.in, answer)
	}
	return len(text), nil
}

// A shared terminal comes and goes in the same way whether the person asked in secret
// holds the card or not; who reads what is between two handovers is another matter.
func TestHandoversTellNothing(t *testing.T) {
	base := enginetest.Game(t, "domination(players=3,first_player=0,fixed_pool=agricultural_control+airborne_forces+amphibious_assault+petroleum_control+"+
		"attack_helicopters+communications_control+insurgents+show_of_force+surrender+tactical_nukes)")
	handover := regexp.MustCompile(`Seat \d takes the terminal`)
	var orders [2][]string
	for world, cards := range [][2]string{{"Airborne Forces", "Surrender"}, {"Surrender", "Airborne Forces"}} {
		position := fmt.Sprintf(`{"phase":"card_play","turn":3,"first_player":0,"active":0,
			"hands":{"0":["Domination","Domination"],"1":[%q,"Domination"],"2":["Domination","Domination"]},
			"draw_decks":{"0":[{"unknown":{"Domination":2}}],"1":[{"unknown":{%q:1,"Domination":3}}],"2":[{"unknown":{"Domination":2}}]}}`, cards[0], cards[1])
		g, err := engine.StartAt(base, []byte(position))
		if err != nil {
			t.Fatal(err)
		}
		in, w := io.Pipe()
		p := &people{in: w, script: []string{"BUILD_WITH Domination", "BUILD_AT CAN", "DONE", "END_TURN", "PASS"}}
		err = human.Session{
			Game: g, Seats: []human.Seat{{Name: "Ann"}, {Name: "Bob"}, {Name: "Cid"}}, Seed: 1, In: in, Out: p,
		}.Play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		orders[world] = handover.FindAllString(p.said.String(), -1)
		asked, passed := strings.Count(p.said.String(), "DECLINE"), strings.Count(p.said.String(), "Nothing is asked of you (seat 1)")
		if world == 0 && asked == 0 || world == 1 && (asked > 0 || passed == 0) {
			t.Errorf("world %d: seat 1 is asked %d times and passed by %d times:\n%s", world, asked, passed, p.said.String())
		}
		if strings.Contains(p.said.String(), "Nothing is asked of you (seat 2)") {
			t.Error("the terminal is offered to seat 2, of whom everybody knows that it holds no card to react with")
		}
	}
	if !slices.Equal(orders[0], orders[1]) {
		t.Errorf("with the card the terminal goes %q, without it %q", orders[0], orders[1])
	}
}

// decliner never reacts, and passes.
type decliner struct{ game engine.Game }

func (decliner) Start(engine.Player, uint64) {}

func (d decliner) Act(_ context.Context, v engine.View, legal []engine.Action) (engine.Action, error) {
	for _, a := range legal {
		if name := engine.MoveName(d.game, v, a); name == "DECLINE" || name == "PASS" {
			return a, nil
		}
	}
	return legal[0], nil
}

// inTwoWorlds returns what seat 0 of Domination reads while it answers from a script, when
// seat 1 holds a card to react with, and declines, and when it holds none.
func inTwoWorlds(t *testing.T, script string) (said [2]string) {
	t.Helper()
	base := enginetest.Game(t, "domination(first_player=0,fixed_pool=agricultural_control+airborne_forces+amphibious_assault+petroleum_control+"+
		"attack_helicopters+communications_control+insurgents+show_of_force+surrender+tactical_nukes)")
	for world, cards := range [][2]string{{"Airborne Forces", "Surrender"}, {"Surrender", "Airborne Forces"}} {
		position := fmt.Sprintf(`{"phase":"card_play","turn":3,"first_player":0,"active":0,
			"hands":{"0":["Domination","Domination"],"1":[%q,"Domination"]},
			"draw_decks":{"0":[{"unknown":{"Domination":2}}],"1":[{"unknown":{%q:1,"Domination":3}}]}}`, cards[0], cards[1])
		g, err := engine.StartAt(base, []byte(position))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		err = human.Session{
			Game: g, Seats: []human.Seat{{Name: "you"}, {Name: "decliner", Agent: decliner{g}}}, Seed: 1, Out: &out, In: strings.NewReader(script),
		}.Play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		said[world] = out.String()
	}
	return said
}

// A move is taken back, or is not, whether another seat was asked in secret after it or
// not; and what was declined is not asked again.
func TestUndoTellsNothing(t *testing.T) {
	said := inTwoWorlds(t, "BUILD_WITH Domination\nBUILD_AT CAN\nundo\nBUILD_AT CAN\nDONE\nundo\nquit\n")
	if said[0] != said[1] {
		t.Errorf("with the card seat 0 reads\n%s\nwithout it\n%s", said[0], said[1])
	}
	if !strings.Contains(said[0], "You take back: BUILD_AT CAN") || !strings.Contains(said[0], "asked in secret, and stands") {
		t.Errorf("one move is to be taken back and one to stand:\n%s", said[0])
	}
}

// What is shown whole and what by its changes alone does not tell whether another seat was
// asked in secret in between.
func TestChangesTellNothing(t *testing.T) {
	said := inTwoWorlds(t, "BUILD_WITH Domination\nBUILD_AT CAN\nDONE\nBUILD_WITH Domination\nBUILD_AT MEX\nDONE\nquit\n")
	if said[0] != said[1] {
		t.Errorf("with the card seat 0 reads\n%s\nwithout it\n%s", said[0], said[1])
	}
	if !strings.Contains(said[0], "What has changed") {
		t.Errorf("nothing is shown by its changes:\n%s", said[0])
	}
}
