package bloc

import (
	"encoding/json"
	"fmt"

	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// document is the JSON position; README.md describes it field by field. Fields
// that may be left out are pointers, slices or maps, nil then. Objects by faction
// leave out zeroes.
type document struct {
	Phase    *string `json:"phase"`
	Step     *string `json:"step"`
	Decision *string `json:"decision"`

	City    *cityDoc  `json:"city"`
	Redraws int       `json:"redraws"`
	Seats   []*string `json:"seats"`

	Night        int     `json:"night"`
	NightsLeft   int     `json:"nights_left"`
	FirstFaction *string `json:"first_faction"`
	Turn         *int    `json:"turn"`
	Active       *string `json:"active"`

	Districts     map[string]districtDoc `json:"districts"`
	Barricades    []barricadeDoc         `json:"barricades"`
	Staging       *stagingDoc            `json:"staging"`
	VansDestroyed int                    `json:"vans_destroyed"`
	BarricadePile *int                   `json:"barricade_pile"`
	MoraleStep    int                    `json:"morale_step"`
	MetroLockdown *string                `json:"metro_lockdown"`

	Hands         map[string][]string         `json:"hands"`
	Known         []map[string]map[string]int `json:"known"`
	LootDeck      map[string]int              `json:"loot_deck"`
	LootDiscard   map[string]int              `json:"loot_discard"`
	Drawn         map[string]int              `json:"drawn"`
	OpsDeck       map[string]int              `json:"ops_deck"`
	OpsRevealed   []string                    `json:"ops_revealed"`
	OpsDiscard    map[string]int              `json:"ops_discard"`
	Manifestation map[string]int              `json:"manifestations"`
	Agendas       map[string]string           `json:"agendas"`
	BonusDice     map[string]int              `json:"bonus_dice"`

	Dice          []int            `json:"dice"`
	ExtraDice     int              `json:"extra_dice"`
	Uses          map[string]int   `json:"uses"`
	BoltCutters   int              `json:"bolt_cutters"`
	Jammers       int              `json:"jammers"`
	Trades        int              `json:"trades"`
	Barred        map[string][]int `json:"barred"`
	RevealedTotal int              `json:"revealed_total"`

	Pending *pendingDoc  `json:"pending"`
	Shown   []*momentDoc `json:"shown"`
	Result  *resultDoc   `json:"result"`
}

// cityDoc is the list of 25 tiles row by row, null before a tile is laid, or the
// word beginner_city.
type cityDoc struct {
	cells []*cellDoc
	named bool
}

type cellDoc struct {
	Tile     string `json:"tile"`
	Rotation int    `json:"rotation"`
}

// MarshalJSON implements json.Marshaler.
func (c *cityDoc) MarshalJSON() ([]byte, error) { return json.Marshal(c.cells) }

// UnmarshalJSON implements json.Unmarshaler.
func (c *cityDoc) UnmarshalJSON(data []byte) error {
	if string(data) == `"beginner_city"` {
		c.named = true
		return nil
	}
	if len(data) == 0 || data[0] != '[' {
		return fmt.Errorf("%w: city is a list of %d tiles or %q", engine.ErrPosition, numCells, "beginner_city")
	}
	return format.Decode(data, &c.cells)
}

// districtDoc is what is in one district.
type districtDoc struct {
	Blocs      map[string]int `json:"blocs"`
	Attacked   map[string]int `json:"attacked"`
	Cops       int            `json:"cops"`
	Van        *vanDoc        `json:"van"`
	Occupation []string       `json:"occupation"`
	Liberated  *bool          `json:"liberated"`
	Centers    []int          `json:"shopping_centers"`
	Protected  bool           `json:"protected"`
	Cancelled  int            `json:"cancelled"`
	Boost      int            `json:"boost"`
}

// vanDoc is the number of hits that a van has taken; true stands for 0, false for no
// van.
type vanDoc struct {
	hits int
	none bool
}

// MarshalJSON implements json.Marshaler.
func (v *vanDoc) MarshalJSON() ([]byte, error) { return json.Marshal(v.hits) }

// UnmarshalJSON implements json.Unmarshaler.
func (v *vanDoc) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true":
		return nil
	case "false":
		v.none = true
		return nil
	}
	if err := json.Unmarshal(data, &v.hits); err != nil {
		return fmt.Errorf("%w: van is the number of hits, true, false or null", engine.ErrPosition)
	}
	return nil
}

type barricadeDoc struct {
	Cell  int    `json:"cell"`
	Arm   string `json:"arm"`
	Count int    `json:"count"`
}

type stagingDoc struct {
	Cops *int `json:"cops"`
	Vans *int `json:"vans"`
}

