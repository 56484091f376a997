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
func (g *game) validateOperation(p *Position) error {
	f := &p.Op
	if f.Kind == noOp {
		return nil
	}
	name := opNames[f.Kind]
	switch {
	case opSides[f.Kind] != eitherSide && opSides[f.Kind] != opSide(f.Side):
		return wrong("operation: the %s does not %s (R7.1)", sideNames[f.Side], name)
	case f.Free && p.Event.Card == 0, !f.Free && (f.Side != p.Side || p.Event.Card != 0):
		return wrong("operation: one that is free belongs to an event, one that is not to the side on turn (R14.4)")
	case opStages[f.Kind]>>f.Stage&1 == 0:
		return wrong("operation: stage %s of %s", opStageNames[f.Stage], name)
	case f.Ops == 0 && (f.Kind != hack || !f.Free):
		return wrong("operation: no Ops (R8.5)")
	case f.Budget > f.Ops:
		return wrong("operation: attack_budget is %d of %d Ops (R13.3.3)", f.Budget, f.Ops)
	}
	if !g.asGranted(p, f) {
		return wrong("operation: its side, Ops or limits are not those of the card (R8.5, R14.4)")
	}
	if *f != f.relevant() {
		return wrong("operation: a field that stage %s of %s does not use", opStageNames[f.Stage], name)
	}
	switch f.Kind {
	case fundraise, recruit, unrestOp:
		return g.validateNetOps(f)
	case moveOp:
		return g.validateMove(p, f)
	case attackOp, tax, deploy, hunt, pacify:
		return g.validatePicks(p, f)
	}
	if f.Stage == hackTheft && (f.Dice > 2 || f.Sum > d6Faces*(2-f.Dice)) {
		return wrong("operation: %d dice left, %d rolled (R13.4.2)", f.Dice, f.Sum)
	}
	return nil
}

// asGranted reports whether an operation is narrowed as the event says that grants it, or
// not at all if it is the card's own.
func (g *game) asGranted(p *Position, f *OperationFrame) bool {
	want := newOperation(f.Kind, f.Side, f.Ops)
	if f.Free {
		e := p.Event
		if e.PC == 0 {
			return false
		}
		e.PC-- // the text has gone on
		in := g.instruction(&e)
		if in == nil || in.Op != opFree && in.Op != opFreeHack {
			return false
		}
		want = e.granted(in)
	} else if f.Ops < g.cardOps(p) {
		return false
	}
	return f.Kind == want.Kind && f.Side == want.Side && f.Ops == want.Ops && f.NoUnrest == want.NoUnrest && f.NoArrest == want.NoArrest &&
		f.Ignore == want.Ignore && f.Margin == want.Margin && f.Limit == want.Limit && f.Within == want.Within
}

// relevant returns the operation without the fields that its kind and stage do not
// use.
func (f *OperationFrame) relevant() OperationFrame {
	r := newOperation(f.Kind, f.Side, f.Ops)
	r.Stage, r.Free, r.NoUnrest, r.NoArrest, r.Ignore = f.Stage, f.Free, f.NoUnrest, f.NoArrest, f.Ignore
	r.Margin, r.Limit, r.Within = f.Margin, f.Limit, f.Within
	switch f.Kind {
	case fundraise, recruit, unrestOp:
		r.SpaceKind, r.Selected, r.Count, r.Rolled = f.SpaceKind, f.Selected, f.Count, f.Rolled
		r.Rolls, r.Choices, r.At, r.Bound = f.Rolls, f.Choices, f.At, f.Bound
	case moveOp:
		r.Groups, r.NumGroups, r.Cost = f.Groups, f.NumGroups, f.Cost
		switch f.Stage {
		case moveTo, moveUnits, moveActive:
			r.From, r.To, r.Arrests, r.Sleepers = f.From, f.To, f.Arrests, f.Sleepers
		case moving:
			r.Moved = f.Moved
		}
	case attackOp, tax, deploy, hunt, pacify:
		r.Picks, r.Todo, r.Bound, r.Cost = f.Picks, f.Todo, f.Bound, f.Cost
		switch {
		case f.Stage == rolling:
			r.Dice, r.Hits = f.Dice, f.Hits
		case f.Kind == deploy && f.Stage == opCarrying:
			r.AgentsLeft = f.AgentsLeft
		case f.Kind == deploy && f.Stage == deploySwapping:
			r.BaseChosen = f.BaseChosen
		}
	case hack:
		if f.Stage == hackTheft {
			r.Dice, r.Sum = f.Dice, f.Sum
		}
	case socialMedia:
		r.Budget = f.Budget
	}
	return r
}

