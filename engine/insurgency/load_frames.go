package insurgency

// readFrames reads what is going on. What follows from a frame, such as the money
// that its picks cost, is computed afresh.
func (r *reader) readFrames() {
	d, p := &r.doc, &r.p
	if d.Testing != nil {
		p.testing = r.space("testing", d.Testing)
	}
	if f := d.Removal; f != nil {
		if f.LastSpace != nil {
			p.play.lastSpace = r.space("removal: last_space", f.LastSpace)
		}
		if f.LastPiece != nil {
			p.play.lastPiece = r.word("removal: last_piece", *f.LastPiece, pieceNames)
		}
		p.play.removing, p.play.removeFrom = f.Asking, r.space("removal: from", f.From)
	}
	if f := d.Card; f != nil {
		r.number("card: part", &f.Part, 0, 2, &p.play.part)
		if f.Mode != nil {
			p.play.mode = mode(r.word("card: mode", *f.Mode, modeNames))
		}
		if f.Operation != nil {
			p.play.operation = opKind(r.word("card: operation", *f.Operation, opNames[:]))
		}
	}
	if f := d.News; f != nil {
		p.news = newsFrame{
			do: newsDo(r.word("news: do", f.Do, newsNames)), by: r.word("news: by", f.By, sideNames[:]), optional: f.Optional,
		}
		r.number("news: stage", &f.Stage, 0, int(newsRefill), &p.news.stage)
		r.number("news: left", &f.Left, 0, numStories, &p.news.n)
	}
	if f := d.Placing; f != nil {
		p.placing = placing{
			kind: placingKind(r.word("placing: kind", f.Kind, placingNames)), side: r.word("placing: side", f.Side, sideNames[:]),
			at: r.space("placing: space", &f.Space),
		}
		r.number("placing: left", &f.Left, 1, int(r.g.box.limits[agent]), &p.placing.left)
	}
	if d.Event != nil {
		r.readEvent(d.Event)
	}
	if d.Op != nil {
		r.readOperation(d.Op)
	}
}

// readEvent reads the event of the running card.
func (r *reader) readEvent(d *eventDoc) {
	p := &r.p
	if p.play.card == 0 {
		r.fail("event: there is no card")
		return
	}
	f := &p.event
	f.card, f.owner = p.play.card, r.g.eventOwner(p)
	code := r.g.box.programs[f.card].code
	r.number("event: instruction", &d.Instruction, 0, len(code), &f.pc)
	if d.Stage != "" {
		f.stage = r.word("event: stage", d.Stage, stageNames)
	}
	f.cur, f.todo = r.set("event: selected", d.Selected), r.set("event: todo", d.Todo)
	if len(d.Named) > maxNames {
		r.fail("event: %d named selections, at most %d", len(d.Named), maxNames)
		return
	}
	for i, ids := range d.Named {
		f.named[i] = r.set("event: named", ids)
	}
	r.number("event: left", &d.Left, 0, numStories, &f.left)
	r.number("event: sum", &d.Sum, 0, int(r.g.box.limits[militia]), &f.sum)
	r.number("event: stored", &d.Stored, 0, maxMoney, &f.stored)
	if d.From != nil {
		f.from = r.space("event: from", d.From)
	}
	if d.To != nil {
		f.to = r.space("event: to", d.To)
	}
	if r.err != nil {
		return
	}
	if from, to := r.g.eventSpaces(f); !from && f.from != 0 || !to && f.to != 0 {
		r.fail("event: from or to in stage %s of instruction %d", stageNames[f.stage], f.pc)
		return
	}
	if int(f.pc) == len(code) {
		return
	}
	switch in := &code[f.pc]; {
	case in.split():
		f.bound = f.to
	case in.At.How == choose && f.cur != 0:
		f.bound = last(f.cur) + 1
	}
}

// last returns the highest index of a set that is not empty.
func last(s spaceSet) uint8 {
	i := uint8(numSpaces - 1)
	for !s.has(i) {
		i--
	}
	return i
}

