package insurgency

import (
	format "powderkeg/engine/position"
)

// document is the JSON position; README.md describes it field by field. Fields
// that may be left out are pointers, slices or maps, nil then.
type document struct {
	Scenario *string `json:"scenario"`
	EventTag *string `json:"event_tag"`
	Phase    *string `json:"phase"`
	Decision *string `json:"decision"`
	Round    *int    `json:"round"`
	ToPlay   *string `json:"to_play"`
	PairLeft *int    `json:"cards_left_in_pair"`

	// Board is read only: "empty" lays space over an empty board.
	Board *string              `json:"board,omitempty"`
	Space map[string]*spaceDoc `json:"space"`

	RebelResources   *int    `json:"rebel_resources"`
	FederalResources *int    `json:"federal_resources"`
	RebelReserves    *int    `json:"rebel_reserves"`
	FederalReserves  *int    `json:"federal_reserves"`
	SocialMedia      *string `json:"social_media"`
	RebelUsed        *bool   `json:"rebel_used_social_media"`
	FederalUsed      *bool   `json:"federal_used_social_media"`
	RebelHQ          *hqDoc  `json:"rebel_hq"`
	FederalHQ        *hqDoc  `json:"federal_hq"`

	Momentum      []momentumDoc `json:"momentum"`
	ActiveStories *slotsDoc     `json:"active_stories"`
	Pool          []int         `json:"pool"`
	StoryDiscards []int         `json:"story_discards"`
	StoryDrawn    *int          `json:"story_drawn"`

	RebelHand        []int `json:"rebel_hand"`
	RebelHandKnown   []int `json:"rebel_hand_known"`
	FederalHand      []int `json:"federal_hand"`
	FederalHandKnown []int `json:"federal_hand_known"`
	EventDiscards    []int `json:"event_discards"`
	RemovedEvents    []int `json:"removed_events"`

	ToDeal   *pairDoc    `json:"to_deal"`
	Built    *builtDoc   `json:"spaces_done"`
	Admin    *string     `json:"step"`
	Removal  *removalDoc `json:"removal"`
	Card     *cardDoc    `json:"card"`
	Op       *opDoc      `json:"operation"`
	Event    *eventDoc   `json:"event"`
	News     *newsDoc    `json:"news"`
	Placing  *placingDoc `json:"placing"`
	Testing  *string     `json:"testing"`
	GameOver *overDoc    `json:"game_over"`

	// What follows from the rest; it may be left out, and must agree if it is not.
	VP        *pairDoc  `json:"vp"`
	Stock     *stockDoc `json:"stock"`
	Power     *int      `json:"rebellion_power"`
	RPF       *int      `json:"rpf"`
	Edge      *string   `json:"edge"`
	EventDeck *int      `json:"event_deck"`
	StoryDeck *int      `json:"story_deck"`
}

type spaceDoc struct {
	Status       *string `json:"status"`
	Unrest       *int    `json:"unrest"`
	Agents       *int    `json:"agents"`
	Sleepers     *int    `json:"sleepers"`
	Active       *int    `json:"active"`
	FederalBases *int    `json:"federal_bases"`
	RebelBases   *int    `json:"rebel_bases"`
	// Plague tells where the marker of the event plague is.
	Plague *bool `json:"plague"`
}

type hqDoc struct {
	Hacked  *int `json:"hacked"`
	Shields *int `json:"shields"`
}

type momentumDoc struct {
	Key   string `json:"key"`
	Owner string `json:"owner"`
	// Space is that of the Plague marker, null for other keys.
	Space *string `json:"space"`
}

type slotsDoc struct {
	Slot1 *int `json:"slot1"`
	Slot2 *int `json:"slot2"`
	Slot3 *int `json:"slot3"`
}

type pairDoc struct {
	Rebel   int `json:"rebel"`
	Federal int `json:"federal"`
}

type builtDoc struct {
	Rebel   bool `json:"rebel"`
	Federal bool `json:"federal"`
}

type stockDoc struct {
	Agents       int `json:"agents"`
	Militia      int `json:"militia"`
	FederalBases int `json:"federal_bases"`
	RebelBases   int `json:"rebel_bases"`
}

