package suite

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine/games"
	"powderkeg/train/bank"
	"powderkeg/train/eval"
	"powderkeg/train/luck"
	"powderkeg/train/respond"
)

// records are the folders of what was measured of the bots, beside those of the suite.
const records = "../../experiments"

// measured is what the committed records say of a bot.
type measured struct {
	bot      string
	parts    eval.PartsResult
	luck     *luck.Result // nil of a bot without values
	bank     *bank.Score  // nil where no bank is of its game
	response respond.Named
}

// TestCardsLearned: each bot of the zoo stands in the card of its game with all that was measured of
// what it has learned, and each record is of today's rules and of the weights that ship.
func TestCardsLearned(t *testing.T) {
	byGame := map[string][]measured{}
	for _, m := range allMeasured(t) {
		name, _, _ := strings.Cut(m.parts.Game, "(")
		byGame[name] = append(byGame[name], m)
	}
	for game, list := range byGame {
		fresh(t, filepath.Join(cardsDir, game+".md"), "learned", learnedTable(list))
	}
}

// allMeasured reads the records of all bots.
func allMeasured(t *testing.T) []measured {
	t.Helper()
	parts, lucks, scores := readAll[eval.PartsResult](t, "parts"), readAll[luck.Result](t, "luck"), readAll[bank.Score](t, "bank/scores")
	responses, err := respond.Read(filepath.Join(records, "respond"))
	if err != nil {
		t.Fatal(err)
	}
	var list []measured
	for _, name := range checkpoints.Zoo() {
		m := measured{bot: "zoo:" + name}
		if p := only(t, m.bot, "parts", parts, func(p eval.PartsResult) bool { return p.Agent == m.bot }); p != nil {
			m.parts = *p
			sameBot(t, m.bot, "parts", p.Game, p.Rules, p.Weights)
		}
		if _, ok := roster.Network(m.bot); ok {
			own := func(l luck.Result) bool { return l.Agent == m.bot && l.Opponent == m.bot && l.Critic == m.bot }
			if m.luck = only(t, m.bot, "luck", lucks, own); m.luck != nil {
				sameBot(t, m.bot, "luck", m.luck.Game, m.luck.Rules, m.luck.CriticWeights)
			}
		}
		if i := slices.IndexFunc(scores, func(s bank.Score) bool { return s.Agent == m.bot }); i >= 0 {
			m.bank = &scores[i]
		}
		own := func(r respond.Named) bool { return r.Agent == m.bot && len(r.Position) == 0 }
		if r := only(t, m.bot, "respond", responses, own); r != nil {
			m.response = *r
		}
		list = append(list, m)
	}
	if t.Failed() {
		t.FailNow()
	}
	return list
}

// readAll reads the records of a folder.
func readAll[T any](t *testing.T, folder string) []T {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(records, folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []T
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var one T
		if err := json.Unmarshal(text, &one); err != nil {
			t.Fatal(path, err)
		}
		list = append(list, one)
	}
	return list
}

// only returns the record of a bot in a folder, of which there must be one.
func only[T any](t *testing.T, bot, folder string, list []T, own func(T) bool) *T {
	t.Helper()
	var found []T
	for _, one := range list {
		if own(one) {
			found = append(found, one)
		}
	}
	if len(found) != 1 {
		t.Errorf("%s has %d records in %s/%s, want 1", bot, len(found), records, folder)
		return nil
	}
	return &found[0]
}

// sameBot checks that a record is of the rules of today and of the weights that ship.
func sameBot(t *testing.T, bot, folder, game string, rules int, weights string) {
	t.Helper()
	if own, err := roster.Weights(bot); err != nil || own != weights || own == "" {
		t.Errorf("%s: the record in %s is of the weights %q, those that ship are %q (%v)", bot, folder, weights, own, err)
	}
	if g, err := games.New(game); err != nil || g.Spec().Version != rules {
		t.Errorf("%s: the record in %s is by rules %d of %s, which has others (%v)", bot, folder, rules, game, err)
	}
}

