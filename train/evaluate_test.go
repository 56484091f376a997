package train

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"powderkeg/train/eval"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
)

// allround is a crew that does jobs, too.
type allround struct {
	*hands
	jobs *jobtest.Hands
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
