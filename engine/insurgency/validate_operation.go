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
	case f.Terms.Free && p.Event.Card == 0, !f.Terms.Free && (f.Side != p.Side || p.Event.Card != 0):
		return wrong("operation: one that is free belongs to an event, one that is not to the side on turn (R14.4)")
	case opStages[f.Kind]>>f.Stage&1 == 0:
		return wrong("operation: stage %s of %s", opStageNames[f.Stage], name)
	case f.Ops == 0 && (f.Kind != hack || !f.Terms.Free):
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
	if f.Stage == hackTheft && (f.Theft.Dice > 2 || f.Theft.Sum > d6Faces*(2-f.Theft.Dice)) {
		return wrong("operation: %d dice left, %d rolled (R13.4.2)", f.Theft.Dice, f.Theft.Sum)
	}
	return nil
}

// asGranted reports whether an operation has the side, the Ops and the terms that the event
// gives that grants it, or those of the card that it belongs to.
func (g *game) asGranted(p *Position, f *OperationFrame) bool {
	want := newOperation(f.Kind, f.Side, f.Ops)
	if f.Terms.Free {
		in := g.stepBefore(p)
		if in == nil || in.Op != opFree && in.Op != opFreeHack {
			return false
		}
		want = p.Event.granted(in)
	} else if f.Ops < g.cardOps(p) {
		return false
	}
	return f.Kind == want.Kind && f.Side == want.Side && f.Ops == want.Ops && f.Terms == want.Terms
}

// relevant returns the operation without what its kind and stage do not use.
func (f *OperationFrame) relevant() OperationFrame {
	r := newOperation(f.Kind, f.Side, f.Ops)
	r.Stage, r.Terms = f.Stage, f.Terms
	switch f.Kind {
	case fundraise, recruit, unrestOp:
		r.Net = f.Net
	case moveOp:
		r.Move = f.Move
		if f.Stage != moving {
			r.Move.Moved = 0
		}
		if f.Stage >= moveTo && f.Stage <= moveActive {
			r.Group = f.Group
		}
	case attackOp, tax, deploy, hunt, pacify:
		r.Pick = f.Pick
		switch {
		case f.Stage == rolling:
			r.Attack = f.Attack
		case f.Kind == deploy && f.Stage == opCarrying:
			r.Deploy.AgentsLeft = f.Deploy.AgentsLeft
		case f.Kind == deploy && f.Stage == deploySwapping:
			r.Deploy.BaseChosen = f.Deploy.BaseChosen
		}
	case hack:
		if f.Stage == hackTheft {
			r.Theft = f.Theft
		}
	case socialMedia:
		r.Budget = f.Budget
	}
	return r
}

// validateNetOps checks the selections (R10.2, R10.7).
func (g *game) validateNetOps(f *OperationFrame) error {
	if f.Net.Rolled > f.Net.Count || f.Net.At > f.Net.Count || f.Net.Count+f.Net.Rolls+f.Net.Choices > maxSelected {
		return wrong("operation: %d rolled, selection %d of %d, %d to come (R17.3)", f.Net.Rolled, f.Net.At, f.Net.Count, f.Net.Rolls+f.Net.Choices)
	}
	if f.Stage == opBegin && f.Net.Count+f.Net.Rolls+f.Net.Choices > 0 {
		return wrong("operation: selections before the type is chosen (R10.2)")
	}
	if f.Stage != opBegin && f.Stage != netRolling && f.Stage != netChoosing && f.Net.Rolls+f.Net.Choices > 0 || f.Stage == netChoosing && f.Net.Rolls > 0 {
		return wrong("operation: selections are still to be made (R10.4)")
	}
	if f.Net.At > 0 && f.Stage < netTesting || (f.Stage == netRecruiting || f.Stage == netRecruited) && f.Net.At >= f.Net.Count {
		return wrong("operation: selection %d of %d", f.Net.At, f.Net.Count)
	}
	for i, at := range f.Net.Selected[:f.Net.Count] {
		if !g.box.kinds[f.Net.Kind].Has(at) {
			return wrong("operation: %s is no %s (R10.2)", g.box.ids[at], kindNames[f.Net.Kind])
		}
		if i > int(f.Net.Rolled) && at < f.Net.Selected[i-1] {
			return wrong("operation: chosen spaces fall (R7.2)")
		}
	}
	return nil
}