// removalDoc is a voluntary removal (R3.5): the last one before this card, and
// whether another is under way.
type removalDoc struct {
	LastSpace *string `json:"last_space"`
	LastPiece *string `json:"last_piece"`
	Asking    bool    `json:"asking"`
	From      *string `json:"from"`
}

type cardDoc struct {
	Number    int     `json:"number"`
	Mode      *string `json:"mode"`
	Part      int     `json:"part"`
	Operation *string `json:"operation"`
}

// opDoc is the operation that is being carried out.
type opDoc struct {
	Kind     string     `json:"kind"`
	Stage    string     `json:"stage"`
	Side     *string    `json:"side"`
	Ops      int        `json:"ops"`
	Free     bool       `json:"free"`
	NoUnrest bool       `json:"no_unrest"`
	NoArrest bool       `json:"no_arrest"`
	Ignore   bool       `json:"ignore_shield"`
	Margin   *int       `json:"agents_over_militia"`
	Limit    *int       `json:"max_spaces"`
	Within   []string   `json:"within"`
	Picks    []string   `json:"picks"`
	Todo     []string   `json:"todo"`
	Type     *string    `json:"type"`
	Selected []string   `json:"selections"`
	Rolled   int        `json:"rolled"`
	Rolls    int        `json:"rolls_left"`
	Choices  int        `json:"choices_left"`
	At       int        `json:"selection"`
	Dice     int        `json:"dice_left"`
	Hits     int        `json:"hits"`
	From     *string    `json:"from"`
	To       *string    `json:"to"`
	Sleepers int        `json:"sleepers"`
	Groups   []groupDoc `json:"groups"`
	Moved    int        `json:"moved"`
	Budget   int        `json:"attack_budget"`

	AgentsLeft int  `json:"agents_left"`
	BaseChosen bool `json:"base_chosen"`
}

type groupDoc struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Units  int    `json:"units"`
	Active int    `json:"active"`
}

// eventDoc is the event of the running card.
type eventDoc struct {
	Instruction int        `json:"instruction"`
	Stage       string     `json:"stage"`
	Selected    []string   `json:"selected"`
	Todo        []string   `json:"todo"`
	Named       [][]string `json:"named"`
	Left        int        `json:"left"`
	Sum         int        `json:"sum"`
	Stored      int        `json:"stored"`
	From        *string    `json:"from"`
	To          *string    `json:"to"`
}

type newsDoc struct {
	Do       string `json:"do"`
	By       string `json:"by"`
	Stage    int    `json:"stage"`
	Left     int    `json:"left"`
	Optional bool   `json:"optional"`
}

type placingDoc struct {
	Kind  string `json:"kind"`
	Side  string `json:"side"`
	Space string `json:"space"`
	Left  int    `json:"left"`
}

type overDoc struct {
	Winner   string `json:"winner"`
	By       string `json:"by"`
	Decisive bool   `json:"decisive"`
}

// MarshalJSON implements engine.State. In a view the hidden cards of a hand are 0;
// such a document shows a table and cannot be loaded.
func (s *State) MarshalJSON() ([]byte, error) { return s.g.encode(&s.p) }

