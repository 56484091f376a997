package train

import (
	"context"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/train/eval"
	"powderkeg/train/league"
)

// TestLessonsTeachToPlay compares two runs of the same length against the scripted
// player of tictactoe, which cannot be beaten: only the one that it has taught
// draws.
func TestLessonsTeachToPlay(t *testing.T) {
	skipRaces(t)
	score := func(lessons int) float64 {
		c := small("tictactoe")
		c.Updates, c.League = 25, league.Config{LearnerSeats: 1}
		c.Lessons = Lessons{Teacher: "scripted", Updates: lessons}
		r := trainer(t, c)
		updates(t, r, c.Updates)
		brain, err := learned.NewBrain(r.Game(), r.Network())
		if err != nil {
			t.Fatal(err)
		}
		result, err := eval.Match(context.Background(), eval.Config{Game: r.Game(), Games: 200, Seed: 1, Contestants: []eval.Contestant{
			{Name: "learner", New: func() (agents.Agent, error) { return agents.FromPolicy(brain.NewPolicy(0)), nil }},
			{Name: "scripted", New: func() (agents.Agent, error) { return roster.New(r.Game(), "scripted") }},
		}})
		if err != nil {
			t.Fatal(err)
		}
		return result.Agents[0].WinRate
	}
	taught, alone := score(25), score(0)
	if taught < 0.45 || taught < alone+0.1 {
		t.Errorf("scores %.2f after lessons and %.2f without, want all but a draw, 0.50, and clearly more", taught, alone)
	}
}

// TestLessonsAreRecorded looks into a rollout: with lessons every decision of the
// learner is taught, in even environments the teacher's answer is played, and after
// the lessons nothing is taught.
func TestLessonsAreRecorded(t *testing.T) {
	c := small("leduc")
	c.Lessons = Lessons{Teacher: "scripted", Updates: 1}
	r := trainer(t, c)
	for update, want := range []bool{true, false} {
		updates(t, r, 1)
		b := r.collector.rollout
		for i, learn := range b.Learn {
			if b.Taught[i] != (want && learn) {
				t.Fatalf("update %d: decision %d is taught: %t, learned from: %t", update+1, i, b.Taught[i], learn)
			}
			if b.Masks[i*b.NumActions+int(b.Actions[i])] != 1 {
				t.Fatalf("update %d: decision %d records the illegal action %d", update+1, i, b.Actions[i])
			}
		}
	}
}

func TestLessonsNeedATeacher(t *testing.T) {
	c := small("kuhn")
	c.Lessons = Lessons{Teacher: "human", Updates: 3}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "lessons.teacher: ") {
		t.Errorf("error is %v, want lessons.teacher refused", err)
	}
	c.Lessons.Updates = 0
	if err := c.Validate(); err != nil {
		t.Errorf("without lessons the teacher is refused: %v", err)
	}
}
