package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// RunStatus is what a broker knows of a run.
type RunStatus struct {
	Run string `json:"run"`
	// Game is that of the run, Learner who leads it, empty if nobody does.
	Game    string   `json:"game"`
	Learner string   `json:"learner"`
	Workers []Report `json:"workers"`
	Banned  []string `json:"banned"`
	// Waiting tasks have been given to nobody, Played ones to a worker; Redelivered of these
	// had another before. Parts are messages that the learner has still to take.
	Waiting     uint64 `json:"waiting"`
	Played      int    `json:"played"`
	Redelivered int    `json:"redelivered"`
	Parts       uint64 `json:"parts"`
}

// Rate is that of all workers together, in decisions a second.
func (s RunStatus) Rate() float64 {
	sum := 0.0
	for _, w := range s.Workers {
		sum += w.Rate
	}
	return sum
}

// Status asks a broker about all runs that it knows.
func Status(ctx context.Context, conn *nats.Conn) ([]RunStatus, error) {
	var list []RunStatus
	err := whileAllowed(ctx, conn, func(ctx context.Context) (err error) {
		list, err = status(ctx, conn)
		return err
	})
	if denied(conn) {
		return nil, fmt.Errorf("%w: this user may not look; it takes the credential of one who may (powderkeg cluster user NAME --role look)", ErrAccess)
	}
	return list, err
}

func status(ctx context.Context, conn *nats.Conn) ([]RunStatus, error) {
	js, err := open(conn)
	if err != nil {
		return nil, err
	}
	list := []RunStatus{}
	stores := js.KeyValueStoreNames(ctx)
	for name := range stores.Name() {
		run, ours := strings.CutPrefix(name, "PK_")
		if !ours {
			continue
		}
		s, err := statusOf(ctx, js, run)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", run, err)
		}
		list = append(list, s)
	}
	if err := stores.Error(); err != nil {
		return nil, fmt.Errorf("the broker does not list its runs: %w", err)
	}
	slices.SortFunc(list, func(a, b RunStatus) int { return strings.Compare(a.Run, b.Run) })
	return list, nil
}

func statusOf(ctx context.Context, js jetstream.JetStream, run string) (RunStatus, error) {
	n, s := names{run}, RunStatus{Run: run, Workers: []Report{}, Banned: []string{}}
	bucket, err := js.KeyValue(ctx, n.bucket())
	if err != nil {
		return s, err
	}
	var a Announcement
	var h holder
	for key, v := range map[string]any{runKey: &a, learnerKey: &h} {
		if entry, err := bucket.Get(ctx, key); err == nil {
			_ = json.Unmarshal(entry.Value(), v) // left empty if it is of another format
		}
	}
	s.Game, s.Learner = a.Identity.Game, h.ID
	if s.Banned, err = banned(ctx, js, n); err != nil {
		return s, err
	}
	if s.Workers, err = reports(ctx, js, n); err != nil {
		return s, err
	}
	if queue, err := js.Consumer(ctx, n.tasks(), workersQueue); err == nil {
		if info, err := queue.Info(ctx); err == nil {
			s.Waiting, s.Played, s.Redelivered = info.NumPending, info.NumAckPending, info.NumRedelivered
		}
	}
	if parts, err := js.Stream(ctx, n.parts()); err == nil {
		s.Parts = parts.CachedInfo().State.Msgs
	}
	return s, nil
}

// reports returns those of the workers who are there, by name.
func reports(ctx context.Context, js jetstream.JetStream, n names) ([]Report, error) {
	list := []Report{}
	there, err := js.Stream(ctx, n.workers())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := there.Info(ctx, jetstream.WithSubjectFilter(n.reportSubject("*", "*")))
	if err != nil {
		return nil, err
	}
	for subject := range info.State.Subjects {
		var r Report
		if m, err := there.GetLastMsgForSubject(ctx, subject); err == nil && json.Unmarshal(m.Data, &r) == nil {
			r.ID, _, _ = strings.Cut(strings.TrimPrefix(subject, n.reportPrefix()), ".")
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b Report) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}

// banned returns the names of those who are banned from a run, sorted.
func banned(ctx context.Context, js jetstream.JetStream, n names) ([]string, error) {
	list := []string{}
	bucket, err := js.Stream(ctx, "KV_"+n.bucket())
	if err != nil {
		return nil, err
	}
	prefix := "$KV." + n.bucket() + "." + bannedKey
	info, err := bucket.Info(ctx, jetstream.WithSubjectFilter(prefix+"*"))
	if err != nil {
		return nil, err
	}
	for subject := range info.State.Subjects {
		list = append(list, strings.TrimPrefix(subject, prefix))
	}
	slices.Sort(list)
	return list, nil
}
