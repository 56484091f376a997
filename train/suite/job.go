package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"powderkeg/agents/roster"
	"powderkeg/train/job"
)

// Kind is the kind of jobs that play games of a row (Do).
const Kind = "suite"

// payload is the JSON of a job: some games of a task in one run.
type payload struct {
	Suite      string `json:"suite"`
	Definition string `json:"definition_sha256"`
	Agent      string `json:"agent"`
	// Weights is roster.Weights of the agent in this task and run.
	Weights string `json:"weights,omitempty"`
	Task    string `json:"task"`
	Run     int    `json:"run"`
	// Games are numbers in the plan of the task.
	Games []int `json:"games"`
}

// result is the JSON of what comes back: the games in their order, and the seconds that they
// took.
type result struct {
	Seconds float64 `json:"seconds"`
	Games   []Entry `json:"games"`
}

// mostJobs bounds the jobs of a row, but for one more for each task and run: enough for a machine
// that is lost to lose little, few enough that nobody makes players more often than it must.
const mostJobs = 1024

// pieces divides places into those of jobs, each of one task and run.
func pieces(places []Place) [][]Place {
	size := (len(places) + mostJobs - 1) / mostJobs
	var list [][]Place
	for _, at := range places {
		if last := len(list) - 1; last >= 0 && len(list[last]) < size && list[last][0].Task == at.Task && list[last][0].Run == at.Run {
			list[last] = append(list[last], at)
		} else {
			list = append(list, []Place{at})
		}
	}
	return list
}

// playElsewhere has played what remains by the hands.
func (d *Definition) playElsewhere(ctx context.Context, r *remaining) error {
	list := pieces(r.places)
	if len(list) == 0 {
		return nil
	}
	weights := map[string]string{} // by agent
	var jobs []*job.Job
	for _, own := range list {
		p := payload{Suite: d.Name, Definition: d.digest, Agent: r.config.Agent, Task: own[0].Task, Run: own[0].Run}
		name := own[0].agent(p.Agent)
		if _, known := weights[name]; !known {
			var err error
			if weights[name], err = roster.Weights(name); err != nil {
				return err
			}
		}
		p.Weights = weights[name]
		for _, at := range own {
			p.Games = append(p.Games, d.number(at))
		}
		data, err := json.Marshal(p)
		if err != nil {
			return err
		}
		jobs = append(jobs, &job.Job{Kind: Kind, Seed: d.Seed, Payload: data})
	}
	start := time.Now()
	return r.config.Hands.Do(ctx, jobs, nil, func(n int, data []byte) error {
		found, err := d.read(ctx, list[n], data, r.config.Agent, time.Since(start))
		if err != nil {
			return err
		}
		return r.add(found.Seconds, found.Games...)
	})
}

// number is that of a place in the plan of its task.
func (d *Definition) number(at Place) int {
	t := d.Task(at.Task)
	if t.bank != nil {
		return slices.Index(d.solvedPlaces(t), at)
	}
	return ((at.Run*len(t.Tables)+at.Table)*t.Units+at.Unit)*t.game.Spec().Seats + at.Seat
}

// read reads the result of a job, which has taken so long at the most. The games are played
// again from their records, so that what nobody has played by the rules and the dice is found
// out; that the agent has made the moves of its seat, only Check can say, with CheckConfig.Rerun.
func (d *Definition) read(ctx context.Context, places []Place, data []byte, agent string, most time.Duration) (*result, error) {
	var found result
	r := json.NewDecoder(bytes.NewReader(data))
	r.DisallowUnknownFields()
	if err := r.Decode(&found); err != nil {
		return nil, fmt.Errorf("%w: %w", job.ErrResult, err)
	}
	if len(found.Games) != len(places) || found.Seconds < 0 || found.Seconds > most.Seconds() {
		return nil, fmt.Errorf("%w: %d games in %v s, not %d in %v at the most", job.ErrResult, len(found.Games), found.Seconds, len(places), most)
	}
	for i, e := range found.Games {
		if e.Place != places[i] {
			return nil, fmt.Errorf("%w: a game at %+v, not at %+v", job.ErrResult, e.Place, places[i])
		}
		switch err := d.prove(ctx, e, agent); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, fmt.Errorf("%w: the game at %+v: %w", job.ErrResult, e.Place, err)
		}
	}
	return &found, nil
}

// Do returns what plays the games of a job of Kind, in the version of the suite that open opens,
// once for all jobs.
func Do(open func(version string) (*Definition, error)) job.Do {
	open = once(open)
	return func(ctx context.Context, j *job.Job, _ func(job.Digest) ([]byte, error)) ([]byte, error) {
		var p payload
		if err := json.Unmarshal(j.Payload, &p); err != nil {
			return nil, err
		}
		d, err := open(p.Suite)
		if err != nil {
			return nil, err
		}
		if d.digest != p.Definition {
			return nil, fmt.Errorf("suite %s is %.12s here, %.12s there", p.Suite, d.digest, p.Definition)
		}
		places, err := d.placesOf(p)
		if err != nil {
			return nil, err
		}
		switch own, err := roster.Weights(places[0].agent(p.Agent)); {
		case err != nil:
			return nil, err
		case own != p.Weights:
			return nil, fmt.Errorf("the weights of %s are %.12s here, %.12s there", places[0].agent(p.Agent), own, p.Weights)
		}
		player, err := newPlayer(ctx, d, places[0], ours{}, p.Agent)
		if err != nil {
			return nil, err
		}
		defer player.close() // what it says of its end changes nothing
		var found result
		start := time.Now()
		for _, at := range places {
			e, err := player.play(ctx, at)
			if err != nil {
				return nil, err
			}
			found.Games = append(found.Games, e)
		}
		found.Seconds = time.Since(start).Seconds()
		return json.Marshal(found)
	}
}

// once keeps what has been opened: making the games of all tasks takes longer than many a job.
func once(open func(version string) (*Definition, error)) func(version string) (*Definition, error) {
	var mu sync.Mutex
	kept := map[string]*Definition{}
	return func(version string) (*Definition, error) {
		mu.Lock()
		defer mu.Unlock()
		if d := kept[version]; d != nil {
			return d, nil
		}
		d, err := open(version)
		if err == nil {
			kept[version] = d
		}
		return d, err
	}
}

// placesOf lists the games of a job, of which there is at least one.
func (d *Definition) placesOf(p payload) ([]Place, error) {
	t := d.Task(p.Task)
	if t == nil || len(p.Games) == 0 {
		return nil, fmt.Errorf("suite %s: %d games of task %q", d.Name, len(p.Games), p.Task)
	}
	all := d.places(t)
	var list []Place
	for _, n := range p.Games {
		if n < 0 || n >= len(all) || all[n].Run != p.Run {
			return nil, fmt.Errorf("suite %s: task %s has no game %d in run %d", d.Name, p.Task, n, p.Run)
		}
		list = append(list, all[n])
	}
	return list, nil
}
