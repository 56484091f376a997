package insurgency

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// kinds are the kinds of events. README.md lists them with their arguments.
var kinds = []flow.Kind{
	{Name: "lot", Text: "Set-up of the {side}: {}"},
	{Name: "dealt", Text: "The {side} is dealt {card}", Veiled: "The {side} is dealt a card"},
	{Name: "round", Text: "Round {round} begins"},
	{Name: "pair", Text: "The {side} is to play, cards of the pair: {cards_left_in_pair}"},
	{Name: "event", Text: "The {side} gets the event of {card}"},
	{Name: "operation", Text: "Operation of the {side}: {operation} with {ops} Ops"},
	{Name: "no_target", Text: "The {operation} of the {side} has no target"},

	{Name: "test", Text: "A roll of {die}: {space} comes to {status}"},
	{Name: "status", Text: "{space} shifts from {from} to {status}"},
	{Name: "unrest", Text: "Unrest in {space} changes by {change} to {unrest}"},
	{Name: "money", Text: "The {side} {} and has ${resources}"},
	{Name: "reserves", Text: "The {side} has {reserves} reserves"},
	{Name: "hq", Text: "The HQ of the {side} has {hacked} Hacked markers and {shields} Shields"},
	{Name: "social_media", Text: "The Social Media marker goes to {social_media}, and the {edge} has the Edge"},
	{Name: "social_media_used", Text: "The {side} has used its right to Social Media this round"},
	{Name: "momentum", Text: "{key} is in play{}"},
	{Name: "momentum_ends", Text: "{key} is in play no more"},
	{Name: "hand_seen", Text: "The hand of the {side} is seen: {cards}"},
	{Name: "lost", Text: "The {side} loses {card} from its hand"},

	{Name: "placed", Text: "The {side} places {} in {space}"},
	{Name: "not_placed", Text: "The {side} leaves {number} unplaced in {space}"},
	{Name: "removed", Text: "The {side} loses {} in {space}"},
	{Name: "turned", Text: "The militia in {space} turn: {sleepers} sleepers, {active} active"},
	{Name: "moved", Text: "A group of the {side} goes from {from} to {to}: {}"},

	{Name: "selections", Text: "{total} selections of kind {type}, {choices} of them by choice"},
	{Name: "rolled", Text: "A roll of {die} selects {space}"},
	{Name: "attack_die", Text: "A militia in {space} rolls {die} and {hit}"},
	{Name: "battle", Text: "Attack in {space} by {militia} militia: {hits} hits; lost are {agents_lost} agents and {bases_lost} bases"},
	{Name: "hunted", Text: "Hunt in {space} with {effects} effects: {removed} active militia go, {turned} sleepers turn active, {bases_lost} bases go"},
	{Name: "hack_roll", Text: "The {side} rolls {die} with {ops} Ops: the hack {success}"},
	{Name: "die", Text: "A roll of {die}"},

	{Name: "news_cycle", Text: "The news cycles, and the active stories move on"},
	{Name: "story_drawn", Text: "Story {story} is drawn"},
	{Name: "story_pool", Text: "Story {story} comes to the pool"},
	{Name: "story_active", Text: "Story {story} comes to slot {slot}"},
	{Name: "story_discarded", Text: "Story {story} is discarded"},
	{Name: "reshuffle", Text: "The discarded stories are shuffled into a new deck"},

	{Name: "administration", Text: "Administration Phase of round {round}"},
	{Name: "asleep", Text: "All militia go to sleep"},
	{Name: "reset", Text: "Reserves are lost, and both sides may use Social Media again"},
	{Name: "hands", Text: "Hands of {rebel} and {federal} cards are dealt for round {round}"},
	{Name: "victory_points", Text: "Victory points: Rebel {rebel}, Federal {federal}"},
	{Name: "rebellion_power", Text: "Rebellion Power is {rebellion_power}, with the factor {rpf}"},
	{Name: "game_over", Text: "The {winner} wins by {}{by}, with {rebel} victory points of the Rebel and {federal} of the Federal"},
}

// eventWord returns how the arguments of events read in a sentence, "" where they stand as
// they are.
func (b *Box) eventWord() func(name string, value any) string {
	words := map[string]string{sideNames[rebel]: "Rebel", sideNames[federal]: "Federal", opNames[socialMedia]: "social media"}
	for i := range b.spaces {
		words[b.ids[i]] = b.spaces[i].name
	}
	for k, m := range b.momentum {
		words[momentumNames[k]] = b.programs[m.card].name
	}
	return func(name string, value any) string {
		switch v := value.(type) {
		case string:
			return words[v]
		case int:
			switch name {
			case "card", "cards":
				return fmt.Sprintf("%d %s", v, b.programs[v].name)
			case "story":
				return fmt.Sprintf("%d %s", v, b.stories[v].title)
			}
		case bool:
			return map[string]map[bool]string{
				"hit": {true: "hits", false: "misses"}, "success": {true: "succeeds", false: "fails"},
			}[name][v]
		}
		return ""
	}
}