// readOperation reads an operation; the limits of its numbers are those of R17.3.
func (r *reader) readOperation(d *opDoc) {
	p, g := &r.p, r.g
	f := opFrame{
		kind: opKind(r.word("operation: kind", d.Kind, opNames[:])), side: p.side,
		free: d.Free, noUnrest: d.NoUnrest, noArrest: d.NoArrest, ignore: d.Ignore,
		margin: SecureMargin, limit: noLimit, within: everywhere,
		picks: r.set("operation: picks", d.Picks), todo: r.set("operation: todo", d.Todo),
	}
	if d.Stage != "" {
		f.stage = opStage(r.word("operation: stage", d.Stage, opStageNames))
	}
	if d.Side != nil {
		f.side = r.word("operation: side", *d.Side, sideNames[:])
	}
	r.number("operation: ops", &d.Ops, 0, maxOps, &f.ops)
	r.number("operation: agents_over_militia", d.Margin, 1, SecureMargin, &f.margin)
	r.number("operation: max_spaces", d.Limit, 1, numSpaces, &f.limit)
	if d.Within != nil {
		f.within = r.set("operation: within", d.Within)
	}
	if d.Type != nil {
		f.typ = kind(r.word("operation: type", *d.Type, kindNames))
	}
	r.readSelections(d, &f)
	r.number("operation: dice_left", &d.Dice, 0, int(g.box.limits[militia]), &f.dice)
	r.number("operation: hits", &d.Hits, 0, int(g.box.limits[militia]), &f.hits)
	r.number("operation: sleepers", &d.Sleepers, 0, int(g.box.limits[militia]), &f.sleepers)
	r.number("operation: agents_left", &d.AgentsLeft, 0, maxOps, &f.agentsLeft)
	f.baseChosen = d.BaseChosen
	r.number("operation: attack_budget", &d.Budget, 0, maxOps, &f.budget)
	r.readGroups(d, &f)
	if r.err != nil {
		return
	}
	g.deriveOperation(p, &f)
	p.op = f
}

// readSelections reads the selections of Net Ops.
func (r *reader) readSelections(d *opDoc, f *opFrame) {
	if len(d.Selected) > maxSelected {
		r.fail("operation: %d selections, at most %d (R17.3)", len(d.Selected), maxSelected)
		return
	}
	for i, id := range d.Selected {
		f.selected[i] = r.space("operation: selections", &id)
	}
	f.count = uint8(len(d.Selected))
	r.number("operation: rolled", &d.Rolled, 0, len(d.Selected), &f.rolled)
	r.number("operation: rolls_left", &d.Rolls, 0, maxSelected-len(d.Selected), &f.rolls)
	r.number("operation: choices_left", &d.Choices, 0, maxSelected-len(d.Selected)-d.Rolls, &f.choices)
	r.number("operation: selection", &d.At, 0, len(d.Selected), &f.at)
}

// readGroups reads the groups of a Move.
func (r *reader) readGroups(d *opDoc, f *opFrame) {
	if len(d.Groups) > maxGroups {
		r.fail("operation: %d groups, at most %d (R17.3)", len(d.Groups), maxGroups)
		return
	}
	for i, row := range d.Groups {
		gr := group{from: r.space("operation: groups", &row.From), to: r.space("operation: groups", &row.To)}
		r.number("operation: units of a group", &row.Units, 0, int(r.g.box.limits[agent]), &gr.units)
		r.number("operation: active of a group", &row.Active, 0, int(r.g.box.limits[militia]), &gr.active)
		f.groups[i] = gr
	}
	f.numGroups = uint8(len(d.Groups))
	r.number("operation: moved", &d.Moved, 0, len(d.Groups), &f.moved)
	if d.From != nil {
		f.from = r.space("operation: from", d.From)
	}
	if d.To != nil {
		f.to = r.space("operation: to", d.To)
	}
}

// deriveOperation computes what follows from the frame: where the next pick may
// begin, what the picks cost, and the arrests of the group that is being formed.
func (g *game) deriveOperation(p *position, f *opFrame) {
	switch {
	case f.stage == opPicking && f.picks != 0:
		f.bound = last(f.picks) + 1
		for set := f.picks; set != 0; set &= set - 1 {
			f.cost += g.pickCost(p, f, set.first())
		}
	case f.count > f.rolled:
		f.bound = f.selected[f.count-1]
	case f.kind == moveOp && f.stage != moving:
		g.deriveMove(p, f)
	}
}

// deriveMove computes what the groups of a Move cost and how many spaces count on the
// road of the one that is being chosen. Spaces without a road between them are left to
// validate.
func (g *game) deriveMove(p *position, f *opFrame) {
	for _, gr := range f.groups[:f.numGroups] {
		if !g.connected(gr.from, gr.to) {
			return
		}
		one := *f
		one.from, one.to, one.arrests = gr.from, gr.to, g.arrestsTo(p, f, gr.from, gr.to)
		f.cost += g.groupCost(p, &one)
	}
	if (f.stage == moveUnits || f.stage == moveActive) && g.connected(f.from, f.to) {
		f.arrests = g.arrestsTo(p, f, f.from, f.to)
	}
}

// connected reports whether there is any way between two spaces: next door, or by road.
func (g *game) connected(from, to uint8) bool {
	return g.box.spaces[from].adjacent.has(to) || from < numUS && to < numUS
}