// learnedTable has a row for each bot, and one for each seat where seats differ.
func learnedTable(list []measured) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| bot | seat | as it plays | network alone | adviser or planner alone | learned | departs | "+
		"luck factor | explained, by fifths of the game | "+
		"lost in the bank | a response gains | its budget |")
	fmt.Fprintln(&b, "|"+strings.Repeat("---|", 12))
	for _, m := range list {
		row := func(seat string, cells ...string) {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.bot, seat, strings.Join(cells, " | "))
		}
		all := m.partCells(func(p eval.PartResult) (own, more eval.Estimate) { return p.Return, p.More }, m.parts.Departures)
		row("all, "+fmt.Sprint(m.parts.Games)+" games", append(all, m.luckCells()...)...)
		if m.parts.Opponent == "" || len(m.parts.Variants[0].Seats) > 2 {
			continue // seats are alike
		}
		for s := range m.parts.Variants[0].Seats {
			var departures []eval.Departures
			if m.parts.Departures != nil {
				departures = m.parts.Departures[s : s+1]
			}
			cells := m.partCells(func(p eval.PartResult) (own, more eval.Estimate) { return p.Seats[s], p.MoreBySeat[s] }, departures)
			lost := "-"
			if m.bank != nil {
				lost = fmt.Sprintf("%.3f", m.bank.Seats[s].Mean)
			}
			gain := m.response.Fresh.Seats[s]
			row(fmt.Sprint(s), append(cells, "", "", lost, bounds(gain.Gain, gain.GainLow, gain.GainHigh), "")...)
		}
	}
	return b.String()
}

// partCells are those of parts: as it plays, by parts, what is learned and departures.
func (m *measured) partCells(of func(eval.PartResult) (own, more eval.Estimate), departures []eval.Departures) []string {
	whole, _ := of(m.parts.Variants[0])
	if len(m.parts.Variants) < 3 {
		return []string{whole.String(), "the same", "none", "all", "-"}
	}
	network, _ := of(m.parts.Variants[1])
	adviser, learned := of(m.parts.Variants[2])
	var sum eval.Departures
	for _, d := range departures {
		sum.Choices, sum.Departed = sum.Choices+d.Choices, sum.Departed+d.Departed
	}
	return []string{whole.String(), network.String(), adviser.String(), learned.String(), fmt.Sprintf("%.2f%% of %d", 100*sum.Share(), sum.Choices)}
}

// luckCells are those of luck, the bank and the response over all seats.
func (m *measured) luckCells() []string {
	factor, explained, lost := "it tells no values", "-", "-"
	if l := m.luck; l != nil {
		factor = fmt.Sprintf("%.2f [%.2f, %.2f] in %d games", l.Factor, l.FactorLow, l.FactorHigh, l.Games)
		var fifths []string
		for _, x := range l.ByPhase {
			fifths = append(fifths, fmt.Sprintf("%.0f", 100*x))
		}
		explained = fmt.Sprintf("%.1f%% [%.1f, %.1f]: %s", 100*l.Explained,
			100*l.ExplainedInterval[0], 100*l.ExplainedInterval[1], strings.Join(fifths, ", "))
	}
	if s := m.bank; s != nil {
		lost = fmt.Sprintf("%s of %.3f, holds %.1f%% of %d", unsigned(s.Lost), s.Uniform.Mean, 100*s.Held, s.Positions)
	}
	r := m.response
	decisions, seconds := int64(0), 0.0
	for _, l := range r.Learners {
		decisions, seconds = decisions+l.Decisions, seconds+l.Seconds
	}
	return []string{factor, explained, lost, bounds(r.NashConv.Mean, r.NashConv.Low, r.NashConv.High),
		fmt.Sprintf("%.1f M decisions, %.0f s", float64(decisions)/1e6, seconds)}
}

// bounds writes a number with its interval.
func bounds(mean, low, high float64) string {
	return eval.Estimate{Mean: mean, Low: low, High: high}.String()
}

// unsigned writes a number that is never negative.
func unsigned(e eval.Estimate) string { return fmt.Sprintf("%.3f [%.3f, %.3f]", e.Mean, e.Low, e.High) }
