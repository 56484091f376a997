package minuteman_test

import (
	"fmt"
	"slices"
	"strings"
)

// refGroups are the piles of counters with hidden strengths.
var refGroups = []string{
	"militia_1", "militia_2", "militia_3", "canadian_militia", "mexican_militia", "armored", "infantry", "airborne", "marine",
	"security", "foreign", "canadian_brigade", "mexican_brigade",
}

var refDivisions = []string{"armored", "infantry", "airborne", "marine"}

// counters are those of a group, in the order of the sheet.
func (d *refData) counters(group string) (list []refCounter) {
	u := &d.units
	if n, ok := strings.CutPrefix(group, "militia_"); ok {
		for _, c := range u.Militia.Counters {
			if fmt.Sprint(c.Colour) == n {
				list = append(list, c)
			}
		}
		return list
	}
	if slices.Contains(refDivisions, group) {
		for _, c := range u.USDivision.Counters {
			if c.Type == group {
				list = append(list, c)
			}
		}
		return list
	}
	return map[string]refSheet{
		"canadian_militia": u.CanadianMilitia, "mexican_militia": u.MexicanMilitia, "security": u.SecurityDivision,
		"foreign": u.ForeignDivision, "canadian_brigade": u.CanadianBrigade, "mexican_brigade": u.MexicanBrigade,
	}[group].Counters
}

// printed is the counter with an id.
func (d *refData) printed(group, id string) refCounter {
	for _, c := range d.counters(group) {
		if c.ID == id {
			return c
		}
	}
	panic("no counter " + id)
}

// refSlots is how positions name the units of a group.
func refSlots(group string) (kind, slots string) {
	switch {
	case slices.Contains(refDivisions, group):
		return "army", "us_division"
	case strings.HasPrefix(group, "militia_"):
		return "militia", "militia"
	case strings.HasSuffix(group, "militia"):
		return "militia", group
	case strings.HasSuffix(group, "brigade"):
		return "army", group
	}
	return "army", group + "_division"
}

// all are the units on the map, by hex and arrival.
func (r *refGame) all() (list []*refUnit) {
	for _, h := range r.hexes {
		list = append(list, h.units...)
	}
	return list
}

// where are the units for which a test holds.
func (r *refGame) where(has func(u *refUnit) bool) (list []*refUnit) {
	for _, h := range r.hexes {
		for _, u := range h.units {
			if has(u) {
				list = append(list, u)
			}
		}
	}
	return list
}

func (h *refHex) where(has func(u *refUnit) bool) (list []*refUnit) {
	for _, u := range h.units {
		if has(u) {
			list = append(list, u)
		}
	}
	return list
}

func (h *refHex) has(test func(u *refUnit) bool) bool { return len(h.where(test)) > 0 }

func refKind(kind string) func(u *refUnit) bool {
	return func(u *refUnit) bool { return u.kind == kind }
}

// net is the Network of a hex, nil for none.
func (h *refHex) net() *refUnit {
	for _, u := range h.units {
		if u.kind == "network" {
			return u
		}
	}
	return nil
}

// freeName is the first counter of a kind that is not on the map, in a game of several
// players of the owner's colour; empty for none (R1.6).
func (r *refGame) freeName(kind string, owner int) string {
	used := map[string]bool{}
	for _, u := range r.all() {
		used[u.name] = true
	}
	u := &r.data.units
	list := map[string]refSheet{"network": u.Network.refSheet, "minuteman": u.Minuteman.refSheet, "agent": u.Agent.refSheet,
		"cig": u.Cig.refSheet}[kind].Counters
	for _, c := range list {
		if !used[c.ID] && (c.Colour == 0 || r.seats == 2 || c.Colour == owner) {
			return c.ID
		}
	}
	return ""
}

// place puts a Network, Minuteman, Agent or CIG on the map.
func (r *refGame) place(kind string, owner int, h *refHex, step int) *refUnit {
	u := &refUnit{kind: kind, name: r.freeName(kind, owner), owner: owner, hex: h, step: step}
	if u.name == "" {
		panic("no counter of " + kind)
	}
	h.units = append(h.units, u)
	r.did("placed " + kind)
	return u
}

// placeCounter puts an untried Army or Militia on the map (R19).
func (r *refGame) placeCounter(group, counter string, owner int, h *refHex) *refUnit {
	kind, slots := refSlots(group)
	used := map[string]bool{}
	shown := map[string]bool{}
	for _, u := range r.all() {
		used[u.name] = true
		if u.counter != "" && !u.untried {
			shown[u.counter] = true
		}
	}
	n := 1
	if colour, ok := strings.CutPrefix(group, "militia_"); ok { // slots by colour
		n = 8*int(colour[0]-'1') + 1
	}
	for used[fmt.Sprintf("%s %d", slots, n)] {
		n++
	}
	u := &refUnit{kind: kind, name: fmt.Sprintf("%s %d", slots, n), group: group, counter: counter, owner: owner, hex: h}
	u.untried, u.canBe = true, map[string]bool{}
	for _, c := range r.data.counters(group) {
		if !shown[c.ID] {
			u.canBe[c.ID] = true
		}
	}
	h.units = append(h.units, u)
	r.did("placed " + group)
	return u
}

