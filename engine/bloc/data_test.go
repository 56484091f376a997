package bloc

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/ruledata"
)

// What the data files say agrees with itself, with the sizes of the engine and with the
// rules that are functions. The loader compiles them only.

// read reads a data file strictly.
func read[T any](t *testing.T, name string) *T {
	t.Helper()
	file := new(T)
	if err := ruledata.Read(os.DirFS(".").(fs.ReadFileFS), name, file); err != nil {
		t.Fatal(err)
	}
	return file
}

func testBox(t *testing.T) *box {
	t.Helper()
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// equal compares what stands in the data with what the engine has.
func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if a, b := fmt.Sprint(got), fmt.Sprint(want); a != b {
		t.Errorf("%s: %s in the data, the engine has %s", what, a, b)
	}
}

// sorted returns the words of a list in order, or the keys of an object.
func sorted(words []string) []string { return slices.Sorted(slices.Values(words)) }

// R1.1 and R1.2: the components are as many as the arrays are made for.
func TestComponents(t *testing.T) {
	file := read[componentsFile](t, "components")
	for name, want := range map[string]uint8{
		"blocs": Factions * blocsEach, "district_tiles": numTiles, "occupations": Factions * Occupations,
		"agenda_cards": Agendas, "riot_cops": 30, "riot_vans": 6, "barricades": 40, "loot_tokens": 42,
		"loot_cards": 60, "police_ops_cards": 34, "manifestation_cards": 28, "action_dice": 7, "reaction_die": 1,
	} {
		equal(t, name, file.count(name), want)
	}
	equal(t, "limits", file.Limits, limits{Dice: 7, Barricades: 3, VanHits: 3, PlayersMin: 2, PlayersMax: maxPlayers, Vans: 1, Occs: 1, Emergency: 4})
	equal(t, "dice", file.count("action_dice"), file.Limits.Dice)
}

// R13.3: primitives.json and the engine name the same ops, predicates and conditions.
func TestPrimitives(t *testing.T) {
	file := read[primitivesFile](t, "primitives")
	ops := opNames[1:]
	equal(t, "effect_ops", sorted(file.Effects), sorted(ops))
	equal(t, "predicates", sorted(file.Predicates), sorted(predicateNames[:]))
	equal(t, "success_ops", sorted(file.Successes), sorted(successNames[:]))
	equal(t, "gate_ops", file.Gates, []string{"NO_POLICE_IN"})
	equal(t, "effect_args", slices.Sorted(maps.Keys(file.Args)), sorted(ops))
}

type primitivesFile struct {
	ruledata.Source
	Effects    []string `json:"effect_ops"`
	Predicates []string
	Successes  []string                                         `json:"success_ops"`
	Gates      []string                                         `json:"gate_ops"`
	Args       map[string]struct{ Required, Optional []string } `json:"effect_args"`
	Values     map[string]json.RawMessage                       `json:"effect_arg_values"`
}

