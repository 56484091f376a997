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

// opNames are the ops in the data.
var opNames = [numPrimitives]string{
	opMorale: "MORALE", opDrawLoot: "DRAW_LOOT", opDrawKeep: "DRAW_KEEP", opReplaceLootDraw: "REPLACE_LOOT_DRAW",
	opFormBloc: "FORM_BLOC", opSpendDie: "SPEND_DIE", opOnReaction: "ON_OWN_REACTION_ROLL", opExtraDice: "EXTRA_ACTION_DICE",
	opBonusDice: "BONUS_DICE_NEXT_TURN", opModifyCard: "MODIFY_CARD", opModifyAction: "MODIFY_ACTION", opBasicActions: "BASIC_ACTIONS",
	opFreeMove: "FREE_MOVE", opFreeBuild: "FREE_BUILD", opAttackStrength: "ATTACK_STRENGTH", opChooseCell: "CHOOSE_CELL",
	opKickOut: "KICK_OUT", opReactionRoll: "REACTION_ROLL", opNextAdvanced: "NEXT_ADVANCED_DIE", opCancelReaction: "CANCEL_REACTION",
	opPlaceBarricades: "PLACE_BARRICADES", opFewerOps: "FEWER_OPS_CARDS", opCancelCops: "CANCEL_COP_ATTACKS",
	opRescueBlocs: "RESCUE_BLOCS", opProtect: "PROTECT_OCCUPATION", opBoost: "LIBERATION_BOOST", opMoveGroups: "MOVE_GROUPS",
	opVansDeploy: "VANS_DEPLOY", opDeployVan: "DEPLOY_VAN", opCapCops: "CAP_COPS", opReturnSolo: "RETURN_SOLO_COPS",
	opReposition: "REPOSITION_VANS", opMetroLock: "METRO_LOCK", opReshuffle: "RESHUFFLE_OPS", opRevealOps: "REVEAL_OPS",
	opRemoveCops: "REMOVE_COPS", opDestroyVan: "DESTROY_VAN",
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *op) UnmarshalText(text []byte) error { return named(o, text, opNames[:]) }

// onOps are the effects of police ops cards (chapter 8). Those of other cards and of abilities
// are functions (plays), which read the numbers in the data.
var onOps = [numPrimitives]func(b Board, e *effect){
	opMorale:     Board.changeMorale,
	opMoveGroups: Board.moveGroups,
	opVansDeploy: Board.deployCops,
	opDeployVan:  Board.sendVan,
	opCapCops:    Board.capCops,
	opReturnSolo: Board.returnSolo,
	opReposition: Board.reposition,
	opMetroLock:  Board.lockMetro,
	opReshuffle:  Board.reshuffleOps,
}

// stands are the abilities that change another rule, which looks them up (standing).
var stands = [numPrimitives]bool{opReplaceLootDraw: true, opOnReaction: true, opModifyCard: true, opModifyAction: true, opBasicActions: true}
