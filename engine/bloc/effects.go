package bloc

// op is a primitive of the card texts and abilities; the meanings are those of the
// rules that section 12 of the specification refers to.
type op uint8

const (
	opNone op = iota
	opMorale
	opDrawLoot
	opDrawKeep
	opReplaceLootDraw
	opFormBloc
	opSpendDie
	opOnReaction
	opExtraDice
	opBonusDice
	opModifyCard
	opModifyAction
	opBasicActions
	opFreeMove
	opFreeBuild
	opAttackStrength
	opChooseCell
	opKickOut
	opReactionRoll
	opNextAdvanced
	opCancelReaction
	opPlaceBarricades
	opFewerOps
	opCancelCops
	opRescueBlocs
	opProtect
	opBoost
	opMoveGroups
	opVansDeploy
	opDeployVan
	opCapCops
	opReturnSolo
	opReposition
	opMetroLock
	opReshuffle
	opRevealOps
	opRemoveCops
	opDestroyVan
	numPrimitives // the number of primitives, with opNone
)

// UnmarshalText implements encodinb.TextUnmarshaler.
func (o *op) UnmarshalText(text []byte) error {
	var names [numPrimitives]string
	for i := range primitives {
		names[i] = primitives[i].name
	}
	return named(o, text, names[:])
}

// primitive is a row of the table of effects: what an op does, by where it stands.
type primitive struct {
	name string // in the data
	// possible reports whether faction f can use a loot card or an ability with it (R5.2,
	// R11.3); nil where only the chosen district can rule it out.
	possible func(b Board, f FactionID, e *effect) bool
	// What carries it out: in a turn on a loot card or an ability, at Sunrise on a
	// manifestation card, and on a police ops card. nil where it stands on none.
	inTurn, atSunrise, onOps func(b Board, e *effect)
	// each is true of one that a manifestation card has carried out by one faction after
	// another: the game comes back to it until everybody is served.
	each bool
	// stands is true of an ability that changes another rule, which looks it up (standing),
	// as the windows of R11.2 do the cards that are not played at D17.
	stands bool
}

var primitives = [numPrimitives]primitive{
	opMorale: {name: "MORALE", atSunrise: Board.changeMorale, onOps: Board.changeMorale},

	opDrawLoot: {name: "DRAW_LOOT", possible: Board.canDraw, each: true,
		inTurn: func(b Board, e *effect) { b.draw(uint8(e.N), uint8(e.N)) }},
	opDrawKeep: {name: "DRAW_KEEP", possible: Board.canDraw,
		inTurn: func(b Board, e *effect) { b.draw(e.Draw, e.Keep) }},
	opFormBloc: {name: "FORM_BLOC", inTurn: Board.formHere, atSunrise: Board.formEach,
		possible: func(b Board, f FactionID, _ *effect) bool { return b.Mat[f] > 0 }},
	opSpendDie: {name: "SPEND_DIE",
		possible: func(b Board, _ FactionID, e *effect) bool { return b.bestDie() >= e.Min },
		inTurn:   func(b Board, e *effect) { b.spend(e.Min) }},
	opExtraDice: {name: "EXTRA_ACTION_DICE",
		possible: func(b Board, _ FactionID, _ *effect) bool { return b.roomForExtra() },
		inTurn:   func(b Board, e *effect) { b.extraDice("R11.3", uint8(e.N)) }},
	opFreeMove: {name: "FREE_MOVE", each: true,
		possible: func(b Board, f FactionID, e *effect) bool { return b.sources(f, e.FromClash) != 0 },
		inTurn:   func(b Board, _ *effect) { b.Step = moveSource }},
	opChooseCell: {name: "CHOOSE_CELL",
		possible: func(b Board, f FactionID, e *effect) bool {
			return b.fitting(f, e.Filter) != 0
		},
		inTurn: func(b Board, _ *effect) { b.Step = cardCell }},
	opKickOut: {name: "KICK_OUT",
		inTurn: func(b Board, e *effect) { b.Now.Kicks, b.Step = uint8(e.Max), kickArm }},
	opReactionRoll: {name: "REACTION_ROLL",
		inTurn: func(b Board, _ *effect) { b.Step = rollReaction }},
	opNextAdvanced: {name: "NEXT_ADVANCED_DIE",
		possible: func(b Board, _ FactionID, _ *effect) bool { return b.Bolt == 0 && b.bestDie() > 0 },
		inTurn:   Board.cutBolts},
	opPlaceBarricades: {name: "PLACE_BARRICADES", atSunrise: Board.fortify,
		inTurn: func(b Board, e *effect) {
			b.Now.Barricades, b.Step = uint8(e.Max), barricadeArm
		}},
	opFewerOps: {name: "FEWER_OPS_CARDS",
		possible: func(b Board, _ FactionID, _ *effect) bool {
			return b.Jammers < b.opsCards()
		},
		inTurn: Board.jam},

	// R11.4, liberation.go.
	opBonusDice:  {name: "BONUS_DICE_NEXT_TURN", atSunrise: Board.giveBonusDice},
	opFreeBuild:  {name: "FREE_BUILD", each: true},
	opRevealOps:  {name: "REVEAL_OPS", atSunrise: Board.reveal},
	opRemoveCops: {name: "REMOVE_COPS", atSunrise: Board.removeCops},
	opDestroyVan: {name: "DESTROY_VAN", atSunrise: Board.chooseVan},

	// Chapter 8, police.go.
	opMoveGroups: {name: "MOVE_GROUPS", onOps: Board.moveGroups},
	opVansDeploy: {name: "VANS_DEPLOY", onOps: Board.deployCops},
	opDeployVan:  {name: "DEPLOY_VAN", onOps: Board.sendVan},
	opCapCops:    {name: "CAP_COPS", onOps: Board.capCops},
	opReturnSolo: {name: "RETURN_SOLO_COPS", onOps: Board.returnSolo},
	opReposition: {name: "REPOSITION_VANS", onOps: Board.reposition},
	opMetroLock:  {name: "METRO_LOCK", onOps: Board.lockMetro},
	opReshuffle:  {name: "RESHUFFLE_OPS", onOps: Board.reshuffleOps},

	// Looked up where the rule is that they change.
	opReplaceLootDraw: {name: "REPLACE_LOOT_DRAW", stands: true},
	opOnReaction:      {name: "ON_OWN_REACTION_ROLL", stands: true},
	opModifyCard:      {name: "MODIFY_CARD", stands: true},
	opModifyAction:    {name: "MODIFY_ACTION", stands: true},
	opBasicActions:    {name: "BASIC_ACTIONS", stands: true},
	opAttackStrength:  {name: "ATTACK_STRENGTH"},
	opCancelReaction:  {name: "CANCEL_REACTION"},
	opCancelCops:      {name: "CANCEL_COP_ATTACKS"},
	opRescueBlocs:     {name: "RESCUE_BLOCS"},
	opProtect:         {name: "PROTECT_OCCUPATION"},
	opBoost:           {name: "LIBERATION_BOOST"},
}
