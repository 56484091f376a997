package minuteman

import (
	"fmt"
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// kindsOfEvents are told in the order of a Game-Turn. README.md lists them with their
// arguments.
var kindsOfEvents = []flow.Kind{
	{Name: "impossible", Text: "Seat {seat} has no way to answer {decision}"},
	{Name: "die", Text: "{event}: the die shows {die}"},
	{Name: "chit", Text: "{event}: chit {number}"},
	{Name: "lot", Text: "The lot falls on seat {seat}"},
	{Name: "drawn", Text: "Drawn: {type}"},
	{Name: "unplaced", Text: "There is no place for {type}"},
	{Name: "turn", Text: "Game-Turn {turn} begins, {season} of year {year}"},
	{Name: "phase", Text: "Phase {phase}"},

	{Name: "placed", Text: "{unit} appears in {hex}"},
	{Name: "placed_untried", Text: "{unit}, untried {type}, appears in {hex}"},
	{Name: "moved", Text: "{unit} goes from {from} to {to}"},
	{Name: "retreated", Text: "{unit} retreats from {from} to {to}"},
	{Name: "advanced", Text: "{unit} advances from {from} to {to}"},
	{Name: "eliminated", Text: "{unit} in {hex} is eliminated"},
	{Name: "step", Text: "{unit} in {hex} is {step} now"},
	{Name: "underground", Text: "{unit} in {hex} goes underground"},
	{Name: "surfaced", Text: "{unit} in {hex} comes up"},
	{Name: "revealed", Text: "{unit} in {hex} turns out to be {counter}, {attack}-{defence}"},
	{Name: "pinned", Text: "{unit} in {hex} is pinned"},
	{Name: "pin_removal", Text: "Agents try to free {unit} in {hex}, {agents} of them: it {succeeded}"},
	{Name: "committed", Text: "{unit} leaves the Front Line; committed are {committed}"},
	{Name: "changed_sides", Text: "{unit} in {hex} fights for the {side} from now on"},

	{Name: "riot", Text: "A Riot breaks out in {hex}"},
	{Name: "riot_removed", Text: "The Riot in {hex} ends"},
	{Name: "unrest", Text: "Unrest in {hex}"},
	{Name: "unrest_removed", Text: "The Unrest in {hex} ends"},
	{Name: "informer", Text: "An Informer settles in {hex}"},
	{Name: "informer_removed", Text: "The Informer in {hex} is removed"},
	{Name: "spread", Text: "Hexes that the Riot in {hex} spreads to: {number}"},
	{Name: "free_build", Text: "The Riot in {hex} gives seat {seat} a free build"},
	{Name: "marker", Text: "Seat {seat} draws a special marker: {marker}", Veiled: "Seat {seat} draws a special marker"},
	{Name: "markers_returned", Text: "Back to the pool from seat {seat}: {number} {marker}"},

	{Name: "build", Text: "Build attempt of seat {seat} in {hex}: column {column}, die {die} counts as {counts}: {result}"},
	{Name: "track", Text: "The build track is at {track}"},
	{Name: "no_step", Text: "{unit} in {hex} does not rise"},
	{Name: "journey", Text: "{unit} on the way to {to}: price {price}, Passage shown {passage}, column {column}, die {die}: {outcome}"},
	{Name: "flight", Text: "Air/Rail of {unit} to {to} {succeeded}"},
	{Name: "event", Text: "The chits name {hex}"},
	{Name: "pick", Text: "Equal chits: seat {seat} draws one more special marker"},
	{Name: "reaction", Text: "The Government's reaction, column {column}, die {die}: CIGs {cigs}, Agents {agents}"},

	{Name: "attack", Text: "{attack} attack of seat {seat} on {target} by {attackers}"},
	{Name: "lapsed", Text: "The attack on {target} lapses"},
	{Name: "betrayal", Text: "Betrayal of seat {seat}, {number} shown, {succeeded}"},
	{Name: "defence", Text: "{target} is defended by {defenders}, Riot: {riot}, Informer: {informer}"},
	{Name: "battle", Text: "{attack} attack on {target}: {strength} against {defence}, column {column}, die {die} counts as {counts}: {result}"},
	{Name: "assassination", Text: "Assassination of {class} in {hex} by seat {seat}, {number} shown, {succeeded}"},

	{Name: "revolution", Text: "Seat {seat} declares the Revolution"},
	{Name: "refused", Text: "What seat {seat} proposes is refused: {proposal}"},
	{Name: "reinforcements", Text: "Due to seat {seat}: {number} {what}"},
	{Name: "foreign_called", Text: "Seat {seat} calls Foreign Divisions"},
	{Name: "foreign_number", Text: "Foreign Divisions that are coming: {number}"},
	{Name: "foreign_place", Text: "The Foreign Divisions land at {place}"},
	{Name: "brigades", Text: "The Brigades of {country} go over to the Rebel"},
	{Name: "order", Text: "Order of movement: {seats}"},
	{Name: "truce", Text: "Seats {seats} have a truce"},
	{Name: "target", Text: "Seat {seat} names seat {target_seat} as TARGET"},
	{Name: "pact", Text: "Seat {seat} has a pact of federalization"},
	{Name: "federalized", Text: "Seat {seat} is federalized"},
	{Name: "unfederalized", Text: "Seat {seat} is federalized no longer"},
	{Name: "out", Text: "Seat {seat} is out of the game"},
	{Name: "government", Text: "Seat {seat} is the Government now"},
	{Name: "end", Text: "The game is over by {by}: level {level}, won by {winners}"},
}

// Words of the phases (R5.1), and of what a die gives.
var (
	phaseWords = [...]string{"Set-up", "A1, Underground", "A2, Rebel builds", "A3, Rebel movement", "A4, Rebel combat", "A5, supply of Militia",
		"B, random events", "G1, reaction", "G2, Government builds", "G3, Government movement", "G4, Government combat", "G5, Pins", "G6, supply of Army",
		"N, negotiation", "End"}
	resultWords = [numResults]string{"no result", "a build", "Unrest", "a Riot", "the attackers are eliminated", "half of the attackers are eliminated",
		"the attackers retreat", "the attackers lose a step", "the defenders retreat", "the defenders lose a step", "the defenders are eliminated",
		"a Pin", "the Division is won over"}
	outcomeWords = [numResults]string{noResult: "it gets through", rStop: "it is stopped", rLost: "it is lost"}
	placeWords   = [...]string{"", "the east coast of the US", "the east coast of the US", "the west coast of the US", "the west coast of the US",
		"a coast of Mexico", "a coast of Canada"}
)

// word says how the value of an argument reads in a sentence.
func (b *box) word(name string, value any) string {
	switch v := value.(type) {
	case bool:
		words := [2]string{"no", "yes"}
		if name == "succeeded" {
			words = [2]string{"fails", "succeeds"}
		}
		return words[b2u(v)]
	case string:
		switch name {
		case "hex", "from", "to", "target":
			return b.hexWord(b.index[v])
		case "unit", "attackers", "defenders":
			return b.unitWords[v]
		case "phase":
			return phaseWords[index(phaseNames[:], v)]
		case "event":
			n, _ := strconv.Atoi(v[1:])
			return eventNames[n-1]
		case "result":
			return resultWords[index(resultNames[:], v)]
		case "outcome":
			return outcomeWords[index(resultNames[:], v)]
		case "type", "marker", "class":
			return strings.ToLower(strings.ReplaceAll(v, "_", " "))
		case "attack":
			return strings.ToUpper(v[:1]) + v[1:]
		}
	case int:
		if name == "place" {
			return placeWords[v]
		}
	}
	return ""
}

func index(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return 0
}

// hexWord names a hex by its number and its city or ground.
func (b *box) hexWord(h HexID) string {
	x := &b.hexes[h]
	if x.name != "" {
		return x.id + " " + x.name
	}
	return x.id + " " + strings.ReplaceAll(terrainNames[x.terrain], "_", " ")
}

// What events say of the parts of a position.
func (g *game) unitArg(u UnitID) engine.Arg  { return flow.Arg("unit", g.name[u]) }
func (g *game) hexArg(h HexID) engine.Arg    { return flow.Arg("hex", g.hexes[h].id) }
func seatArg(seat SeatID) engine.Arg         { return flow.Arg("seat", int(seat)) }
func number(name string, n uint8) engine.Arg { return flow.Arg(name, int(n)) }

func (g *game) unitsArg(name string, set *unitSet) engine.Arg {
	list := []string{}
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		list = append(list, g.name[u])
	}
	return flow.Arg(name, list)
}

