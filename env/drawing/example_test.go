package drawing_test

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env/drawing"
)

func ExampleDraw() {
	g, err := games.New("tictactoe")
	if err != nil {
		fmt.Println(err)
		return
	}
	picture, err := drawing.Draw(g, engine.Look(g.New(), 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range strings.Split(string(picture), "\n") {
		if strings.Contains(line, `data-space="b2"`) {
			fmt.Println(line)
		}
	}
	// Output:
	// <g data-space="b2" data-action="4"><title>b2: empty</title><rect x="153" y="163" width="94" height="94" rx="8" class="f-panel k-edge w1 aim"/>
}
