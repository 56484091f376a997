package bloc

import "powderkeg/engine/flow"

// Board is what the rules act on: the game, a position of it, and who is told what happens
// there. It is passed by value; its methods change the position that it points to. A View
// embeds one, so that its exported methods are the queries of encoders and players.
type Board struct {
	*game
	*Position
	w *flow.Witness // nil while nobody listens, or a position is only tried out
}
