package insurgency

// stages lists the stages that each operation can be at.
var opStages = [numOps]uint32{
	fundraise: netStages, recruit: netStages | 1<<netRecruiting | 1<<netRecruited, unrestOp: netStages,
	moveOp:   1<<opBegin | 1<<moveTo | 1<<moveUnits | 1<<moveActive | 1<<moving,
	attackOp: pickStages | 1<<rolling, tax: pickStages, deploy: pickStages | 1<<deploySwapping, hunt: pickStages, pacify: pickStages,
	surge: 1 << opBegin, secure: 1 << opBegin, reservesOp: 1 << opBegin,
	socialMedia: 1<<opBegin | 1<<socialAttacks | 1<<socialPersuade | 1<<socialDistract | 1<<socialEnrage | 1<<socialConvert,
	hack:        1<<opBegin | 1<<hackEffect | 1<<hackTheft,
}

const (
	netStages  = 1<<opBegin | 1<<netRolling | 1<<netChoosing | 1<<netTesting | 1<<netApplying
	pickStages = 1<<opBegin | 1<<opPicking | 1<<opCarrying
)

// validateOperation checks an operation against R7.2 and R10 to R13, as far as the
// engine relies on it.
func (g *game) validateOperation(p *position) error {
	f := &p.op
	if f.kind == noOp {
		return nil
	}
	name := opNames[f.kind]
	switch {
	case opSides[f.kind] != eitherSide && opSides[f.kind] != opSide(f.side):
		return wrong("operation: the %s does not %s (R7.1)", sideNames[f.side], name)
	case f.free && p.event.card == 0, !f.free && (f.side != p.side || p.event.card != 0):
		return wrong("operation: one that is free belongs to an event, one that is not to the side on turn (R14.4)")
	case opStages[f.kind]>>f.stage&1 == 0:
		return wrong("operation: stage %s of %s", opStageNames[f.stage], name)
	case f.ops == 0 && (f.kind != hack || !f.free):
		return wrong("operation: no Ops (R8.5)")
	case f.budget > f.ops:
		return wrong("operation: attack_budget is %d of %d Ops (R13.3.3)", f.budget, f.ops)
	}
	if !g.asGranted(p, f) {
		return wrong("operation: its side, Ops or limits are not those of the card (R8.5, R14.4)")
	}
	if *f != f.relevant() {
		return wrong("operation: a field that stage %s of %s does not use", opStageNames[f.stage], name)
	}
	switch f.kind {
	case fundraise, recruit, unrestOp:
		return g.validateNetOps(f)
	case moveOp:
		return g.validateMove(p, f)
	case attackOp, tax, deploy, hunt, pacify:
		return g.validatePicks(p, f)
	}
	if f.stage == hackTheft && (f.dice > 2 || f.sum > d6Faces*(2-f.dice)) {
		return wrong("operation: %d dice left, %d rolled (R13.4.2)", f.dice, f.sum)
	}
	return nil
}

// asGranted reports whether an operation is narrowed as the event says that grants it, or
// not at all if it is the card's own.
func (g *game) asGranted(p *position, f *opFrame) bool {
	want := newOperation(f.kind, f.side, f.ops)
	if f.free {
		e := p.event
		if e.pc == 0 {
			return false
		}
		e.pc-- // the text has gone on
		in := g.instruction(&e)
		if in == nil || in.Op != opFree && in.Op != opFreeHack {
			return false
		}
		want = e.granted(in)
	} else if f.ops < g.cardOps(p) {
		return false
	}
	return f.kind == want.kind && f.side == want.side && f.ops == want.ops && f.noUnrest == want.noUnrest && f.noArrest == want.noArrest &&
		f.ignore == want.ignore && f.margin == want.margin && f.limit == want.limit && f.within == want.within
}