// ways are the arguments of effects that the rules carry out in one way only, and with
// another the engine would ignore them.
var ways = map[op]func(e *effect) bool{
	opKickOut:      func(e *effect) bool { return e.Arm == "choose" && e.Dismantle && e.From == "chosen_cell" },
	opReactionRoll: func(e *effect) bool { return e.Where == "chosen_cell" },
	opNextAdvanced: func(e *effect) bool { return e.Min == 1 && e.Until == "end_of_turn" },
	opCancelCops:   func(e *effect) bool { return slices.Equal(e.Needs, []string{"own_bloc", "no_van"}) },
	opRescueBlocs:  func(e *effect) bool { return e.To == "own_occupation" && e.Not == "this_district" },
	opProtect:      func(e *effect) bool { return slices.Equal(e.Needs, []string{"own_occupation", "police"}) },
	opBoost:        func(e *effect) bool { return slices.Equal(e.Needs, []string{"own_bloc", "unliberated", "occupation"}) },
	opDeployVan:    func(e *effect) bool { return slices.Equal(e.At, []string{"cop", "no_van"}) },
	opMetroLock:    func(e *effect) bool { return e.Until == "end_of_turn_of_left_faction_next_night" },
	opReshuffle:    func(e *effect) bool { return e.ThisCard == "first_in_new_discard" },
	opRevealOps:    func(e *effect) bool { return e.SumWithinSunrise },
	opReposition:   func(e *effect) bool { return e.Priority == highestFirst },
	opModifyCard:   func(e *effect) bool { return slices.Equal(e.Cards, []string{"molotovs_1", "molotovs_2"}) },
	opModifyAction: func(e *effect) bool { return e.Action == "barricade" },
	opMoveGroups:   func(e *effect) bool { return e.Target.Occupied == (e.Target.Type == nil) },
	opFreeBuild: func(e *effect) bool {
		return e.Where == "adjacent_own_or_public_without_police" && e.Who == "each_liberating"
	},
	opDestroyVan: func(e *effect) bool { return e.Where == "liberated_or_adjacent" && e.Who == "chooser" },
	opBonusDice:  func(e *effect) bool { return e.Who == "each_liberating" },
	opRemoveCops: func(e *effect) bool {
		return e.Where == "liberated_or_adjacent" && e.Who == "chooser" || e.Where == "district_of_that_van" && e.Who == "auto"
	},
	opPlaceBarricades: func(e *effect) bool {
		return e.Where == "liberated_district" && e.Who == "chooser" && e.Min == 0 || e.Where == "chosen_cell" && e.Who == "" && e.Min == 1
	},
	opFormBloc: func(e *effect) bool {
		return e.Where == "liberated_district" && e.Who == "each_liberating" || e.Where == "own_start_occupation" && e.Who == "every_faction" ||
			(e.Where == "this_district" || e.Where == "chosen_cell") && e.Who == ""
	},
	opOnReaction: func(e *effect) bool { return e.Value == Sides && len(e.Then) == 1 && e.Then[0].Op == opExtraDice },
}

// R11.3, R11.4 and R11.5: every effect of a card or an ability has the arguments that its
// op needs and no others, a function that carries it out where it stands, and a number
// from a table only if its card has one.
func TestEffects(t *testing.T) {
	b, args := testBox(t), read[primitivesFile](t, "primitives").Args
	check := func(where string, list []effect, raw []map[string]json.RawMessage, table bool, carried func(o op) bool) {
		if len(list) == 0 || len(list) != len(raw) {
			t.Errorf("%s does nothing", where)
		}
		for i := range list {
			e, name := &list[i], opNames[list[i].Op]
			if ok := ways[e.Op]; ok != nil && !ok(e) {
				t.Errorf("%s: arguments of %s that the engine does not know: %+v", where, name, e)
			}
			if !carried(e.Op) {
				t.Errorf("%s: nothing carries out %s", where, name)
			}
			if !table && (e.N == fromTable || e.Max == fromTable) {
				t.Errorf("%s: %s with a number from a table that the card lacks", where, name)
			}
			known := args[name]
			for _, arg := range known.Required {
				if raw[i][arg] == nil {
					t.Errorf("%s: %s without %s", where, name, arg)
				}
			}
			for arg := range raw[i] {
				if arg != "op" && !slices.Contains(known.Required, arg) && !slices.Contains(known.Optional, arg) {
					t.Errorf("%s: %s has %s", where, name, arg)
				}
			}
		}
	}
	for name, cards := range map[string][]card{"loot_cards": b.loot[:], "manifestation_cards": b.manifest[:], "police_ops_cards": b.ops[:]} {
		raw := rawEffects(t, name, "cards")
		for i := range cards {
			c := &cards[i]
			check(c.Key, c.Effects, raw[c.Key], c.Table != nil, func(o op) bool {
				switch {
				case name == "police_ops_cards":
					return onOps[o] != nil
				case name == "manifestation_cards":
					return carriedOut(firstManifest+Program(i), c.Effects)
				case c.Window == turnWindow:
					return carriedOut(Program(i), c.Effects)
				}
				return len(c.Effects) == 1 && slices.Contains(playedIn[c.Window], opNames[o])
			})
		}
	}
	raw := rawEffects(t, "factions", "occupations")
	for _, o := range read[factionsFile](t, "factions").Occupations {
		check(o.Key, o.Ability, raw[o.Key], false, func(does op) bool {
			for v, key := range abilityKeys {
				if key == o.Key {
					return carriedOut(firstAbility+Program(v), o.Ability)
				}
			}
			return stands[does] && len(o.Ability) == 1 || o.Key == "faction_start"
		})
	}
}

