// Package python is the Go side of the folder with the Python client: both go by one
// version, which stands in the client's _version.py.
package python

import (
	_ "embed"
	"strings"
)

//go:embed powderkeg/_version.py
var module string

// Version returns the version of the project, such as "0.2.0".
func Version() string {
	_, quoted, _ := strings.Cut(module, `"`)
	version, _, _ := strings.Cut(quoted, `"`)
	return version
}