// drawCounter draws a counter of some piles at random; empty if there is none.
func (r *refGame) drawCounter(event string, groups ...string) (group, counter string) {
	weights := map[string]int{}
	from := map[string]string{}
	for _, g := range groups {
		for _, id := range r.piles[g] {
			weights["COUNTER_"+id] = 1
			from["COUNTER_"+id] = g
		}
	}
	if len(weights) == 0 {
		return "", ""
	}
	name := r.draw(event, weights)
	group, counter = from[name], strings.TrimPrefix(name, "COUNTER_")
	r.piles[group] = refMinus(r.piles[group], []string{counter})
	return group, counter
}

func (r *refGame) pileSize(groups ...string) (n int) {
	for _, g := range groups {
		n += len(r.piles[g])
	}
	return n
}

// militiaPiles are the piles that a Rebel's Militia come from.
func (r *refGame) militiaPiles(owner int) []string {
	if r.seats == 2 {
		return []string{"militia_1", "militia_2", "militia_3"}
	}
	return []string{fmt.Sprint("militia_", owner)}
}

// reveal turns an untried unit over for good (R19).
func (r *refGame) reveal(u *refUnit) {
	if !u.untried {
		return
	}
	u.untried = false
	r.did("R19 revealed")
	for _, other := range r.all() {
		if other.untried {
			delete(other.canBe, u.counter)
		}
	}
}

// lift takes a unit off its hex.
func (u *refUnit) lift() {
	u.hex.units = slices.DeleteFunc(u.hex.units, func(x *refUnit) bool { return x == u })
}

// eliminate takes a unit off the map; its counter goes back to the pile (R1.6).
func (r *refGame) eliminate(u *refUnit) {
	if u.kind == "informer" {
		u.hex.informer = false
	} else {
		u.lift()
	}
	r.did("lost " + u.kind)
	if u.counter != "" {
		r.piles[u.group] = append(r.piles[u.group], u.counter)
	}
	u.hex = nil
}

// move puts a unit into another hex, last in its order of arrival; the mark of R10.2
// goes when the Minuteman leaves.
func (r *refGame) move(u *refUnit, to *refHex) {
	if u.hex == to {
		return
	}
	u.lift()
	if u.kind == "minuteman" {
		u.fought = false
	}
	if u.frontLine {
		u.frontLine = false
		r.committed++
		r.did("R25.11 committed")
	}
	u.hex = to
	to.units = append(to.units, u)
	r.entered(u)
}

// entered is R29.2: US forces of the Government that come to a country by any way
// turn its Brigades.
func (r *refGame) entered(u *refUnit) {
	c := u.hex.country
	if !r.on("canada_mexico") || c == "US" || u.owner != r.gov || r.abroadRebel[c] {
		return
	}
	us := slices.Contains(refDivisions, u.group) || u.kind == "cig" || u.kind == "agent" && !r.abroadBuilt[c]
	if !us {
		return
	}
	r.did("R29.2 brigades change sides")
	r.abroadRebel[c] = true
	for _, b := range r.where(func(b *refUnit) bool { return b.group == refBrigade(c) }) {
		if b.hex.has(func(x *refUnit) bool { return x.kind == "army" && x.owner != r.gov }) {
			r.eliminate(b)
			continue
		}
		b.owner = r.rebels()[0]
	}
}

func refBrigade(country string) string {
	return map[string]string{"Canada": "canadian_brigade", "Mexico": "mexican_brigade"}[country]
}

func refAbroadMilitia(country string) string {
	return map[string]string{"Canada": "canadian_militia", "Mexico": "mexican_militia"}[country]
}

// home is the country that a Brigade or a Militia of Canada and Mexico belongs to.
func (u *refUnit) home() string {
	switch u.group {
	case "canadian_brigade", "canadian_militia":
		return "Canada"
	case "mexican_brigade", "mexican_militia":
		return "Mexico"
	}
	return ""
}

func (r *refGame) on(option string) bool { return r.options[option] == "true" }

func (r *refGame) is(scenario string) bool { return r.options["scenario"] == scenario }

// playable is R3.1.
func (r *refGame) playable(h *refHex) bool {
	switch {
	case r.is("partisan"):
		return h.country == "US" && h.col >= 28
	case r.is("occupation"), r.on("canada_mexico"):
		return true
	}
	return h.country == "US"
}

// rebels are the seats of the Rebels, in seat order.
func (r *refGame) rebels() (list []int) {
	for i := range r.seats {
		if i != r.gov {
			list = append(list, i)
		}
	}
	return list
}