// steps are the effects that each play carries out in Go, as the data write them.
var steps = map[Program]string{
	Program(CardFireworks):    "CHOOSE_CELL own_bloc cop, KICK_OUT, REACTION_ROLL",
	Program(CardBikes):        "FREE_MOVE",
	Program(CardSmokeBombs):   "FREE_MOVE from_clash",
	Program(CardBoltCutters):  "NEXT_ADVANCED_DIE",
	Program(CardEnergyDrinks): "EXTRA_ACTION_DICE",
	Program(CardMegaphone):    "CHOOSE_CELL own_bloc no_police, FORM_BLOC chosen_cell",
	Program(CardLumber):       "CHOOSE_CELL own_bloc no_police free_connection, PLACE_BARRICADES",
	Program(CardSignalJammer): "FEWER_OPS_CARDS",

	firstAbility + Program(VerbMoveFree):    "FREE_MOVE",
	firstAbility + Program(VerbUseHall):     "SPEND_DIE, FORM_BLOC this_district",
	firstAbility + Program(VerbUseHacker):   "SPEND_DIE, DRAW_KEEP",
	firstAbility + Program(VerbUseWorkshop): "DRAW_LOOT",

	firstManifest + Program(ManifestMassLooting):          "MORALE, DRAW_LOOT each_liberating",
	firstManifest + Program(ManifestPopularAssembly):      "MORALE, FORM_BLOC liberated_district each_liberating",
	firstManifest + Program(ManifestLeakedOrders):         "MORALE, REVEAL_OPS",
	firstManifest + Program(ManifestGeneralStrike):        "MORALE, BONUS_DICE_NEXT_TURN each_liberating",
	firstManifest + Program(ManifestStreetFortifications): "MORALE, PLACE_BARRICADES chooser",
	firstManifest + Program(ManifestMutinyInTheRanks):     "MORALE, REMOVE_COPS liberated_or_adjacent chooser",
	firstManifest + Program(ManifestSpontaneousMarch):     "MORALE, FREE_MOVE each_liberating",
	firstManifest + Program(ManifestMassJailbreak): "MORALE, FORM_BLOC own_start_occupation every_faction, FORM_BLOC liberated_district " +
		"each_liberating",
	firstManifest + Program(ManifestRiotVanTorched):    "MORALE, DESTROY_VAN chooser, REMOVE_COPS district_of_that_van auto",
	firstManifest + Program(ManifestWaveOfOccupations): "MORALE, FREE_BUILD each_liberating",
}

// carriedOut reports whether a play carries out effects, with the words that matter.
func carriedOut(i Program, list []effect) bool {
	var words []string
	for _, e := range list {
		said := opNames[e.Op]
		for _, word := range e.Filter {
			said += " " + word
		}
		if e.FromClash {
			said += " from_clash"
		}
		for _, word := range []string{e.Where, e.Who} {
			if word != "" && strings.Contains(steps[i], said+" "+word) {
				said += " " + word
			}
		}
		words = append(words, said)
	}
	return len(plays[i].steps) == len(list) && strings.Join(words, ", ") == steps[i]
}

// playedIn are the ops of the cards that are played outside D17, by window (R11.2).
var playedIn = map[window][]string{
	1: {"ATTACK_STRENGTH"}, 2: {"CANCEL_REACTION"}, 3: {"CANCEL_COP_ATTACKS", "RESCUE_BLOCS", "PROTECT_OCCUPATION"}, 4: {"LIBERATION_BOOST"},
}

// rawEffects reads the effects of a file as they stand there, by the key of the record.
func rawEffects(t *testing.T, name, list string) map[string][]map[string]json.RawMessage {
	t.Helper()
	var file map[string]json.RawMessage
	var records []struct {
		Key              string
		Effects, Ability []map[string]json.RawMessage
	}
	data, err := os.ReadFile("data/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err == nil {
		err = json.Unmarshal(file[list], &records)
	}
	if err != nil {
		t.Fatal(err)
	}
	m := map[string][]map[string]json.RawMessage{}
	for _, r := range records {
		m[r.Key] = append(r.Effects, r.Ability...)
	}
	return m
}

