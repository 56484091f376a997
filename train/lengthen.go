package train

import (
	"fmt"
	"reflect"

	"powderkeg/engine/option"
	"powderkeg/train/ppo"
)

// MayChange names the keys of a config that may be others when a run goes on: what an update
// learns depends on none of them, but for schedules on the length (ByLength).
const MayChange = "updates, workers, shards, evaluation and checkpoints"

// adopt returns the config with those keys of another one.
func (c Config) adopt(other Config) Config {
	c.Updates, c.Workers, c.Shards, c.Evaluation, c.Checkpoints = other.Updates, other.Workers, other.Shards, other.Evaluation, other.Checkpoints
	return c
}

// Lengthened returns the config of a run that goes on to so many updates, at least as many as it
// was to have. Without a schedule that depends on the length (ByLength) the run is bit for bit
// one that was to have them from its beginning.
func (c Config) Lengthened(updates int) (Config, error) {
	if updates < c.Updates {
		return c, fmt.Errorf("%w: the run has %d updates; it may be lengthened, and %d are fewer", option.ErrUsage, c.Updates, updates)
	}
	c.Updates = updates
	return c, c.Validate()
}

// ByLength returns the keys of the schedules that depend on the length of the run: those that go
// evenly from one number to another. In a run that is lengthened they go on from where they would
// be by then in a run of the new length; a learning rate that has come to its end rises again.
func (c Config) ByLength() []string {
	if c.Archive.Share == 0 { // nothing is drawn from it
		c.Archive.Reach = ppo.Schedule{}
	}
	return byLength("", reflect.ValueOf(c))
}

func byLength(path string, v reflect.Value) (keys []string) {
	for f := range v.Type().Fields() {
		name := f.Tag.Get("yaml")
		if name == "" || f.Type.Kind() != reflect.Struct {
			continue
		}
		inner := v.FieldByIndex(f.Index)
		if s, ok := inner.Interface().(ppo.Schedule); !ok {
			keys = append(keys, byLength(path+name+".", inner)...)
		} else if s.ByLength() {
			keys = append(keys, path+name)
		}
	}
	return keys
}
