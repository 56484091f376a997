package insurgency

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// R4.4, R4.5, R10.4, R9.4: what the tables say is possible, and what the rulebook says of
// them.
func TestTableRecords(t *testing.T) {
	b, f := compiled(t), file[tableFile](t, "tables")
	if len(f.Status.Rows) != numStatuses {
		t.Errorf("%d statuses", len(f.Status.Rows))
	}
	for n := 1; n <= d6Faces; n++ {
		if b.test[n] != anger && b.test[n] != defiance {
			t.Errorf("a test with %d gives %s", n, statusNames[b.test[n]])
		}
	}
	for n := 1; n <= d20Faces; n++ {
		if !(b.kinds[region] & b.us).Has(b.region[n]) {
			t.Errorf("a roll of %d is no region of the United States", n)
		}
	}
	for _, fact := range f.Metros.Facts.([]any) {
		if n := int(raw(fact, "roll").(float64)); b.ids[b.metroCity[n]] != raw(fact, "metro").(string)+"_city" {
			t.Errorf("a roll of %d is %v by the rulebook", n, raw(fact, "metro"))
		}
	}
	for i, r := range f.RPF.Rows {
		if r.Space != float64(i) || r.RPF > 4 {
			t.Errorf("Rebellion Power %v has factor %d", r.Space, r.RPF)
		}
	}
	for _, fact := range f.RPF.Facts.([]any) {
		if n := int(raw(fact, "space").(float64)); float64(b.rpf[n]) != raw(fact, "rpf") {
			t.Errorf("Rebellion Power %d has factor %v by the rulebook", n, raw(fact, "rpf"))
		}
	}
	for i, r := range f.Attacks.Rows {
		if r.ID != attackNames[i] || r.Ops < 1 || r.Ops > maxOps {
			t.Errorf("attack %v costs %d", r.ID, r.Ops)
		}
	}
	effects := f.Hack.Effects.([]any)
	for i, e := range effects {
		if raw(e, "id") != hackNames[i] || raw(e, "blocked_by_shield") != (hackChoice(i) <= hackDenial) {
			t.Errorf("hack %v is not what the engine plays", e)
		}
	}
	if len(effects) != len(hackNames) || b.desertion == 0 {
		t.Error("a table has too few rows")
	}
}

// The arrays of numbers by place have as many rows as places.
func TestTablesHaveNoRowTooMany(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"tables": {"rebellion_power_factor.rows": maxPower + 1, "social_media_attacks.rows": int(numAttacks), "social_media_track.spaces": numSM,
			"social_media_track.moves": numSM},
		"story_cards": {"cards": numStories},
		"event_cards": {"cards": numEvents},
	} {
		v := file[any](t, name)
		for keys, n := range want {
			switch list := raw(v, strings.Split(keys, ".")...).(type) {
			case []any:
				if len(list) != n {
					t.Errorf("%s.json: %s has %d rows, want %d", name, keys, len(list), n)
				}
			case map[string]any:
				if len(list) != n {
					t.Errorf("%s.json: %s has %d rows, want %d", name, keys, len(list), n)
				}
			}
		}
	}
}

// R13.3.1: the track is a ring in which two steps are forbidden.
func TestSocialMediaTrack(t *testing.T) {
	f := file[tableFile](t, "tables")
	for i, s := range f.Track.Spaces {
		if int(s.ID) != i {
			t.Errorf("space %d of the track is %s", i, smNames[s.ID])
		}
		for _, to := range f.Track.Moves[s.ID] {
			if n := int(to); n != (i+1)%numSM && i != (n+1)%numSM {
				t.Errorf("a step from %s to %s", smNames[s.ID], smNames[to])
			}
		}
	}
	for _, pair := range f.Track.Forbidden.([]any) {
		p := texts(pair)
		if slices.Contains(f.Track.Moves[Marker(slices.Index(smNames, p[0]))], Marker(slices.Index(smNames, p[1]))) {
			t.Errorf("the step %v is allowed and forbidden", p)
		}
	}
}