// R11.3, R11.4 and R11.5: the decks are whole.
func TestDecks(t *testing.T) {
	b := testBox(t)
	for _, fault := range b.Faults() {
		t.Error(fault)
	}
	equal(t, "windows", read[deckFile](t, "loot_cards").Windows, windowNames)
	equal(t, "in_city", read[deckFile](t, "manifestation_cards").InCity, Cells)
	for card, o := range map[LootID]op{CardPoliceScanner: opCancelReaction, CardGasMasks: opCancelCops, CardMedicKit: opRescueBlocs,
		CardSteelDoors: opProtect, CardSoundSystem: opBoost, CardMolotovs1: opAttackStrength, CardMolotovs2: opAttackStrength} {
		equal(t, "what is done by "+b.loot[card].Key, b.loot[card].Effects[0].Op, o)
	}
}

// R8.1, R11.5: an ops card says once what its effects do to morale and in which order they
// take the districts.
func TestOpsCards(t *testing.T) {
	b := testBox(t)
	for _, c := range b.ops {
		raised := int8(0)
		for _, e := range c.Effects {
			raised += e.Delta
			switch e.Op {
			case opMoveGroups, opVansDeploy, opDeployVan, opReposition:
				if c.Priority == nil || (e.Priority == highestFirst) != (*c.Priority == "highest") {
					t.Errorf("ops card %s: two priorities", c.Key)
				}
			}
		}
		if raised != c.MoraleDelta || raised < 0 || raised > 1 {
			t.Errorf("ops card %s: morale %d", c.Key, raised)
		}
	}
	equal(t, "lockdown", b.ops[b.lockdown].Key, "metro_lockdown")
	if n := b.ops[b.paramilitary].Copies; n < b.removedOps[0] {
		t.Errorf("%d Paramilitary Operations, %d are taken out on easy", n, b.removedOps[0])
	}
}

// R13.3: the actions have the numbers of actions.go, the decisions those of state.go.
func TestActions(t *testing.T) {
	file, b := read[actionsFile](t, "actions"), testBox(t)
	want := map[int]string{
		ActDone: "DONE", ActYes: "YES", ActNo: "NO", ActCell: "CELL_0", ActArm: "ARM_N", ActCount: "COUNT_1", ActOcc: "OCC_START",
		ActFaction: "FACTION_WORKERS", ActFactory: "CARD_MOLOTOVS_1_FACTORY", ActAny: "CARD_ANY", ActNothing: "CARD_NOTHING",
		ActVerb: "MOVE", ActVerb + int(VerbEndActions): "END_ACTIONS",
	}
	for i := range b.loot {
		want[ActCard+i] = "CARD_" + strings.ToUpper(b.loot[i].Key)
	}
	for i := range Cells {
		want[ActCell+i] = fmt.Sprint("CELL_", i)
	}
	for i := range blocsEach {
		want[ActCount+i] = fmt.Sprint("COUNT_", i+1)
	}
	for i := range Factions {
		want[ActArm+i], want[ActFaction+i] = "ARM_"+armNames[i], "FACTION_"+strings.ToUpper(typeNames[i])
	}
	for i, name := range want {
		equal(t, fmt.Sprint("action ", i), b.actions[i], name)
	}
	for v, name := range map[Verb]string{VerbLootGraffiti: "LOOT_GRAFFITI", VerbLootBurn: "LOOT_BURN", VerbBuild: "BUILD", VerbSwap: "SWAP"} {
		equal(t, "verb", b.actions[ActVerb+int(v)], name)
	}
	equal(t, "size", file.Size, numActions)
	for i, a := range file.Actions {
		equal(t, "id of "+a.Name, a.ID, i)
	}
	equal(t, "decisions", len(file.Decisions), Decisions)
	for i, d := range file.Decisions {
		equal(t, "id of "+d.Name, d.ID, fmt.Sprintf("D%d", i+1))
	}
}