// encode writes a position, or a view of one.
func (g *game) encode(p *position) ([]byte, error) {
	d := document{
		Scenario: new(scenarioNames[g.scenario]), EventTag: new(g.keepTag),
		Phase: new(phaseNames[p.phase]), Round: new(int(p.round)), PairLeft: new(int(p.pairLeft)),
		Space:          map[string]*spaceDoc{},
		RebelResources: new(int(p.resources[rebel])), FederalResources: new(int(p.resources[federal])),
		RebelReserves: new(int(p.reserves[rebel])), FederalReserves: new(int(p.reserves[federal])),
		SocialMedia: new(smNames[p.social]), RebelUsed: new(p.smUsed[rebel]), FederalUsed: new(p.smUsed[federal]),
		RebelHQ:   &hqDoc{new(int(p.hacked[rebel])), new(int(p.shields[rebel]))},
		FederalHQ: &hqDoc{new(int(p.hacked[federal])), new(int(p.shields[federal]))},
		Momentum:  []momentumDoc{}, Pool: stories(p.pool), StoryDiscards: stories(p.storyDiscard), StoryDrawn: optional(p.drawn),
		ActiveStories: &slotsDoc{optional(p.slots[0]), optional(p.slots[1]), optional(p.slots[2])},
		EventDiscards: cards(p.discards, 0), RemovedEvents: cards(p.removed, 0),
	}
	if p.ask != askNothing {
		d.Decision = new(p.ask.String())
	}
	if p.phase <= setUpUnits || p.phase == actionPhase {
		d.ToPlay = new(sideNames[p.side])
	}
	for i := range uint8(numSpaces) {
		d.Space[g.box.ids[i]] = p.writeSpace(i)
	}
	for k := range numMomentum {
		if p.has(k) {
			m := momentumDoc{Key: momentumNames[k], Owner: sideNames[p.owners>>k&1]}
			if k == Plague {
				m.Space = g.id(p.plague)
			}
			d.Momentum = append(d.Momentum, m)
		}
	}
	d.RebelHand, d.RebelHandKnown = cards(p.hand[rebel], p.handSize[rebel]), cards(p.known[rebel], 0)
	d.FederalHand, d.FederalHandKnown = cards(p.hand[federal], p.handSize[federal]), cards(p.known[federal], 0)
	g.writeFrames(p, &d)
	g.writeDerived(p, &d)
	return format.Encode(d)
}

func (p *position) writeSpace(i uint8) *spaceDoc {
	return &spaceDoc{
		Status: new(statusNames[p.status[i]]), Unrest: new(int(p.unrest[i])), Agents: new(int(p.agents[i])),
		Sleepers: new(int(p.sleepers[i])), Active: new(int(p.active[i])),
		FederalBases: new(int(p.fedBases[i])), RebelBases: new(int(p.rebBases[i])), Plague: new(i == p.plague),
	}
}

// optional returns nil for 0.
func optional(n uint8) *int {
	if n == 0 {
		return nil
	}
	return new(int(n))
}

// id returns the name of a space, nil for noSpace.
func (g *game) id(i uint8) *string {
	if i == noSpace {
		return nil
	}
	return new(g.box.ids[i])
}

// names lists the spaces of a set.
func (g *game) names(set spaceSet) []string {
	list := []string{}
	for ; set != 0; set &= set - 1 {
		list = append(list, g.box.ids[set.first()])
	}
	return list
}

// cards lists a set, with zeroes up to size.
func cards(set cardSet, size uint8) []int {
	list := []int{}
	for n := set.next(0); n != 0; n = set.next(n) {
		list = append(list, int(n))
	}
	for len(list) < int(size) {
		list = append(list, 0)
	}
	return list
}

func stories(set storySet) []int {
	list := []int{}
	for ; set != 0; set &= set - 1 {
		list = append(list, int(set.first()))
	}
	return list
}

// writeDerived writes what follows from the rest.
func (g *game) writeDerived(p *position, d *document) {
	d.VP = &pairDoc{g.vp(p, rebel), g.vp(p, federal)}
	d.Stock = &stockDoc{int(g.stock(p, agent)), int(g.stock(p, militia)), int(g.stock(p, federalBase)), int(g.stock(p, rebelBase))}
	d.Power, d.RPF, d.Edge = new(int(g.power(p))), new(int(g.rpf(p))), new(sideNames[g.edge(p)])
	d.EventDeck, d.StoryDeck = new(p.deckSize()), new(p.storyDeck().count())
}

