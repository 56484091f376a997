package bloc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// readPrimitives checks that primitives.json and effects.go name the same ops
// and arguments.
func readPrimitives(b *box) error {
	var file struct {
		source
		Effects    []string                       `json:"effect_ops"`
		Predicates []string                       `json:"predicates"`
		Successes  []string                       `json:"success_ops"`
		Gates      []string                       `json:"gate_ops"`
		Args       map[string]map[string][]string `json:"effect_args"`
		Values     map[string]json.RawMessage     `json:"effect_arg_values"`
	}
	if err := decodeFile("primitives", &file); err != nil {
		return err
	}
	for what, lists := range map[string][2][]string{
		"effect_ops": {file.Effects, opNames[1:]}, "predicates": {file.Predicates, predicateNames[:]},
		"success_ops": {file.Successes, successNames[:]}, "gate_ops": {file.Gates, []string{"NO_POLICE_IN"}},
		"effect_args": {keys(file.Args), opNames[1:]},
	} {
		got, want := slices.Sorted(slices.Values(lists[0])), slices.Sorted(slices.Values(lists[1]))
		if !slices.Equal(got, want) {
			return fmt.Errorf("primitives.json: %s are %v, the engine has %v", what, got, want)
		}
	}
	return file.check("primitives")
}

func keys[T any](m map[string]T) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	return list
}

// rawCard is a loot, police ops or manifestation card as its file writes it.
type rawCard struct {
	source
	Index        int              `json:"index"`
	Key          string           `json:"key"`
	Name         string           `json:"name"`
	Title        string           `json:"title"`
	Copies       uint8            `json:"copies"`
	CopiesSource string           `json:"copies_source"`
	NameSource   string           `json:"name_source"`
	Window       string           `json:"window"`
	Priority     *string          `json:"priority"`
	MoraleDelta  int8             `json:"morale_delta"`
	Table        map[string]uint8 `json:"table_by_liberated_difficulty"`
	Effects      []rawEffect      `json:"effects"`
	Text         string           `json:"text"`
}

type rawDeck struct {
	source
	DeckSize int       `json:"deck_size"`
	InCity   int       `json:"in_city"`
	Windows  []string  `json:"windows"`
	Cards    []rawCard `json:"cards"`
}

// readDeck reads one deck into cards.
func readDeck(file string, size int, cards []card) (rawDeck, error) {
	var deck rawDeck
	if err := decodeFile(file, &deck); err != nil {
		return deck, err
	}
	total := 0
	if len(deck.Cards) != len(cards) {
		return deck, fmt.Errorf("%s: %d kinds, the engine is made for %d", file, len(deck.Cards), len(cards))
	}
	for i, r := range deck.Cards {
		if err := r.check(r.Key); err != nil {
			return deck, err
		}
		program, err := compile(r.Effects, r.Table)
		if err != nil || r.Index != i || r.Text == "" || r.Copies == 0 || len(program) == 0 {
			return deck, fmt.Errorf("%s: card %s is malformed: %w", file, r.Key, err)
		}
		for _, other := range deck.Cards[:i] {
			if other.Key == r.Key {
				return deck, fmt.Errorf("%s: card %s comes twice", file, r.Key)
			}
		}
		cards[i] = card{key: r.Key, name: r.Name + r.Title, text: r.Text, copies: r.Copies, effects: program}
		total += int(r.Copies)
	}
	if total != size || deck.DeckSize != size {
		return deck, fmt.Errorf("%s: %d cards, want %d", file, total, size)
	}
	return deck, nil
}

// readLoot reads the loot cards and finds those that are played outside D17.
func readLoot(b *box) error {
	deck, err := readDeck("loot_cards", 60, b.loot[:])
	if err != nil {
		return err
	}
	if !slices.Equal(deck.Windows, windowNames[:]) {
		return fmt.Errorf("loot cards: windows %v", deck.Windows)
	}
	for i, r := range deck.Cards {
		c := &b.loot[i]
		if c.window, err = index[window]("window", r.Window, windowNames[:]); err != nil {
			return fmt.Errorf("loot card %s: %w", r.Key, err)
		}
		if c.window == turnWindow {
			continue
		}
		slot, ok := map[op]*uint8{
			opAttackStrength: new(uint8), opCancelReaction: &b.scanner, opCancelCops: &b.gasMasks, opRescueBlocs: &b.medicKit,
			opProtect: &b.steelDoors, opBoost: &b.soundSystem,
		}[c.effects[0].op]
		if !ok || len(c.effects) != 1 {
			return fmt.Errorf("loot card %s: %s in window %s", r.Key, opNames[c.effects[0].op], r.Window)
		}
		*slot = uint8(i)
	}
	return nil
}

