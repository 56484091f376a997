package position_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/position"
)

// table is a position with every kind of field.
type table struct {
	Phase    uint8       `pos:"phase" word:"phase"`
	Turn     int16       `pos:"turn" min:"1" max:"turns"`
	First    uint8       `pos:"first" word:"seat"`
	Used     bool        `pos:"used"`
	Passed   uint8       `pos:"passed" flags:"seat"`
	Out      uint8       `pos:"out" set:"seat"`
	Areas    [2]uint64   `pos:"areas" set:"area"`
	VP       [4]uint16   `pos:"vp" by:"seat" max:"99"`
	Troops   [3]uint8    `pos:"map.*.troops" by:"area"`
	Unrest   [3]int8     `pos:"map.*.unrest" by:"area" min:"-1" max:"1"`
	Reserves [2]uint8    `pos:"*_reserves" by:"side"`
	Stacks   [3]uint8    `pos:"stacks.*,omitzero" by:"card"`
	Player   [4]player   `by:"seat"`
	_        struct{}    `pos:"note" form:"note"`
	Queue    [3]uint8    `pos:"queue" word:"card" len:"Queued"`
	Queued   uint8       `pos:"-" hash:"true"`
	Moves    [2]move     `pos:"moves" len:"Count"`
	Count    uint8       `pos:"-" hash:"true"`
	Battle   battle      `pos:"battle" when:"Kind"`
	Sum      uint8       // kept
	Road     uint8       `pos:"road" word:"number"`
	Roads    uint8       `pos:"roads" set:"number"`
	Tokens   [3]uint8    `pos:"tokens" many:"number"`
	Dice     [4][3]uint8 `pos:"dice" by:"seat" many:"number"`
}

type player struct {
	Hand  [3]uint8 `pos:"hands.*" many:"card"`
	Size  uint8    `pos:"sizes.*" derived:"true"`
	Money uint16   `pos:"money" max:"500"`
	Bid   uint8    `pos:"bids" form:"bid"`
}

type move struct {
	From uint8 `pos:"from" word:"area"`
	N    uint8 `pos:"n"`
}

type battle struct {
	Kind uint8    `pos:"kind" word:"kind"`
	Dice [2]uint8 `pos:"dice"`
	Side uint8    `pos:"side" word:"seat"`
}

func newCodec() *position.Codec[table] {
	return position.NewCodec(position.Config[table]{
		Seats: 3,
		Lists: map[string][]string{
			"phase": {"setup", "play", "over"}, "area": {"CAN", "USA", "MEX"}, "side": {"rebel", "federal"}, "card": {"Ace", "King", "Queen"},
			"kind": {"", "raid", "siege"}, "number": {"2", "5", "3"},
		},
		Limits: map[string]int{"turns": 8},
		Forms: map[string]position.Form[table]{
			"note": {
				Write: func(p *table, _ int) any { return int(p.Sum) },
				Read:  func(r *position.Reader, p *table, _ int, v any) { p.Sum = uint8(r.Number("", v, 0, 9)) },
			},
			"bid": {
				Write: func(p *table, at int) any { return []any{int(p.Player[at].Bid)} },
				Read: func(r *position.Reader, p *table, at int, v any) {
					for _, e := range r.List("", v, 1) {
						p.Player[at].Bid = uint8(r.Number("", e, 0, 9))
					}
				},
			},
		},
	})
}

const full = `{"phase":"play","turn":3,"first":null,"used":true,"passed":[false,true,false],"out":[0,2],"areas":["CAN","MEX"],"vp":[1,2,3],` +
	`"map":{"CAN":{"troops":4,"unrest":-1},"USA":{"troops":0,"unrest":0},"MEX":{"troops":0,"unrest":1}},"rebel_reserves":1,"federal_reserves":2,` +
	`"stacks":{"King":2},"hands":{"0":["Ace","Ace"],"1":[],"2":["Queen"]},"sizes":{"0":2,"1":0,"2":1},"money":[7,8,9],"bids":[[1],[2],[3]],"note":5,` +
	`"queue":["Queen","Ace"],"moves":[{"from":"USA","n":2}],"battle":{"kind":"siege","dice":[6,1],"side":2},"road":5,"roads":[2,3],"tokens":[5,5,3],"dice":[[2],[],[5,3]]}`

