// Package fleet lets processes, on one machine or many, play the rollouts of a training run,
// with NATS JetStream in between: the learner hands out tasks (train.Task), workers send
// back parts (train.Part).
//
// Nothing that matters rests on the broker. A part follows from its task, and the tasks of an
// update from the run's last checkpoint, so that whatever is lost is handed out again: a task
// whose worker has gone comes back to the queue, a broker that forgot is told anew, and a
// learner that is resumed begins where its checkpoint ends. Parts count once in effect,
// since the learner takes one for each task and no other. No update ends while the learner cannot
// say that the run is its own, and nothing depends on what another machine takes the time to be.
//
// For a run NAME there are
//
//	stream PK_NAME_TASKS       subject powderkeg.NAME.task: work queue, in memory
//	stream PK_NAME_PARTS       subjects powderkeg.NAME.part.WORKER: work queue, in memory, bounded
//	stream PK_NAME_WEIGHTS     subjects powderkeg.NAME.weights.SHA256.CHUNK, in memory
//	bucket PK_NAME             run (Announcement), learner (the lease), banned.WORKER
//	stream PK_NAME_WORKERS     subjects powderkeg.NAME.worker.WORKER.PROCESS: Reports, which lapse
//
// A message is MessagePack, compressed by Zstandard. Parts and weights are cut into messages of
// at most 128 KiB. Whoever receives one checks how large it unfolds, how deep it is nested and
// how many values it holds before it decodes it.
//
// Nobody is trusted with a worker's credential. A worker is known by the subject that it sends
// to, not by what it writes, and the broker lets each credential (AddUser) send to its own
// subjects alone. The learner plays all parts again, so that moves, rewards and ends are right,
// and checks for a worker's first part and a random sample of the others that probabilities and
// values are those of the weights. Rubbish is refused, and its sender banned. A worker has
// an account of its own on the broker, which imports what its user may publish: where it lets the
// broker answer to, the answer reaches nobody but itself. It cannot create consumers, through which
// the broker would publish to any subject. All the same, a ban, a lease, an announcement or a part
// that no learner or worker can have written counts as none.
package fleet