// validateNetOps checks the selections (R10.2, R10.7).
func (g *game) validateNetOps(f *OperationFrame) error {
	if f.Rolled > f.Count || f.At > f.Count || f.Count+f.Rolls+f.Choices > maxSelected {
		return wrong("operation: %d rolled, selection %d of %d, %d to come (R17.3)", f.Rolled, f.At, f.Count, f.Rolls+f.Choices)
	}
	if f.Stage == opBegin && f.Count+f.Rolls+f.Choices > 0 {
		return wrong("operation: selections before the type is chosen (R10.2)")
	}
	if f.Stage != opBegin && f.Stage != netRolling && f.Stage != netChoosing && f.Rolls+f.Choices > 0 || f.Stage == netChoosing && f.Rolls > 0 {
		return wrong("operation: selections are still to be made (R10.4)")
	}
	if f.At > 0 && f.Stage < netTesting || (f.Stage == netRecruiting || f.Stage == netRecruited) && f.At >= f.Count {
		return wrong("operation: selection %d of %d", f.At, f.Count)
	}
	for i, at := range f.Selected[:f.Count] {
		if !g.box.kinds[f.SpaceKind].has(at) {
			return wrong("operation: %s is no %s (R10.2)", g.box.ids[at], kindNames[f.SpaceKind])
		}
		if i > int(f.Rolled) && at < f.Selected[i-1] {
			return wrong("operation: chosen spaces fall (R7.2)")
		}
	}
	return nil
}

// validatePicks checks the spaces that were picked (R7.2).
func (g *game) validatePicks(p *Position, f *OperationFrame) error {
	switch {
	case f.Stage == opBegin && f.Picks != 0, f.Stage == opPicking && f.Picks == 0, f.Todo&^f.Picks != 0, f.Picks&^f.Within != 0:
		return wrong("operation: picks and todo do not agree (R7.2)")
	case f.Picks.count() > f.mostPicks():
		return wrong("operation: %d spaces picked, at most %d (R7.2)", f.Picks.count(), f.mostPicks())
	case !f.Free && f.Stage == opPicking && f.Cost > p.Resources[f.Side]:
		return wrong("operation: the picks cost $%d, there are $%d (R7.2)", f.Cost, p.Resources[f.Side])
	case f.Picks&^p.withStatus(marked) != 0:
		return wrong("operation: an unmarked space is no target (R4.5)")
	case f.Picks&^g.inPlay(p) != 0:
		return wrong("operation: a space out of play is no target (R4.3)")
	case f.Todo != 0 && f.Stage < opCarrying, f.Stage == rolling && f.Todo == 0:
		return wrong("operation: todo in stage %s", opStageNames[f.Stage])
	case f.AgentsLeft > f.Ops, g.deployEach && f.AgentsLeft > 0:
		return wrong("operation: %d agents left of %d Ops (R12.2.2)", f.AgentsLeft, f.Ops)
	}
	if f.Stage != rolling {
		return nil
	}
	i := f.Todo.first()
	if p.Spaces[i].Sleepers > 0 || f.Dice > p.Spaces[i].Active || f.Hits > p.Spaces[i].Active-f.Dice {
		return wrong("operation: %d dice left and %d hits of %d active militia (R11.5.2)", f.Dice, f.Hits, p.Spaces[i].Active)
	}
	return nil
}

