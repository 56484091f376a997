package position

import "encoding/json"

// tree reads a document as appendValue writes it: without spaces, escapes, fractions or a key
// that comes twice. Anything else, faults too, is left to package json, which takes three times
// as long. Values are of the types that json.Decoder.UseNumber gives.
func tree(text string) (v any, ok bool) {
	r := scanner{text: text}
	v = r.value(maxDepth)
	return v, !r.odd && r.at == len(text)
}

// maxDepth is deeper than any position.
const maxDepth = 100

// scanner goes through a document.
type scanner struct {
	text string
	at   int
	odd  bool // there was something that it does not read
}

// next takes the next byte, 0 at the end.
func (r *scanner) next() byte {
	if r.at == len(r.text) {
		r.odd = true
		return 0
	}
	r.at++
	return r.text[r.at-1]
}

// follows takes the text that comes next, if it is this.
func (r *scanner) follows(text string) bool {
	there := len(r.text)-r.at >= len(text) && r.text[r.at:r.at+len(text)] == text
	if there {
		r.at += len(text)
	}
	return there
}

func (r *scanner) value(depth int) any {
	switch c := r.next(); {
	case depth == 0:
	case c == '"':
		return r.word()
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	case c == '[':
		return r.list(depth - 1)
	case c == '{':
		return r.object(depth - 1)
	case c == 't' && r.follows("rue"):
		return true
	case c == 'f' && r.follows("alse"):
		return false
	case c == 'n' && r.follows("ull"):
		return nil
	}
	r.odd = true
	return nil
}

// word reads a string behind its quotation mark.
func (r *scanner) word() string {
	for from := r.at; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return r.text[from : r.at-1]
		case c < ' ' || c > '~' || c == '\\':
			r.odd = true
			return ""
		}
	}
	r.odd = true
	return ""
}

// number reads a whole number, of which one byte has been taken.
func (r *scanner) number() json.Number {
	from := r.at - 1
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	digits := r.text[from:r.at]
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if digits == "" || digits[0] == '0' && len(digits) > 1 {
		r.odd = true
	}
	return json.Number(r.text[from:r.at]) // a fraction is odd by what comes next
}

func (r *scanner) list(depth int) []any {
	list := []any{}
	if r.follows("]") {
		return list
	}
	for !r.odd {
		list = append(list, r.value(depth))
		switch r.next() {
		case ',':
		case ']':
			return list
		default:
			r.odd = true
		}
	}
	return nil
}

func (r *scanner) object(depth int) map[string]any {
	object := map[string]any{}
	if r.follows("}") {
		return object
	}
	for n := 1; !r.odd; n++ {
		if !r.follows(`"`) {
			break
		}
		key := r.word()
		if !r.follows(":") {
			break
		}
		object[key] = r.value(depth)
		switch r.next() {
		case ',':
		case '}':
			r.odd = r.odd || len(object) != n
			return object
		default:
			r.odd = true
		}
	}
	r.odd = true
	return nil
}
