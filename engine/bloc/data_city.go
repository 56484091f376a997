package bloc

import (
	"fmt"
	"slices"
)

// readComponents reads R1.1 and R1.2: how many pieces there are.
func readComponents(b *box) error {
	var file struct {
		Source     string `json:"source"`
		Cite       string `json:"cite"`
		Components []struct {
			Name       string `json:"name"`
			Count      int    `json:"count"`
			PerFaction int    `json:"per_faction"`
			Sides      int    `json:"sides"`
		} `json:"components"`
		Limits map[string]int `json:"limits"`
	}
	if err := decodeFile("components", &file); err != nil {
		return err
	}
	count := map[string]int{}
	for _, c := range file.Components {
		count[c.Name] = c.Count
	}
	for name, want := range map[string]int{
		"blocs": numFactions * blocsEach, "district_tiles": numTiles, "occupations": numFactions * numOccs,
		"agenda_cards": numAgendas, "riot_cops": 30, "riot_vans": 6, "barricades": 40, "loot_tokens": 42,
		"loot_cards": 60, "police_ops_cards": 34, "manifestation_cards": 28, "action_dice": 7, "reaction_die": 1,
	} {
		if count[name] != want {
			return fmt.Errorf("component %s: %d, the engine is made for %d", name, count[name], want)
		}
	}
	b.cops, b.vans, b.barricades = uint8(count["riot_cops"]), uint8(count["riot_vans"]), uint8(count["barricades"])
	limits := map[string]*uint8{
		"action_dice_unspent_max": &b.maxDice, "barricades_per_connection": &b.maxBarricades, "riot_van_hits": &b.vanHits,
	}
	for name, field := range limits {
		if *field = uint8(file.Limits[name]); *field == 0 {
			return fmt.Errorf("limit %s is missing", name)
		}
	}
	for name, want := range map[string]int{
		"players_min": 2, "players_max": maxPlayers, "riot_vans_per_district": 1, "occupations_per_district": 1,
		"riot_vans_target_for_emergency": 4,
	} {
		if file.Limits[name] != want {
			return fmt.Errorf("limit %s: %d, the engine is made for %d", name, file.Limits[name], want)
		}
	}
	return nil
}

// rawTile is a tile as tiles.json writes it.
type rawTile struct {
	source
	Key          string            `json:"key"`
	Name         string            `json:"name"`
	Type         string            `json:"type"`
	Letter       string            `json:"letter"`
	PoliceID     *uint8            `json:"police_id"`
	Repressed    *uint8            `json:"difficulty_repressed"`
	Liberated    *uint8            `json:"difficulty_liberated"`
	Roads        string            `json:"roads"`
	Metro        bool              `json:"metro"`
	Centers      uint8             `json:"shopping_centers"`
	Circle       bool              `json:"occupation_circle"`
	Liberable    bool              `json:"can_be_liberated"`
	Free         bool              `json:"starts_liberated"`
	FieldSources map[string]string `json:"field_sources"`
}

// readTiles reads the thirty tiles.
func readTiles(b *box) error {
	var file struct {
		Note  string    `json:"note"`
		Types []string  `json:"types"`
		Tiles []rawTile `json:"tiles"`
	}
	if err := decodeFile("tiles", &file); err != nil {
		return err
	}
	if !slices.Equal(file.Types, typeNames[:]) || len(file.Tiles) != numTiles {
		return fmt.Errorf("tiles.json: types %v and %d tiles", file.Types, len(file.Tiles))
	}
	ids, piles := map[uint8]bool{}, map[string]int{}
	for i, r := range file.Tiles {
		t, err := compileTile(r)
		if err != nil {
			return fmt.Errorf("tile %s: %w", r.Key, err)
		}
		if t.id > 0 && ids[t.id] {
			return fmt.Errorf("tile %s: police ID %d is taken", r.Key, t.id)
		}
		if _, err := b.tileOf(r.Key); err == nil {
			return fmt.Errorf("tile %s comes twice", r.Key)
		}
		ids[t.id] = true
		piles[r.Letter]++
		b.tiles[i] = t
	}
	if piles["A"] != 9 || piles["B"] != 8 || piles["C"] != 8 {
		return fmt.Errorf("piles of %d, %d and %d tiles, want 9, 8 and 8 (R2.2)", piles["A"], piles["B"], piles["C"])
	}
	return nil
}

