package insurgency

import "powderkeg/engine"

// Shows implements flow.Rules and R19: which moves seat p gets to know when
// they are made. All but the cards that the other side is dealt: a card is public
// when it is played (R19.5), stories are drawn face up (Q32), dice are rolled openly
// (R19.4), and a hand is inspected before a card is lost from it.
func (g *game) Shows(p *Position, seat engine.Player, _ engine.Action) bool {
	return p.Ask != chanceDeal || engine.Player(g.board(p).dealtTo()) == seat
}
