package insurgency

import "powderkeg/engine/flow"

// Board is what the rules act on: the game, a position of it, and who is told what happens
// there. It is passed by value; its methods change the position that it points to.
type Board struct {
	*game
	*Position
	w *flow.Witness // nil while nobody listens, or a position is only looked at
}

// board is the position as the rules read it, where nobody listens.
func (g *game) board(p *Position) Board { return Board{g, p, nil} }