// pendingDoc is what has been chosen of something that is not over; see the fields
// of the same names in state.go.
type pendingDoc struct {
	Verb       *string        `json:"verb"`
	Program    *string        `json:"program"`
	Counter    int            `json:"counter"`
	Who        *string        `json:"who"`
	Cell       *int           `json:"cell"`
	From       *int           `json:"from"`
	Count      int            `json:"count"`
	Left       int            `json:"left"`
	Keep       int            `json:"keep"`
	Last       int            `json:"last"`
	Enough     bool           `json:"enough"`
	Occupation *string        `json:"occupation"`
	Basic      bool           `json:"basic"`
	Bonus      int            `json:"bonus"`
	Roll       int            `json:"roll"`
	Order      int            `json:"order"`
	Scan       int            `json:"scan"`
	Decider    *string        `json:"decider"`
	Liberating []string       `json:"liberating"`
	Chooser    *string        `json:"chooser"`
	Lost       map[string]int `json:"lost"`
	Partner    *string        `json:"partner"`
	Give       *string        `json:"give"`
	Want       *string        `json:"want"`
}

type resultDoc struct {
	Winners []string `json:"winners"`
	By      string   `json:"by"`
}

// Encode implements flow.Rules: it writes a position, or a view of one.
func (g *game) Encode(p *position) ([]byte, error) {
	d := document{
		Phase: new(phaseNames[p.phaseOf()]), Step: new(stages[p.step].name), Decision: decisionName(p),
		City: g.writeCity(p), Redraws: int(p.redraws),
		Night: int(p.night), NightsLeft: int(p.nightsLeft), Turn: new(int(p.turn)),
		Districts: g.writeDistricts(p), Barricades: p.writeBarricades(),
		Staging: &stagingDoc{new(int(p.copsLeft)), new(int(p.vansLeft))}, VansDestroyed: int(p.destroyed),
		BarricadePile: new(int(p.pile)), MoraleStep: int(p.moraleStep), MetroLockdown: g.factionName(p.lockdown),
		LootDeck: lootCounts(g.box, p.deck[:]), LootDiscard: lootCounts(g.box, p.discard[:]), Drawn: lootCounts(g.box, p.drawn[:]),
		OpsDeck: counts(p.ops[:], func(i int) string { return g.box.ops[i].Key }), OpsRevealed: []string{},
		OpsDiscard:    counts(p.opsDiscard[:], func(i int) string { return g.box.ops[i].Key }),
		Manifestation: counts(p.manifest[:], func(i int) string { return g.box.manifest[i].Key }),
		Agendas:       map[string]string{}, BonusDice: counts(p.bonusDice[:], g.factionKey),
		Dice: []int{}, ExtraDice: int(p.extraDice), Uses: counts(p.uses[:], func(i int) string { return useNames[i] }),
		BoltCutters: int(p.bolt), Jammers: int(p.jammers), Trades: int(p.trades), Barred: map[string][]int{},
		RevealedTotal: int(p.revealed), Pending: g.writePending(p), Shown: g.writeShown(p),
	}
	if p.firstSeat != noSeat {
		d.FirstFaction = g.factionName(p.seats[p.firstSeat])
	}
	if ph := p.phaseOf(); ph >= inDice && ph <= inOps {
		d.Active = g.factionName(g.order(p, p.turn))
	}
	for seat := range g.factions {
		d.Seats = append(d.Seats, g.factionName(p.seats[seat]))
	}
	for _, card := range p.prefix[:p.prefixSize] {
		d.OpsRevealed = append(d.OpsRevealed, g.box.ops[card].Key)
	}
	for v, n := range p.dice {
		for range n {
			d.Dice = append(d.Dice, v+1)
		}
	}
	for i, cells := range p.barred {
		if cells != 0 {
			d.Barred[barNames[i]] = cells.list()
		}
	}
	if p.ending != undecided {
		d.Result = &resultDoc{g.factionList(p.winners), endingNames[p.ending]}
	}
	g.writeHands(p, &d)
	return format.Encode(d)
}

var (
	useNames = [numUses]string{"assembly_hall", "hacker_space", "propaganda_workshop", "social_center", "molotov_factory"}
	barNames = [numBars]string{"loot", "build", "swap"}
)

