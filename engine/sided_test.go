package engine_test

import (
	"testing"

	"powderkeg/engine"
)

func TestNamed(t *testing.T) {
	names := map[engine.Player]string{0: "Guards of Keion", 1: "Rebel", 2: "Students"}
	for text, want := range map[string]string{
		"Seat 1: play a card":                     "Rebel: play a card",
		"strength 4 (seat 0) to 0 (seat 1)":       "strength 4 (Guards of Keion) to 0 (Rebel)",
		"The students (seat 2) are asked":         "The students are asked",
		"Students, seat 2 to act":                 "Students to act",
		"Rebels (seat 1)":                         "Rebels (Rebel)",
		"player 3 and player 1, seats 12":         "player 3 and Rebel, seats 12",
		"seat 1           0":                      "Rebel            0",
		"seat 0           0":                      "Guards of Keion  0",
		"seat 0 0":                                "Guards of Keion 0",
		"seat 0    0":                             "Guards of Keion 0",
		"seat 0  Guards of Keion (you)  30":       "        Guards of Keion (you)  30",
		"a seat seat 1, seat 12th, seat":          "a seat Rebel, seat 12th, seat",
		"unseat 1":                                "unseat 1",
		"seat 99999999999999999999999 and seat 1": "seat 99999999999999999999999 and Rebel",
	} {
		if got := engine.Named(text, func(p engine.Player) string { return names[p] }); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