// readOps reads the police ops cards.
func readOps(b *box) error {
	deck, err := readDeck("police_ops_cards", 34, b.ops[:])
	if err != nil {
		return err
	}
	for i, r := range deck.Cards {
		c := &b.ops[i]
		c.highest = r.Priority != nil && *r.Priority == "highest"
		raised := int8(0)
		for _, e := range c.effects {
			raised += e.sign
			switch e.op {
			case opMoveGroups, opVansDeploy:
				if e.highest != c.highest {
					return fmt.Errorf("ops card %s: two priorities", r.Key)
				}
			case opMetroLock:
				b.lockdown = uint8(i)
			}
		}
		if raised != r.MoraleDelta || raised < 0 || raised > 1 {
			return fmt.Errorf("ops card %s: morale %d", r.Key, raised)
		}
		if r.Key == "paramilitary_operations" {
			b.paramilitary = uint8(i)
		}
	}
	if n := b.ops[b.paramilitary].copies; n < b.removedOps[0] {
		return fmt.Errorf("%d Paramilitary Operations, %d are taken out on easy", n, b.removedOps[0])
	}
	return nil
}

// readManifestations reads the manifestation cards.
func readManifestations(b *box) error {
	deck, err := readDeck("manifestation_cards", 28, b.manifest[:])
	if err != nil {
		return err
	}
	if deck.InCity != numCells {
		return fmt.Errorf("manifestation cards: %d in the city", deck.InCity)
	}
	for i, r := range deck.Cards {
		c := &b.manifest[i]
		if c.effects[0].op != opMorale || c.effects[0].sign != -1 {
			return fmt.Errorf("manifestation %s: morale comes first", r.Key)
		}
		for j := range b.tiles {
			t := &b.tiles[j]
			if !t.liberable {
				continue
			}
			d := t.difficulty[1]
			n, ok := r.Table[fmt.Sprint(d)]
			if !ok || int(d) >= len(c.table) {
				return fmt.Errorf("manifestation %s: no value for difficulty %d", r.Key, d)
			}
			c.table[d] = n
		}
	}
	return nil
}

// readActions checks the vocabulary: the ids of actions.go and the decisions of
// state.go.
func readActions(b *box) error {
	var file struct {
		source
		Size    int `json:"size"`
		Actions []struct {
			ID    int    `json:"id"`
			Name  string `json:"name"`
			Group string `json:"group"`
		} `json:"actions"`
		Decisions []struct {
			ID     string   `json:"id"`
			Name   string   `json:"name"`
			Who    string   `json:"who"`
			Groups []string `json:"action_groups"`
			Pass   bool     `json:"pass_allowed"`
		} `json:"decisions"`
		Chance []struct {
			ID   string `json:"id"`
			What string `json:"what"`
		} `json:"chance"`
	}
	if err := decodeFile("actions", &file); err != nil {
		return err
	}
	for i, a := range file.Actions {
		if a.ID != i {
			return fmt.Errorf("action %s has id %d in place %d", a.Name, a.ID, i)
		}
		b.actions = append(b.actions, a.Name)
	}
	want := map[int]string{
		actDone: "DONE", actYes: "YES", actNo: "NO", actCell: "CELL_0", actArm: "ARM_N", actCount: "COUNT_1", actOcc: "OCC_START",
		actFaction: "FACTION_WORKERS", actFactory: "CARD_MOLOTOVS_1_FACTORY", actAny: "CARD_ANY", actNothing: "CARD_NOTHING",
		actVerb: "MOVE", actVerb + int(endActions): "END_ACTIONS",
	}
	for i := range b.loot {
		want[actCard+i] = "CARD_" + strings.ToUpper(b.loot[i].key)
	}
	if len(b.actions) != numActions || file.Size != numActions {
		return fmt.Errorf("%d actions, the engine has %d", len(b.actions), numActions)
	}
	for i, name := range want {
		if b.actions[i] != name {
			return fmt.Errorf("action %d is %s, the engine takes it for %s", i, b.actions[i], name)
		}
	}
	for i, d := range file.Decisions {
		if d.ID != fmt.Sprintf("D%d", i+1) {
			return fmt.Errorf("decision %s is out of order", d.ID)
		}
		b.decisions = append(b.decisions, d.Name)
	}
	if len(b.decisions) != int(numDecisions) {
		return fmt.Errorf("%d decisions, the engine has %d", len(b.decisions), numDecisions)
	}
	return file.check("actions")
}