func compileTile(r rawTile) (tile, error) {
	t := tile{key: r.Key, name: r.Name, pile: noPile, metro: r.Metro, centers: r.Centers, circle: r.Circle, liberable: r.Liberable, free: r.Free}
	if err := r.check("tile"); err != nil {
		return t, err
	}
	var err error
	if t.typ, err = index[tileType]("type", r.Type, typeNames[:]); err != nil {
		return t, err
	}
	if t.roads, err = index[roads]("roads", r.Roads, roadNames[:]); err != nil {
		return t, err
	}
	if i := slices.Index([]string{"A", "B", "C"}, r.Letter); i >= 0 {
		t.pile = uint8(i)
	}
	for i, d := range []*uint8{r.Repressed, r.Liberated} {
		if d != nil {
			t.difficulty[i] = *d
		}
	}
	if r.PoliceID != nil {
		t.id = *r.PoliceID
	}
	closed := t.typ == highway || t.typ == commercial
	switch {
	case (t.typ == highway) != (t.roads >= curves) || (t.typ == highway) != (t.id == 0):
		return t, fmt.Errorf("type %s with roads %s and police ID %d", r.Type, r.Roads, t.id)
	case closed == t.circle || closed && t.liberable:
		return t, fmt.Errorf("occupation circle %v on a %s tile", t.circle, r.Type)
	case t.liberable && t.difficulty[1]+1 != t.difficulty[0]:
		return t, fmt.Errorf("difficulties %v", t.difficulty)
	case (t.typ == commercial) != (t.centers > 1) || (t.free || t.typ == highway) && t.centers > 0:
		return t, fmt.Errorf("%d shopping centres", t.centers)
	}
	return t, nil
}

// readCity reads the geometry. The rotations and connections themselves are in
// city.go; here the data are compared with what it does.
func readCity(b *box) error {
	var file struct {
		Size map[string]any `json:"size"`
		Arms struct {
			source
			Order    []string          `json:"order"`
			Opposite map[string]string `json:"opposite"`
		} `json:"arms"`
		Rotation struct {
			source
			Values   []int                  `json:"values"`
			Meaning  string                 `json:"meaning"`
			DeadEnd  map[string]string      `json:"dead_end_arm_of_3way"`
			Curves   map[string][][2]string `json:"highway_curves"`
			Straight map[string][][2]string `json:"highway_straight"`
		} `json:"rotation"`
		Zigzag struct {
			source
			Pattern []string       `json:"pattern"`
			Order   []uint8        `json:"placement_order"`
			Pile    string         `json:"pile_of_placement_k"`
			Sizes   map[string]int `json:"pile_sizes"`
		} `json:"zigzag"`
		Connectivity    map[string]any `json:"connectivity"`
		ConnectionRules []string       `json:"connection_rules"`
		Beginner        struct {
			source
			Unused []string `json:"unused_tiles"`
			Cells  []struct {
				Cell     int    `json:"cell"`
				Row      int    `json:"row"`
				Col      int    `json:"col"`
				Tile     string `json:"tile"`
				Rotation uint8  `json:"rotation"`
			} `json:"cells"`
		} `json:"beginner_city"`
	}
	if err := decodeFile("city", &file); err != nil {
		return err
	}
	// The Overpass goes straight (Ruling 2).
	if !slices.Equal(file.Arms.Order, armNames[:]) {
		return fmt.Errorf("city.json: arms %v", file.Arms.Order)
	}
	for rotation, arm := range file.Rotation.DeadEnd {
		if armNames[deadEnd(rotation[0]-'0')] != arm {
			return fmt.Errorf("city.json: dead end at rotation %s", rotation)
		}
	}
	for kind, pairs := range map[placed][][2]string{
		{uint8(curves), 0}: file.Rotation.Curves["even"], {uint8(curves), 1}: file.Rotation.Curves["odd"],
		{uint8(straight), 0}: file.Rotation.Straight["any"],
	} {
		for _, pair := range pairs {
			in := slices.Index(armNames[:], pair[0])
			if len(pairs) != 2 || in < 0 || armNames[through(roads(kind.tile), kind.rotation, uint8(in))] != pair[1] {
				return fmt.Errorf("city.json: highway joins %v at rotation %d", pair, kind.rotation)
			}
		}
	}
	if len(file.Zigzag.Order) != numCells || len(file.Zigzag.Pattern) != side {
		return fmt.Errorf("city.json: zigzag of %d cells", len(file.Zigzag.Order))
	}
	seen := [numCells]bool{}
	for k, c := range file.Zigzag.Order {
		if int(c) >= numCells || seen[c] || file.Zigzag.Pattern[c/side][c%side] != "ABC"[k%3] {
			return fmt.Errorf("city.json: placement %d in cell %d", k, c)
		}
		seen[c] = true
		b.zigzag[k] = c
	}
	// The figure of the beginner city is lost; it is reconstructed (Ruling 26).
	if len(file.Beginner.Cells) != numCells {
		return fmt.Errorf("city.json: beginner city of %d cells", len(file.Beginner.Cells))
	}
	for i, c := range file.Beginner.Cells {
		t, err := b.tileOf(c.Tile)
		if err != nil || c.Cell != i || c.Row*side+c.Col != i || c.Rotation >= numArms {
			return fmt.Errorf("city.json: beginner city, cell %d: %v", i, err)
		}
		b.beginner[i] = placed{t, c.Rotation}
	}
	var p position
	b.build(&p, &b.beginner)
	if err := b.checkCity(&p); err != nil {
		return fmt.Errorf("city.json: beginner city: %w", err)
	}
	return file.Beginner.check("beginner city")
}

