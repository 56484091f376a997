package insurgency

// PlainPosition is a value of the type that a state copies by assignment.
var PlainPosition any = position{}

// CheckInvariants tells that Apply checks the whole position, which takes a copy of it.
const CheckInvariants = checkInvariants