// tellChance tells of a chance outcome that all see. Counters are drawn unseen, and who
// draws a special marker is told of it where it is drawn.
func (g *game) tellChance(p *Position, w *flow.Witness, a engine.Action) {
	rule, event := g.table[p.Ask].Rule, flow.Arg("event", g.table[p.Ask].Name)
	switch {
	case a < outChit:
		w.All("die", rule, event, flow.Arg("die", int(a-outDie)+1))
	case a < outMarker:
		w.All("chit", rule, event, flow.Arg("number", int(a-outChit)+1))
	case a >= outSeat:
		w.All("lot", rule, event, flow.Arg("seat", int(a-outSeat)))
	}
}

// tellPlaced tells of a new unit; the type of one that is untried is seen (R19).
func (g *game) tellPlaced(p *Position, w *flow.Witness, rule string, u UnitID) {
	unit, hex, seat := g.unitArg(u), g.hexArg(p.Units[u].Hex), seatArg(g.owner(p, u))
	if g.isLine(u) {
		w.All("placed_untried", rule, unit, hex, seat, flow.Arg("type", groupNames[g.groupOf(p, u)]))
		return
	}
	w.All("placed", rule, unit, hex, seat)
}

// tellBattle tells how an attack is resolved.
func (g *game) tellBattle(p *Position, w *flow.Witness, d *defence, die, column int, table, r result) {
	c := &p.Combat
	against := 0
	if c.Kind <= infiltration {
		against = g.defenceStrength(p, d, truth) / point
	}
	w.All("battle", [...]string{"R10.10", "R10.11", "R10.12", "R10.13"}[c.Kind], flow.Arg("attack", attackNames[c.Kind]), seatArg(c.Seat),
		flow.Arg("target", g.hexes[c.Target].id),
		flow.Arg("strength", g.attackStrength(p, d, truth)/point), flow.Arg("defence", against), flow.Arg("column", column+1), flow.Arg("die", die),
		flow.Arg("counts", max(0, die+g.dieModifier(p, c.Kind, c.Target))), flow.Arg("table", resultNames[table]), flow.Arg("result", resultNames[r]))
}

// stepWord says how strong a unit is at a step.
func (g *game) stepWord(u UnitID, step uint8) string {
	if g.kind[u] == cig {
		return fmt.Sprintf("at step %d", step)
	}
	return [...]string{"weak", "strong"}[step]
}