// readTables reads the tables of tables.json and checks that they cover every
// case once. Those that are formulas are compared with the functions that
// carry them out by TestTables.
func readTables(b *box) error {
	var file struct {
		Dice struct {
			source
			Rows []struct {
				Min  int   `json:"blocs_min"`
				Max  int   `json:"blocs_max"`
				Dice uint8 `json:"dice"`
			} `json:"rows"`
		} `json:"action_dice_by_blocs"`
		Reaction map[string]any `json:"reaction_roll"`
		Stop     map[string]any `json:"barricades_stop"`
		Morale   struct {
			source
			Start int `json:"start"`
			Steps []struct {
				Index int    `json:"index"`
				Name  string `json:"name"`
				Cards uint8  `json:"ops_cards"`
			} `json:"steps"`
		} `json:"police_morale_track"`
		Liberation map[string]any `json:"liberation_blocs_needed"`
		Countdown  map[string]any `json:"countdown"`
		Difficulty struct {
			source
			Removed map[string]uint8 `json:"paramilitary_operations_removed"`
		} `json:"police_ops_difficulty"`
	}
	if err := decodeFile("tables", &file); err != nil {
		return err
	}
	next := 0
	for _, r := range file.Dice.Rows {
		if r.Min != next || r.Max < r.Min || r.Max > blocsEach {
			return fmt.Errorf("action dice: row %d to %d", r.Min, r.Max)
		}
		for n := r.Min; n <= r.Max; n++ {
			b.dice[n] = r.Dice
		}
		next = r.Max + 1
	}
	if next != blocsEach+1 || len(file.Morale.Steps) != len(b.morale) || file.Morale.Start != 0 {
		return fmt.Errorf("action dice up to %d blocs, %d morale steps", next-1, len(file.Morale.Steps))
	}
	for i, s := range file.Morale.Steps { // five steps (Ruling 23)
		if s.Index != i {
			return fmt.Errorf("morale step %d is out of order", s.Index)
		}
		b.morale[i], b.moraleNames[i] = s.Cards, s.Name
	}
	for i, name := range difficultyNames {
		n, ok := file.Difficulty.Removed[name]
		if !ok {
			return fmt.Errorf("ops difficulty %s is missing", name)
		}
		b.removedOps[i] = n
	}
	return nil
}

var difficultyNames = [3]string{"easy", "medium", "hard"}
