// Package train teaches networks by self-play.
//
//	config, err := train.ParseConfig(file)
//	trainer, err := train.NewTrainer(config)
//	for !trainer.Done() {
//		metrics, err := trainer.Update()
//	}
//
// A Trainer is a run in memory. Everything random in it follows from the seed of its
// config, and its Checkpoint holds all that it needs to go on: in the pure Go build it
// then reaches the same weights, bit for bit, as one that was never stopped. Package
// run keeps it in a directory.
//
// Package nn holds the network, rollout the recorded decisions and their
// advantages, ppo the update, league the opponents and eval the matches.
package train
