package train

import (
	"context"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/engine"
	"powderkeg/train/eval"
	"powderkeg/train/league"
)

// tournamentStream sets the games of the tournament apart from those of evaluations.
const tournamentStream = 0x746f7572

// maxPlayers bounds the players of a tournament in a game of so many seats: they
// meet in all combinations, of which more seats have more.
func maxPlayers(seats int) int {
	if seats > 2 {
		return 8
	}
	return 12
}

// players chooses who takes part beside the learner: the named agents, and of the
// snapshots as many as there is room for, spread from the oldest to the newest.
func players(members []*league.Member, room int) []*league.Member {
	var list, snapshots []*league.Member
	for _, m := range members {
		switch {
		case !m.Active():
		case m.Snapshot():
			snapshots = append(snapshots, m)
		case len(list) < room:
			list = append(list, m)
		}
	}
	n := min(room-len(list), len(snapshots))
	for i := range n {
		list = append(list, snapshots[(i+1)*len(snapshots)/n-1])
	}
	return list
}

// elsewhereAs is a member as others can make it.
func elsewhereAs(m *league.Member) (eval.Named, error) {
	if m.Snapshot() {
		return eval.NamedNetwork(m.Network(), 1), nil
	}
	return Roster.NamedPolicy(m.Name)
}

// Tournament plays the learner and the pool against each other. The result is nil where
// the config asks for none or there is nobody to play.
func (t *Trainer) Tournament(ctx context.Context) (*eval.Result, error) {
	games, seats := t.config.Evaluation.Tournament, t.game.Spec().Seats
	if games == 0 || seats < 2 {
		return nil, nil
	}
	brain, err := learned.NewBrain(t.game, t.player().Clone().Frozen())
	if err != nil {
		return nil, err
	}
	temperature := t.config.Evaluation.Temperature
	contestants := []eval.Contestant{{Name: learnerName, New: func() (agents.Agent, error) { return brain.NewAgent(temperature), nil }}}
	others := players(t.pool.Members(), maxPlayers(seats)-1)
	for _, m := range others {
		contestants = append(contestants, eval.Contestant{
			Name: m.Name, New: func() (agents.Agent, error) { return agents.FromPolicy(m.NewPolicy()), nil },
		})
	}
	if len(contestants) == 1 {
		return nil, nil
	}
	elsewhere, err := t.elsewhere(func() ([]eval.Named, error) {
		named := []eval.Named{eval.NamedNetwork(t.player(), temperature)}
		for _, m := range others {
			a, err := elsewhereAs(m)
			if err != nil {
				return nil, err
			}
			named = append(named, a)
		}
		return named, nil
	})
	if err != nil {
		return nil, err
	}
	return eval.Match(ctx, eval.Config{
		Game: t.game, Games: games, Workers: t.config.workers(), Contestants: contestants, Elsewhere: elsewhere,
		Seed: uint64(engine.NewHash().Word(t.config.Seed).Word(uint64(t.updates)).Word(tournamentStream)),
	})
}