// R1.2-R1.5: sides, cards and the limits that the arrays are made for.
func TestComponents(t *testing.T) {
	v := file[any](t, "components")
	sides := raw(v, "sides").([]any)
	if len(sides) != numSeats || raw(sides[rebel], "id") != "rebel" || raw(sides[rebel], "plays_first") != true ||
		raw(sides[federal], "id") != "federal" {
		t.Errorf("sides %v: the Rebel, who plays first, and the Federal", sides)
	}
	for _, c := range raw(v, "cards").([]any) {
		if want := map[any]float64{"event": numEvents, "story": numStories}[raw(c, "deck")]; raw(c, "count") != want {
			t.Errorf("%v cards of the deck %v, want %g", raw(c, "count"), raw(c, "deck"), want)
		}
	}
	for name, want := range map[string]float64{
		"resources_min": 0, "resources_max": maxMoney, "ops_per_card_max": maxOps, "rebellion_power_min": 0, "rebellion_power_max": maxPower,
	} {
		if got := raw(v, "limits", name, "value"); got != want {
			t.Errorf("%s is %v, the engine is made for %g", name, got, want)
		}
	}
}

// printed reads a data file that is not embedded.
func printed(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("data/" + name + ".json")
	if err == nil {
		err = ruledata.Decode(data, v)
	}
	if err != nil {
		t.Fatalf("%s.json: %v", name, err)
	}
}

// R7.1: the operations of the code are those of data/operations.json.
func TestOperationRecords(t *testing.T) {
	var f struct {
		ruledata.Source
		Note       string
		Operations []struct {
			ruledata.Source
			ID, Side, Target, Cost, Summary string
			MinOps                          int `json:"min_ops"`
		}
	}
	printed(t, "operations", &f)
	if len(f.Operations) != int(numOps) {
		t.Fatalf("%d operations, want %d", len(f.Operations), numOps)
	}
	for _, o := range f.Operations {
		k := slices.Index(opNames[:], o.ID)
		if k < 0 || opSides[k].String() != o.Side || opMinOps(opKind(k)) != o.MinOps {
			t.Errorf("%s of side %s with %d Ops is not what the engine plays", o.ID, o.Side, o.MinOps)
		}
	}
}

// R21.1: the vocabulary is that of data/actions.json, at the offsets of the code.
func TestVocabulary(t *testing.T) {
	var f struct {
		ruledata.Source
		Total  int
		Groups []struct {
			Group, Note  string
			Offset, Size int
			Values       []json.RawMessage
		}
	}
	printed(t, "actions", &f)
	offsets := map[string]engine.Action{
		"CARD": ActCard, "MODE": ActMode, "OP": ActOp, "AMOUNT": ActAmount, "TYPE": ActType, "SPACE": ActSpace, "DONE": ActDone,
		"RECRUIT": ActUnits, "SM": ActSM, "ATTACK": ActAttack, "STORY": ActStory, "HACK": ActHack, "OPTION": ActOption, "YESNO": ActYes,
		"VERB": ActRemove, "PIECE": ActPiece,
	}
	var want []string
	for _, g := range f.Groups {
		if g.Offset != int(offsets[g.Group]) || g.Offset != len(want) || g.Size != len(g.Values) {
			t.Errorf("group %s at %d does not match the engine's", g.Group, g.Offset)
		}
		for _, value := range g.Values {
			switch string(value) {
			case `"done"`:
				want = append(want, "DONE")
			case `"yes"`:
				want = append(want, "YES")
			case `"no"`:
				want = append(want, "NO")
			default:
				want = append(want, g.Group+"_"+strings.Trim(string(value), `"`))
			}
		}
	}
	if got := compiled(t).actionNames(); !slices.Equal(got, want) || len(want) != f.Total || f.Total != numActions || len(f.Groups) != len(offsets) {
		t.Errorf("%d actions, total %d, want %d: %v", len(got), f.Total, numActions, got)
	}
}