// R3.1, R3.2, R5.2 and R6.2: the tiles agree with the rules of their types.
func TestTiles(t *testing.T) {
	file := read[struct {
		Note  string
		Types []string
		Tiles []tile
	}](t, "tiles")
	equal(t, "types", file.Types, typeNames[:])
	ids, keys, piles := map[uint8]bool{}, map[string]bool{}, map[pile]int{}
	for _, x := range file.Tiles {
		if x.ID > 0 && ids[x.ID] || x.ID > maxID || keys[x.Key] {
			t.Errorf("tile %s or its police ID comes twice", x.Key)
		}
		ids[x.ID], keys[x.Key] = true, true
		piles[x.Pile]++
		road, closed := x.Type == TypeHighway, x.Type == TypeHighway || x.Type == TypeCommercial
		switch {
		case road != (x.Roads >= curves) || road != (x.ID == 0):
			t.Errorf("tile %s: type %s with roads %d and police ID %d", x.Key, typeNames[x.Type], x.Roads, x.ID)
		case closed == x.Circle || closed && x.Liberable:
			t.Errorf("tile %s: occupation circle %v on a %s tile", x.Key, x.Circle, typeNames[x.Type])
		case x.Liberable && x.Liberated+1 != x.Repressed:
			t.Errorf("tile %s: difficulties %d and %d", x.Key, x.Repressed, x.Liberated)
		case (x.Type == TypeCommercial) != (x.Centers > 1) || (x.Free || road) && x.Centers > 0:
			t.Errorf("tile %s: %d shopping centres", x.Key, x.Centers)
		}
	}
	if piles[0] != 9 || piles[1] != 8 || piles[2] != 8 {
		t.Errorf("piles of %d, %d and %d tiles, want 9, 8 and 8 (R2.2)", piles[0], piles[1], piles[2])
	}
}

// R3.1, R3.2 and R2.2: the geometry of city.json is that of city.go (Ruling 2: the Overpass
// goes straight), the zigzag fills the city and the beginner city is one (Ruling 26).
func TestCity(t *testing.T) {
	file, b := read[cityFile](t, "city"), testBox(t)
	var arms struct {
		ruledata.Source
		Order    []string
		Opposite map[string]string
	}
	var rotation struct {
		ruledata.Source
		Values   []int
		Meaning  string
		DeadEnd  map[int]string         `json:"dead_end_arm_of_3way"`
		Curves   map[string][][2]string `json:"highway_curves"`
		Straight map[string][][2]string `json:"highway_straight"`
	}
	for v, data := range map[any]json.RawMessage{&arms: file.Arms, &rotation: file.Rotation} {
		if err := ruledata.Decode(data, v); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "arms", arms.Order, armNames[:])
	for i, arm := range armNames {
		equal(t, "opposite of "+arm, arms.Opposite[arm], Arm(i).Opposite().String())
		equal(t, fmt.Sprint("dead end at rotation ", i), rotation.DeadEnd[i], armNames[deadEnd(uint8(i))])
	}
	for _, x := range []struct {
		kind     roads
		rotation uint8
		pairs    [][2]string
	}{{curves, 0, rotation.Curves["even"]}, {curves, 1, rotation.Curves["odd"]}, {straight, 0, rotation.Straight["any"]}} {
		equal(t, "pairs of arms", len(x.pairs), 2)
		for _, pair := range x.pairs {
			in := slices.Index(armNames[:], pair[0])
			equal(t, fmt.Sprint("highway from ", pair[0]), armNames[through(x.kind, x.rotation, Arm(in))], pair[1])
		}
	}
	equal(t, "rows of the zigzag", len(file.Zigzag.Pattern), Side)
	seen := CellSet(0)
	for k, c := range file.Zigzag.Order {
		if int(c) >= Cells || seen.Has(c) || file.Zigzag.Pattern[c/Side][c%Side] != "ABC"[k%3] {
			t.Errorf("placement %d in cell %d", k, c)
		}
		seen |= at(c)
	}
	for i, c := range file.Beginner.Cells {
		if c.Cell != i || c.Row*Side+c.Col != i || c.Rotation >= Arms {
			t.Errorf("beginner city, cell %d: %+v", i, c)
		}
	}
	var p Position
	b.build(&p, &b.beginner)
	if err := b.checkCity(&p); err != nil {
		t.Errorf("beginner city: %v", err)
	}
}