// read decodes a document and works out what is derived.
func read(c *position.Codec[table], text string) (table, error) {
	p := table{First: 0xFF, Turn: 1, Battle: battle{Side: 0xFF}}
	given, err := c.Decode([]byte(text), &p)
	if err != nil {
		return p, err
	}
	for i := range p.Player {
		p.Player[i].Size = p.Player[i].Hand[0] + p.Player[i].Hand[1] + p.Player[i].Hand[2]
	}
	return p, c.Derived(given, &p)
}

func TestCodecRoundTrip(t *testing.T) {
	c := newCodec()
	p, err := read(c, full)
	if err != nil {
		t.Fatal(err)
	}
	want := table{
		Phase: 1, Turn: 3, First: 0xFF, Used: true, Passed: 2, Out: 5, Areas: [2]uint64{5}, VP: [4]uint16{1, 2, 3}, Troops: [3]uint8{4}, Unrest: [3]int8{-1,
			0, 1},
		Reserves: [2]uint8{1, 2}, Stacks: [3]uint8{0, 2}, Sum: 5, Queue: [3]uint8{2, 0}, Queued: 2, Moves: [2]move{{1, 2}}, Count: 1,
		Player: [4]player{{[3]uint8{2}, 2, 7, 1}, {Money: 8, Bid: 2}, {[3]uint8{0, 0, 1}, 1, 9, 3}}, Battle: battle{2, [2]uint8{6, 1}, 2},
		Road: 1, Roads: 5, Tokens: [3]uint8{0, 2, 1}, Dice: [4][3]uint8{{1}, {}, {0, 1, 1}},
	}
	if p != want {
		t.Errorf("read\n%+v, want\n%+v", p, want)
	}
	text, err := c.Encode(&p)
	if err != nil {
		t.Fatal(err)
	}
	var order, unordered any // map is written area by area
	if json.Unmarshal(text, &order) != nil || json.Unmarshal([]byte(full), &unordered) != nil || len(text) != len(full) {
		t.Errorf("written\n%s, want\n%s", text, full)
	}
	again, err := read(c, string(text))
	if err != nil || again != p || c.Hash(&again) != c.Hash(&p) {
		t.Errorf("%s is read as %+v, %v", text, again, err)
	}
}

// What a document leaves out keeps its value, and null in a list of seats too.
func TestCodecKeepsWhatIsLeftOut(t *testing.T) {
	p := table{Turn: 7, VP: [4]uint16{4, 5, 6}, Battle: battle{Kind: 1, Side: 1}}
	given, err := newCodec().Decode([]byte(`{"vp":[null,9,null],"map":{"USA":{"troops":3}},"used":null,"battle":{"side":0}}`), &p)
	if err != nil {
		t.Fatal(err)
	}
	if want := (table{Turn: 7, VP: [4]uint16{4, 9, 6}, Troops: [3]uint8{0, 3, 0}, Battle: battle{Kind: 1}}); p != want {
		t.Errorf("read %+v, want %+v", p, want)
	}
	if !given.Has("vp") || !given.Has("map.USA.troops") || !given.Has("map") || given.Has("used") || given.Has("turn") || !given.Any("turn", "vp") {
		t.Errorf("given is %v", given)
	}
}

func TestCodecRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"phase":"war"}`:                     `phase "war" is unknown; it is one of setup, play, over`,
		`{"turn":9}`:                          "turn is 9, it must be 1 to 8",
		`{"turn":1.5}`:                        "turn is 1.5, it must be a whole number",
		`{"turn":"one"}`:                      `field "turn" is a string, it must be a number`,
		`{"first":3}`:                         "first is 3, it must be 0 to 2",
		`{"used":1}`:                          `field "used" is a number, it must be true or false`,
		`{"passed":[true]}`:                   "passed has 1 entries, it has one for each of the 3 seats",
		`{"out":[1,1]}`:                       "out: 1 is named twice",
		`{"areas":["USA","USA"]}`:             "areas: USA is named twice",
		`{"vp":[0,0,100]}`:                    "vp of seat 2 is 100, it must be 0 to 99",
		`{"money":[0,501,0]}`:                 "money of seat 1 is 501, it must be 0 to 500",
		`{"map":{"CAN":{"unrest":2}}}`:        "map.CAN.unrest is 2, it must be -1 to 1",
		`{"map":{"CAN":{"cops":2}}}`:          `unknown field "map.CAN.cops"; fields: troops, unrest`,
		`{"map":{"XXX":{}}}`:                  `unknown field "map.XXX"`,
		`{"map":{"XXX":{"troops":1}}}`:        `unknown field "map.XXX"`,
		`{"map":[]}`:                          `field "map" is a list, it must be an object`,
		`{"stacks":{"Ace":256}}`:              "stacks.Ace is 256, it must be 0 to 255",
		`{"hands":{"3":["Ace"]}}`:             `unknown field "hands.3"; fields: 0, 1, 2`,
		`{"hands":{"1":["Joker"]}}`:           `hands.1 "Joker" is unknown; it is one of Ace, King, Queen`,
		`{"sizes":{"0":2}}`:                   "sizes.0 is 2, but it follows from the rest that it is 0",
		`{"queue":["Ace","Ace","Ace","Ace"]}`: "queue has 4 entries, at most 3 are possible",
		`{"moves":[{"from":"USA","n":256}]}`:  "moves[0].n is 256, it must be 0 to 255",
		`{"moves":[{"to":"USA"}]}`:            `moves[0]: unknown field "to"; fields: from, n`,
		`{"battle":{"dice":[1]}}`:             "battle.dice has 1 entries, it has 2",
		`{"battle":{"kind":""}}`:              `battle.kind "" is unknown; it is one of raid, siege`,
		`{"note":10}`:                         "note is 10, it must be 0 to 9",
		`{"bids":[[1],[10],[1]]}`:             "bids of seat 1 is 10, it must be 0 to 9",
		`{"bids":[[1]]}`:                      "bids has 1 entries, it has one for each of the 3 seats",
		`{"road":6}`:                          "road is 6, it must be 2 to 5",
		`{"road":4}`:                          "road is 4, it must be one of 2 5 3",
		`{"roads":[3,3]}`:                     "roads: 3 is named twice",
		`{"tokens":["2"]}`:                    `field "tokens" is a string, it must be a number`,
		`{"cards":1}`:                         `unknown field "cards"; fields: phase, turn`,
		`[]`:                                  "it must be an object",
		`{}{}`:                                "text after the end",
	} {
		_, err := read(newCodec(), text)
		if !errors.Is(err, engine.ErrPosition) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// Every field that tells positions apart moves the hash, and what is kept does not.
func TestCodecHash(t *testing.T) {
	c := newCodec()
	var zero table
	seen := map[uint64]string{c.Hash(&zero): "nothing"}
	for name, change := range map[string]func(p *table){
		"phase": func(p *table) { p.Phase = 1 }, "turn": func(p *table) { p.Turn = 1 }, "first": func(p *table) { p.First = 1 },
		"used": func(p *table) { p.Used = true }, "areas": func(p *table) { p.Areas[1] = 1 }, "vp": func(p *table) { p.VP[2] = 1 },
		"troops": func(p *table) { p.Troops[1] = 1 }, "hand": func(p *table) { p.Player[2].Hand[1] = 1 }, "money": func(p *table) { p.Player[2].Money = 1 },
		"queued": func(p *table) { p.Queued = 1 }, "moves": func(p *table) { p.Moves[1].N = 1 }, "battle": func(p *table) { p.Battle.Side = 1 },
	} {
		p := zero
		change(&p)
		if other, ok := seen[c.Hash(&p)]; ok {
			t.Errorf("%s hashes like %s", name, other)
		}
		seen[c.Hash(&p)] = name
	}
	p := zero
	if p.Sum = 9; c.Hash(&p) != c.Hash(&zero) {
		t.Error("a kept field moves the hash")
	}
	if n := testing.AllocsPerRun(100, func() { c.Hash(&zero) }); n != 0 {
		t.Errorf("a hash allocates %v times", n)
	}
}

// TestCodecNumbersHexes: words such as 0613 are words, and of many not all are listed.
func TestCodecNumbersHexes(t *testing.T) {
	type hexes struct {
		Hex   int16 `pos:"hex" word:"hex"`
		Other int16 `pos:"other" word:"hex" none:"true"`
	}
	list := []string{"0613"}
	for i := range 200 {
		list = append(list, strconv.Itoa(1000+i))
	}
	c := position.NewCodec(position.Config[hexes]{Lists: map[string][]string{"hex": list}})
	p := hexes{Hex: 1, Other: 1}
	if _, err := c.Decode([]byte(`{"hex":"0613","other":null}`), &p); err != nil || p != (hexes{0, -1}) {
		t.Errorf("read as %+v, error %v", p, err)
	}
	if text, err := c.Encode(&p); err != nil || string(text) != `{"hex":"0613","other":null}` {
		t.Errorf("written as %s, error %v", text, err)
	}
	if _, err := c.Decode([]byte(`{"hex":"9999"}`), &p); err == nil ||
		!strings.HasSuffix(err.Error(), `hex "9999" is unknown; it is one of 201, such as 0613, 1000, 1001`) {
		t.Errorf("error %v", err)
	}
}

// Counts stand as an object of those that are not zero, a struct can stand inline with forms
// of its own, and what Nulls says so about is null.
func TestCodecCountsAndInline(t *testing.T) {
	type use struct {
		Card  uint8    `pos:"card" word:"card"`
		Spent [3]uint8 `pos:"spent" count:"card" max:"5"`
		Note  uint8    `pos:"note" form:"note"`
	}
	type table struct {
		Deck  [3]uint8 `pos:"deck" count:"card"`
		Use   use      `pos:"use,inline" null:"idle"`
		Known [2]uint8 `pos:"known" null:"unknown"`
		Raw   uint8    `pos:"raw" form:"raw"`
	}
	c := position.NewCodec(position.Config[table]{
		Lists: map[string][]string{"card": {"queen", "ace", "king"}},
		Nulls: map[string]func(p *table) bool{
			"idle": func(p *table) bool { return p.Use == use{} }, "unknown": func(p *table) bool { return p.Known == [2]uint8{} },
		},
		Forms: map[string]position.Form[table]{
			"note": {
				Write: func(p *table, _ int) any { return int(p.Use.Note) },
				Read:  func(r *position.Reader, p *table, _ int, v any) { p.Use.Note = uint8(r.Number("", v, 0, 9)) },
			},
			"raw": {Write: func(p *table, _ int) any { return int(p.Raw) }},
		},
	})
	for text, want := range map[string]table{
		`{"deck":{"ace":2,"queen":1},"use":{"card":"king","spent":{"ace":5},"note":7},"known":[0,1],"raw":3}`: {[3]uint8{1, 2}, use{2, [3]uint8{0, 5}, 7},
			[2]uint8{0, 1}, 3},
		`{"deck":{},"use":null,"known":null,"raw":0}`: {},
	} {
		p := table{Deck: [3]uint8{0, 0, 9}}
		given, err := c.Decode([]byte(text), &p)
		r := c.Reader("raw")
		if p.Raw = uint8(r.Number("", given["raw"], 0, 9)); err != nil || r.Err() != nil || p != want {
			t.Errorf("%s is read as %+v, %v, %v", text, p, err, r.Err())
		}
		if again, err := c.Encode(&p); err != nil || string(again) != text {
			t.Errorf("%s is written as %s, %v", text, again, err)
		}
	}
	for text, want := range map[string]string{
		`{"deck":{"joker":1}}`:        `deck "joker" is unknown`,
		`{"use":{"spent":{"ace":6}}}`: "use.spent.ace is 6, it must be 0 to 5",
		`{"use":{"note":10}}`:         "use.note is 10, it must be 0 to 9",
		`{"use":{"cards":1}}`:         `unknown field "use.cards"; fields: card, spent, note`,
		`{"use":7}`:                   `field "use" is a number, it must be `,
	} {
		var p table
		if _, err := c.Decode([]byte(text), &p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	a, b := table{Use: use{Note: 1}}, table{Deck: [3]uint8{1}}
	if c.Hash(&a) == c.Hash(&table{}) || c.Hash(&b) == c.Hash(&table{}) {
		t.Error("a field does not move the hash")
	}
}

// The fields of an array of structs stand below the words of its index, in their order or
// sorted, and are read into the elements that they name.
func TestCodecSorted(t *testing.T) {
	type site struct {
		Men   uint8 `pos:"at.*.men,sorted"`
		Hills bool  `pos:"at.*.hills"`
	}
	type table struct {
		At [3]site `by:"place"`
	}
	c := position.NewCodec(position.Config[table]{Lists: map[string][]string{"place": {"river", "ford", "moor"}}})
	const text = `{"at":{"ford":{"men":2,"hills":false},"moor":{"men":3,"hills":true},"river":{"men":1,"hills":false}}}`
	want := table{[3]site{{1, false}, {2, false}, {3, true}}}
	var p table
	if _, err := c.Decode([]byte(text), &p); err != nil || p != want {
		t.Errorf("read as %+v, %v", p, err)
	}
	if again, err := c.Encode(&p); err != nil || string(again) != text {
		t.Errorf("written as %s, %v", again, err)
	}
}

// An object is written as package json writes it, its keys in their order.
func TestObject(t *testing.T) {
	inner := &position.Object{}
	for i := range 40 { // more than are looked through
		inner.Set(strconv.Itoa(39-i), i)
	}
	inner.Set("20", nil)
	o := &position.Object{}
	for _, x := range []struct {
		key string
		v   any
	}{
		{"quoted", "a \"b\" \\ <c> \u00e9 \n"}, {"text", 1}, {"key \"", true}, {"list", []any{1, "x", nil, []int{}, []string(nil), false}}, {"none",
			map[string]int(nil)},
		{"map", map[string]any{"z": 1, "a": []string{"y"}, "m": map[string]int{"b": -2, "a": 0}}}, {"empty", &position.Object{}}, {"other",
			struct{ A uint8 }{7}}, {"text", "again"},
	} {
		o.Set(x.key, x.v)
	}
	o.Set("inner", inner)
	got, err := position.Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"quoted":"a \"b\" \\ <c> é \n","text":"again","key \"":true,"list":[1,"x",null,[],null,false],"none":null,"map":{"a":["y"],"m":{"a":0,"b":-2},"z":1},"empty":{},"other":{"A":7},"inner":{"39":0,`
	if !strings.HasPrefix(string(got), want) || !strings.Contains(string(got), `"20":null`) || !json.Valid(got) ||
		strings.Count(string(got), ":") != 55 {
		t.Errorf("written as %s, want %s...", got, want)
	}
	if direct, err := o.MarshalJSON(); err != nil || string(direct) != string(got) {
		t.Errorf("by itself it is %s, %v", direct, err)
	}
}

