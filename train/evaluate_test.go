package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"powderkeg/train/eval"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
)

// allround is a crew that does jobs, too.
type allround struct {
	*hands
	jobs job.Hands
}

func (a allround) Do(ctx context.Context, jobs []*job.Job, blobs map[job.Digest][]byte, take func(int, []byte) error) error {
	return a.jobs.Do(ctx, jobs, blobs, take)
}

// TestCrewsPlayTheSameEvaluations, to the last digit, while a rollout is played ahead.
func TestCrewsPlayTheSameEvaluations(t *testing.T) {
	c := lagging()["critic"]
	c.Evaluation.Against, c.Evaluation.Temperature = []string{"random", "scripted"}, 0.5
	actor, err := NewActor(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(actor.Close)
	measure := func(r *Trainer) (list []EvaluationMetrics) {
		if err := r.Evaluate(t.Context(), 60, false, func(m EvaluationMetrics, _ *eval.Result) error {
			list = append(list, m)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return list
	}
	alone, led := undisturbed(t, c), trainer(t, c)
	others := &jobtest.Hands{Kinds: job.Kinds{eval.MatchKind: eval.DoMatch(Roster)}}
	led.Employ(allround{&hands{config: c, rng: rand.New(rand.NewPCG(1, 2)), actors: []*Actor{actor}}, others}, 0)
	updates(t, alone, 2)
	updates(t, led, 2)
	if got, want := measure(led), measure(alone); len(got) != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("measured is\n%+v, want\n%+v", got, want)
	}
	if others.Jobs != 30 {
		t.Errorf("%d jobs, want one for each unit", others.Jobs)
	}
}

// TestCrewsPlayTheSameGateAndTournament: what is let in, what is learned then and what the
// tournament says are those of a run in one process, also where the crew is told to stop at the
// gate: then the games are played here, so that the update is whole.
func TestCrewsPlayTheSameGateAndTournament(t *testing.T) {
	c := gated(0.45)
	c.Envs, c.Steps, c.League.Gate.Games = 8, 32, 20
	c.Evaluation.Tournament, c.Evaluation.Temperature = 60, 0.5
	actor, err := NewActor(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(actor.Close)
	crew := &hands{config: c, rng: rand.New(rand.NewPCG(1, 2)), actors: []*Actor{actor}}
	for name, stopped := range map[string]bool{"to the end": false, "stopped": true} {
		t.Run(name, func(t *testing.T) {
			others := &counted{Hands: jobtest.Hands{Kinds: job.Kinds{eval.MatchKind: eval.DoMatch(Roster)}}}
			alone, led := undisturbed(t, c), trainer(t, c)
			led.Employ(allround{crew, others}, 0)
			others.stopped = stopped
			for range 8 {
				want, err := alone.Update()
				if err != nil {
					t.Fatal(err)
				}
				got, err := led.Update()
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got.Gate, want.Gate) {
					t.Errorf("update %d: the gate says %+v, want %+v", want.Update, got.Gate, want.Gate)
				}
			}
			if !slices.Equal(led.net.Weights(), alone.net.Weights()) {
				t.Error("other weights")
			}
			if others.calls != 4 {
				t.Errorf("the crew was asked for %d matches at the gate, want 4", others.calls)
			}
			others.stopped = false
			want, err := alone.Tournament(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := led.Tournament(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(want.Agents) < 5 || !reflect.DeepEqual(got, want) {
				t.Errorf("the tournament is\n%+v, want\n%+v", got, want)
			}
			if others.calls != 5 {
				t.Errorf("the crew was asked for %d matches, want 5", others.calls)
			}
		})
	}
}

// counted are hands that count calls, and may be told to stop.
type counted struct {
	jobtest.Hands
	calls   int
	stopped bool
}

func (c *counted) Do(ctx context.Context, jobs []*job.Job, blobs map[job.Digest][]byte, take func(int, []byte) error) error {
	c.calls++
	if c.stopped {
		return errors.Join(c.Hands.Do(ctx, jobs[:1], blobs, take), fmt.Errorf("interrupt: %w", context.Canceled))
	}
	return c.Hands.Do(ctx, jobs, blobs, take)
}
