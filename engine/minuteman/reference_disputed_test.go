package minuteman_test

import (
	"slices"
	"strings"
)

// Where the reference and the engine are known to disagree, the players of the comparison
// stay away, so that all else can be compared. Each dispute goes when it is settled.

// avoid leaves out of the options what leads to a dispute.
func (r *refGame) avoid(seat int, question string, options []string) []string {
	for _, disputed := range []func(seat int, question, option string) bool{
		r.paysForZones, r.joinsAgainstItself, r.whoseAttack, r.whoReacts, r.whoSuffers, r.togglesAndBuilds,
	} {
		left := slices.DeleteFunc(slices.Clone(options), func(o string) bool { return disputed(seat, question, o) })
		if len(left) > 0 {
			options = left
		}
	}
	return options
}

// paysForZones: the engine makes a federalized Rebel's Minuteman pay for the Government's
// Zones, which do not hinder him (R28.6).
func (r *refGame) paysForZones(seat int, question, option string) bool {
	if r.rev > 0 || seat != r.federalized || r.phase != "G3" || question != "D18" || option != "MOVE_UNIT" {
		return false
	}
	return len(r.where(func(u *refUnit) bool { return u.owner == seat && u.kind == "minuteman" && !u.moved && !u.underground })) > 0
}

// joinsAgainstItself: with the first unit of a Rebel who joins the Government, the engine
// lets the Networks and Minutemen of others in its hex join as well, even of him who is
// attacked (R20.6).
func (r *refGame) joinsAgainstItself(seat int, question, option string) bool {
	if r.rev == 0 || question != "D42" || r.hex[option] == nil || seat != r.pact && (seat != r.federalized || r.serving()) {
		return false
	}
	h := r.hex[option]
	return h.has(func(u *refUnit) bool { return u.owner == seat && refFighter(u) }) &&
		h.has(func(u *refUnit) bool { return r.isR(u) && u.owner != seat && refCivil(u) })
}

// whoseAttack: whether the Rebel at the Government's side is asked to join its attack on a
// Riot hex, or on one with units of his own beside another's, follows in the engine from
// the order of seats (R28.6).
func (r *refGame) whoseAttack(seat int, question, option string) bool {
	partner := max(r.pact, r.federalized)
	if seat != r.gov || partner < 0 {
		return false
	}
	doubtful := func(h *refHex) bool {
		own := h.has(func(u *refUnit) bool { return u.owner == r.pact })
		others := h.has(func(u *refUnit) bool { return r.isR(u) && u.owner != partner })
		return own && others || r.riotHex(h)
	}
	kind, attack := strings.CutPrefix(option, "ATTACK_")
	switch {
	case question == "D41" && r.hex[option] != nil:
		return doubtful(r.hex[option])
	case question == "D40" && attack:
		for h := range r.targetHexes(seat, kind) {
			if !doubtful(h) {
				return false
			}
		}
		return true
	}
	return false
}

// whoReacts: to the attack of a federalized Rebel on another the engine asks every other
// Rebel for a reaction, not the owner of the defenders and then the Government (R28.10).
func (r *refGame) whoReacts(seat int, question, option string) bool {
	if seat != r.federalized || question != "D40" || !strings.HasPrefix(option, "ATTACK_") {
		return false
	}
	for other := range r.seats {
		if other != seat && !r.out[other] && r.canAssassinate(other) {
			return true
		}
	}
	return false
}

// whoSuffers: when a federalized Rebel attacks one of several in a hex after the Revolution,
// the engine makes the units of the others suffer too, who do not defend (R20.6, R28.3).
func (r *refGame) whoSuffers(seat int, question, option string) bool {
	if seat != r.federalized || r.rev == 0 || question != "D40" || option != "ATTACK_MILITARY" {
		return false
	}
	for h := range r.targetHexes(seat, "MILITARY") {
		owners := map[int]bool{}
		for _, u := range h.units {
			owners[u.owner] = true
		}
		delete(owners, seat)
		delete(owners, r.gov)
		if len(owners) > 1 {
			return true
		}
	}
	return false
}

// togglesAndBuilds: what a federalized Rebel has let go down or come up in G2 may neither
// build nor help in that phase, in the engine (R7.3, R28.6).
func (r *refGame) togglesAndBuilds(seat int, question, option string) bool {
	return seat == r.federalized && question == "D10" && option == "TOGGLE_UNDERGROUND"
}

// afterOut stops the game when a Rebel has fallen out in the Combat Phase of the Rebels: the
// engine skips those who have not attacked yet (R28.2, R28.8).
func (r *refGame) afterOut(before int) {
	if len(r.out) > before && r.phase == "A4" {
		panic(refStop{})
	}
}