// decisionName names the decision or chance event that the position waits for, nil for none.
func decisionName(p *position) *string {
	if name := table[p.Ask].Name; name != "" {
		return &name
	}
	return nil
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

func lootCounts(b *box, list []uint8) map[string]int {
	return counts(list, func(i int) string { return b.loot[i].Key })
}

func (g *game) factionKey(f int) string { return g.box.factions[f].key }

// factionName returns nil for noFaction.
func (g *game) factionName(f uint8) *string {
	if f == noFaction {
		return nil
	}
	return new(g.box.factions[f].key)
}

func (g *game) factionList(set uint8) []string {
	list := []string{}
	for f := range numFactions {
		if set>>f&1 != 0 {
			list = append(list, g.box.factions[f].key)
		}
	}
	return list
}

// list returns the cells of a set in ascending order.
func (s cellSet) list() []int {
	var cells []int
	for ; s != 0; s &= s - 1 {
		cells = append(cells, int(s.first()))
	}
	return cells
}

func (g *game) writeCity(p *position) *cityDoc {
	d := &cityDoc{cells: make([]*cellDoc, numCells)}
	for c, t := range p.tile {
		if t != noTile {
			d.cells[c] = &cellDoc{g.box.tiles[t].Key, int(p.rotation[c])}
		}
	}
	return d
}

// writeDistricts writes the districts of a whole city.
func (g *game) writeDistricts(p *position) map[string]districtDoc {
	m := map[string]districtDoc{}
	for s := p.districts; s != 0; s &= s - 1 {
		c := s.first()
		d := districtDoc{
			Blocs: map[string]int{}, Attacked: map[string]int{}, Cops: int(p.cops[c]), Liberated: new(p.liberated.has(c)),
			Centers:   []int{int(p.centers[0][c]), int(p.centers[1][c]), int(p.centers[2][c])},
			Protected: p.protected.has(c), Cancelled: int(p.cancelled[c]), Boost: int(p.boost[c]),
		}
		for f := range numFactions {
			if n := p.blocs[f][c]; n > 0 {
				d.Blocs[g.factionKey(f)] = int(n)
			}
			if n := p.attacked[f][c]; n > 0 {
				d.Attacked[g.factionKey(f)] = int(n)
			}
		}
		if p.van[c] > 0 {
			d.Van = &vanDoc{hits: int(p.van[c]) - 1}
		}
		if h := p.holder[c]; h > 0 {
			f, k := (h-1)/numOccs, (h-1)%numOccs
			d.Occupation = []string{g.factionKey(int(f)), g.box.factions[f].occs[k].Key}
		}
		m[g.box.tiles[p.tile[c]].Key] = d
	}
	return m
}

// writeBarricades lists the barricades by end; those of a street stand at its lower
// end.
func (p *position) writeBarricades() []barricadeDoc {
	list := []barricadeDoc{}
	for e, n := range p.barricades {
		if n > 0 {
			list = append(list, barricadeDoc{e / numArms, armNames[e%numArms], int(n)})
		}
	}
	return list
}

// writeHands writes hands, agendas and what players know of hands.
func (g *game) writeHands(p *position, d *document) {
	d.Hands = map[string][]string{}
	for seat := range g.factions {
		f := p.seats[seat]
		if f == noFaction {
			continue
		}
		hand := []string{}
		for t, n := range p.hand[f] {
			for range n {
				hand = append(hand, g.box.loot[t].Key)
			}
		}
		for range int(p.handSize[f]) - len(hand) { // in a view
			hand = append(hand, "?")
		}
		d.Hands[g.factionKey(int(f))] = hand
		switch a := p.agenda[f]; a {
		case noAgenda:
		case hiddenAgenda:
			d.Agendas[g.factionKey(int(f))] = "?"
		default:
			d.Agendas[g.factionKey(int(f))] = g.box.agendas[a].Key
		}
	}
	for v := range g.players {
		known := map[string]map[string]int{}
		for f := range numFactions {
			if m := lootCounts(g.box, p.known[v][f][:]); len(m) > 0 {
				known[g.factionKey(f)] = m
			}
		}
		d.Known = append(d.Known, known)
	}
}

// writePending writes what is under way, nil where nothing is.
func (g *game) writePending(p *position) *pendingDoc {
	n := &p.now
	if *n == clearPending && (p.who == noFaction || p.step == menu) {
		return nil
	}
	cell := func(c uint8) *int {
		if c == noCell {
			return nil
		}
		return new(int(c))
	}
	d := &pendingDoc{
		Counter: int(n.counter), Who: g.factionName(p.who), Cell: cell(n.cell), From: cell(n.from), Count: int(n.count),
		Left: int(n.left), Keep: int(n.keep), Last: int(n.last), Enough: n.enough, Basic: n.basic, Bonus: int(n.bonus), Roll: int(n.roll),
		Order: int(n.order), Scan: int(n.scan), Decider: g.factionName(n.decider), Liberating: g.factionList(n.liberating),
		Chooser: g.factionName(n.chooser), Lost: counts(n.lost[:], g.factionKey), Partner: g.factionName(n.partner),
		Give: g.offerName(n.give), Want: g.offerName(n.want),
	}
	if n.verb != noVerb {
		d.Verb = new(g.box.actions[actVerb+int(n.verb)])
	}
	if n.program != noProgram {
		d.Program = new(g.programName(n.program))
	}
	if n.occ != noOcc {
		d.Occupation = new(g.box.factions[p.who].occs[n.occ].Key)
	}
	return d
}

// programName names a card or the verb of an ability.
func (g *game) programName(i program) string {
	switch {
	case i < firstAbility:
		return g.box.loot[i].Key
	case i < firstManifest:
		return g.box.actions[actVerb+int(i-firstAbility)]
	}
	return g.box.manifest[i-firstManifest].Key
}

// offerName names an offer of a trade as the action does, nil before it is made.
func (g *game) offerName(offer uint8) *string {
	switch offer {
	case 0:
		return nil
	case hiddenOffer:
		return new("?")
	}
	return new(g.box.actions[offerAction(offer)])
}