// R4.3, R6.6, R8.1, R8.4, R9.5 and R2.6: the tables cover every case once, and those that
// are formulas are what the functions carry out.
func TestTables(t *testing.T) {
	file, b := read[tablesFile](t, "tables"), testBox(t)
	next := 0
	for _, r := range file.Dice.Rows {
		if r.Min != next || r.Max < r.Min {
			t.Errorf("action dice: row %d to %d", r.Min, r.Max)
		}
		next = r.Max + 1
	}
	equal(t, "blocs of the last row", next, blocsEach+1)
	equal(t, "first morale step", file.Morale.Start, 0)
	for i, s := range b.morale {
		equal(t, "index of morale step "+s.Name, s.Index, i)
	}
	equal(t, "difficulties", slices.Sorted(maps.Keys(file.Difficulty.Removed)), sorted(difficultyNames[:]))
	var stop struct {
		Rows []struct {
			Barricades uint8
			Stopped    string
		}
	}
	var lib struct {
		Rows []struct{ Difficulty, Blocs uint8 }
	}
	var reaction struct{ Rows []struct{ Roll []uint8 } }
	for v, data := range map[any]json.RawMessage{&stop: file.Stop, &lib: file.Liberation, &reaction: file.Reaction} {
		if err := json.Unmarshal(data, v); err != nil {
			t.Fatal(err)
		}
	}
	formulas := map[string]func(m uint8) uint8{
		"0": func(uint8) uint8 { return 0 }, "min(1, m)": func(m uint8) uint8 { return min(1, m) },
		"floor(m / 2)": func(m uint8) uint8 { return m / 2 }, "m": func(m uint8) uint8 { return m },
	}
	equal(t, "rows of barricades", len(stop.Rows), int(b.limits.Barricades)+1)
	for i, r := range stop.Rows {
		equal(t, "barricades", int(r.Barricades), i)
		for m := range b.pieces.cops {
			equal(t, fmt.Sprintf("%d cops stopped by %d barricades", m, i), formulas[r.Stopped](m), stoppedBy(r.Barricades, m))
		}
	}
	for _, r := range lib.Rows {
		equal(t, "blocs that liberate", r.Blocs, blocsNeeded(r.Difficulty))
	}
	var rolls []uint8
	for _, r := range reaction.Rows {
		rolls = append(rolls, r.Roll...)
	}
	equal(t, "reaction rolls", rolls, []uint8{1, 2, 3, 4, 5, 6})
}

// R2.7, R2.8 and R5.2: each faction has three districts of its type, ten blocs and five
// occupations, the common ones first; the Faction Start forms one bloc before the dice are
// rolled (R4.3), liberated or not (Ruling 17).
func TestFactions(t *testing.T) {
	file, b := read[factionsFile](t, "factions"), testBox(t)
	for i, r := range file.Factions {
		equal(t, "faction", r.Key, typeNames[i])
		equal(t, "blocs", r.Blocs, blocsEach)
		equal(t, "districts", len(r.Districts), 3)
		for _, key := range r.Districts {
			if n, err := b.tileOf(key); err != nil || b.tiles[n].Type != TileType(i) {
				t.Errorf("faction %s: %s is not of its type", r.Key, key)
			}
		}
		equal(t, "common occupations", r.Occupations[:3], []string{"faction_start", "assembly_hall", "peoples_kitchen"})
	}
	for _, o := range file.Occupations {
		if o.Text == "" || o.Name == "" || (o.Uses == 0) != (o.UsesLib == 0) {
			t.Errorf("occupation %s lacks its text or the uses of a side", o.Key)
		}
	}
	start := b.factions[0].occs[OccFactionStart].Ability
	if len(start) != 1 || start[0].Op != opFormBloc || start[0].N != 1 || start[0].When != "turn_start_before_dice" {
		t.Errorf("the Faction Start does %+v", start)
	}
	for v, a := range b.abilities {
		if a.key != "" && a.kind == [Factions]OccID{NoOcc, NoOcc, NoOcc, NoOcc} {
			t.Errorf("verb %s: nobody has %s", b.actions[ActVerb+v], a.key)
		}
	}
}

// R11.6 and R10.4: the agenda cards.
func TestAgendas(t *testing.T) {
	b, families := testBox(t), map[string]int{}
	for i, a := range b.agendas {
		equal(t, "index of agenda "+a.Key, a.Index, i)
		families[a.Family]++
		equal(t, "options of agenda "+a.Key, len(a.Options), 2)
		for k, o := range a.Options {
			if len(o.All) == 0 || o.Text == "" || !o.alone() && (o.Mode != "cooperative" || o.All[0].Op != insurrection) || o.alone() && a.Family == "social" {
				t.Errorf("agenda %s: option %d is malformed", a.Key, k)
			}
		}
	}
	if families["nihilist"] != 1 || families["vanguardist"] != 1 || families["social"]+families["sectarian"] != Agendas-2 {
		t.Errorf("agenda families %v", families)
	}
	equal(t, "nihilist", b.agendas[AgendaNihilist].Family, "nihilist")
	equal(t, "vanguardist", b.agendas[AgendaVanguardist].Family, "vanguardist")
}