// freeRebels are those who are neither out nor federalized.
func (r *refGame) freeRebels() (list []int) {
	for _, i := range r.rebels() {
		if !r.out[i] && i != r.federalized {
			list = append(list, i)
		}
	}
	return list
}

// govSide reports whether a seat is on the Government's side (R28.6).
func (r *refGame) govSide(seat int) bool { return seat == r.gov || seat == r.federalized }

// enemies reports whether the units of two seats are enemies for Zones and the like.
func (r *refGame) enemies(a, b int) bool { return r.govSide(a) != r.govSide(b) }

func (r *refGame) isG(u *refUnit) bool { return u.owner == r.gov }

func (r *refGame) isR(u *refUnit) bool { return u.owner != r.gov }

// militiaLimit is that of a hex (R1.3).
func (r *refGame) militiaLimit() int {
	if r.rev > 0 || r.is("partisan") {
		return 3
	}
	return 1
}

// room is R1.7 for one more unit of a kind in a hex.
func (r *refGame) room(h *refHex, kind string, owner int) bool {
	if len(h.units) >= 6 {
		return false
	}
	same := h.where(func(u *refUnit) bool {
		return u.kind == kind && (kind != "army" || (u.owner == r.gov) == (owner == r.gov))
	})
	return len(same) < map[string]int{"network": 1, "minuteman": 3, "militia": r.militiaLimit(), "agent": 3, "cig": 1, "army": 1}[kind]
}

// hasZone is R4.2.
func (r *refGame) hasZone(u *refUnit) bool {
	switch u.kind {
	case "army", "cig":
		return true
	case "militia":
		return r.rev > 0 || r.is("partisan")
	case "network":
		return r.rev > 0 || r.is("partisan") && u.hex.riot
	}
	return false
}

// controlled reports whether a hex is in a Zone of an enemy of a seat (R4.1). Units in
// the hex except are overlooked beyond it (R4.5).
func (r *refGame) controlled(h *refHex, seat int, except *refHex) bool {
	zone := func(u *refUnit) bool { return r.enemies(u.owner, seat) && r.hasZone(u) }
	if h.has(zone) {
		return true
	}
	for _, n := range h.next() {
		if n != except && n.has(zone) {
			return true
		}
	}
	return false
}

// sheltered is R4.4: a friendly Militia or Army stands in the hex.
func (r *refGame) sheltered(h *refHex, seat int) bool {
	return h.has(func(u *refUnit) bool { return !r.enemies(u.owner, seat) && (u.kind == "militia" || u.kind == "army") })
}

// token is the class of a unit (R3.4).
func (r *refGame) token(u *refUnit) string {
	side := map[bool]string{false: "_WEAK", true: "_STRONG"}[u.step > 0]
	switch u.kind {
	case "network":
		if u.underground {
			return "NETWORK_UNDERGROUND"
		}
		return "NETWORK" + side
	case "minuteman":
		if u.underground {
			return "MINUTEMAN" + side + "_UNDERGROUND"
		}
		return "MINUTEMAN" + side
	case "agent":
		return "AGENT" + side
	case "militia":
		return fmt.Sprint("MILITIA_", 1+slices.Index(u.hex.where(refKind("militia")), u))
	}
	return strings.ToUpper(u.kind)
}

// pick lets a seat choose one of some units: hex, then class. The first to have come
// stands for its class.
func (r *refGame) pick(seat int, question string, units []*refUnit) *refUnit {
	h := r.pickHexOf(seat, question, units)
	return r.pickClass(seat, question, units, h)
}

func (r *refGame) pickHexOf(seat int, question string, units []*refUnit, more ...string) *refHex {
	var hexes []string
	for _, u := range units {
		if !slices.Contains(hexes, u.hex.id) {
			hexes = append(hexes, u.hex.id)
		}
	}
	return r.hex[r.ask(seat, question, append(hexes, more...)...)]
}

func (r *refGame) pickClass(seat int, question string, units []*refUnit, h *refHex) *refUnit {
	first := map[string]*refUnit{}
	var classes []string
	for _, u := range units {
		if u.hex == h {
			if c := r.token(u); first[c] == nil {
				first[c] = u
				classes = append(classes, c)
			}
		}
	}
	return first[r.ask(seat, question, classes...)]
}

// pickPlace lets a seat choose one of some hexes.
func (r *refGame) pickPlace(seat int, question string, hexes []*refHex, more ...string) *refHex {
	var ids []string
	for _, h := range hexes {
		ids = append(ids, h.id)
	}
	return r.hex[r.ask(seat, question, append(ids, more...)...)]
}

// hexesWhere are the playable hexes for which a test holds.
func (r *refGame) hexesWhere(has func(h *refHex) bool) (list []*refHex) {
	for _, h := range r.hexes {
		if r.playable(h) && has(h) {
			list = append(list, h)
		}
	}
	return list
}

// vacant is R3.3.
func (h *refHex) vacant() bool { return len(h.units) == 0 }
