package roster

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"powderkeg/checkpoints"
	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// Weights returns the SHA-256 of the weights, or of the table, of the agent of that name, empty
// for one that plays by none: "the latest checkpoint of a run" is another player tomorrow, and on
// another machine.
func Weights(text string) (string, error) {
	kind, argument, colon := strings.Cut(text, ":")
	ref := ""
	switch {
	case colon && strings.TrimSpace(kind) == "tabular":
		table, err := file.Read(strings.TrimSpace(argument), file.Record)
		if err != nil {
			return "", err
		}
		return digest(table), nil
	case colon && strings.TrimSpace(kind) == "zoo":
		ref = zooPrefix + strings.TrimSpace(argument)
	case colon && strings.TrimSpace(kind) == "checkpoint":
		ref = strings.TrimSpace(argument)
	default:
		_, arguments, err := option.Split(text)
		if err != nil {
			return "", err
		}
		for _, a := range arguments {
			if a.Name == netOption && a.Value != noNet {
				ref = a.Value
			}
		}
	}
	if ref == "" {
		return "", nil
	}
	c, err := checkpoints.Open(ref)
	if err != nil {
		return "", err
	}
	data, err := checkpoints.EncodeTensors(c.Weights)
	if err != nil {
		return "", err
	}
	return digest(data), nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
