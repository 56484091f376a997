// Package train teaches networks by self-play.
//
//	config, err := train.ParseConfig(file)
//	err = train.Run(ctx, config, train.Options{Dir: "runs/first"})
//	err = train.Resume(ctx, train.Options{Dir: "runs/first"}) // after any end
//
// A run is a directory: config.yaml (every setting), environment.json (what it
// plays and where), metrics.jsonl (a line an update and an evaluation),
// tensorboard/ (the same as event files), checkpoints/, plots/, report.md and
// report.html, tournament.json (ratings of the population) and bot/, the network
// for playing. Everything random in it follows from the seed. A run that
// was killed goes on from its latest checkpoint; in the pure Go build it then
// reaches the same weights, bit for bit, as one that was never stopped.
//
// Package nn holds the network, rollout the recorded decisions and their
// advantages, ppo the update, league the opponents and eval the matches.
package train