// An embedded struct stands for its fields, at the top and within a struct that stands inline,
// whose keys can have an order of their own.
func TestCodecEmbeddedStructs(t *testing.T) {
	type Side struct {
		Left  uint8 `pos:"left" max:"9"`
		Right uint8 `pos:"right"`
		Cache uint8
	}
	type Move struct {
		To   uint8 `pos:"to"`
		From uint8 `pos:"from"`
	}
	type now struct {
		Move
		Verb uint8    `pos:"verb"`
		_    struct{} `pos:"note" form:"note"`
		Note uint8    `pos:"-" hash:"true"`
	}
	type table struct {
		Side
		Now now `pos:"now,inline"`
	}
	c := position.NewCodec(position.Config[table]{
		Forms: map[string]position.Form[table]{"note": {
			Write: func(p *table, _ int) any { return int(p.Now.Note) },
			Read:  func(r *position.Reader, p *table, _ int, v any) { p.Now.Note = uint8(r.Number("", v, 0, 9)) },
		}},
	})
	const text = `{"left":1,"right":2,"now":{"to":6,"from":5,"verb":3,"note":4}}`
	var p table
	if _, err := c.Decode([]byte(text), &p); err != nil || p != (table{Side{Left: 1, Right: 2}, now{Move: Move{To: 6, From: 5}, Verb: 3, Note: 4}}) {
		t.Errorf("%s is read as %+v, %v", text, p, err)
	}
	if again, err := c.Encode(&p); err != nil || string(again) != text {
		t.Errorf("%s is written as %s, %v", text, again, err)
	}
	if _, err := c.Decode([]byte(`{"left":10}`), &p); err == nil || !strings.Contains(err.Error(), "left is 10, it must be 0 to 9") {
		t.Errorf("error %v", err)
	}
	for what, change := range map[string]func(q *table){"Right": func(q *table) { q.Right++ }, "To": func(q *table) { q.Now.To++ },
		"Note": func(q *table) { q.Now.Note++ }} {
		q := p
		if change(&q); c.Hash(&q) == c.Hash(&p) {
			t.Errorf("%s does not move the hash", what)
		}
	}
	q := p
	if q.Cache++; c.Hash(&q) != c.Hash(&p) {
		t.Error("what is kept for speed moves the hash")
	}
}