// relevant returns the operation without the fields that its kind and stage do not
// use.
func (f *opFrame) relevant() opFrame {
	r := newOperation(f.kind, f.side, f.ops)
	r.stage, r.free, r.noUnrest, r.noArrest, r.ignore = f.stage, f.free, f.noUnrest, f.noArrest, f.ignore
	r.margin, r.limit, r.within = f.margin, f.limit, f.within
	switch f.kind {
	case fundraise, recruit, unrestOp:
		r.typ, r.selected, r.count, r.rolled = f.typ, f.selected, f.count, f.rolled
		r.rolls, r.choices, r.at, r.bound = f.rolls, f.choices, f.at, f.bound
	case moveOp:
		r.groups, r.numGroups, r.cost = f.groups, f.numGroups, f.cost
		switch f.stage {
		case moveTo, moveUnits, moveActive:
			r.from, r.to, r.arrests, r.sleepers = f.from, f.to, f.arrests, f.sleepers
		case moving:
			r.moved = f.moved
		}
	case attackOp, tax, deploy, hunt, pacify:
		r.picks, r.todo, r.bound, r.cost = f.picks, f.todo, f.bound, f.cost
		switch {
		case f.stage == rolling:
			r.dice, r.hits = f.dice, f.hits
		case f.kind == deploy && f.stage == opCarrying:
			r.agentsLeft = f.agentsLeft
		case f.kind == deploy && f.stage == deploySwapping:
			r.baseChosen = f.baseChosen
		}
	case hack:
		if f.stage == hackTheft {
			r.dice, r.sum = f.dice, f.sum
		}
	case socialMedia:
		r.budget = f.budget
	}
	return r
}

// validateNetOps checks the selections (R10.2, R10.7).
func (g *game) validateNetOps(f *opFrame) error {
	if f.rolled > f.count || f.at > f.count || f.count+f.rolls+f.choices > maxSelected {
		return wrong("operation: %d rolled, selection %d of %d, %d to come (R17.3)", f.rolled, f.at, f.count, f.rolls+f.choices)
	}
	if f.stage == opBegin && f.count+f.rolls+f.choices > 0 {
		return wrong("operation: selections before the type is chosen (R10.2)")
	}
	if f.stage != opBegin && f.stage != netRolling && f.stage != netChoosing && f.rolls+f.choices > 0 || f.stage == netChoosing && f.rolls > 0 {
		return wrong("operation: selections are still to be made (R10.4)")
	}
	if f.at > 0 && f.stage < netTesting || (f.stage == netRecruiting || f.stage == netRecruited) && f.at >= f.count {
		return wrong("operation: selection %d of %d", f.at, f.count)
	}
	for i, at := range f.selected[:f.count] {
		if !g.box.kinds[f.typ].has(at) {
			return wrong("operation: %s is no %s (R10.2)", g.box.ids[at], kindNames[f.typ])
		}
		if i > int(f.rolled) && at < f.selected[i-1] {
			return wrong("operation: chosen spaces fall (R7.2)")
		}
	}
	return nil
}

// validatePicks checks the spaces that were picked (R7.2).
func (g *game) validatePicks(p *position, f *opFrame) error {
	switch {
	case f.stage == opBegin && f.picks != 0, f.stage == opPicking && f.picks == 0, f.todo&^f.picks != 0, f.picks&^f.within != 0:
		return wrong("operation: picks and todo do not agree (R7.2)")
	case f.picks.count() > f.mostPicks():
		return wrong("operation: %d spaces picked, at most %d (R7.2)", f.picks.count(), f.mostPicks())
	case !f.free && f.stage == opPicking && f.cost > p.resources[f.side]:
		return wrong("operation: the picks cost $%d, there are $%d (R7.2)", f.cost, p.resources[f.side])
	case f.picks&^p.withStatus(marked) != 0:
		return wrong("operation: an unmarked space is no target (R4.5)")
	case f.picks&^g.inPlay(p) != 0:
		return wrong("operation: a space out of play is no target (R4.3)")
	case f.todo != 0 && f.stage < opCarrying, f.stage == rolling && f.todo == 0:
		return wrong("operation: todo in stage %s", opStageNames[f.stage])
	case f.agentsLeft > f.ops, g.deployEach && f.agentsLeft > 0:
		return wrong("operation: %d agents left of %d Ops (R12.2.2)", f.agentsLeft, f.ops)
	}
	if f.stage != rolling {
		return nil
	}
	i := f.todo.first()
	if p.spaces[i].Sleepers > 0 || f.dice > p.spaces[i].Active || f.hits > p.spaces[i].Active-f.dice {
		return wrong("operation: %d dice left and %d hits of %d active militia (R11.5.2)", f.dice, f.hits, p.spaces[i].Active)
	}
	return nil
}