// R10.3: what the scenarios set up fits the box.
func TestScenarios(t *testing.T) {
	file, b := read[scenariosFile](t, "scenarios"), testBox(t)
	equal(t, "difficulties", file.Options.Difficulties, difficultyNames[:])
	for _, key := range b.highwayOrder {
		equal(t, "roads of a highway", b.tiles[key].Roads, curves)
	}
	var ids []string
	for i := range b.scenarios {
		s := &b.scenarios[i]
		ids = append(ids, s.ID)
		semi := slices.Contains(s.Modes, "semi_cooperative")
		if !slices.Contains(difficultyNames[:], s.usual) || s.Difficulty != "" && s.Difficulty != s.usual || semi != (s.Agenda != noAgendas) ||
			s.Success.Op == policeGone && s.Success.Vans != b.pieces.vans || !slices.IsSorted(s.Modes) || !slices.IsSorted(s.Players) {
			t.Errorf("scenario %s: difficulty %q, modes %v, agenda %d, success %v disagree", s.ID, s.Difficulty, s.Modes, s.Agenda, s.Success)
		}
		if s.Gate != nil && s.Gate.Op != "NO_POLICE_IN" || s.City != "" && !s.fixed() {
			t.Errorf("scenario %s: gate %v, city %q", s.ID, s.Gate, s.City)
		}
		for _, mode := range s.Modes {
			if !slices.Contains(modeNames, mode) {
				t.Errorf("scenario %s: mode %s", s.ID, mode)
			}
		}
		for i, n := range s.removedOps {
			if n > b.ops[i].Copies {
				t.Errorf("scenario %s: %d copies of %s are to be removed", s.ID, n, b.ops[i].Key)
			}
		}
		for _, n := range s.Players {
			checkSetUp(t, b, s, uint8(n))
		}
	}
	equal(t, "scenarios", ids, scenarioChoices)
	for id, players := range file.Vans {
		for n, want := range players {
			i := slices.Index(ids, id)
			equal(t, fmt.Sprintf("vans of %s with %d players", id, n), vansOf(b, b.scenarios[i].setUp(uint8(n))), want)
		}
	}
}

func checkSetUp(t *testing.T, b *box, s *scenario, players uint8) {
	t.Helper()
	x := s.setUp(players)
	for i := range x.out {
		if b.tiles[x.out[i]].Pile >= noPile || b.tiles[x.in[i]].Pile < noPile {
			t.Errorf("scenario %s: %+v cannot be", s.ID, x.Replacements[i])
		}
	}
	vans := vansOf(b, x)
	if players < 2 || players > maxPlayers || vans > int(b.pieces.vans) || vans*int(s.CopsPerVan) > int(b.pieces.cops) || x.Blocs > blocsEach ||
		x.Nights == 0 {
		t.Errorf("scenario %s with %d players: %d vans with %d cops each, %d blocs, %d nights", s.ID, players, vans, s.CopsPerVan, x.Blocs, x.Nights)
	}
}

// vansOf implements R2.5: how many riot vans a random city gets.
func vansOf(b *box, x *scenarioSetUp) int {
	n := len(x.vanTiles)
	for _, pile := range b.tilesOf(x) {
		for _, t := range pile {
			if x.eachState && b.tiles[t].Type == TypeState {
				n++
			}
		}
	}
	return n
}

// ids are numbers without their type.
func ids[T ~uint8](typed map[string]T) map[string]int {
	plain := map[string]int{}
	for key, id := range typed {
		plain[key] = int(id)
	}
	return plain
}

