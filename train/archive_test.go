package train

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/vec"
	"powderkeg/train/league"
	"powderkeg/train/ppo"
)

// TestArchivesHoldPositionsOfWholeGames: equal seeds give equal archives, every position
// can be entered and has as many decisions before it as it says, and a draw goes no
// further back than it may.
func TestArchivesHoldPositionsOfWholeGames(t *testing.T) {
	g, err := games.New("connect4")
	if err != nil {
		t.Fatal(err)
	}
	c := defaultArchive()
	c.Games, c.Positions, c.Players = 20, 8, []string{"scripted", "random"}
	a, err := newArchive(g, c, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := newArchive(g, c, 3)
	if err != nil {
		t.Fatal(err)
	}
	same := func(x, y entry) bool { return x.left == y.left && bytes.Equal(x.position, y.position) }
	if !slices.EqualFunc(a.entries, again.entries, same) {
		t.Error("equal seeds give another archive")
	}
	if len(a.entries) < 120 || len(a.entries) > 160 { // short games have fewer than eight
		t.Errorf("20 games of 8 positions give %d", len(a.entries))
	}
	whole := 0
	e, err := env.New(g, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, entry := range a.entries {
		if i > 0 && entry.left < a.entries[i-1].left {
			t.Fatalf("position %d is nearer to its end than the one before", i)
		}
		if entry.left <= 0 || entry.left > 1 {
			t.Errorf("position %d has %v of its game to come", i, entry.left)
		}
		if entry.left == 1 {
			whole++
		}
		if err := e.StartFrom(entry.position); err != nil {
			t.Fatal(err)
		}
		if e.Reset(1); e.Terminated() {
			t.Errorf("position %d is the end of its game", i)
		}
	}
	if whole != 20 {
		t.Errorf("%d games can be entered at their start, want all 20", whole)
	}
	rng := new(slot).rng
	for range 200 {
		position := a.draw(0.25, &rng)
		at := slices.IndexFunc(a.entries, func(e entry) bool { return bytes.Equal(e.position, position) })
		if a.entries[at].left > 0.25 {
			t.Fatalf("drew a position with %v of its game to come, want at most 0.25", a.entries[at].left)
		}
	}
	if position := a.draw(0, &rng); !bytes.Equal(position, a.entries[0].position) {
		t.Error("where nothing is late enough, the latest position is not drawn")
	}
}

// TestArchivesOfWonGames: with won, all games of an archive are won by somebody, and without it
// some are not; of players who never win a line says so.
func TestArchivesOfWonGames(t *testing.T) {
	g, err := games.New("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	c := defaultArchive()
	c.Games, c.Won = 2, true
	if _, err = newArchive(g, c, 5); err == nil || err.Error() != "archive: scripted won 0 of 100 games, archive.won asks for 2" {
		t.Errorf("perfect players of tic-tac-toe: %v", err)
	}

	// The games that are kept end with somebody's win: their last decision is answered by it.
	c.Games, c.Positions, c.Players = 30, 1<<10, []string{"scripted", "random"}
	won := func(won bool) (wins int) {
		c.Won = won
		a, err := newArchive(g, c, 5)
		if err != nil {
			t.Fatal(err)
		}
		e, err := env.New(g, env.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range a.entries[:30] { // the nearest to the end, one of each game
			if err := e.StartFrom(entry.position); err != nil {
				t.Fatal(err)
			}
			e.Reset(1)
			winnable := false
			for _, move := range slices.Clone(e.Legal()) {
				e.Reset(1)
				if err := e.Step(move); err != nil {
					t.Fatal(err)
				}
				winnable = winnable || e.Terminated() && slices.Max(e.Returns()) > 0
			}
			if winnable {
				wins++
			}
		}
		return wins
	}
	if wins := won(true); wins != 30 {
		t.Errorf("the last decision of %d of 30 won games can win", wins)
	}
	if won(false) == 30 {
		t.Error("without won all 30 games are won; the test shows nothing")
	}
}

// TestGamesBeginInTheArchive: all of them with a share of 1, and late; they do not count
// for the pool, and without a share nothing begins there.
func TestGamesBeginInTheArchive(t *testing.T) {
	length := func(share float64) float64 {
		c := small("connect4")
		c.Archive.Share, c.Archive.Games, c.Archive.Reach = share, 10, ppo.Constant(0.3)
		r := trainer(t, c)
		m, err := r.Update()
		if err != nil {
			t.Fatal(err)
		}
		counted := int64(0)
		for _, member := range r.Pool().Members() {
			counted += member.Games
		}
		if (counted > 0) != (share < 1) {
			t.Errorf("share %v: %d games count for the pool", share, counted)
		}
		return m.Length
	}
	none, half, all := length(0), length(0.5), length(1)
	if all > none/2 || half >= none || half <= all {
		t.Errorf("games have %.1f decisions, %.1f where half of them begin in the archive and %.1f where all do; these should be far shorter", none, half,
			all)
	}
}

// TestPairedGamesShareChanceAndOpponents restarts slots again and again: the second game
// of a round begins like the first, with the seats moved on.
func TestPairedGamesShareChanceAndOpponents(t *testing.T) {
	c := small("leduc")
	c.League = league.Config{Share: 1, Paired: true, Agents: []league.Named{{Name: "random", Share: 0.5}, {Name: "scripted", Share: 0.5}}}
	c.Envs = 2
	k := trainer(t, c).collector
	other := 0
	for i := range k.slots {
		s := &k.slots[i]
		for s.turn%2 != 0 { // to the beginning of a round
			if err := k.restart(i); err != nil {
				t.Fatal(err)
			}
		}
		var last []byte
		for range 20 {
			var starts [2][]byte
			var seats [2][]int
			for game := range starts {
				if err := k.restart(i); err != nil {
					t.Fatal(err)
				}
				var err error
				if starts[game], err = k.vec.Env(i).State().MarshalJSON(); err != nil {
					t.Fatal(err)
				}
				seats[game] = slices.Clone(s.seats)
			}
			if !bytes.Equal(starts[0], starts[1]) {
				t.Fatalf("a round begins with\n%s\nand\n%s", starts[0], starts[1])
			}
			if seats[0][0] != seats[1][1] || seats[0][1] != seats[1][0] || !slices.Contains(seats[0], league.Learner) {
				t.Fatalf("a round is played with the seats %v and %v", seats[0], seats[1])
			}
			if last != nil && !bytes.Equal(last, starts[0]) {
				other++
			}
			last = starts[0]
		}
	}
	if other < 10 {
		t.Errorf("of 38 rounds %d are dealt other cards than the one before", other)
	}
	if k.slots[0].seed == vec.SlotSeed(c.Seed, 0) {
		t.Error("the seed of the first game is used again")
	}
}

func TestArchiveMistakesAreNamed(t *testing.T) {
	c := small("kuhn")
	c.Archive.Share, c.Archive.Players, c.Archive.Games, c.Archive.Reach.End = 2, []string{"human"}, 0, -1
	err := c.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"archive.share is 2", "archive.players: ", "archive.games is 0", "archive.reach.end is -1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	c.Archive = defaultArchive()
	c.Archive.Players = []string{"human"}
	if err := c.Validate(); err != nil {
		t.Errorf("an archive that is not used is refused: %v", err)
	}
}