// writeFrames writes what is going on.
func (g *game) writeFrames(p *position, d *document) {
	d.ToDeal = &pairDoc{int(p.toDeal[rebel]), int(p.toDeal[federal])}
	d.Built = &builtDoc{p.setUp.done[rebel], p.setUp.done[federal]}
	d.Testing = g.id(p.testing)
	if p.phase == administration {
		d.Admin = new(adminNames[p.adminDue])
	}
	f := &p.play
	if f.removing || f.lastSpace != 0 || f.lastPiece != 0 {
		d.Removal = &removalDoc{LastSpace: g.id(f.lastSpace), LastPiece: new(pieceNames[f.lastPiece]), Asking: f.removing, From: g.id(f.removeFrom)}
	}
	if f.card != 0 {
		d.Card = &cardDoc{Number: int(f.card), Part: int(f.part)}
		if f.mode != noMode {
			d.Card.Mode = new(modeNames[f.mode])
		}
		if f.operation != noOp {
			d.Card.Operation = new(opNames[f.operation])
		}
	}
	if p.op.kind != noOp {
		d.Op = g.writeOperation(&p.op)
	}
	if p.event.card != 0 {
		d.Event = g.writeEvent(&p.event)
	}
	if n := &p.news; n.do != newsNone {
		d.News = &newsDoc{newsNames[n.do], sideNames[n.by], int(n.stage), int(n.n), n.optional}
	}
	if c := &p.placing; c.kind != placeNothing {
		d.Placing = &placingDoc{placingNames[c.kind], sideNames[c.side], g.box.ids[c.at], int(c.left)}
	}
	if p.winner != nobody {
		d.GameOver = &overDoc{sideNames[p.winner], causeNames[p.cause], p.decisive}
	}
}

var pieceNames = []string{"agent", "sleeper", "active", "base"}

func (g *game) writeOperation(f *opFrame) *opDoc {
	d := &opDoc{
		Kind: opNames[f.kind], Stage: opStageNames[f.stage], Side: new(sideNames[f.side]), Ops: int(f.ops),
		Free: f.free, NoUnrest: f.noUnrest, NoArrest: f.noArrest, Ignore: f.ignore, Margin: new(int(f.margin)),
		Picks: g.names(f.picks), Todo: g.names(f.todo), Selected: []string{}, Rolled: int(f.rolled), Rolls: int(f.rolls),
		Choices: int(f.choices), At: int(f.at), Dice: int(f.dice), Hits: int(f.hits), Sleepers: int(f.sleepers),
		Groups: []groupDoc{}, Moved: int(f.moved), Budget: int(f.budget), AgentsLeft: int(f.agentsLeft), BaseChosen: f.baseChosen,
	}
	if f.limit != noLimit {
		d.Limit = new(int(f.limit))
	}
	if f.within != everywhere {
		d.Within = g.names(f.within)
	}
	if f.stage >= netRolling && f.stage <= netApplying {
		d.Type = new(kindNames[f.typ])
	}
	for _, i := range f.selected[:f.count] {
		d.Selected = append(d.Selected, g.box.ids[i])
	}
	if f.stage >= moveTo && f.stage <= moveActive {
		d.From = g.id(f.from)
	}
	if f.stage == moveUnits || f.stage == moveActive {
		d.To = g.id(f.to)
	}
	for _, gr := range f.groups[:f.numGroups] {
		d.Groups = append(d.Groups, groupDoc{g.box.ids[gr.from], g.box.ids[gr.to], int(gr.units), int(gr.active)})
	}
	return d
}

func (g *game) writeEvent(f *eventFrame) *eventDoc {
	d := &eventDoc{
		Instruction: int(f.pc), Stage: stageNames[f.stage], Selected: g.names(f.cur), Todo: g.names(f.todo),
		Left: int(f.left), Sum: int(f.sum), Stored: int(f.stored),
	}
	for _, set := range f.named {
		d.Named = append(d.Named, g.names(set))
	}
	from, to := g.eventSpaces(f)
	if from {
		d.From = g.id(f.from)
	}
	if to {
		d.To = g.id(f.to)
	}
	return d
}

// eventSpaces tells which of the single spaces of an event frame mean something.
func (g *game) eventSpaces(f *eventFrame) (from, to bool) {
	in := g.instruction(f)
	switch {
	case in == nil:
	case in.Op == opRelocate:
		return f.stage >= stageEffect, f.stage >= stageEffect
	case in.Op == opConvert:
		return f.stage == stageMore, false
	case in.split():
		return false, f.stage != stageBegin && f.left < in.most()
	}
	return false, false
}
