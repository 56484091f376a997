package train

import _ "embed"

// Schema is the JSON schema, of draft 2020-12, of a config file: every key with its type, default,
// range and meaning, and a value that a config of experiments/configs has. It is written by
// go test ./train -run TestSchemaIsFresh -update from the types, their comments, Default and what
// Validate refuses. What depends on other keys, or on the game, it leaves to Validate.
//
//go:embed schema.json
var Schema []byte