// validateMove checks the groups that have been chosen and the one that is being chosen
// (R11.4.1, R12.3.1): each must have been legal beside those before it. Groups that have
// moved are taken back for that.
func (g *game) validateMove(p *position, f *opFrame) error {
	if f.moved > f.numGroups {
		return wrong("operation: %d groups of %d have moved (R7.2)", f.moved, f.numGroups)
	}
	if f.numGroups > f.ops || f.stage >= moveTo && f.stage <= moveActive && f.numGroups == f.ops {
		return wrong("operation: %d groups with %d Ops (R11.4.1)", f.numGroups, f.ops)
	}
	before := *p
	if f.stage == moving {
		if err := g.takeBack(&before, f); err != nil {
			return err
		}
	}
	o := *f
	o.numGroups, o.cost = 0, 0
	for _, gr := range f.groups[:f.numGroups] {
		units, active := before.unchosen(&o, gr.from)
		switch {
		case !g.origins(&before, &o, false).has(gr.from) || !g.destinations(&before, &o, gr.from, false).has(gr.to):
			return wrong("operation: no group can go from %s to %s (R7.2, R11.4.3)", g.box.ids[gr.from], g.box.ids[gr.to])
		case gr.units > units || gr.active > active || gr.units+gr.active <= g.arrested(&before, f, gr):
			return wrong("operation: a group of %d and %d cannot leave %s (R11.4.5)", gr.units, gr.active, g.box.ids[gr.from])
		}
		o.from, o.to, o.arrests = gr.from, gr.to, g.arrestsTo(&before, f, gr.from, gr.to)
		g.addGroup(&before, &o, gr.units, gr.active)
	}
	switch f.stage {
	case moveTo, moveUnits, moveActive:
		return g.validateGroup(p, f)
	}
	return nil
}

// arrested returns how many units of a group do not arrive.
func (g *game) arrested(p *position, f *opFrame, gr group) uint8 {
	if f.side == federal {
		return 0
	}
	return g.arrestsTo(p, f, gr.from, gr.to)
}

// takeBack undoes what a Move has done: the groups that have moved, from the last on,
// and the payment.
func (g *game) takeBack(p *position, f *opFrame) error {
	if f.numGroups == 0 {
		return wrong("operation: stage moving of a Move without groups")
	}
	cost := 0
	for k := int(f.numGroups) - 1; k >= 0; k-- {
		gr := f.groups[k]
		if gr.from == gr.to || !g.connected(gr.from, gr.to) {
			return wrong("operation: no group can go from %s to %s (R11.4.3)", g.box.ids[gr.from], g.box.ids[gr.to])
		}
		one := *f
		one.from, one.to, one.arrests = gr.from, gr.to, g.arrestsTo(p, f, gr.from, gr.to)
		cost += int(g.groupCost(p, &one))
		if k >= int(f.moved) {
			continue
		}
		if gr.units+gr.active <= g.arrested(p, f, gr) {
			return wrong("operation: nothing of a group arrives at %s (R11.4.5)", g.box.ids[gr.to])
		}
		arrived := gr
		if f.side == rebel {
			arrived = g.survivors(p, f, gr)
		}
		from, to := &p.spaces[gr.from], &p.spaces[gr.to]
		if f.side == rebel && (to.Sleepers < arrived.units || to.Active < arrived.active) || f.side == federal && to.Agents < arrived.units {
			return wrong("operation: the group at %s is not there", g.box.ids[gr.to])
		}
		if f.side == rebel {
			to.Sleepers -= arrived.units
			to.Active -= arrived.active
			from.Sleepers += gr.units
			from.Active += gr.active
		} else {
			to.Agents -= arrived.units
			from.Agents += gr.units
		}
		p.countPieces()
	}
	if cost += int(p.resources[f.side]); cost > maxMoney || p.onMap[agent] > g.box.limits[agent] || p.onMap[militia] > g.box.limits[militia] {
		return wrong("operation: before the groups moved there was too much on the map or of money (R1.1, R1.5)")
	}
	p.resources[f.side] = uint8(cost)
	return nil
}

// validateGroup checks the group that is being chosen.
func (g *game) validateGroup(p *position, f *opFrame) error {
	if !g.origins(p, f, false).has(f.from) {
		return wrong("operation: no group can leave %s (R11.4.1)", g.box.ids[f.from])
	}
	if f.stage == moveTo {
		if f.to != noSpace || f.sleepers != 0 {
			return wrong("operation: a group before its destination is chosen (R11.4.1)")
		}
		return nil
	}
	sleepers, _ := p.unchosen(f, f.from)
	switch {
	case !g.destinations(p, f, f.from, false).has(f.to):
		return wrong("operation: a group cannot go to %s (R11.4.3)", g.box.ids[f.to])
	case f.sleepers > 0 && (f.side == federal || f.stage != moveActive) || f.stage == moveActive && (f.side == federal || f.sleepers > sleepers):
		return wrong("operation: %d sleepers in the group (R11.4.5)", f.sleepers)
	}
	return nil
}
