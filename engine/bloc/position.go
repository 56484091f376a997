package bloc

import (
	"fmt"
	"strconv"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

var (
	useNames = [Uses]string{"assembly_hall", "hacker_space", "propaganda_workshop", "social_center", "molotov_factory"}
	barNames = [numBars]string{"loot", "build", "swap"}
)

// numCards is the size of the largest deck.
const numCards = 60

// keys returns the keys of the cards.
func keys(cards []card) (list []string) {
	for i := range cards {
		list = append(list, cards[i].Key)
	}
	return list
}

// numbers returns the numbers from first to last as words.
func numbers(first, last int) (list []string) {
	for i := first; i <= last; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return list
}

type form = codec.Form[Position]

// form makes the form of a field. read is nil for one that is read later, or not at all.
func (g *game) form(write func(b Board) any, read func(b Board, r *codec.Reader, v any)) form {
	f := form{Write: func(p *Position, _ int) any { return write(Board{g, p, nil}) }}
	if read != nil {
		f.Read = func(r *codec.Reader, p *Position, _ int, v any) { read(Board{g, p, nil}, r, v) }
	}
	return f
}

// newCodec makes the codec of the game's positions. README.md describes them field by
// field.
func (g *game) newCodec() *codec.Codec[Position] {
	var steps, programs, agendas []string
	for i := range stages {
		steps = append(steps, stages[i].name)
	}
	for i := range firstManifest + Manifestations {
		programs = append(programs, g.programName(i))
	}
	for i := range g.box.agendas {
		agendas = append(agendas, g.box.agendas[i].Key)
	}
	return codec.NewCodec(codec.Config[Position]{
		Seats: int(g.players),
		Lists: map[string][]string{
			"step": steps, "phase": phaseNames[:], "faction": typeNames[:Factions], "place": numbers(0, int(g.factions)-1),
			"loot": keys(g.box.loot[:]), "ops": keys(g.box.ops[:]), "manifestation": keys(g.box.manifest[:]), "agenda": agendas,
			"die": numbers(1, Sides), "cell": numbers(0, Cells-1), "arm": armNames[:], "use": useNames[:], "bar": barNames[:],
			"verb": g.box.actions[ActVerb:], "program": programs, "by": endingNames[:],
		},
		Limits: map[string]int{
			"redraws": maxRedraws - 1, "factions": int(g.factions), "vans": int(g.box.pieces.vans), "morale": len(g.box.morale) - 1,
			"cards": numCards, "bonus": maxBonus, "extra": int(g.maxExtraDice()), "jammers": maxJammers, "trades": maxTrades,
			"revealed": maxRevealed,
		},
		Forms: map[string]form{
			"phase":      g.form(func(b Board) any { return phaseNames[b.phaseOf()] }, nil),
			"decision":   g.form(func(b Board) any { return flow.Name(b.Ask, table) }, nil),
			"city":       g.form(Board.writeCity, Board.readCity),
			"first":      g.form(func(b Board) any { return b.word(b.Order(0)) }, nil),
			"active":     g.form(func(b Board) any { return b.word(b.Active()) }, nil),
			"districts":  g.form(Board.writeDistricts, nil),
			"barricades": g.form(Board.writeBarricades, Board.readBarricades),
			"hands":      g.form(Board.writeHands, Board.readHands),
			"known":      g.form(Board.writeKnown, Board.readKnown),
			"agendas":    g.form(Board.writeAgendas, Board.readAgendas),
			"barred":     g.form(Board.writeBarred, Board.readBarred),
			"occupation": g.form(Board.writeOccupation, nil),
			"give":       g.form(func(b Board) any { return b.offerWord(b.Now.Give) }, nil),
			"want":       g.form(func(b Board) any { return b.offerWord(b.Now.Want) }, nil),
			"result":     g.form(Board.writeResult, Board.readResult),
		},
		Nulls: map[string]func(p *Position) bool{
			"idle": func(p *Position) bool {
				return g.Rests(p) && (p.Now.Who == NoFaction || p.Step == menu || table[p.Ask].Do == nil)
			},
			"seen": func(p *Position) bool { return p.Shown == [maxPlayers]Moment{} },
		},
	})
}

// Encode implements flow.Rules. In the JSON of a view hidden cards, agendas and offers are
// "?"; such a document cannot be loaded.
func (g *game) Encode(p *Position) ([]byte, error) { return g.codec.Encode(p) }

// Hash implements flow.Rules.
func (g *game) Hash(p *Position) uint64 { return g.codec.Hash(p) }

// word returns the key of a faction, nil for NoFaction.
func (g *game) word(f FactionID) any {
	if f == NoFaction {
		return nil
	}
	return f.String()
}

func factionList(set factionSet) []string {
	list := []string{}
	for f := range FactionID(Factions) {
		if set>>f&1 != 0 {
			list = append(list, f.String())
		}
	}
	return list
}

// list returns the cells of a set in ascending order.
func (s CellSet) list() []int {
	var cells []int
	for ; s != 0; s &= s - 1 {
		cells = append(cells, int(s.First()))
	}
	return cells
}

// object makes an object of keys and values in turn.
func object(pairs ...any) *codec.Object {
	o := &codec.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// counts writes the counts that are not zero.
func counts(list []uint8, name func(i int) string) map[string]int {
	m := map[string]int{}
	for i, n := range list {
		if n > 0 {
			m[name(i)] = int(n)
		}
	}
	return m
}

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}
