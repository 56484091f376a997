package bloc

// The only functions that move pieces: they keep the sums and sets of a
// position, and the attacked counts (R5.5).

// form implements the placing of one bloc from the mat, if there is one (R1.2).
func (p *position) form(f, c uint8) {
	if p.mat[f] == 0 {
		return
	}
	p.mat[f]--
	p.blocs[f][c]++
	p.with[f] |= at(c)
}

// remove takes n blocs of a faction out of a district, to the mat. Those that
// have attacked go first (R5.4; Ruling 8).
func (p *position) remove(f, c, n uint8) {
	p.blocs[f][c] -= n
	p.mat[f] += n
	p.attacked[f][c] -= min(n, p.attacked[f][c])
	if p.blocs[f][c] == 0 {
		p.with[f] &^= at(c)
	}
}

// moveBlocs implements R5.3: blocs go together from one district to another. In
// the other one they are fresh (R5.4).
func (p *position) moveBlocs(f, from, to, n uint8) {
	p.remove(f, from, n)
	for range n {
		p.form(f, to)
	}
}

// addCops puts up to n cops from staging into a district and returns how many
// there were (R1.2).
func (p *position) addCops(c, n uint8) uint8 {
	n = min(n, p.copsLeft)
	p.copsLeft -= n
	p.cops[c] += n
	p.lookForPolice(c)
	return n
}

// takeCops returns n cops of a district to staging.
func (p *position) takeCops(c, n uint8) {
	p.cops[c] -= n
	p.copsLeft += n
	p.lookForPolice(c)
}

// shiftCops moves n cops from one district to another.
func (p *position) shiftCops(from, to, n uint8) {
	p.cops[from] -= n
	p.cops[to] += n
	p.lookForPolice(from)
	p.lookForPolice(to)
}

// setVan puts a van into a district (1 plus its hits) or takes it out (0).
func (p *position) setVan(c, v uint8) {
	p.van[c] = v
	p.lookForPolice(c)
}

// destroyVan implements R7.4: the van is out of the game.
func (p *position) destroyVan(c uint8) {
	p.destroyed++
	p.setVan(c, 0)
}

// lookForPolice keeps the set of districts with police. When the police are gone,
// the clash is over, and with it what has attacked in it (R3.7, R5.5).
func (p *position) lookForPolice(c uint8) {
	if p.cops[c] > 0 || p.van[c] > 0 {
		p.police |= at(c)
		return
	}
	p.police &^= at(c)
	for f := range p.attacked {
		p.attacked[f][c] = 0
	}
}

// settle puts an occupation from the mat into a circle (R6.3).
func (p *position) settle(f, kind, c uint8) {
	p.place[f][kind] = c
	p.holder[c] = 1 + f*numOccs + kind
}

// evict returns the occupation of a district, if there is one, to its owner's mat.
func (p *position) evict(c uint8) {
	if h := p.holder[c]; h != 0 {
		p.place[(h-1)/numOccs][(h-1)%numOccs] = noCell
		p.holder[c] = 0
	}
}
