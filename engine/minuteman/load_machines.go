package minuteman

import "slices"

// readDraw reads a counter that is to be drawn.
func (r *reader) readDraw() {
	d := r.doc.Draw
	if d == nil {
		return
	}
	r.p.draw = draw{hex: r.hexOr("draw.hex", d.Hex), marks: r.marks("draw.marks", d.Marks), ask: ask(r.name("draw.event", d.Event, askNames[:]))}
	for _, n := range d.Groups {
		r.p.draw.groups |= 1 << r.name("draw.groups", n, groupNames[:])
	}
	if r.p.draw.groups == 0 || !isDraw(r.p.draw.ask) {
		r.fail("draw: it names no counters, or an event that draws none")
	}
}

// readMachines reads what is under way, but for an attack.
func (r *reader) readMachines() {
	d, p := &r.doc, &r.p
	if b := d.Build; b != nil {
		p.build = build{
			stage: buildStage(r.name("build.stage", b.Stage, buildStageNames)), seat: r.number("build.seat", b.Seat, 0, r.g.seats-1),
			builder: r.unitOrGone("build.builder", b.Builder), hex: r.hex("build.hex", b.Hex), helpers: r.unitSet("build.helpers", b.Helpers),
			markers: r.number("build.organizers", b.Organizers, 0, 8), points: r.number("build.points", b.Points, 0, 40),
			react: r.number("build.react", b.React, 0, maxSeats), free: b.Free, newNet: b.NewNetwork,
		}
	}
	if m := d.Move; m != nil {
		p.move = move{
			stage: moveStage(r.name("move.stage", m.Stage, moveStageNames)), unit: r.unit("move.unit", m.Unit), dest: r.hexOr("move.destination", m.Dest),
			mode: r.name("move.mode", m.Mode, r.g.actions[:numVerbs]), shown: r.number("move.passage", m.Shown, 0, 6),
		}
		if m.Price < 0 || m.Price > 0xFFF {
			r.fail("move.price is %d, it must be 0 to %d", m.Price, 0xFFF)
		}
		p.move.price = uint16(m.Price)
	}
	if k := d.Kill; k != nil {
		p.kill = kill{
			stage: killStage(r.name("assassination.stage", k.Stage, killStageNames)), seat: r.number("assassination.seat", k.Seat, 0, r.g.seats-1),
			n: r.number("assassination.markers", k.N, 0, 3), class: class(r.number("assassination.class", k.Class, 0, numClasses-1)),
			hex: r.hexOr("assassination.hex", k.Hex), player: r.seat("assassination.player", k.Player),
		}
	}
	if x := d.Rising; x != nil {
		p.rising = rising{
			stage: risingStage(r.name("rising.stage", x.Stage, risingStageNames)), seat: r.number("rising.seat", x.Seat, 0, r.g.seats-1),
			answers: r.seat("rising.answers", x.Answers), army: r.unitOr("rising.army", x.Army),
		}
	}
	if x := d.Proposal; x != nil {
		p.propose = propose{kind: r.name("proposal.verb", x.Verb, r.g.actions[:numVerbs]), to: r.number("proposal.to", x.To, 0, r.g.seats-1)}
		if x.Sent {
			p.propose.stage = 1
		}
		if p.propose.kind < actTruce || p.propose.kind > actFederalize {
			r.fail("proposal.verb %s is no proposal (R28.5)", x.Verb)
		}
	}
}

// unitOrGone reads a unit that may have left the map since.
func (r *reader) unitOrGone(field string, name *string) uint8 {
	if name == nil {
		return noUnit
	}
	i := slices.Index(r.g.name[:], *name)
	if i < 0 {
		r.fail("%s: there is no unit %q", field, *name)
		return noUnit
	}
	return uint8(i)
}

// readCombat reads an attack under way.
func (r *reader) readCombat() {
	d, p := r.doc.Combat, &r.p
	if d == nil {
		return
	}
	p.combat = combat{
		stage: combatStage(r.name("combat.stage", d.Stage, combatStageNames)), kind: attackKind(r.name("combat.attack", d.Kind, attackNames)),
		seat: r.number("combat.seat", d.Seat, 0, r.g.seats-1), victim: r.seat("combat.victim", d.Victim), target: r.hexOr("combat.target", d.Target),
		attackers: r.survivors("combat.attackers", d.Attackers), defenders: r.survivors("combat.defenders", d.Defenders),
		partner: r.number("combat.partner", d.Partner, 0, maxSeats), exposed: d.Exposed, riot: d.Riot, informer: d.Informer,
		ruthless: d.Ruthless, betrayed: d.Betrayed, shown: r.number("combat.shown", d.Shown, 0, 6), react: r.number("combat.react", d.React, 0, maxSeats),
		attackerLoses: d.AttackerLoses, retreats: d.Retreats, pending: r.survivors("combat.to_retreat", d.Pending),
		retreater: r.unitOr("combat.retreating", d.Retreater), zone: r.hexOr("combat.zone", d.Zone),
		left: r.number("combat.left", d.Left, 0, 8), vacated: r.number("combat.vacated", d.Vacated, 0, 127),
		bared: r.number("combat.bared", d.Bared, 0, 127), passed: r.seats("combat.passed", d.Passed),
	}
}

// survivors reads participants; a unit killed since the attack was declared may
// still be among them.
func (r *reader) survivors(field string, names []string) unitSet {
	var set unitSet
	for _, n := range names {
		if u := r.unitOrGone(field, &n); u != noUnit {
			set.add(u)
		}
	}
	return set
}

// readResult reads the result of a finished game.
func (r *reader) readResult() {
	d, p := r.doc.Result, &r.p
	if (d != nil) != (p.phase == over) {
		r.fail("result belongs to phase over, and to no other")
		return
	}
	if d == nil {
		return
	}
	if d.Level < -decisive || d.Level > decisive {
		r.fail("result.level is %d, it must be %d to %d (R24.4)", d.Level, -decisive, decisive)
	}
	p.result, p.cause = int8(d.Level), cause(r.name("result.by", d.By, causeNames[:]))
	p.winners = r.seats("result.winners", d.Winners)
}
