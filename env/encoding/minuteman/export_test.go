package minuteman

// EncodePlain is the compact view in its plain form.
var EncodePlain = encodePlain
