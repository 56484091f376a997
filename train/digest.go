package train

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/goccy/go-yaml"
)

// Digest is a digest of all settings but the seed, those that a file leaves out included. Two files
// that mean the same have the same digest. Settings that are empty do not count: a key that is new and
// means nothing where it is not given changes no digest.
func (c Config) Digest() string {
	c.Seed = 0
	text, err := c.YAML()
	if err != nil {
		panic(fmt.Sprintf("train: a config cannot be written: %v", err))
	}
	var whole map[string]any
	if err := yaml.Unmarshal([]byte(text), &whole); err != nil {
		panic(fmt.Sprintf("train: a config that was written cannot be read: %v", err))
	}
	canonical, err := json.Marshal(filled(whole)) // maps by their keys
	if err != nil {
		panic(fmt.Sprintf("train: a config has no JSON: %v", err))
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

// filled is a value without what is empty in it, nil if all is.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		full := map[string]any{}
		for key, e := range v {
			if f := filled(e); f != nil {
				full[key] = f
			}
		}
		if len(full) > 0 {
			return full
		}
		return nil
	case []any:
		if len(v) == 0 {
			return nil
		}
		full := make([]any, len(v))
		for i, e := range v {
			full[i] = filled(e)
		}
		return full
	case string:
		if v == "" {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	case nil:
		return nil
	default: // a number
		if fmt.Sprint(v) == "0" {
			return nil
		}
	}
	return v
}
