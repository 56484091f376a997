// Package run keeps the training of a network in a directory.
//
//	config, err := train.ParseConfig(file)
//	err = run.Begin(ctx, config, run.Options{Dir: "runs/first"})
//	err = run.Resume(ctx, run.Options{Dir: "runs/first"}) // after any end
//
// The directory has config.yaml (every setting), environment.json (what it
// plays and where), metrics.jsonl (one line per update and evaluation),
// tensorboard/ (the same as event files), checkpoints/, plots/, report.md and
// report.html, tournament.json (ratings of the population) and bot/, the network
// for playing. A run that was killed goes on from its latest checkpoint. A Sweep is
// a directory of runs with a summary.
package run