// validateMove checks the groups that have been chosen and the one that is being chosen
// (R11.4.1, R12.3.1): each must have been legal beside those before it. Groups that have
// moved are taken back for that.
func (g *game) validateMove(p *Position, f *OperationFrame) error {
	if f.Moved > f.NumGroups {
		return wrong("operation: %d groups of %d have moved (R7.2)", f.Moved, f.NumGroups)
	}
	if f.NumGroups > f.Ops || f.Stage >= moveTo && f.Stage <= moveActive && f.NumGroups == f.Ops {
		return wrong("operation: %d groups with %d Ops (R11.4.1)", f.NumGroups, f.Ops)
	}
	before := *p
	if f.Stage == moving {
		if err := g.takeBack(&before, f); err != nil {
			return err
		}
	}
	o := *f
	o.NumGroups, o.Cost = 0, 0
	for _, gr := range f.Groups[:f.NumGroups] {
		units, active := before.unchosen(&o, gr.From)
		switch {
		case !g.origins(&before, &o, false).has(gr.From) || !g.destinations(&before, &o, gr.From, false).has(gr.To):
			return wrong("operation: no group can go from %s to %s (R7.2, R11.4.3)", g.box.ids[gr.From], g.box.ids[gr.To])
		case gr.Units > units || gr.Active > active || gr.Units+gr.Active <= g.arrested(&before, f, gr):
			return wrong("operation: a group of %d and %d cannot leave %s (R11.4.5)", gr.Units, gr.Active, g.box.ids[gr.From])
		}
		o.From, o.To, o.Arrests = gr.From, gr.To, g.arrestsTo(&before, f, gr.From, gr.To)
		g.addGroup(&before, &o, gr.Units, gr.Active)
	}
	switch f.Stage {
	case moveTo, moveUnits, moveActive:
		return g.validateGroup(p, f)
	}
	return nil
}

// arrested returns how many units of a group do not arrive.
func (g *game) arrested(p *Position, f *OperationFrame, gr Group) uint8 {
	if f.Side == federal {
		return 0
	}
	return g.arrestsTo(p, f, gr.From, gr.To)
}

// takeBack undoes what a Move has done: the groups that have moved, from the last on,
// and the payment.
func (g *game) takeBack(p *Position, f *OperationFrame) error {
	if f.NumGroups == 0 {
		return wrong("operation: stage moving of a Move without groups")
	}
	cost := 0
	for k := int(f.NumGroups) - 1; k >= 0; k-- {
		gr := f.Groups[k]
		if gr.From == gr.To || !g.connected(gr.From, gr.To) {
			return wrong("operation: no group can go from %s to %s (R11.4.3)", g.box.ids[gr.From], g.box.ids[gr.To])
		}
		one := *f
		one.From, one.To, one.Arrests = gr.From, gr.To, g.arrestsTo(p, f, gr.From, gr.To)
		cost += int(g.groupCost(p, &one))
		if k >= int(f.Moved) {
			continue
		}
		if gr.Units+gr.Active <= g.arrested(p, f, gr) {
			return wrong("operation: nothing of a group arrives at %s (R11.4.5)", g.box.ids[gr.To])
		}
		arrived := gr
		if f.Side == rebel {
			arrived = g.survivors(p, f, gr)
		}
		from, to := &p.Spaces[gr.From], &p.Spaces[gr.To]
		if f.Side == rebel && (to.Sleepers < arrived.Units || to.Active < arrived.Active) || f.Side == federal && to.Agents < arrived.Units {
			return wrong("operation: the group at %s is not there", g.box.ids[gr.To])
		}
		if f.Side == rebel {
			to.Sleepers -= arrived.Units
			to.Active -= arrived.Active
			from.Sleepers += gr.Units
			from.Active += gr.Active
		} else {
			to.Agents -= arrived.Units
			from.Agents += gr.Units
		}
		p.countPieces()
	}
	if cost += int(p.Resources[f.Side]); cost > maxMoney || p.OnMap[agent] > g.box.limits[agent] || p.OnMap[militia] > g.box.limits[militia] {
		return wrong("operation: before the groups moved there was too much on the map or of money (R1.1, R1.5)")
	}
	p.Resources[f.Side] = uint8(cost)
	return nil
}

// validateGroup checks the group that is being chosen.
func (g *game) validateGroup(p *Position, f *OperationFrame) error {
	if !g.origins(p, f, false).has(f.From) {
		return wrong("operation: no group can leave %s (R11.4.1)", g.box.ids[f.From])
	}
	if f.Stage == moveTo {
		if f.To != noSpace || f.Sleepers != 0 {
			return wrong("operation: a group before its destination is chosen (R11.4.1)")
		}
		return nil
	}
	sleepers, _ := p.unchosen(f, f.From)
	switch {
	case !g.destinations(p, f, f.From, false).has(f.To):
		return wrong("operation: a group cannot go to %s (R11.4.3)", g.box.ids[f.To])
	case f.Sleepers > 0 && (f.Side == federal || f.Stage != moveActive) || f.Stage == moveActive && (f.Side == federal || f.Sleepers > sleepers):
		return wrong("operation: %d sleepers in the group (R11.4.5)", f.Sleepers)
	}
	return nil
}
