package minuteman

import (
	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// document is the JSON position; README.md describes it field by field. Fields
// that may be left out with a default of their own are pointers or slices, nil
// then.
type document struct {
	Phase      *string        `json:"phase"`
	Decision   *string        `json:"decision"`
	Turn       int            `json:"turn"`
	Units      []unitEntryDoc `json:"units"`
	Riots      []string       `json:"riots"`
	Unrest     []string       `json:"unrest"`
	Informers  []string       `json:"informers"`
	Revolution int            `json:"revolution_turn"`
	Track      int            `json:"build_track"`
	Hands      []handDoc      `json:"hands"`
	HandSizes  []int          `json:"hand_sizes"`
	Pool       *handDoc       `json:"pool"`
	Due        []int          `json:"reinforcements_due"`
	Committed  int            `json:"committed"`
	AirRail    *int           `json:"air_rail_halves"`
	Assaults   int            `json:"assaults_done"`
	Foreign    foreignDoc     `json:"foreign"`
	Sides      []int          `json:"country_sides"`
	Built      []bool         `json:"country_built"`
	Players    playersDoc     `json:"players"`
	Flow       *flowDoc       `json:"flow"`
	Set        setDoc         `json:"set_up"`
	Draw       *drawDoc       `json:"draw"`
	Build      *buildDoc      `json:"build"`
	Move       *moveDoc       `json:"move"`
	Kill       *killDoc       `json:"assassination"`
	Combat     *combatDoc     `json:"combat"`
	Rising     *risingDoc     `json:"rising"`
	Proposal   *proposalDoc   `json:"proposal"`
	Result     *resultDoc     `json:"result"`
}

// unitEntryDoc is one unit, in order of hexes and of arrival.
type unitEntryDoc struct {
	Unit    string   `json:"unit"`
	Hex     string   `json:"hex"`
	Step    *int     `json:"step,omitempty"`
	Counter string   `json:"counter,omitempty"`
	CanBe   []string `json:"can_be,omitempty"`
	Marks   []string `json:"marks,omitempty"`
}

var markNames = []string{"underground", "untried", "pinned", "rebel_held", "front_line", "air_rail", "moved", "acted",
	"attacked", "advanced", "fought", "placed_now", "no_rail"}

type handDoc struct {
	Assassin  int `json:"assassin"`
	Betrayal  int `json:"betrayal"`
	Organizer int `json:"organizer"`
	Passage   int `json:"passage"`
}

type foreignDoc struct {
	Seat  *int   `json:"seat"`
	Stage string `json:"stage"`
	Left  int    `json:"movement_phases_left"`
	Count int    `json:"divisions"`
	Place int    `json:"place"`
}

type playersDoc struct {
	Government  int         `json:"government"`
	Order       []int       `json:"order"`
	Federalized *int        `json:"federalized"`
	FedTurn     int         `json:"federalized_turn"`
	Pact        *int        `json:"pact"`
	Eliminated  []int       `json:"eliminated"`
	Truces      [][]int     `json:"truces"`
	Targets     []targetDoc `json:"targets"`
	Ranks       []int       `json:"ranks"`
	Rolls       []int       `json:"rolls"`
	Lot         *int        `json:"lot"`
	Ties        []int       `json:"ties"`
	Original    *bool       `json:"original_government"`
}

// targetDoc is a TARGET that a seat has named.
type targetDoc struct {
	By   int `json:"by"`
	Seat int `json:"seat"`
}

// flowDoc is how far the phase and the chain of the decision under way have come.
type flowDoc struct {
	Step      int      `json:"step"`
	Count     int      `json:"count"`
	Window    int      `json:"window"`
	Part      int      `json:"part"`
	Seat      *int     `json:"seat"`
	Die       int      `json:"die"`
	Hex       *string  `json:"hex"`
	Class     int      `json:"class"`
	Country   int      `json:"country"`
	LastHex   int      `json:"last_hex"`
	LastClass int      `json:"last_class"`
	Placed    int      `json:"placed"`
	Late      bool     `json:"late"`
	Refused   bool     `json:"refused"`
	Picks     []int    `json:"picks"`
	Before    []string `json:"riots_before"`
	ToDo      []string `json:"riots_to_do"`
	Tried     []string `json:"tried_abroad"`
}

type setDoc struct {
	Queue []string `json:"queue"`
	Chits []int    `json:"chits"`
	Rows  int      `json:"rows"`
}

type drawDoc struct {
	Groups []string `json:"groups"`
	Hex    *string  `json:"hex"`
	Marks  []string `json:"marks"`
	Event  string   `json:"event"`
}

type buildDoc struct {
	Stage      string   `json:"stage"`
	Seat       int      `json:"seat"`
	Builder    *string  `json:"builder"`
	Hex        string   `json:"hex"`
	Helpers    []string `json:"helpers"`
	Organizers int      `json:"organizers"`
	Points     int      `json:"points"`
	React      int      `json:"react"`
	Free       bool     `json:"free"`
	NewNetwork bool     `json:"new_network"`
}

type moveDoc struct {
	Stage string  `json:"stage"`
	Unit  string  `json:"unit"`
	Dest  *string `json:"destination"`
	Mode  string  `json:"mode"`
	Shown int     `json:"passage"`
	Price int     `json:"price"`
}

type killDoc struct {
	Stage  string  `json:"stage"`
	Seat   int     `json:"seat"`
	N      int     `json:"markers"`
	Class  int     `json:"class"`
	Hex    *string `json:"hex"`
	Player *int    `json:"player"`
}

type combatDoc struct {
	Stage         string   `json:"stage"`
	Kind          string   `json:"attack"`
	Seat          int      `json:"seat"`
	Victim        *int     `json:"victim"`
	Target        *string  `json:"target"`
	Attackers     []string `json:"attackers"`
	Defenders     []string `json:"defenders"`
	Partner       int      `json:"partner"`
	Exposed       bool     `json:"exposed"`
	Riot          bool     `json:"riot"`
	Informer      bool     `json:"informer"`
	Ruthless      bool     `json:"ruthless"`
	Betrayed      bool     `json:"betrayed"`
	Shown         int      `json:"shown"`
	React         int      `json:"react"`
	AttackerLoses bool     `json:"attacker_loses"`
	Retreats      bool     `json:"retreats"`
	Pending       []string `json:"to_retreat"`
	Retreater     *string  `json:"retreating"`
	Zone          *string  `json:"zone"`
	Left          int      `json:"left"`
	Vacated       int      `json:"vacated"`
	Bared         int      `json:"bared"`
	Passed        []int    `json:"passed"`
}

type risingDoc struct {
	Stage   string  `json:"stage"`
	Seat    int     `json:"seat"`
	Answers *int    `json:"answers"`
	Army    *string `json:"army"`
}

type proposalDoc struct {
	Verb string `json:"verb"`
	To   int    `json:"to"`
	Sent bool   `json:"sent"`
}

type resultDoc struct {
	Level   int    `json:"level"`
	By      string `json:"by"`
	Winners []int  `json:"winners"`
}

// MarshalJSON implements engine.State: every field of the position.
func (s *State) MarshalJSON() ([]byte, error) { return s.g.encode(&s.p) }

// encode writes a position, or a view of one.
func (g *game) encode(p *position) ([]byte, error) {
	w := writer{g, p}
	ph := phaseNames[p.phase]
	d := document{
		Phase: &ph, Turn: int(p.turn), Units: w.units(), Revolution: int(p.revTurn), Track: int(p.track),
		Riots: w.cities(&p.riot), Informers: w.cities(&p.informer), Unrest: w.hexes(&p.unrest),
		Committed: int(p.commit), Assaults: int(p.assaults),
		Foreign: foreignDoc{seatOf(p.foreignSeat), foreignStageNames[p.foreignStage], int(p.foreignLeft), int(p.foreignCount), int(p.foreignPlace)},
		Players: w.players(), Flow: w.flow(),
	}
	if q := askNames[p.ask]; q != "" {
		d.Decision = &q
	}
	rail := int(p.airRail)
	d.AirRail = &rail
	for i := range g.seats {
		d.Hands = append(d.Hands, toHand(p.hand[i]))
		d.HandSizes = append(d.HandSizes, int(p.handSize[i]))
		d.Due = append(d.Due, int(p.due[i]))
	}
	pool := toHand(p.pool)
	d.Pool = &pool
	for c := range numCountries {
		d.Sides = append(d.Sides, int(p.sides[c]))
		d.Built = append(d.Built, p.built[c])
	}
	d.Set.Queue = []string{}
	for _, c := range p.queue[:p.queued] {
		d.Set.Queue = append(d.Set.Queue, w.counter(c))
	}
	for _, n := range p.chits {
		d.Set.Chits = append(d.Set.Chits, int(n))
	}
	d.Set.Rows = int(p.rows)
	w.machines(&d)
	if p.phase == over {
		d.Result = &resultDoc{int(p.result), causeNames[p.cause], seatsOf(p.winners)}
	}
	return format.Encode(d)
}

// writer turns parts of a position into those of a document.
type writer struct {
	g *game
	p *position
}

func seatOf(s uint8) *int {
	if s >= maxSeats {
		return nil
	}
	n := int(s)
	return &n
}

func seatsOf(set uint8) []int {
	list := []int{}
	for s := range maxSeats {
		if set>>s&1 != 0 {
			list = append(list, s)
		}
	}
	return list
}

func toHand(n [numMarkers]uint8) handDoc {
	return handDoc{int(n[assassin]), int(n[betrayal]), int(n[organizer]), int(n[passage])}
}

func (w writer) hex(h int16) *string {
	if h == noHex {
		return nil
	}
	return &w.g.hexes[h].id
}

func (w writer) unit(u uint8) *string {
	if u == noUnit {
		return nil
	}
	return &w.g.name[u]
}

func (w writer) hexes(s *hexSet) []string {
	list := []string{}
	for h := s.next(0); h != noHex; h = s.next(h + 1) {
		list = append(list, w.g.hexes[h].id)
	}
	return list
}

func (w writer) cities(s *citySet) []string {
	list := []string{}
	for c := s.next(0); c != noCity; c = s.next(c + 1) {
		list = append(list, w.g.hexes[w.g.cityHex[c]].id)
	}
	return list
}

func (w writer) set(s *unitSet) []string {
	list := []string{}
	for u := s.next(0); u != noUnit; u = s.next(u + 1) {
		list = append(list, w.g.name[u])
	}
	return list
}

func (w writer) marks(m mark) []string {
	var list []string
	for i, name := range markNames {
		if m>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return list
}

// counter names a counter; one that a view hides is shown by its group.
func (w writer) counter(c uint8) string {
	if c&hiddenCounter != 0 {
		return "?" + groupNames[w.g.masked[c&^hiddenCounter].group]
	}
	return w.g.masked[c].id
}

func (w writer) units() []unitEntryDoc {
	list := []unitEntryDoc{}
	for h := w.p.occupied.next(0); h != noHex; h = w.p.occupied.next(h + 1) {
		for u := w.p.head[h]; u != noUnit; u = w.p.units[u].next {
			x := &w.p.units[u]
			e := unitEntryDoc{Unit: w.g.name[u], Hex: w.g.hexes[h].id, Marks: w.marks(x.marks)}
			if k := w.g.kind[u]; k == militia || k == army {
				i := u - milFirst
				e.Counter = w.counter(w.p.counter[i])
				gr := w.g.groupOf(w.p, u)
				for c := range w.g.groupSize[gr] {
					if w.p.cand[i]>>c&1 != 0 {
						e.CanBe = append(e.CanBe, w.g.masked[w.g.groupFirst[gr]+c].id)
					}
				}
			} else {
				step := int(x.step)
				e.Step = &step
			}
			list = append(list, e)
		}
	}
	return list
}

func (w writer) players() playersDoc {
	p := w.p
	d := playersDoc{Government: int(p.gov), Order: []int{}, Federalized: seatOf(p.fed), FedTurn: int(p.fedTurn), Pact: seatOf(p.pact),
		Eliminated: seatsOf(p.gone), Truces: [][]int{}, Targets: []targetDoc{}, Lot: seatOf(p.lot), Ties: seatsOf(p.ties), Original: &p.original}
	for _, s := range p.order {
		if s != noSeat {
			d.Order = append(d.Order, int(s))
		}
	}
	for a := range uint8(maxSeats) {
		for b := a + 1; b < maxSeats; b++ {
			if p.truces>>pairOf(a, b)&1 != 0 {
				d.Truces = append(d.Truces, []int{int(a), int(b)})
			}
		}
		if p.named[a] != noSeat {
			d.Targets = append(d.Targets, targetDoc{int(a), int(p.named[a])})
		}
	}
	for i := range w.g.seats {
		d.Ranks = append(d.Ranks, int(p.rank[i]))
		d.Rolls = append(d.Rolls, int(p.roll[i]))
	}
	return d
}

func (w writer) flow() *flowDoc {
	p := w.p
	return &flowDoc{Step: int(p.step), Count: int(p.count), Window: int(p.window), Part: int(p.part), Seat: seatOf(p.seat), Die: int(p.die),
		Hex: w.hex(p.selHex), Class: int(p.selClass), Country: int(p.selPlayer), LastHex: int(p.lastHex), LastClass: int(p.lastClass),
		Placed: int(p.placed), Late: p.late, Refused: p.refused, Picks: seatsOf(p.picks),
		Before: w.cities(&p.riotsBefore), ToDo: w.cities(&p.riotsToDo), Tried: w.cities(&p.tried)}
}

// machines writes what is under way.
func (w writer) machines(d *document) {
	g, p := w.g, w.p
	if p.draw.groups != 0 {
		d.Draw = &drawDoc{Hex: w.hex(p.draw.hex), Marks: w.marks(p.draw.marks), Event: askNames[p.draw.ask]}
		for gr, name := range groupNames {
			if p.draw.groups>>gr&1 != 0 {
				d.Draw.Groups = append(d.Draw.Groups, name)
			}
		}
	}
	if b := &p.build; b.stage != buildNone {
		d.Build = &buildDoc{buildStageNames[b.stage], int(b.seat), w.unit(b.builder), *w.hex(b.hex), w.set(&b.helpers),
			int(b.markers), int(b.points), int(b.react), b.free, b.newNet}
	}
	if m := &p.move; m.stage != moveNone {
		d.Move = &moveDoc{moveStageNames[m.stage], g.name[m.unit], w.hex(m.dest), g.actions[m.mode], int(m.shown), int(m.price)}
	}
	if k := &p.kill; k.stage != killNone {
		d.Kill = &killDoc{killStageNames[k.stage], int(k.seat), int(k.n), int(k.class), w.hex(k.hex), seatOf(k.player)}
	}
	if c := &p.combat; c.stage != combatNone {
		d.Combat = &combatDoc{combatStageNames[c.stage], attackNames[c.kind], int(c.seat), seatOf(c.victim), w.hex(c.target),
			w.set(&c.attackers), w.set(&c.defenders), int(c.partner), c.exposed, c.riot, c.informer, c.ruthless, c.betrayed,
			int(c.shown), int(c.react), c.attackerLoses, c.retreats, w.set(&c.pending), w.unit(c.retreater), w.hex(c.zone), int(c.left), int(c.vacated), int(c.bared), seatsOf(c.passed)}
	}
	if r := &p.rising; r.stage != risingNone {
		d.Rising = &risingDoc{risingStageNames[r.stage], int(r.seat), seatOf(r.answers), w.unit(r.army)}
	}
	if p.propose.kind != 0 {
		d.Proposal = &proposalDoc{g.actions[p.propose.kind], int(p.propose.to), p.propose.stage != 0}
	}
}

// Load implements engine.Game.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	p, decision, err := g.read(data, how)
	if err != nil {
		return nil, err
	}
	if err := g.validate(&p); err != nil {
		return nil, err
	}
	if err := g.validateFlow(&p); err != nil {
		return nil, err
	}
	s := &State{g: g, p: p}
	if !g.settle(&s.p, nil) {
		return nil, wrong("nothing is possible at %s: the parts of the position do not fit together", askNames[s.p.ask])
	}
	if decision != nil && *decision != askNames[s.p.ask] {
		return nil, wrong("decision is %s, but the position waits for %q", *decision, askNames[s.p.ask])
	}
	// A position that names its decision must wait for it as it stands.
	if p.ask, p.actor = s.p.ask, s.p.actor; decision != nil && p.hash() != s.p.hash() {
		return nil, wrong("decision %s is not reached as the position stands: something in it would be carried out first", *decision)
	}
	return s, nil
}
