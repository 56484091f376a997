package human

import (
	"powderkeg/agents/table"
	"powderkeg/engine"
)

// moves are those of a session, so that they can be taken back.
type moves struct {
	game     engine.Game
	people   []*Agent // by seat, nil for seats that are not people's
	practice bool
	secrets  *table.Secrets
	moves    []table.Move
	// anchors are the states before the first move and before every anchorEvery-th after it.
	anchors []engine.State
	// heard has for every move how many lines the history of each seat had before it.
	heard [][]int
	// to is how many moves are left when the one that is asked for is taken back.
	to int
}

// anchorEvery is how many moves are made again at most to take one back.
const anchorEvery = 256

// newMoves returns the moves of a session that begins, and lets the people take moves back.
func newMoves(g engine.Game, people []*Agent, practice bool) *moves {
	m := &moves{game: g, people: people, practice: practice, secrets: table.NewSecrets(g)}
	for p, person := range people {
		if person != nil {
			person.back = func() string { return m.refusal(engine.Player(p)) }
		}
	}
	return m
}

// add notes a move that is about to be made.
func (m *moves) add(s engine.State, a engine.Action) {
	made := table.Move{Actor: s.ToAct(), Action: a, Known: table.Known(s, len(m.people), a)}
	if made.Actor >= 0 && m.people[made.Actor] != nil && !m.practice {
		made.Shows = m.secrets.Stands(s, a)
	}
	if len(m.moves)%anchorEvery == 0 {
		m.anchors = append(m.anchors, engine.Clone(m.game, s))
	}
	m.moves = append(m.moves, made)
	heard := make([]int, len(m.people))
	for p, person := range m.people {
		if person != nil {
			heard[p] = len(person.history)
		}
	}
	m.heard = append(m.heard, heard)
}

// refusals say why a move is not taken back.
var refusals = map[string]string{
	table.UndoNothing: "You have made no move that could be taken back.",
	table.UndoOther:   "Another seat has decided since; your move stands.",
	table.UndoChance:  "Chance has decided something since; your move stands.",
	table.UndoShown:   "Your move may have brought hidden information to light, or had somebody asked in secret, and stands.",
	table.UndoOver:    "The game is over.",
}

// refusal says why seat p may not take its last move back, "" if it may. A move without a
// choice would only be made again: it goes with the one before it.
func (m *moves) refusal(p engine.Player) string {
	left := len(m.moves)
	for {
		at, why := table.Undoable(m.moves[:left], p, m.practice, false)
		if why != "" {
			return refusals[why]
		}
		left = at
		s := m.after(left)
		if s == nil {
			return "This game cannot be played again from its start."
		}
		if len(s.Legal(nil)) > 1 {
			m.to = left
			return ""
		}
	}
}

// after returns the state after the first n moves, nil if they cannot be made again. Only
// those since the last anchor are.
func (m *moves) after(n int) engine.State {
	from := n / anchorEvery
	s := engine.Clone(m.game, m.anchors[from])
	for _, made := range m.moves[from*anchorEvery : n] {
		if s.Apply(made.Action) != nil {
			return nil
		}
	}
	return s
}

// rewind forgets the moves that refusal has let go, and returns the state before them.
func (m *moves) rewind() engine.State {
	s := m.after(m.to)
	for p, person := range m.people {
		if person == nil {
			continue
		}
		person.history = person.history[:m.heard[m.to][p]]
		person.told = min(person.told, len(person.history))
		if s.ToAct() == engine.Player(p) {
			person.terminal.printf("You take back: %s.\n", person.title(engine.Look(s, engine.Player(p)), m.moves[m.to].Action))
		}
	}
	m.moves, m.heard = m.moves[:m.to], m.heard[:m.to]
	m.anchors = m.anchors[:(m.to+anchorEvery-1)/anchorEvery]
	return s
}