// validatePicks checks the spaces that were picked (R7.2).
func (g *game) validatePicks(p *Position, f *OperationFrame) error {
	switch {
	case f.Stage == opBegin && f.Pick.Spaces != 0, f.Stage == opPicking && f.Pick.Spaces == 0, f.Pick.Todo&^f.Pick.Spaces != 0, f.Pick.Spaces&^f.Terms.Within != 0:
		return wrong("operation: picks and todo do not agree (R7.2)")
	case f.Pick.Spaces.Count() > f.mostPicks():
		return wrong("operation: %d spaces picked, at most %d (R7.2)", f.Pick.Spaces.Count(), f.mostPicks())
	case !f.Terms.Free && f.Stage == opPicking && f.Pick.Cost > p.Resources[f.Side]:
		return wrong("operation: the picks cost $%d, there are $%d (R7.2)", f.Pick.Cost, p.Resources[f.Side])
	case f.Pick.Spaces&^p.withStatus(marked) != 0:
		return wrong("operation: an unmarked space is no target (R4.5)")
	case f.Pick.Spaces&^g.inPlay(p) != 0:
		return wrong("operation: a space out of play is no target (R4.3)")
	case f.Pick.Todo != 0 && f.Stage < opCarrying, f.Stage == rolling && f.Pick.Todo == 0:
		return wrong("operation: todo in stage %s", opStageNames[f.Stage])
	case f.Deploy.AgentsLeft > f.Ops, g.deployEach && f.Deploy.AgentsLeft > 0:
		return wrong("operation: %d agents left of %d Ops (R12.2.2)", f.Deploy.AgentsLeft, f.Ops)
	}
	if f.Stage != rolling {
		return nil
	}
	i := f.Pick.Todo.First()
	if p.Spaces[i].Sleepers > 0 || f.Attack.Dice > p.Spaces[i].Active || f.Attack.Hits > p.Spaces[i].Active-f.Attack.Dice {
		return wrong("operation: %d dice left and %d hits of %d active militia (R11.5.2)", f.Attack.Dice, f.Attack.Hits, p.Spaces[i].Active)
	}
	return nil
}

// validateMove checks the groups that have been chosen and the one that is being chosen
// (R11.4.1, R12.3.1): each must have been legal beside those before it. Groups that have
// moved are taken back for that.
func (g *game) validateMove(p *Position, f *OperationFrame) error {
	if f.Move.Moved > f.Move.NumGroups {
		return wrong("operation: %d groups of %d have moved (R7.2)", f.Move.Moved, f.Move.NumGroups)
	}
	if f.Move.NumGroups > f.Ops || f.Stage >= moveTo && f.Stage <= moveActive && f.Move.NumGroups == f.Ops {
		return wrong("operation: %d groups with %d Ops (R11.4.1)", f.Move.NumGroups, f.Ops)
	}
	before := *p
	if f.Stage == moving {
		if err := g.takeBack(&before, f); err != nil {
			return err
		}
	}
	o := *f
	o.Move.NumGroups, o.Move.Cost = 0, 0
	for _, gr := range f.Move.Groups[:f.Move.NumGroups] {
		units, active := before.unchosen(&o, gr.From)
		switch {
		case !g.origins(&before, &o, false).Has(gr.From) || !g.destinations(&before, &o, gr.From, false).Has(gr.To):
			return wrong("operation: no group can go from %s to %s (R7.2, R11.4.3)", g.box.ids[gr.From], g.box.ids[gr.To])
		case gr.Units > units || gr.Active > active || gr.Units+gr.Active <= g.arrested(&before, f, gr):
			return wrong("operation: a group of %d and %d cannot leave %s (R11.4.5)", gr.Units, gr.Active, g.box.ids[gr.From])
		}
		o.Group.From, o.Group.To, o.Group.Arrests = gr.From, gr.To, g.arrestsTo(&before, f, gr.From, gr.To)
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
	if f.Move.NumGroups == 0 {
		return wrong("operation: stage moving of a Move without groups")
	}
	cost := 0
	for k := int(f.Move.NumGroups) - 1; k >= 0; k-- {
		gr := f.Move.Groups[k]
		if gr.From == gr.To || !g.connected(gr.From, gr.To) {
			return wrong("operation: no group can go from %s to %s (R11.4.3)", g.box.ids[gr.From], g.box.ids[gr.To])
		}
		cost += int(g.groupCost(p, f, gr.To, g.arrestsTo(p, f, gr.From, gr.To)))
		if k >= int(f.Move.Moved) {
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
	if !g.origins(p, f, false).Has(f.Group.From) {
		return wrong("operation: no group can leave %s (R11.4.1)", g.box.ids[f.Group.From])
	}
	if f.Stage == moveTo {
		if f.Group.To != noSpace || f.Group.Sleepers != 0 {
			return wrong("operation: a group before its destination is chosen (R11.4.1)")
		}
		return nil
	}
	sleepers, _ := p.unchosen(f, f.Group.From)
	switch {
	case !g.destinations(p, f, f.Group.From, false).Has(f.Group.To):
		return wrong("operation: a group cannot go to %s (R11.4.3)", g.box.ids[f.Group.To])
	case f.Group.Sleepers > 0 && (f.Side == federal || f.Stage != moveActive) || f.Stage == moveActive && (f.Side == federal || f.Group.Sleepers > sleepers):
		return wrong("operation: %d sleepers in the group (R11.4.5)", f.Group.Sleepers)
	}
	return nil
}
