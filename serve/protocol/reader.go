package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// Request is a request whose parameters are not decoded yet. It shares the
// memory of the frame.
type Request struct {
	ID     uint64
	Method []byte
	Params []byte // a msgpack map or nil
}

// Response is a response whose result is not decoded yet. It shares the memory
// of the frame.
type Response struct {
	ID     uint64
	Error  *Error // nil where there is a result
	Result []byte
}

// ParseRequest checks a frame's body and takes it apart. Errors wrap ErrFrame.
func ParseRequest(body []byte) (Request, error) {
	id, parts, err := envelope(body, kindRequest, MaxValues)
	if err != nil {
		return Request{}, err
	}
	if id == 0 {
		return Request{}, fmt.Errorf("%w: the id is 0, which belongs to no request; it must be 1 or more", ErrFrame)
	}
	method, rest, err := text(parts)
	if err != nil {
		return Request{}, err
	}
	if c := rest[0]; c != msgpcode.Nil && !msgpcode.IsFixedMap(c) && c != msgpcode.Map16 && c != msgpcode.Map32 {
		return Request{}, fmt.Errorf("%w: the parameters are neither a map nor nil", ErrFrame)
	}
	return Request{ID: id, Method: method, Params: rest}, nil
}

// ParseResponse checks a frame's body and takes it apart. Errors wrap ErrFrame.
func ParseResponse(body []byte) (Response, error) {
	id, parts, err := envelope(body, kindResponse, math.MaxInt)
	if err != nil {
		return Response{}, err
	}
	if parts[0] == msgpcode.Nil {
		return Response{ID: id, Result: parts[1:]}, nil
	}
	r := bytes.NewReader(parts)
	fault := new(Error)
	if err := msgpack.NewDecoder(r).Decode(fault); err != nil {
		return Response{}, fmt.Errorf("%w: the error: %v", ErrFrame, err)
	}
	return Response{ID: id, Error: fault}, nil
}

// envelope checks that body is [kind, id, x, y], of so many values at most, and returns id
// and what follows.
func envelope(body []byte, kind byte, most uint64) (id uint64, parts []byte, err error) {
	if err := checkUpTo(body, most); err != nil {
		return 0, nil, err
	}
	if body[0] != msgpcode.FixedArrayLow|4 {
		return 0, nil, fmt.Errorf("%w: a message is an array of 4 elements", ErrFrame)
	}
	if body[1] != kind {
		return 0, nil, fmt.Errorf("%w: the first element is not %d", ErrFrame, kind)
	}
	rest := body[2:]
	size, _, _ := head(rest) // Check has passed it
	if c := rest[0]; c >= msgpcode.Int8 && c <= msgpcode.Int64 {
		return 0, nil, errNoID
	}
	if id, err = unsigned(rest); err != nil {
		return 0, nil, errNoID
	}
	return id, rest[size:], nil
}

var errNoID = fmt.Errorf("%w: the id is no unsigned whole number", ErrFrame)

// text reads a string off the front of data, which Check has passed.
func text(data []byte) (s, rest []byte, err error) {
	size, _, _ := head(data)
	skip := 0
	switch c := data[0]; {
	case msgpcode.IsFixedString(c):
		skip = 1
	case c == msgpcode.Str8:
		skip = 2
	case c == msgpcode.Str16:
		skip = 3
	case c == msgpcode.Str32:
		skip = 5
	default:
		return nil, nil, fmt.Errorf("%w: the method is no string", ErrFrame)
	}
	return data[skip:size], data[size:], nil
}

// Decoder reads parameters and results. Its memory is reused; it belongs to one
// goroutine.
type Decoder struct {
	dec    *msgpack.Decoder
	reader bytes.Reader
	shapes map[reflect.Type]*shape
	// Strict refuses fields that the struct does not have, what is longer than Bounds, and
	// numbers that are not the whole numbers that a field holds. Servers are strict with
	// parameters, since a misspelt option must not be ignored; clients are not with results,
	// since a newer server may tell more.
	Strict bool
	// Room, if not nil, is asked by a strict decoder for each bin: the error says why there
	// is no room for n numbers under that name in a message about what the handle names (0
	// for none). Nothing has been allocated for them then.
	Room func(name string, handle uint64, n int) error
}

// NewDecoder returns a decoder.
func NewDecoder(strict bool) *Decoder {
	return &Decoder{dec: msgpack.NewDecoder(nil), shapes: map[reflect.Type]*shape{}, Strict: strict}
}

// Decode reads a map into the struct that v points to. Data has passed Check,
// as the parts of a Request and a Response have. The error says which fields
// there are; it is an *Error where a limit is passed.
func (d *Decoder) Decode(data []byte, v any) error {
	d.reader.Reset(data)
	d.dec.Reset(&d.reader)
	d.dec.SetCustomStructTag("json")
	d.dec.DisallowUnknownFields(d.Strict)
	err := d.check(data, reflect.TypeOf(v).Elem())
	if err == nil {
		err = d.dec.Decode(v)
	}
	var fault *Error
	if err == nil || errors.As(err, &fault) {
		return err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s; fields: %s", strings.TrimPrefix(err.Error(), "msgpack: "), fields(reflect.TypeOf(v).Elem()))
}

func (d *Decoder) check(data []byte, t reflect.Type) error {
	if !d.Strict {
		return nil
	}
	s := d.shapes[t]
	if s == nil {
		s = shapeOf(t)
		d.shapes[t] = s
	}
	return s.check(data, d.Room)
}

// fields lists the fields of a message with their types, for errors.
func fields(t reflect.Type) string {
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return "none"
	}
	var list []string
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ","); name != "" {
			list = append(list, name+" ("+wireType(f.Type)+")")
		}
	}
	return strings.Join(list, ", ")
}

// wireType names a Go type in the words of PROTOCOL.md.
func wireType(t reflect.Type) string {
	if named, ok := reflect.New(t).Interface().(interface{ wireType() string }); ok {
		return named.wireType()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return wireType(t.Elem())
	case reflect.Slice:
		return "array of " + wireType(t.Elem())
	case reflect.Int64:
		return "int"
	case reflect.Uint64:
		return "uint"
	case reflect.String:
		return "str"
	default:
		return t.Kind().String()
	}
}
