package bloc

// Program is what is being carried out: a loot card, the ability of a verb, or a
// manifestation card.
type Program uint8

const (
	firstAbility  Program = LootCards // plus the verb
	firstManifest         = firstAbility + Program(Verbs)
	programs              = firstManifest + Manifestations
	NoProgram     Program = 0xFF
)

// play is what a card or an ability does, a step at a time, and when a faction can use a
// loot card or an ability in its turn (R5.2, R11.3): nil where the rule of its window says so.
type play struct {
	may   func(b Board, f FactionID) bool
	steps []func(b Board)
}

// plays are the cards that are carried out by steps, and the abilities. What the other loot
// cards do stands where they are played (R11.2).
var plays = [programs]play{
	Program(CardFireworks):    {Board.mayFireworks, []func(Board){Board.chooseDistrict, Board.fireworks, Board.rollForReaction}},
	Program(CardBikes):        {Board.mayMove, []func(Board){Board.moveFree}},
	Program(CardSmokeBombs):   {Board.maySmokeBombs, []func(Board){Board.moveFree}},
	Program(CardBoltCutters):  {Board.mayBoltCutters, []func(Board){Board.boltCutters}},
	Program(CardEnergyDrinks): {Board.mayEnergyDrinks, []func(Board){Board.energyDrinks}},
	Program(CardMegaphone):    {Board.mayMegaphone, []func(Board){Board.chooseDistrict, Board.megaphone}},
	Program(CardLumber):       {Board.mayLumber, []func(Board){Board.chooseDistrict, Board.lumber}},
	Program(CardSignalJammer): {Board.maySignalJammer, []func(Board){Board.signalJammer}},

	firstAbility + Program(VerbMoveFree):    {Board.mayMove, []func(Board){Board.moveFree}},
	firstAbility + Program(VerbUseHall):     {Board.mayAssemble, []func(Board){Board.payForAbility, Board.assemblyHall}},
	firstAbility + Program(VerbUseHacker):   {Board.mayHack, []func(Board){Board.payForAbility, Board.hackerSpace}},
	firstAbility + Program(VerbUseWorkshop): {Board.mayDraw, []func(Board){Board.propagandaWorkshop}},

	firstManifest + Program(ManifestMassLooting):          {nil, []func(Board){Board.lowerMorale, Board.massLooting}},
	firstManifest + Program(ManifestPopularAssembly):      {nil, []func(Board){Board.lowerMorale, Board.popularAssembly}},
	firstManifest + Program(ManifestLeakedOrders):         {nil, []func(Board){Board.lowerMorale, Board.leakedOrders}},
	firstManifest + Program(ManifestGeneralStrike):        {nil, []func(Board){Board.lowerMorale, Board.generalStrike}},
	firstManifest + Program(ManifestStreetFortifications): {nil, []func(Board){Board.lowerMorale, Board.streetFortifications}},
	firstManifest + Program(ManifestMutinyInTheRanks):     {nil, []func(Board){Board.lowerMorale, Board.mutinyInTheRanks}},
	firstManifest + Program(ManifestSpontaneousMarch):     {nil, []func(Board){Board.lowerMorale, Board.spontaneousMarch}},
	firstManifest + Program(ManifestMassJailbreak):        {nil, []func(Board){Board.lowerMorale, Board.massJailbreak, Board.popularAssembly}},
	firstManifest + Program(ManifestRiotVanTorched):       {nil, []func(Board){Board.lowerMorale, Board.riotVanTorched, Board.copsOfTorchedVan}},
	firstManifest + Program(ManifestWaveOfOccupations):    {nil, []func(Board){Board.lowerMorale, Board.waveOfOccupations}},
}

// manifesting reports whether a manifestation card is being carried out.
func (p *Position) manifesting() bool {
	return p.Now.Program != NoProgram && p.Now.Program >= firstManifest
}

// CanPlay reports whether a faction in its turn could carry out a loot card, if it held it
// (R11.3).
func (b Board) CanPlay(f FactionID, card LootID) bool { return b.can(f, Program(card)) }

func (b Board) can(f FactionID, i Program) bool { return plays[i].may == nil || plays[i].may(b, f) }

// runProgram carries out the next step of what is under way.
func (b Board) runProgram() bool {
	steps := plays[b.Now.Program].steps
	switch next := int(b.Now.Counter); {
	case next < len(steps):
		b.Now.Counter++
		steps[next](b)
	case b.manifesting():
		b.Now, b.Step = clearPending, liberate
	default:
		b.backToMenu()
	}
	return false
}

// The abilities of a turn (R5.2).

// ability returns the effects of the ability of a verb of faction f, and where its occupation
// stands. The faction must have such an occupation.
func (b Board) ability(f FactionID, v Verb) ([]effect, CellID) {
	kind := b.box.abilities[v].kind[f]
	return b.box.factions[f].occs[kind].Ability, b.Place[f][kind]
}

// usedAbility returns the effects of the ability under way, and where its occupation stands.
func (b Board) usedAbility() ([]effect, CellID) {
	return b.ability(b.Now.Who, Verb(b.Now.Program-firstAbility))
}

// payForAbility spends the die that an ability costs.
func (b Board) payForAbility() {
	effects, _ := b.usedAbility()
	b.spend(effects[0].Min)
}

func (b Board) mayAssemble(f FactionID) bool {
	effects, _ := b.ability(f, VerbUseHall)
	return b.bestDie() >= effects[0].Min && b.Mat[f] > 0
}

func (b Board) assemblyHall() {
	effects, c := b.usedAbility()
	b.form("R5.2", b.Now.Who, c, uint8(effects[1].N))
}

func (b Board) mayHack(f FactionID) bool {
	effects, _ := b.ability(f, VerbUseHacker)
	return b.bestDie() >= effects[0].Min && b.lootLeft()
}

func (b Board) hackerSpace() {
	effects, _ := b.usedAbility()
	b.draw(effects[1].Draw, effects[1].Keep)
}

func (b Board) mayDraw(FactionID) bool { return b.lootLeft() }

func (b Board) propagandaWorkshop() {
	effects, _ := b.usedAbility()
	b.draw(uint8(effects[0].N), uint8(effects[0].N))
}
