package insurgency

// PlainPosition is a value of the type that a state copies by assignment.
var PlainPosition any = Position{}
