package bloc

import (
	"fmt"
	"testing"

	"powderkeg/engine/option"
)

// R-01, R2.2 and Ruling 1: the city that is taken after too many unfit ones fits every
// setting, and drawing comes to an end even where chance gives unfit cities alone.
func TestR2_2_StandInFitsEverySetting(t *testing.T) {
	for _, id := range scenarioChoices {
		for players := 2; players <= maxPlayers; players++ {
			for _, overpass := range []string{"false", "true"} {
				v, err := option.Check("bloc", Family.Options, []option.Argument{
					{Name: "scenario", Value: id}, {Name: "players", Value: fmt.Sprint(players)}, {Name: "use_overpass", Value: overpass},
				})
				if err != nil {
					t.Fatal(err)
				}
				made, err := Family.Configure(v)
				if err != nil || id == "beginner_city" {
					continue // not played so, or not drawn
				}
				g := made.(*game)
				var p Position
				g.box.build(&p, &g.fallback)
				if err := (Board{g, &p, nil}).checkTiles(); err != nil {
					t.Errorf("%s: %v", g.spec.Text, err)
				}
				drawUnfit(t, g)
			}
		}
	}
}

// drawUnfit comes to the end of the last drawing with a city that is none, and demands
// the stand-in.
func drawUnfit(t *testing.T, g *game) {
	t.Helper()
	p := g.start
	p.Redraws = maxRedraws - 1
	for c := range p.Tile {
		p.Tile[c], p.Rotation[c] = 0, 0
	}
	p.Now.Laid, p.Step = Cells, layTile
	b := Board{g, &p, nil}
	b.promptTile()
	if p.Step != placePolice || b.checkTiles() != nil || p.Redraws != 0 {
		t.Errorf("%s: after the last unfit city the game is at %s", g.spec.Text, stages[p.Step].name)
	}
}
