package web

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/serve/teacher"
	"powderkeg/serve/thinking"
	"powderkeg/serve/told"
)

// Deal is what the other seats may hold for all that a seat knows, or what they really hold.
type Deal struct {
	// Deal is the number of the deal, truth for what they really hold.
	Deal int `json:"deal"`
	// Holds tells, by seat, what is not the same in all deals.
	Holds []Held `json:"holds"`
}

// Held is what another seat reads in a deal, as far as it reads something else in others.
type Held struct {
	Seat  int      `json:"seat"`
	Lines []string `json:"lines"`
}

const (
	// truth is the number of the deal that there really is.
	truth = -1
	// dealt is how many deals are offered at once, dealsTried in how many a word is looked
	// for.
	dealt, dealsTried = 8, 2000
	// dealStream is the PCG stream of deals, of which each has its number.
	dealStream = 0x6465616c
)

// moment is a decision of a seat, now or before.
type moment struct {
	game  engine.Game
	seat  engine.Player
	view  engine.View
	state engine.State // nil where what the others hold is still their secret
	// played is what the seat chose, nil for now.
	played *engine.Action
}

// moment returns the decision of a seat at a step of its replay, below 0 for now.
func (t *session) moment(a *audience, p engine.Player, step int) (*moment, error) {
	s, asked := t.state, t.turn(p)
	var played *engine.Action
	if last := len(a.marks) - 1; step >= 0 && step < last {
		var err error
		if s, err = t.before(a.marks[step].moves); err != nil {
			return nil, err
		}
		if asked = s.ToAct() == p; asked {
			played = &t.moves[a.marks[step].moves].Action // there is a moment after it
		}
	}
	if !asked {
		return nil, &problem{http.StatusConflict, "not_you", "You are not to act there."}
	}
	m := &moment{game: t.game, seat: p, view: t.see(s, p), played: played}
	if t.ended(p) || t.alone(p) {
		m.state = engine.Clone(t.game, s)
	}
	return m, nil
}

// alone reports whether all seats but p are bots: nobody has a secret before p.
func (t *session) alone(p engine.Player) bool {
	for q := range t.seats {
		if engine.Player(q) != p && t.seats[q].Kind != Bot {
			return false
		}
	}
	return true
}

// deal returns a world of the moment, nil if there is none of that number.
func (m *moment) deal(n int) engine.State {
	if n == truth {
		return m.state
	}
	world, hides := m.game.New().(engine.Hidden)
	if !hides || n < 0 || n >= dealsTried {
		return nil
	}
	rng := rand.NewPCG(m.view.Hash()+uint64(n), dealStream)
	rng.Uint64() // the first numbers of neighbouring streams are alike
	world.Redeal(m.view, rng)
	return world
}

// texts returns what every other seat reads in a world, by seat.
func (m *moment) texts(world engine.State) [][]string {
	list := make([][]string, m.game.Spec().Seats)
	for p := range list {
		if engine.Player(p) == m.seat {
			continue
		}
		list[p] = unwrapped(told.Text(engine.Look(world, engine.Player(p)), engine.Player(p)))
	}
	return list
}

// wrapped is from which length on a line of a text may have been wrapped.
const wrapped = 80

// unwrapped returns the lines of a text without their indents, a line that was wrapped with
// what follows it: from there on it is indented more than where it begins.
func unwrapped(text string) (list []string) {
	began, long := 0, false
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		indent := strings.Index(line, words)
		if n := len(list); long && words != "" && indent > began {
			list[n-1] += " " + words
		} else {
			list, began = append(list, words), indent
		}
		long = len(line) >= wrapped
	}
	return list
}

// differ leaves of the texts of some deals, by deal and seat, the lines that are not in all
// of them: a seat knows the others.
func differ(texts [][][]string) []Deal {
	type place struct {
		seat int
		line string
	}
	in := map[place]int{}
	for _, seats := range texts {
		for p, lines := range seats {
			for _, line := range uniq(lines) {
				in[place{p, line}]++
			}
		}
	}
	deals := make([]Deal, len(texts))
	for d, seats := range texts {
		deals[d].Holds = []Held{}
		for p, lines := range seats {
			h := Held{Seat: p, Lines: slices.DeleteFunc(lines, func(line string) bool { return line == "" || in[place{p, line}] == len(texts) })}
			if len(h.Lines) > 0 {
				deals[d].Holds = append(deals[d].Holds, h)
			}
		}
	}
	return deals
}

// uniq returns the lines without those that stand there before.
func uniq(lines []string) []string {
	list := slices.Clone(lines)
	slices.Sort(list)
	return slices.Compact(list)
}

// deals answers with what the others may hold at a decision of the seat: some deals, or
// those in which a word is told.
func (s *Server) deals(w http.ResponseWriter, r *http.Request) error {
	step, err := number(r, "step", -1)
	if err != nil {
		return err
	}
	var m *moment
	err = s.seated(r, func(t *session, a *audience, p engine.Player) (err error) {
		if err := t.taught(p); err != nil {
			return err
		}
		m, err = t.moment(a, p, step)
		return err
	})
	if err != nil {
		return err
	}
	return answer(w, r, m.deals(r.Context(), r.URL.Query().Get("with")))
}

// deals returns what there really is, if that is no secret any more, and deals that are
// possible for all that the seat knows. With a word they are those in which another seat
// reads it.
func (m *moment) deals(ctx context.Context, word string) []Deal {
	numbers, texts := []int{}, [][][]string{}
	add := func(n int, world engine.State, word string) {
		read := m.texts(world)
		if word == "" || slices.ContainsFunc(read, func(lines []string) bool {
			return strings.Contains(strings.ToLower(strings.Join(lines, " ")), word)
		}) {
			numbers, texts = append(numbers, n), append(texts, read)
		}
	}
	if m.state != nil {
		add(truth, m.state, "")
	}
	for n := 0; n < dealsTried && len(texts) < dealt && ctx.Err() == nil; n++ {
		world := m.deal(n)
		if world == nil {
			break
		}
		add(n, world, strings.ToLower(word))
	}
	list := differ(texts)
	for i := range list {
		list[i].Deal = numbers[i]
	}
	return list
}

// words says what the actions of opinions do.
func (m *moment) words(opinions []teacher.Opinion) []string {
	list := make([]string, len(opinions))
	for i, o := range opinions {
		list[i] = teacher.Words(m.game, m.view, engine.Action(o.Action))
	}
	return list
}

// against says what a teacher thinks of a decision of the seat against one deal.
func (s *Server) against(w http.ResponseWriter, r *http.Request) error {
	step, err := number(r, "step", -1)
	if err != nil {
		return err
	}
	n, err := number(r, "deal", 0)
	if err != nil {
		return err
	}
	var m *moment
	var world engine.State
	var h Hint
	err = s.lesson(r, waitTime, func(t *session, a *audience, p engine.Player) (err error) {
		if m, err = t.moment(a, p, step); err != nil {
			return err
		}
		if world = m.deal(n); world == nil {
			return &problem{http.StatusNotFound, "no_deal", "There is no such deal."}
		}
		return nil
	}, func(thought *thinking.Thought, t *teacher.Teacher) (err error) {
		unknowing, cancel := thought.For(s.lessonTime(hintTime))
		defer cancel()
		ctx, cancel := thought.For(s.lessonTime(2 * hintTime))
		defer cancel()
		h.Advice, err = t.Against(ctx, unknowing, m.view, m.seat, m.view.Legal(nil), world)
		return err
	})
	if err != nil {
		return err
	}
	h.Words = m.words(h.Opinions)
	return answer(w, r, h)
}
