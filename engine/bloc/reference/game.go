package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Options are those of the game string.
type Options struct {
	Scenario, Mode, Ops string // Mode and Ops may be "usual"
	Players             int
	City                string // "random", "beginner", or 25 of tile:rotation joined by +
	Overpass, Auto      bool
}

// Text is the game string.
func (o Options) Text() string {
	return fmt.Sprintf("bloc(scenario=%s,players=%d,mode=%s,ops_difficulty=%s,city=%s,use_overpass=%t,auto_forced=%t)",
		o.Scenario, o.Players, o.Mode, o.Ops, o.City, o.Overpass, o.Auto)
}

// Question is a decision (D1 to D33) or a chance event (C1 to C15).
type Question struct {
	Name string
	// Player answers; -1 is chance, and then Weights has the odds of the options.
	Player  int
	Faction string
	Options []string
	Weights []int
}

// Host answers the questions of a game.
type Host interface{ Ask(q Question) string }

// Game is a game in play.
type Game struct {
	rules    *Rules
	options  Options
	scenario scenario
	host     Host
	marks    map[string]int

	phase   string
	city    []laid
	redraws int
	roads   []*connection
	at      map[int]*district // by cell
	list    []*district       // in the order of their cells

	seats         []string
	night, nights int // nights left, the one that is played included
	first         string
	turn          int // turns of the night that are over
	active        string

	cops, vans, destroyed, pile int // cops and vans in staging
	morale                      int
	metro                       string // the faction before which the Metro Lockdown lies
	metroNight                  int    // the night in which it was drawn

	hands         map[string]map[string]int
	known         []map[string]map[string]int // by player: what it is sure of in others' hands
	loot, looted  map[string]int              // deck and discard pile
	drawn         map[string]int
	ops, opsOut   map[string]int // the unknown part of the deck, and the discard pile
	revealed      []string       // the known top of the deck
	shows         map[string]int // manifestation cards not turned up
	agendas       map[string]string
	bonus         map[string]int
	dice          []int
	extra         int
	uses          map[string]int
	bolt          int
	jammers       int
	trades        int
	barred        map[string]map[int]bool
	revealedTotal int
	pending       pending
	winners       []string
	by            string
}

type occupation struct{ faction, kind string }

type district struct {
	tile
	cell       int
	arms       [4]*connection // by arm
	near       []*district    // adjacent ones (R3.4), in ascending order of their cells
	blocs      map[string]int
	attacked   map[string]int
	cops       int
	van        int // hits taken, -1 for no van
	occupation *occupation
	liberated  bool
	shops      [3]int // unlooted, graffitied, burned
	protected  bool
	cancelled  int // cops whose attacks are void
	boost      int
}

// pending is what is under way, for the comparison of positions.
type pending struct {
	verb, program, who, decider, chooser, partner, give, want, occupation string
	cell, from, site                                                      int // -1 for none
	blocs, kicks, bonus, roll                                             int
	basic                                                                 bool
	liberating                                                            []string
	lost                                                                  map[string]int
}

var nothing = pending{cell: -1, from: -1, site: -1}

// New prepares a game.
func New(r *Rules, o Options, host Host, marks map[string]int) (*Game, error) {
	s, err := r.scenario(o.Scenario, o.Players)
	if err != nil {
		return nil, err
	}
	g := &Game{rules: r, options: o, scenario: s, host: host, marks: marks}
	g.mark("scenario " + o.Scenario)
	return g, nil
}

// mark notes that a rule, or a part of it, was exercised.
func (g *Game) mark(rule string) { g.marks[rule]++ }

// markIf notes it if the condition holds.
func (g *Game) markIf(condition bool, rule string) {
	if condition {
		g.marks[rule]++
	}
}

// Play plays the game to its end.
func (g *Game) Play() {
	g.setUp()
	for g.beginNight(); ; g.beginNight() {
		g.playNight(0)
		if g.sunrise(); g.by != "" {
			return
		}
	}
}

