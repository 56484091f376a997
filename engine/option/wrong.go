package option

import "strings"

// Wrong returns an error that wraps ErrUsage and err, and says that it is wrong usage once and
// in front, wherever parts of err say so. It returns nil for nil.
func Wrong(err error) error {
	if err == nil {
		return nil
	}
	return wrong{err}
}

type wrong struct{ err error }

// Error implements error.
func (w wrong) Error() string {
	prefix := ErrUsage.Error() + ": "
	return prefix + strings.ReplaceAll(w.err.Error(), prefix, "")
}

// Unwrap returns what the error wraps.
func (w wrong) Unwrap() []error { return []error{ErrUsage, w.err} }