// The exported numbers are those of the data.
func TestIDs(t *testing.T) {
	b := testBox(t)
	var agendas []string
	for i := range b.agendas {
		agendas = append(agendas, b.agendas[i].Key)
	}
	for _, x := range []struct {
		keys []string
		ids  map[string]int
	}{
		{keys(b.loot[:]), ids(map[string]LootID{
			"molotovs_1": CardMolotovs1, "molotovs_2": CardMolotovs2, "fireworks": CardFireworks, "bikes": CardBikes,
			"smoke_bombs": CardSmokeBombs, "bolt_cutters": CardBoltCutters, "police_scanner": CardPoliceScanner,
			"energy_drinks": CardEnergyDrinks, "megaphone": CardMegaphone, "lumber": CardLumber, "signal_jammer": CardSignalJammer,
			"gas_masks": CardGasMasks, "medic_kit": CardMedicKit, "steel_doors": CardSteelDoors, "sound_system": CardSoundSystem,
		})},
		{b.actions[ActVerb:], ids(map[string]Verb{
			"MOVE": VerbMove, "MOVE_FREE": VerbMoveFree, "BARRICADE": VerbBarricade, "LOOT_GRAFFITI": VerbLootGraffiti,
			"LOOT_BURN": VerbLootBurn, "BUILD": VerbBuild, "SWAP": VerbSwap, "ATTACK_DEFEAT": VerbAttackDefeat,
			"ATTACK_KICK": VerbAttackKick, "ATTACK_VAN": VerbAttackVan, "ASSEMBLY_HALL": VerbUseHall, "HACKER_SPACE": VerbUseHacker,
			"PROPAGANDA_WORKSHOP": VerbUseWorkshop, "PLAY_CARD": VerbPlayCard, "TRADE": VerbTrade, "END_ACTIONS": VerbEndActions,
		})},
		{keys(b.manifest[:]), ids(map[string]ManifestID{
			"mass_looting": ManifestMassLooting, "popular_assembly": ManifestPopularAssembly, "leaked_orders": ManifestLeakedOrders,
			"general_strike": ManifestGeneralStrike, "street_fortifications": ManifestStreetFortifications,
			"mutiny_in_the_ranks": ManifestMutinyInTheRanks, "spontaneous_march": ManifestSpontaneousMarch,
			"mass_jailbreak": ManifestMassJailbreak, "riot_van_torched": ManifestRiotVanTorched, "wave_of_occupations": ManifestWaveOfOccupations,
		})},
		{scenarioChoices, map[string]int{
			"standard": ScenarioStandard, "beginner": ScenarioBeginner, "beginner_city": ScenarioBeginnerCity,
			"routine_traffic_stop": ScenarioRoutineTrafficStop, "abolish_the_police": ScenarioAbolishThePolice,
			"burn_down_the_company_town": ScenarioBurnDownTheCompanyTown, "occupy_everything": ScenarioOccupyEverything,
			"asymmetrical_struggle": ScenarioAsymmetricalStruggle, "let_the_infighting_begin": ScenarioLetTheInfightingBegin,
			"collective_liberation": ScenarioCollectiveLiberation, "smash_the_state": ScenarioSmashTheState,
			"autonomous_zone_1": ScenarioAutonomousZone1, "autonomous_zone_2": ScenarioAutonomousZone2,
		}},
		{agendas, ids(map[string]AgendaID{
			"social_neighborhood_power": AgendaNeighborhoodPower, "social_federation": AgendaFederation,
			"social_open_the_commons": AgendaOpenTheCommons, "social_hold_the_streets": AgendaHoldTheStreets,
			"social_expropriation": AgendaExpropriation, "sectarian_one_true_line": AgendaOneTrueLine,
			"sectarian_hegemony": AgendaHegemony, "sectarian_home_turf": AgendaHomeTurf, "vanguardist": AgendaVanguardist,
			"nihilist": AgendaNihilist,
		})},
		{typeNames[:Factions], ids(map[string]FactionID{"workers": Workers, "students": Students, "neighbors": Neighbors, "prisoners": Prisoners})},
		{typeNames[:], ids(map[string]TileType{"workers": 0, "students": 1, "neighbors": 2, "prisoners": 3,
			"state": TypeState, "public": TypePublic, "commercial": TypeCommercial, "highway": TypeHighway})},
	} {
		for i, key := range x.keys {
			if id, ok := x.ids[key]; !ok || id != i {
				t.Errorf("%s has the number %d, the data %d", key, id, i)
			}
		}
	}
	for _, x := range [][2]int{
		{AskStartDistrict, int(decisions[chooseStart])}, {AskTurnMenu, int(decisions[menu])}, {AskReactionCard, int(decisions[answerReaction])},
		{AskTradePick, int(decisions[tradePick])}, {AskMedicCell, int(decisions[rescueTo])}, {AskOccupyCell, Decisions - 1},
		{int(OccSecondOwn), Occupations - 1}, {Scenarios, len(scenarioChoices)},
	} {
		equal(t, "number", x[0], x[1])
	}
}
