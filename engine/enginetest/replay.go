package enginetest

import (
	"encoding/json"

	"powderkeg/engine/replay"
)

// checkReplay writes the game down, reads it back, plays it again and demands
// the same end; a record that was tampered with must be refused.
func (p *player) checkReplay() {
	r := replay.New(p.game)
	s := p.game.New()
	for _, a := range p.moves {
		r.Add(p.game, s, a)
		if err := s.Apply(a); err != nil {
			p.t.Errorf("replay: %v", err)
			return
		}
	}
	r.Close(s)
	data, err := json.Marshal(r)
	if err != nil {
		p.t.Fatalf("replay: %v", err)
	}
	parsed, err := replay.Parse(data)
	if err != nil {
		p.t.Errorf("replay: %v", err)
		return
	}
	end, err := replay.Play(p.game, parsed, nil)
	if err != nil {
		p.t.Errorf("replay: %v", err)
		return
	}
	same(p.t, "the replayed game", p.game, p.state, end)
	parsed.Moves = parsed.Moves[:len(parsed.Moves)-1]
	if _, err := replay.Play(p.game, parsed, nil); err == nil {
		p.t.Errorf("a replay without its last move is accepted")
	}
}