func (g *Game) beginNight() { g.night, g.turn = g.night+1, 0 }

// playNight plays the turns of a night from one on (R4.1).
func (g *Game) playNight(from int) {
	order := g.order()
	for g.turn = from; g.turn < len(order); g.turn++ {
		g.takeTurn(order[g.turn])
	}
}

// order is the order of the turns in this night (R4.1).
func (g *Game) order() []string {
	i := slices.Index(g.seats, g.first)
	return slices.Concat(g.seats[i:], g.seats[:i])
}

// player is who decides for a faction (R2.7).
func (g *Game) player(f string) int {
	seat := slices.Index(g.seats, f)
	if g.options.Players == 2 {
		return seat % 2
	}
	return seat
}

// ask puts a decision to a faction. A forced one is made unasked if that is an option and
// everybody can tell that it is forced (R13.1).
func (g *Game) ask(name, f string, options []string) string {
	if len(options) == 0 {
		panic(name + " without an option")
	}
	g.mark("decision " + name)
	if g.options.Auto && len(options) == 1 && g.publiclyForced(name, f) {
		g.mark("R13.1 forced")
		return options[0]
	}
	answer := g.host.Ask(Question{Name: name, Player: g.player(f), Faction: f, Options: options})
	if !slices.Contains(options, answer) {
		panic(fmt.Sprintf("%q is no option of %s", answer, name))
	}
	g.mark("action " + answer)
	return answer
}

// publiclyForced reports whether everybody can tell that a decision with one option has
// just one (R13.1).
func (g *Game) publiclyForced(name, f string) bool {
	cards := size(g.hands[f])
	switch name {
	case "D16", "D22":
		return false
	case "D2":
		return cards == 0
	case "D17", "D20", "D23":
		return cards <= 1
	}
	return true
}

// chance draws one of the things with odds in the ratio of their weights, without an event
// if everybody is sure of it.
func (g *Game) chance(name, prefix string, weights map[string]int, sure bool) string {
	things := slices.Sorted(maps.Keys(positive(weights)))
	if len(things) == 0 {
		panic(name + " without an outcome")
	}
	if sure {
		return things[0]
	}
	q := Question{Name: name, Player: -1}
	for _, thing := range things {
		q.Options = append(q.Options, prefix+strings.ToUpper(thing))
		q.Weights = append(q.Weights, weights[thing])
	}
	g.mark("chance " + name)
	return things[slices.Index(q.Options, g.host.Ask(q))]
}

// one reports whether all things are of one kind.
func one(m map[string]int) bool { return len(positive(m)) == 1 }

func positive(m map[string]int) map[string]int {
	out := map[string]int{}
	for k, n := range m {
		if n > 0 {
			out[k] = n
		}
	}
	return out
}

