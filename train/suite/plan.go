package suite

import (
	"strconv"
	"strings"

	"powderkeg/agents/table"
	"powderkeg/engine"
)

// Place is where a game stands in the plan of a definition.
type Place struct {
	Task string `json:"task"`
	Run  int    `json:"run"`
	// Table is the number of the task's table, Unit that of the unit at it in the run, Seat
	// the one that the measured agent holds.
	Table int `json:"table"`
	Unit  int `json:"unit"`
	Seat  int `json:"seat"`
}

// places lists the games of a task in the order of the archive.
func (d *Definition) places(t *Task) []Place {
	if t.bank != nil {
		return d.solvedPlaces(t)
	}
	var list []Place
	for run := range d.Runs {
		for table := range t.Tables {
			for unit := range t.Units {
				for seat := range t.game.Spec().Seats {
					list = append(list, Place{t.Name, run, table, unit, seat})
				}
			}
		}
	}
	return list
}

// seeds are those of a game. All games of a unit have the same chance, and so have the
// tables, for the luck of a run to fall on all of them; agents' seeds are the game's own.
func (d *Definition) seeds(p Place) table.Seeds {
	h := engine.NewHash().Word(d.Seed)
	for _, b := range []byte(p.Task) {
		h = h.Word(uint64(b))
	}
	h = h.Word(uint64(p.Run)).Word(uint64(p.Unit))
	return table.Seeds{
		Chance: uint64(h.Word(0)),
		Agents: uint64(h.Word(1).Word(uint64(p.Table)).Word(uint64(p.Seat))),
	}
}

// players names who sits where: the measured agent, and the table's on all other seats.
func (t *Task) players(p Place, agent string) []string {
	names := make([]string, t.game.Spec().Seats)
	for s := range names {
		names[s] = t.Tables[p.Table]
	}
	names[p.Seat] = p.agent(agent)
	return names
}

// agent fills in the task and the run where the name of the measured agent has {task} and
// {run}: a method of learning is an agent for each task and run, trained for them.
func (p Place) agent(name string) string {
	return strings.NewReplacer("{task}", p.Task, "{run}", strconv.Itoa(p.Run)).Replace(name)
}
