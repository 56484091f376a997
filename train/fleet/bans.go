package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"powderkeg/checkpoints/durable"
	"powderkeg/env/file"
)

// ban is what a worker is told that the learner wants no more of. It holds the worker's name, so
// that the ban of another, copied to its key, is none.
type ban struct {
	Worker string `json:"worker"`
	Reason string `json:"reason"`
}

// readBan reads a ban; what is none bans nobody.
func readBan(text []byte) (b ban) {
	if json.Unmarshal(text, &b) != nil {
		return ban{}
	}
	return b
}

// ban bans a worker.
func (p *play) ban(worker string, reason error) error {
	text, err := json.Marshal(ban{worker, reason.Error()})
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.banned[worker] = string(text)
	p.mu.Unlock()
	if err := p.writeBans(); err != nil {
		return err
	}
	p.options.Tell("worker %s is banned from the run: %v", worker, reason)
	if worker == "" || worker != RunName(worker) {
		return nil // no worker of ours has such a name, which cannot be a key
	}
	return p.insist(func() error {
		_, err := p.bucket.Put(p.ctx, bannedKey+worker, text)
		return err
	})
}

// announce tells workers of the run, and who is banned from it.
func (l *Learner) announce(ctx context.Context) error {
	for worker, text := range l.bans() {
		if worker == "" || worker != RunName(worker) {
			continue
		}
		if _, err := l.bucket.Put(ctx, bannedKey+worker, []byte(text)); err != nil {
			return err
		}
	}
	_, err := l.bucket.Put(ctx, runKey, l.announcement)
	return err
}

// bans are the workers that are banned, with what they are told.
func (l *Learner) bans() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.banned)
}

// recall learns whom a learner before this one has banned.
func (l *Learner) recall(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list, err := banned(ctx, l.js, l.names)
	if err != nil {
		return err
	}
	for _, worker := range list {
		entry, err := l.bucket.Get(ctx, bannedKey+worker)
		if err != nil {
			return err
		}
		if readBan(entry.Value()).Worker != worker {
			continue // no learner has written that
		}
		l.mu.Lock()
		l.banned[worker] = string(entry.Value())
		l.mu.Unlock()
	}
	return nil
}

func (l *Learner) isBanned(worker string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, banned := l.banned[worker]
	return banned
}

// readBans reads whom learners before this one have banned from the file that they have kept.
func (l *Learner) readBans() error {
	if l.options.Bans == "" {
		return nil
	}
	text, err := file.Read(l.options.Bans, file.Record)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var list []ban
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("%s, in which a run keeps its bans: %w", l.options.Bans, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range list {
		told, err := json.Marshal(b)
		if err != nil {
			return err
		}
		l.banned[b.Worker] = string(told)
	}
	return nil
}

// writeBans keeps whom this learner and those before it have banned.
func (l *Learner) writeBans() error {
	if l.options.Bans == "" {
		return nil
	}
	known := l.bans()
	list := make([]ban, 0, len(known))
	for _, worker := range slices.Sorted(maps.Keys(known)) {
		list = append(list, readBan([]byte(known[worker])))
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(file.MakeFolder(filepath.Dir(l.options.Bans)), durable.WriteFile(l.options.Bans, append(text, '\n')))
}
