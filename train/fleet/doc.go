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
//	stream PK_NAME_PARTS       subject powderkeg.NAME.part: work queue, in memory, bounded
//	object store PK_NAME       weights by their SHA-256
//	bucket PK_NAME             run (Announcement), learner (the lease), banned.WORKER
//	bucket PK_NAME_WORKERS     a Report per worker, which lapses
//
// A message is MessagePack, compressed by Zstandard. Parts are cut into messages of at most
// 128 KiB.
package fleet