// at makes the argument of a space, bySeat that of a side.
func (g *game) at(i SpaceID) engine.Arg { return flow.Arg("space", g.box.ids[i]) }

func bySeat(name string, side Side) engine.Arg { return flow.Arg(name, sideNames[side]) }

// tellLot tells of a choice that chance makes in a random set-up.
func (b Board) tellLot(a engine.Action) {
	if b.w == nil {
		return
	}
	q := *b.Position
	q.Actor = engine.Player(b.Side)
	q.Ask, _, _ = b.buildChoices()
	b.w.All("lot", "R16.4", bySeat("side", b.Side), flow.Arg("action", b.spec.Actions[a]), flow.Said(b.Describe(&q, a)))
}

// tellOperation tells that an operation begins.
func (b Board) tellOperation(rule string, f *OperationFrame) {
	if b.w != nil {
		b.w.All("operation", rule, bySeat("side", f.Side), flow.Arg("operation", opNames[f.Kind]), flow.Arg("ops", int(f.Ops)),
			flow.Arg("free", f.Terms.Free))
	}
}

func (b Board) tellDie(rule string, face uint8) {
	if b.w != nil {
		b.w.All("die", rule, flow.Arg("die", int(face)))
	}
}

// tellMoved tells of a group that has gone from a space to another; what did not arrive
// was arrested.
func (b Board) tellMoved(rule string, side Side, gr, arrived Group) {
	arrested := gr.Units + gr.Active - arrived.Units - arrived.Active
	said := fmt.Sprintf("%d agents", gr.Units)
	if side == rebel {
		said = fmt.Sprintf("%s and %d active militia, %d of them arrested", flow.Count(gr.Units, "sleeper"), gr.Active, arrested)
	}
	b.w.All("moved", rule, bySeat("side", side), flow.Arg("from", b.box.ids[gr.From]), flow.Arg("to", b.box.ids[gr.To]),
		flow.Arg("units", int(gr.Units)), flow.Arg("active", int(gr.Active)), flow.Arg("arrested", int(arrested)), flow.Said(said))
}

// tellMomentum tells that an event is in play from now on.
func (b Board) tellMomentum(key MomentumKey) {
	switch {
	case b.w == nil:
	case key == Plague:
		b.w.All("momentum", "R8.7", flow.Arg("key", momentumNames[key]), bySeat("owner", b.owner(key)), b.at(b.Plague),
			flow.Said(" in "+b.box.spaces[b.Plague].name))
	default:
		b.w.All("momentum", "R8.7", flow.Arg("key", momentumNames[key]), bySeat("owner", b.owner(key)), flow.Said(""))
	}
}

// tellUnplaced tells that pieces are not placed (R3.4).
func (b Board) tellUnplaced(f *PlacingFrame, n uint8) {
	if b.w != nil {
		b.w.All("not_placed", "R3.4", bySeat("side", f.Side), flow.Arg("number", int(n)), b.at(f.At))
	}
}

// pieces are what stands in a space, in the order of the vocabulary, bases by side.
type pieces [5]uint8

func (p *Position) piecesAt(i SpaceID) pieces {
	return pieces{p.Spaces[i].Agents, p.Spaces[i].Sleepers, p.Spaces[i].Active, p.Spaces[i].FederalBases, p.Spaces[i].RebelBases}
}

// tellPieces tells which pieces have come to a space and which have gone since it held
// those before.
func (b Board) tellPieces(rule string, i SpaceID, before pieces) {
	if b.w == nil {
		return
	}
	for k, n := range b.piecesAt(i) {
		kind, change := "placed", int(n)-int(before[k])
		if change < 0 {
			kind, change = "removed", -change
		}
		if change == 0 {
			continue
		}
		side, piece := [...]Side{federal, rebel, rebel, federal, rebel}[k], min(ownPiece(k), removeBasePiece)
		said := pieceTexts[piece]
		if change > 1 {
			said = fmt.Sprintf("%d %s", change, [...]string{"agents", "sleepers", "active militia", "bases"}[piece])
		}
		b.w.All(kind, rule, bySeat("side", side), flow.Arg("piece", pieceNames[piece]), flow.Arg("number", change), b.at(i), flow.Said(said))
	}
	if now := b.piecesAt(i); now[3] != before[3] || now[4] != before[4] {
		b.tellPoints("R5.1", [numSeats]int{-1, -1})
	}
}

// heardPoints returns the victory points, if anybody listens.
func (b Board) heardPoints() (n [numSeats]int) {
	if b.w != nil {
		n = b.points()
	}
	return n
}

// tellPoints tells the victory points if they are other ones than before.
func (b Board) tellPoints(rule string, before [numSeats]int) {
	if now := b.heardPoints(); now != before {
		b.w.All("victory_points", rule, flow.Arg("rebel", now[rebel]), flow.Arg("federal", now[federal]))
	}
}

// tellPower tells Rebellion Power if it is another than before.
func (b Board) tellPower(before uint8) {
	if now := b.power(); b.w != nil && now != before {
		b.w.All("rebellion_power", "R9.2", flow.Arg("rebellion_power", int(now)), flow.Arg("rpf", int(b.rpf())))
	}
}
