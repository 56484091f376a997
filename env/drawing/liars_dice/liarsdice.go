// Package liarsdice draws a table of Liar's Dice: everybody's dice and the grid of bids.
package liarsdice

import (
	"fmt"

	"powderkeg/engine"
	liarsdice "powderkeg/engine/liars_dice"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	row  = 62.0 // of a seat's dice
	cell = 32.0 // height of a bid
	left = 64.0 // where the grid begins
)

// Draw draws a view. Its spaces are the bids and the call, named as the actions are.
func Draw(g engine.Game, view *liarsdice.View) []byte {
	names := g.Spec().Actions
	seats, faces := g.Spec().Seats, view.Faces()
	top := 50 + float64(seats)*row
	quantities := seats * view.DicePerSeat()
	// Few quantities stand in one column of rows, many in up to three.
	columns := 1 + quantities/13
	width := 360 + 120*float64(columns)
	rows := (quantities + columns - 1) / columns
	s := sheet.New(view, width, top+float64(rows)*cell+130, "Liar's Dice", func(a engine.Action) []string { return names[a : a+1] })
	s.Head(18, "Liar's Dice", view.ToAct())
	bids := view.Bids()
	for seat := range seats {
		drawSeat(s, view, seat, 50+float64(seat)*row)
	}
	grid := grid{s, view, names, top + 40, columns, rows, width, map[liarsdice.Bid]int{}}
	for i, b := range bids {
		grid.made[b] = i % seats
	}
	grid.head(faces)
	for b := range quantities * faces {
		grid.bid(liarsdice.Bid(b))
	}
	y := grid.top + float64(rows)*cell + 20
	call := names[len(names)-1]
	s.Part(call, "call the last bidder a liar")
	s.Rect(left, y, width-left-20, 44, 10, "f-panel k-edge w2 aim")
	text := "Liar!"
	if len(bids) > 0 && view.Called() {
		text = fmt.Sprintf("seat %d was called a liar", (len(bids)-1)%seats)
	}
	s.Text((left+width-20)/2, y+29, 20, svg.Middle, "bold", text)
	s.Close()
	return s.Bytes()
}

func drawSeat(s *sheet.Sheet, view *liarsdice.View, seat int, y float64) {
	s.Piece(seat, 36, y+28, 16, fmt.Sprint(seat))
	s.Text(64, y+34, 18, svg.Start, "bold", fmt.Sprintf("Seat %d", seat))
	x, n := 160.0, 0
	for face, count := range view.Dice(engine.Player(seat)) {
		for range count {
			drawDie(s, x+float64(n)*58, y+4, face+1)
			n++
		}
	}
	for ; n < view.DicePerSeat(); n++ {
		s.Thing("", fmt.Sprintf("a die of seat %d, not seen", seat))
		s.Back(x+float64(n)*58, y+4, 48, 48, -1, "?")
		s.Close()
	}
}

// pips of the faces, in thirds of a die from its centre.
var pips = [6][]svg.Point{
	{{}},
	{{X: -1, Y: -1}, {X: 1, Y: 1}},
	{{X: -1, Y: -1}, {}, {X: 1, Y: 1}},
	{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: -1, Y: 1}, {X: 1, Y: 1}},
	{{X: -1, Y: -1}, {X: 1, Y: -1}, {}, {X: -1, Y: 1}, {X: 1, Y: 1}},
	{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: -1}, {X: 1}, {X: -1, Y: 1}, {X: 1, Y: 1}},
}

func drawDie(s *sheet.Sheet, x, y float64, face int) {
	s.Thing("", fmt.Sprintf("a die that shows %d", face))
	s.Rect(x, y, 48, 48, 8, "f-ground k-ink w2")
	for _, p := range pips[face-1] {
		s.Circle(x+24+p.X*13, y+24+p.Y*13, 5, "f-ink")
	}
	s.Close()
}

// grid is the table of bids, a row for a quantity and a column for a face.
type grid struct {
	*sheet.Sheet
	view          *liarsdice.View
	names         []string
	top           float64
	columns, rows int
	width         float64
	made          map[liarsdice.Bid]int // by whom
}

// place returns where the cell of a quantity and a face lies, and how wide it is.
func (g *grid) place(quantity, face int) (x, y, w float64) {
	block := (g.width - left - 20) / float64(g.columns)
	w = (block - 40*float64(min(g.columns-1, 1))) / float64(g.view.Faces())
	column := (quantity - 1) / g.rows
	return left + float64(column)*(block+20) + float64(face)*w, g.top + float64((quantity-1)%g.rows)*cell, w
}

func (g *grid) head(faces int) {
	for column := range g.columns {
		for face := range faces {
			x, y, w := g.place(1+column*g.rows, face)
			text := fmt.Sprint(face + 1)
			if face == faces-1 && w > 60 {
				text += " (wild)"
			}
			g.Fit(x+w/2, y-10, w, 16, svg.Middle, "soft bold", text)
		}
	}
}

func (g *grid) bid(b liarsdice.Bid) {
	quantity, face := g.view.Unrank(b)
	x, y, w := g.place(quantity, int(face))
	name := g.names[b]
	seat, made := g.made[b]
	title := "bid " + name
	if made {
		title = fmt.Sprintf("seat %d bid %s", seat, name)
	}
	if face == 0 {
		g.Text(x-10, y+21, 16, svg.End, "soft bold", fmt.Sprintf("%d×", quantity))
	}
	g.Part(name, title)
	g.Rect(x+2, y+2, w-4, cell-4, 4, "f-panel k-edge w1 aim")
	if made {
		g.Piece(seat, x+w/2, y+cell/2, 10, fmt.Sprint(seat))
	}
	g.Close()
}
