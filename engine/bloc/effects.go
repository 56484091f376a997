package bloc

import "powderkeg/engine/flow"

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

// UnmarshalText implements encoding.TextUnmarshaler.
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
	possible func(g *game, p *Position, f FactionID, e *effect) bool
	// What carries it out: in a turn on a loot card or an ability, at Sunrise on a
	// manifestation card, and on a police ops card. nil where it stands on none.
	inTurn, atSunrise, onOps func(g *game, p *Position, w *flow.Witness, e *effect)
	// each is true of one that a manifestation card has carried out by one faction after
	// another: the game comes back to it until everybody is served.
	each bool
	// stands is true of an ability that changes another rule, which looks it up (standing),
	// as the windows of R11.2 do the cards that are not played at D17.
	stands bool
}

var primitives = [numPrimitives]primitive{
	opMorale: {name: "MORALE", atSunrise: (*game).changeMorale, onOps: (*game).changeMorale},

	opDrawLoot: {name: "DRAW_LOOT", possible: (*game).canDraw, each: true,
		inTurn: func(_ *game, p *Position, _ *flow.Witness, e *effect) { p.draw(uint8(e.N), uint8(e.N)) }},
	opDrawKeep: {name: "DRAW_KEEP", possible: (*game).canDraw,
		inTurn: func(_ *game, p *Position, _ *flow.Witness, e *effect) { p.draw(e.Draw, e.Keep) }},
	opFormBloc: {name: "FORM_BLOC", inTurn: (*game).formHere, atSunrise: (*game).formEach,
		possible: func(_ *game, p *Position, f FactionID, _ *effect) bool { return p.Mat[f] > 0 }},
	opSpendDie: {name: "SPEND_DIE",
		possible: func(_ *game, p *Position, _ FactionID, e *effect) bool { return p.bestDie() >= e.Min },
		inTurn:   func(g *game, p *Position, w *flow.Witness, e *effect) { g.spend(p, w, e.Min) }},
	opExtraDice: {name: "EXTRA_ACTION_DICE",
		possible: func(g *game, p *Position, _ FactionID, _ *effect) bool { return g.roomForExtra(p) },
		inTurn:   func(g *game, p *Position, w *flow.Witness, e *effect) { g.extraDice(p, w, "R11.3", uint8(e.N)) }},
	opFreeMove: {name: "FREE_MOVE", each: true,
		possible: func(_ *game, p *Position, f FactionID, e *effect) bool { return p.sources(f, e.FromClash) != 0 },
		inTurn:   func(_ *game, p *Position, _ *flow.Witness, _ *effect) { p.Step = moveSource }},
	opChooseCell: {name: "CHOOSE_CELL",
		possible: func(g *game, p *Position, f FactionID, e *effect) bool { return g.fitting(p, f, e.Filter) != 0 },
		inTurn:   func(_ *game, p *Position, _ *flow.Witness, _ *effect) { p.Step = cardCell }},
	opKickOut: {name: "KICK_OUT",
		inTurn: func(_ *game, p *Position, _ *flow.Witness, e *effect) { p.Now.Kicks, p.Step = uint8(e.Max), kickArm }},
	opReactionRoll: {name: "REACTION_ROLL",
		inTurn: func(_ *game, p *Position, _ *flow.Witness, _ *effect) { p.Step = rollReaction }},
	opNextAdvanced: {name: "NEXT_ADVANCED_DIE",
		possible: func(_ *game, p *Position, _ FactionID, _ *effect) bool { return p.Bolt == 0 && p.bestDie() > 0 },
		inTurn:   (*game).cutBolts},
	opPlaceBarricades: {name: "PLACE_BARRICADES", atSunrise: (*game).fortify,
		inTurn: func(_ *game, p *Position, _ *flow.Witness, e *effect) {
			p.Now.Barricades, p.Step = uint8(e.Max), barricadeArm
		}},
	opFewerOps: {name: "FEWER_OPS_CARDS",
		possible: func(g *game, p *Position, _ FactionID, _ *effect) bool { return p.Jammers < g.opsCards(p) },
		inTurn:   (*game).jam},

	// R11.4, liberation.go.
	opBonusDice:  {name: "BONUS_DICE_NEXT_TURN", atSunrise: (*game).giveBonusDice},
	opFreeBuild:  {name: "FREE_BUILD", each: true},
	opRevealOps:  {name: "REVEAL_OPS", atSunrise: (*game).reveal},
	opRemoveCops: {name: "REMOVE_COPS", atSunrise: (*game).removeCops},
	opDestroyVan: {name: "DESTROY_VAN", atSunrise: (*game).chooseVan},

	// Chapter 8, police.go.
	opMoveGroups: {name: "MOVE_GROUPS", onOps: (*game).moveGroups},
	opVansDeploy: {name: "VANS_DEPLOY", onOps: (*game).deployCops},
	opDeployVan:  {name: "DEPLOY_VAN", onOps: (*game).sendVan},
	opCapCops:    {name: "CAP_COPS", onOps: (*game).capCops},
	opReturnSolo: {name: "RETURN_SOLO_COPS", onOps: (*game).returnSolo},
	opReposition: {name: "REPOSITION_VANS", onOps: (*game).reposition},
	opMetroLock:  {name: "METRO_LOCK", onOps: (*game).lockMetro},
	opReshuffle:  {name: "RESHUFFLE_OPS", onOps: (*game).reshuffleOps},

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