func size(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

// cells lists the districts in ascending order of their cells.
func (g *Game) cells() []*district { return g.list }

// byID lists the districts in ascending order of their police IDs.
func (g *Game) byID() []*district {
	list := slices.Clone(g.list)
	slices.SortFunc(list, func(a, b *district) int { return a.ID - b.ID })
	return list
}

func (d *district) name() string { return fmt.Sprint("CELL_", d.cell) }

func names(list []*district) (out []string) {
	for _, d := range list {
		out = append(out, d.name())
	}
	return out
}

// where returns the district of an answer.
func (g *Game) where(answer string) *district {
	var cell int
	if _, err := fmt.Sscanf(answer, "CELL_%d", &cell); err != nil {
		panic(err)
	}
	return g.at[cell]
}

func (d *district) police() bool { return d.cops > 0 || d.van >= 0 }

func (d *district) allBlocs() int { return size(d.blocs) }

// difficulty is that of the side lying up (R5.2).
func (d *district) difficulty() int {
	if d.liberated {
		return *d.Liberated
	}
	return *d.Repressed
}

// needed is how many blocs liberate the district (R9.5).
func (d *district) needed() int { return 2 * *d.Repressed }

func (g *Game) inCity(f string) (n int) {
	for _, d := range g.at {
		n += d.blocs[f]
	}
	return n
}

func (g *Game) onMat(f string) int { return 10 - g.inCity(f) }

// home finds where an occupation of a faction stands, nil for its mat.
func (g *Game) home(f, kind string) *district {
	for _, d := range g.cells() {
		if d.occupation != nil && *d.occupation == (occupation{f, kind}) {
			return d
		}
	}
	return nil
}

// occupationNames are those of the actions, in the order of a faction's occupations (R13.3).
var occupationNames = []string{"OCC_START", "OCC_HALL", "OCC_KITCHEN", "OCC_UNIQUE_1", "OCC_UNIQUE_2"}

func (g *Game) kinds(f string) []string {
	for _, x := range g.rules.factions {
		if x.Key == f {
			return x.Occupations
		}
	}
	panic(f)
}

// matOccupations lists the actions for the occupations on a faction's mat.
func (g *Game) matOccupations(f string) (list []string) {
	for i, kind := range g.kinds(f) {
		if g.home(f, kind) == nil {
			list = append(list, occupationNames[i])
		}
	}
	return list
}

func (g *Game) kind(f, action string) string {
	return g.kinds(f)[slices.Index(occupationNames, action)]
}

// form puts blocs from the mat into a district, as many as there are (R1.2).
func (g *Game) form(f string, n int, d *district) {
	d.blocs[f] += min(n, g.onMat(f))
}

// withdraw sends cops of a district to staging.
func (g *Game) withdraw(n int, d *district) {
	n = min(n, d.cops)
	d.cops -= n
	g.cops += n
	g.settle()
}

// deploy brings cops from staging to a district, as many as there are (R1.2).
func (g *Game) deploy(n int, d *district) {
	g.markIf(g.cops < n, "R1.2 no cop in staging")
	n = min(n, g.cops)
	g.cops -= n
	d.cops += n
}

// settle implements R5.5: the count of a district drops to 0 when it no longer holds police,
// or no longer holds blocs of that faction.
func (g *Game) settle() {
	for _, d := range g.at {
		for f := range d.attacked {
			if !d.police() || d.blocs[f] == 0 {
				g.markIf(d.attacked[f] > 0, "R5.5")
				delete(d.attacked, f)
			}
		}
	}
}

// dismantle removes all barricades of a connection, to the pile (R3.6).
func (g *Game) dismantle(c *connection) {
	g.markIf(c.highway && c.at[0] > 0 && c.at[1] > 0, "R3.6 both ends")
	g.pile += c.barricades()
	c.at = [2]int{}
}

// build puts a barricade at an arm of a district (R3.6).
func (g *Game) build(d *district, arm int) {
	c := d.arms[arm]
	i := 0
	if c.highway && c.ends[1] == (end{d.cell, arm}) {
		i = 1
	}
	c.at[i]++
	g.pile--
}

// freeArms lists the arms of a district, from one on, whose connection can take a barricade.
func (g *Game) freeArms(d *district, from int) (list []string) {
	for arm, c := range d.arms {
		if arm >= from && c != nil && c.barricades() < 3 && g.pile > 0 {
			list = append(list, "ARM_"+armNames[arm])
		}
	}
	return list
}

func arm(action string) int { return slices.Index(armNames, strings.TrimPrefix(action, "ARM_")) }

func cardName(key string) string { return "CARD_" + strings.ToUpper(key) }

// play puts a card from a hand on the discard pile (R11.1).
func (g *Game) play(f, card string) {
	g.mark("card " + card)
	g.take(f, card)
	g.looted[card]++
	for _, k := range g.known {
		if k[f][card] > 0 {
			k[f][card]--
		}
	}
}

func (g *Game) take(f, card string) {
	if g.hands[f][card] == 0 {
		panic(f + " without " + card)
	}
	g.hands[f][card]--
}
