package bloc

import (
	"fmt"
	"slices"
)

// Kinds of occupations by place in a faction's list; the last two are the
// faction's own.
const (
	factionStart uint8 = iota
	assemblyHall
	peoplesKitchen
)

// ability says whose occupation a verb uses.
type ability struct {
	key  string             // of the occupation
	kind [numFactions]uint8 // its place in the list of each faction, noOcc where it has none
}

// readFactions reads the four factions and their occupations.
func readFactions(b *box) error {
	var file struct {
		Source   string `json:"source"`
		Cite     string `json:"cite"`
		Factions []struct {
			Key         string   `json:"key"`
			Color       string   `json:"color"`
			Blocs       int      `json:"blocs"`
			Districts   []string `json:"districts"`
			Occupations []string `json:"occupations"`
		} `json:"factions"`
		Occupations []rawOccupation `json:"occupations"`
	}
	if err := decodeFile("factions", &file); err != nil {
		return err
	}
	kinds := map[string]occupation{}
	for _, r := range file.Occupations {
		o, err := compileOccupation(r)
		if err != nil {
			return fmt.Errorf("occupation %s: %w", r.Key, err)
		}
		kinds[r.Key] = o
	}
	if len(file.Factions) != numFactions {
		return fmt.Errorf("%d factions", len(file.Factions))
	}
	for i, r := range file.Factions {
		f := &b.factions[i]
		f.key = r.Key
		if r.Key != typeNames[i] || r.Blocs != blocsEach || len(r.Occupations) != numOccs || len(r.Districts) != 3 {
			return fmt.Errorf("faction %s: %d blocs, %d occupations, %d districts", r.Key, r.Blocs, len(r.Occupations), len(r.Districts))
		}
		for _, key := range r.Districts {
			if t, err := b.tileOf(key); err != nil || b.tiles[t].typ != tileType(i) {
				return fmt.Errorf("faction %s: %s is not of its type", r.Key, key)
			}
		}
		for op := range f.standing {
			f.standing[op] = noOcc
		}
		for k, key := range r.Occupations {
			o, ok := kinds[key]
			if !ok {
				return fmt.Errorf("faction %s: occupation %q is unknown", r.Key, key)
			}
			f.occs[k] = o
			f.standing[o.standing.op] = uint8(k)
		}
		if !slices.Equal(r.Occupations[:3], []string{"faction_start", "assembly_hall", "peoples_kitchen"}) {
			return fmt.Errorf("faction %s: the common occupations come first", r.Key)
		}
	}
	for v, key := range abilityKeys {
		a := &b.abilities[v]
		a.key = key
		for f := range b.factions {
			a.kind[f] = noOcc
			for k := range b.factions[f].occs {
				if b.factions[f].occs[k].key == key {
					a.kind[f] = uint8(k)
				}
			}
		}
	}
	return nil
}

// abilityKeys names the occupation that each verb of an ability uses.
var abilityKeys = map[verb]string{
	moveFree: "social_center", useHall: "assembly_hall", useHacker: "hacker_space", useWorkshop: "propaganda_workshop",
}

type rawOccupation struct {
	source
	Key           string      `json:"key"`
	Name          string      `json:"name"`
	Faction       string      `json:"faction"`
	Common        bool        `json:"common"`
	Ability       []rawEffect `json:"ability"`
	Liberated     *string     `json:"liberated"`
	Text          string      `json:"text"`
	Uses          *uint8      `json:"uses_per_turn"`
	UsesLiberated *uint8      `json:"uses_per_turn_liberated"`
}

// compileOccupation compiles an ability: a program that a verb starts, or one
// standing effect that the rules look up.
func compileOccupation(r rawOccupation) (occupation, error) {
	o := occupation{key: r.Key, name: r.Name, text: r.Text}
	if err := r.check("occupation"); err != nil {
		return o, err
	}
	program, err := compile(r.Ability, nil)
	if err != nil {
		return o, err
	}
	switch {
	case r.Key == "faction_start": // carried out by the start of the turn (R4.3), liberated or not (Ruling 17)
		if len(program) != 1 || program[0].op != opFormBloc || r.Ability[0].When != "turn_start_before_dice" {
			return o, fmt.Errorf("it forms one bloc before the dice are rolled")
		}
	case len(program) == 1 && program[0].op.stands():
		o.standing = program[0]
	default:
		o.program = program
	}
	if (r.Uses == nil) != (r.UsesLiberated == nil) {
		return o, fmt.Errorf("uses of one side only")
	}
	if r.Uses != nil {
		o.uses = [2]uint8{*r.Uses, *r.UsesLiberated}
	}
	return o, nil
}