// The fields of a struct can stand beside those of the struct that it is in.
func TestCodecBeside(t *testing.T) {
	type toll struct {
		Paid uint8 `pos:"paid" max:"9"`
	}
	type march struct {
		Units uint8 `pos:"units"`
		Toll  toll  `pos:",inline"`
		Steps uint8 `pos:"steps"`
	}
	type table struct {
		March march `pos:"march,inline"`
		Last  toll  `pos:",inline"`
	}
	c := position.NewCodec(position.Config[table]{})
	p := table{March: march{1, toll{2}, 3}, Last: toll{4}}
	const want = `{"march":{"units":1,"paid":2,"steps":3},"paid":4}`
	if text, err := c.Encode(&p); err != nil || string(text) != want {
		t.Errorf("written is %s (%v), want %s", text, err, want)
	}
	var q table
	if _, err := c.Decode([]byte(want), &q); err != nil || q != p || c.Hash(&q) != c.Hash(&p) {
		t.Errorf("read is %+v (%v), want %+v", q, err, p)
	}
	if q.March.Toll.Paid++; c.Hash(&q) == c.Hash(&p) {
		t.Error("a field that stands beside the others does not count in the hash")
	}
	if _, err := c.Decode([]byte(`{"march": {"paid": 10}}`), &q); err == nil || !strings.Contains(err.Error(), "march.paid is 10, it must be 0 to 9") {
		t.Errorf("a number out of range: error %v", err)
	}
}

