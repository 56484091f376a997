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
	"powderkeg/train/lessons"
	"powderkeg/train/ppo"
)

// TestLessonsTeachToPlay compares two runs of the same length against the scripted
// player of tictactoe, which cannot be beaten: only the one that it has taught
// draws.
func TestLessonsTeachToPlay(t *testing.T) {
	skipRaces(t)
	score := func(taught int) float64 {
		c := small("tictactoe")
		c.Updates, c.League = 25, league.Config{LearnerSeats: 1}
		c.Lessons.Teacher, c.Lessons.Updates, c.Lessons.Decisions, c.Lessons.Minibatch = "scripted", taught, 10000, 64
		c.Lessons.Players = []string{"scripted", "random"}
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

// TestLessonsComeFirst: metrics tell of a lesson as long as there are any, then
// decisions are played, and the schedules of practice begin there.
func TestLessonsComeFirst(t *testing.T) {
	c := small("leduc")
	c.Lessons.Teacher, c.Lessons.Updates, c.Lessons.Decisions = "scripted", 2, 3000
	c.PPO.LearningRate = ppo.Schedule{Start: 0.25, End: 0}
	r := trainer(t, c)
	for update := 1; update <= 3; update++ {
		m, err := r.Update()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := m.Lessons != nil, update <= 2; got != want {
			t.Fatalf("update %d: a lesson: %t, want %t", update, got, want)
		}
		if m.Lessons == nil {
			if m.LearningRate != 0.25 || m.GamesEnded == 0 {
				t.Errorf("the first update of practice has learning rate %v and %d games, want that of its start, and games", m.LearningRate, m.GamesEnded)
			}
			continue
		}
		if m.Lessons.Decisions < 3000 || m.Lessons.Decisions > 3000+32*8 || m.Lessons.Bytes != m.Lessons.Decisions {
			t.Errorf("update %d: the set has %d decisions in %d bytes, want just above 3000, a byte each", update, m.Lessons.Decisions, m.Lessons.Bytes)
		}
		if m.Samples < 32*32*9/10 || m.Samples > 32*32 {
			t.Errorf("update %d learns from %d decisions, want all but the last game of %d", update, m.Samples, 32*32)
		}
	}
}

// TestPolicyIsHeldToItsLessons: the magnet of a run with lessons is what they taught.
func TestPolicyIsHeldToItsLessons(t *testing.T) {
	c := small("leduc")
	c.Lessons.Teacher, c.Lessons.Updates, c.Lessons.Decisions = "scripted", 2, 3000
	c.PPO.Magnet, c.PPO.MagnetRate = ppo.Constant(0.1), 0
	r := trainer(t, c)
	updates(t, r, 2)
	taught := append([]float32(nil), r.Network().Weights()...)
	updates(t, r, 2)
	for i, w := range r.learner.Magnet().Weights() {
		if w != taught[i] {
			t.Fatalf("weight %d of the magnet is %v, the lessons ended with %v", i, w, taught[i])
		}
	}
}

func TestLessonsNeedATeacher(t *testing.T) {
	c := small("kuhn")
	c.Lessons = lessons.Default()
	c.Lessons.Teacher, c.Lessons.Updates = "human", 3
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "lessons.teacher: ") {
		t.Errorf("error is %v, want lessons.teacher refused", err)
	}
	c.Lessons.Updates = 0
	if err := c.Validate(); err != nil {
		t.Errorf("without lessons the teacher is refused: %v", err)
	}
}
