package protocol

// EnvClone copies an environment; its result is an EnvMade.
type EnvClone struct {
	Env  uint64 `msgpack:"env"`
	Into uint64 `msgpack:"into"` // the environment that becomes the copy; 0: a new one
}

// Snapshot is the result of env.snapshot and vec.snapshot: all of a game in progress.
type Snapshot struct {
	Snapshot string `msgpack:"snapshot"`
}

// EnvRestore makes an environment go on from a snapshot; its result is an EnvMade.
type EnvRestore struct {
	Env      uint64 `msgpack:"env"`
	Snapshot string `msgpack:"snapshot"`
}

// EnvRedeal deals what a seat does not know anew; its result is an EnvMade.
type EnvRedeal struct {
	Env  uint64  `msgpack:"env"`
	Seed *uint64 `msgpack:"seed"` // nil: the server draws one
	Seat *int64  `msgpack:"seat"` // nil: the observer
}

// VecFork makes slots what one slot is; its result is a VecResult.
type VecFork struct {
	Vec   uint64       `msgpack:"vec"`
	Slot  int64        `msgpack:"slot"`
	Slots Array[int32] `msgpack:"slots"`
}

// Reset empties the parameters and keeps the memory of their arrays.
func (p *VecFork) Reset() { *p = VecFork{Slots: p.Slots[:0]} }

// VecSnapshot asks for a Snapshot of a slot.
type VecSnapshot struct {
	Vec  uint64 `msgpack:"vec"`
	Slot int64  `msgpack:"slot"`
}

// VecRestore makes a slot go on from a snapshot; its result is a VecReceived.
type VecRestore struct {
	Vec      uint64 `msgpack:"vec"`
	Slot     int64  `msgpack:"slot"`
	Snapshot string `msgpack:"snapshot"`
}