// Derived fields below a key of their own are compared, not read, whatever their form.
func TestDerivedFieldsBelowAKey(t *testing.T) {
	type now struct {
		Verb uint8    `pos:"verb"`
		Lost [2]uint8 `pos:"lost" count:"side"`
		_    struct{} `pos:"note" form:"note"`
	}
	type table struct {
		Now now `pos:"now,inline" derived:"true" null:"idle"`
	}
	c := position.NewCodec(position.Config[table]{
		Lists: map[string][]string{"side": {"red", "blue"}},
		Forms: map[string]position.Form[table]{"note": {Write: func(p *table, _ int) any { return []string{"seven"} }}},
		Nulls: map[string]func(*table) bool{"idle": func(p *table) bool { return p.Now == now{} }},
	})
	p := table{now{Verb: 3, Lost: [2]uint8{0, 2}}}
	for text, want := range map[string]string{
		`{"now":null}`: "", `{"now":{}}`: "", `{"now":{"verb":3}}`: "", `{"now":{"lost":{"blue":2},"note":["seven"]}}`: "",
		`{"now":{"verb":4}}`:             "now.verb is 4, but it follows from the rest that it is 3",
		`{"now":{"lost":{"red":2}}}`:     "now.lost is map[red:2], but it follows from the rest that it is map[blue:2]",
		`{"now":{"note":["six"]}}`:       "now.note is [six], but it follows from the rest that it is [seven]",
		`{"now":{"verb":3,"noun":"x"}}`:  `unknown field "now.noun"; fields: verb, lost, note`,
		`{"now":{"verb":"three"}}`:       "now.verb is three",
		`{"now":{"verb":3,"lost":null}}`: "",
	} {
		q := p
		given, err := c.Decode([]byte(text), &q)
		if err == nil {
			err = c.Derived(given, &q)
		}
		if q != p || (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, error %v, want %q", text, q, err, want)
		}
	}
	given, err := c.Decode([]byte(`{"now":{"verb":3}}`), &p)
	if err == nil {
		err = c.Derived(given, &table{})
	}
	if err == nil || !strings.Contains(err.Error(), "now.verb is 3, but it follows from the rest that it is <nil>") {
		t.Errorf("of a value that is null: error %v", err)
	}
}
