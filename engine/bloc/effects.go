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

// primitive is a row of the table of effects. Loot and manifestation cards and abilities are
// functions (plays), which read the numbers of their effects.
type primitive struct {
	name string // in the data
	// onOps carries it out on a police ops card, nil where it stands on none.
	onOps func(b Board, e *effect)
	// stands is true of an ability that changes another rule, which looks it up (standing),
	// as the windows of R11.2 do the cards that are not played at D17.
	stands bool
}

var primitives = [numPrimitives]primitive{
	opMorale:          {name: "MORALE", onOps: Board.changeMorale},
	opDrawLoot:        {name: "DRAW_LOOT"},
	opDrawKeep:        {name: "DRAW_KEEP"},
	opFormBloc:        {name: "FORM_BLOC"},
	opSpendDie:        {name: "SPEND_DIE"},
	opExtraDice:       {name: "EXTRA_ACTION_DICE"},
	opFreeMove:        {name: "FREE_MOVE"},
	opChooseCell:      {name: "CHOOSE_CELL"},
	opKickOut:         {name: "KICK_OUT"},
	opReactionRoll:    {name: "REACTION_ROLL"},
	opNextAdvanced:    {name: "NEXT_ADVANCED_DIE"},
	opPlaceBarricades: {name: "PLACE_BARRICADES"},
	opFewerOps:        {name: "FEWER_OPS_CARDS"},
	opBonusDice:       {name: "BONUS_DICE_NEXT_TURN"},
	opFreeBuild:       {name: "FREE_BUILD"},
	opRevealOps:       {name: "REVEAL_OPS"},
	opRemoveCops:      {name: "REMOVE_COPS"},
	opDestroyVan:      {name: "DESTROY_VAN"},

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
