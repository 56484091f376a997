package web

import (
	"fmt"
	"slices"
	"testing"

	"powderkeg/env"
)

// A moment of before tells its seat what it could have chosen and what it chose, and nobody else.
func TestMomentsOfBeforeTellWhatWasChosen(t *testing.T) {
	p := open(t, "", nil)
	made := p.order(Order{Game: "connect4", Seats: []Seat{{Person, ""}, {Person, ""}}, Seed: 1})
	path := "/api/tables/" + made.ID
	for n, action := range []int{3, 2, 5} {
		p.ask("POST", path+"/move", made.Tokens[n%2], map[string]int{"number": p.look(made.ID, made.Tokens[n%2]).Number, "action": action}, 200, nil)
	}
	for n, want := range []int{3, 2, 5} {
		for seat := range 2 {
			var s Screen
			p.ask("GET", fmt.Sprintf("%s?step=%d", path, n), made.Tokens[seat], nil, 200, &s)
			switch own := n%2 == seat; {
			case own && (s.Chose == nil || *s.Chose != want || len(s.Legal) != 7):
				t.Errorf("seat %d is told of its choice %d: %v of %d", seat, n, s.Chose, len(s.Legal))
			case !own && (s.Chose != nil || len(s.Legal) > 0):
				t.Errorf("seat %d is told what the other could choose", seat)
			}
		}
	}
}

// Between two screens a stream sends the moments that there were, each as the replay has it.
func TestStreamsSendTheMomentsBetween(t *testing.T) {
	p := open(t, "", nil)
	made := p.order(Order{Game: "connect4", Seats: []Seat{{Person, ""}, {Person, ""}}, Seed: 1})
	path, seen := "/api/tables/"+made.ID, p.look(made.ID, made.Tokens[0])
	for n, action := range []int{3, 2, 5, 2} {
		p.ask("POST", path+"/move", made.Tokens[n%2], map[string]int{"number": p.look(made.ID, made.Tokens[n%2]).Number, "action": action}, 200, nil)
	}
	err := p.server.with(made.ID, func(s *session) error {
		frames, err := s.frames(&s.pages[0], seen.Number, 0)
		if err != nil {
			return err
		}
		lines := 0
		for i, f := range frames {
			then, err := s.frame(&s.pages[0], i+1, -1, 0)
			if err != nil {
				return err
			}
			if f.Step != i+1 || f.view.Hash() != then.view.Hash() || f.Since != lines+seen.Since+len(seen.Log) {
				t.Errorf("event %d is of moment %d, with lines from %d on", i, f.Step, f.Since)
			}
			lines += len(f.Log)
		}
		if len(frames) != 4 || frames[3].Number != p.server.awake[made.ID].pages[0].number {
			t.Errorf("%d moments are sent, want 4", len(frames))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A moment of a game of each title is sent in 15 KB on the average, but for the set-up of Minuteman, in which each
// choice of the seat is of 509 hexes and takes 50 KB to list.
func TestMomentsAreSmall(t *testing.T) {
	p := open(t, "", nil)
	for _, game := range titles {
		made := p.order(Order{Game: game, Seats: append([]Seat{{Person, ""}}, slices.Repeat([]Seat{{Bot, "random"}}, seatsOf(t, game)-1)...), Seed: 1})
		token := made.Tokens[0]
		drawn, last, sent, events := "", -1, 0, 0
		for n := 0; n < 60; n++ {
			s := p.until(made.ID, token, mine)
			err := p.server.with(made.ID, func(own *session) error {
				frames, err := own.frames(&own.pages[0], last, 0)
				if err != nil {
					return err
				}
				for _, f := range frames {
					event, err := f.event(&drawn)
					if err != nil {
						return err
					}
					if last = f.Number; n > 0 {
						sent, events = sent+len(event), events+1
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if s.Over != nil {
				break
			}
			p.move(made.ID, token, s, s.Legal[n%len(s.Legal)].Action)
		}
		t.Logf("%s: %d bytes a moment, of %d", game, sent/max(events, 1), events)
		if game != "minuteman" && sent > events*15<<10 {
			t.Errorf("%s: %d bytes a moment", game, sent/events)
		}
	}
}

func seatsOf(t *testing.T, game string) int {
	t.Helper()
	g, err := env.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	return g.Spec().Seats
}
