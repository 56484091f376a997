// Package tfevents writes the event files that TensorBoard reads, as far as
// scalars go.
//
// A file is a sequence of records. A record is the length of its data (8 bytes),
// the masked CRC of these bytes (4), the data, and the masked CRC of the data (4),
// all little-endian; the CRC is CRC-32C, masked so that data that holds CRCs
// itself stays well protected (TensorFlow, core/lib/io/record_writer.h and
// core/lib/hash/crc32c.h). The data is a protocol buffer, tensorflow.Event
// (core/util/event.proto), whose fields here are
//
//	Event          1 double wall_time   2 int64 step   3 string file_version   5 Summary summary
//	Summary        1 repeated Value value
//	Summary.Value  1 string tag         2 float simple_value
//
// The first record has the file_version.
package tfevents

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// version is the file_version of the first record.
const version = "brain.Event:2"

// Scalar is a number under a name. A tag such as loss/value puts it into the group
// loss.
type Scalar struct {
	Tag   string
	Value float32
}

// AppendHeader appends the first record of a file that was begun at wall, in
// seconds since 1970.
func AppendHeader(dst []byte, wall float64) []byte {
	event := appendDouble(nil, 1, wall)
	return appendRecord(dst, appendBytes(event, 3, []byte(version)))
}

// AppendScalars appends a record with scalars of a step, measured at wall, in
// seconds since 1970.
func AppendScalars(dst []byte, wall float64, step int64, scalars []Scalar) []byte {
	var summary []byte
	for _, s := range scalars {
		value := appendFloat(appendBytes(nil, 1, []byte(s.Tag)), 2, s.Value)
		summary = appendBytes(summary, 1, value)
	}
	event := appendDouble(nil, 1, wall)
	event = appendVarint(event, 2, uint64(step))
	return appendRecord(dst, appendBytes(event, 5, summary))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked rotates the CRC right by 15 bits and adds a constant.
func masked(data []byte) uint32 {
	c := crc32.Checksum(data, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}

func appendRecord(dst, data []byte) []byte {
	at := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(data)))
	dst = binary.LittleEndian.AppendUint32(dst, masked(dst[at:]))
	dst = append(dst, data...)
	return binary.LittleEndian.AppendUint32(dst, masked(data))
}

// The wire types of protocol buffers.
const (
	varint  = 0
	fixed64 = 1
	bytes   = 2
	fixed32 = 5
)

func appendKey(dst []byte, field, wire uint64) []byte {
	return binary.AppendUvarint(dst, field<<3|wire)
}

func appendVarint(dst []byte, field, x uint64) []byte {
	return binary.AppendUvarint(appendKey(dst, field, varint), x)
}

func appendDouble(dst []byte, field uint64, x float64) []byte {
	return binary.LittleEndian.AppendUint64(appendKey(dst, field, fixed64), math.Float64bits(x))
}

func appendFloat(dst []byte, field uint64, x float32) []byte {
	return binary.LittleEndian.AppendUint32(appendKey(dst, field, fixed32), math.Float32bits(x))
}

func appendBytes(dst []byte, field uint64, x []byte) []byte {
	dst = binary.AppendUvarint(appendKey(dst, field, bytes), uint64(len(x)))
	return append(dst, x...)
}
