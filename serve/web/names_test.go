package web

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// Names are told without what cannot be seen in them, however they come in.
func TestNamesAreVisible(t *testing.T) {
	for given, want := range map[string]string{
		"Ann": "Ann", "  Ann \t Lee\n": "Ann Lee", "Zoë Ångström-O'Neil 3": "Zoë Ångström-O'Neil 3", "李雷": "李雷", "שרה": "שרה",
		"evil\u202egnp.exe": "evilgnp.exe", "\u2066Ann\u2069": "Ann", "A\u200enn\u200f": "Ann", "\u061cAnn": "Ann", // directions
		"A\x00n\x1b[31mn\x7f\u0085": "An[31mn", "Ann\u2028Seat 1": "Ann Seat 1", "An\u00adn": "Ann", "\ufeffAnn\u200b": "Ann",
		"Ann\U000e0041": "Ann", "\u200d\u202e\u200c": "", "नमस्\u200dते": "नमस्\u200dते", "👩\u200d🚀": "👩\u200d🚀",
		strings.Repeat("\u202e", 50) + "Ann": "Ann",
	} {
		p := open(t, "", nil)
		made := p.order(Order{Game: "connect4", Seats: []Seat{{Person, given}, {Open, given}}})
		p.ask("POST", "/api/tables/"+made.ID+"/join", "", map[string]any{"seat": 1, "name": given}, http.StatusOK, nil)
		for seat, got := range p.look(made.ID, made.Tokens[0]).Seats {
			if got.Name != want {
				t.Errorf("seat %d: %q is told as %q, want %q", seat, given, got.Name, want)
			}
		}
	}
}

// A game that was kept by an earlier program tells no other names.
func TestKeptNamesAreVisible(t *testing.T) {
	folder := t.TempDir()
	p := open(t, folder, nil)
	made := p.order(Order{Game: "connect4", Seats: []Seat{{Person, "Xnn"}, {Open, ""}}})
	p.ask("POST", "/api/tables/"+made.ID+"/join", "", map[string]any{"seat": 1, "name": "Xob"}, http.StatusOK, nil)
	old := strings.ReplaceAll(p.file(made.ID), "X", `\u202e`)
	p.close()
	if err := os.WriteFile(p.server.path(made.ID), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	p = open(t, folder, nil)
	for seat, want := range []string{"nn", "ob"} {
		if got := p.look(made.ID, made.Tokens[0]).Seats[seat].Name; got != want {
			t.Errorf("seat %d is %q, want %q", seat, got, want)
		}
	}
}
