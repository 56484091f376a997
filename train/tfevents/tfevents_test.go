package tfevents_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"powderkeg/train/tfevents"
)

// schema is that part of tensorflow/core/util/event.proto and
// core/framework/summary.proto that has to do with scalars. The messages are read
// by the protobuf library, which shares no code with the writer.
func schema(t testing.TB) protoreflect.MessageDescriptor {
	t.Helper()
	field := func(name string, number int32, kind descriptorpb.FieldDescriptorProto_Type, message string,
		label descriptorpb.FieldDescriptorProto_Label) *descriptorpb.FieldDescriptorProto {
		f := &descriptorpb.FieldDescriptorProto{Name: proto.String(name), Number: proto.Int32(number), Type: kind.Enum(), Label: label.Enum()}
		if message != "" {
			f.TypeName = proto.String(message)
		}
		return f
	}
	const (
		optional = descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL
		repeated = descriptorpb.FieldDescriptorProto_LABEL_REPEATED
		text     = descriptorpb.FieldDescriptorProto_TYPE_STRING
		double   = descriptorpb.FieldDescriptorProto_TYPE_DOUBLE
		float    = descriptorpb.FieldDescriptorProto_TYPE_FLOAT
		integer  = descriptorpb.FieldDescriptorProto_TYPE_INT64
		message  = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
	)
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("event.proto"), Package: proto.String("tensorflow"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{
			{Name: proto.String("Event"), Field: []*descriptorpb.FieldDescriptorProto{
				field("wall_time", 1, double, "", optional), field("step", 2, integer, "", optional),
				field("file_version", 3, text, "", optional), field("summary", 5, message, ".tensorflow.Summary", optional),
			}},
			{Name: proto.String("Summary"), Field: []*descriptorpb.FieldDescriptorProto{field("value", 1, message, ".tensorflow.Value", repeated)}},
			{Name: proto.String("Value"), Field: []*descriptorpb.FieldDescriptorProto{field("tag", 1, text, "", optional),
				field("simple_value", 2, float, "", optional)}},
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file.Messages().ByName("Event")
}

// slowCRC is CRC-32C bit by bit (polynomial 0x1EDC6F41, reversed 0x82F63B78), with
// TensorFlow's mask.
func slowCRC(data []byte) uint32 {
	crc := ^uint32(0)
	for _, b := range data {
		crc ^= uint32(b)
		for range 8 {
			if crc&1 == 1 {
				crc = crc>>1 ^ 0x82f63b78
			} else {
				crc >>= 1
			}
		}
	}
	crc = ^crc
	return (crc>>15 | crc<<17) + 0xa282ead8
}

// records takes a file apart and checks every CRC.
func records(t testing.TB, file []byte) [][]byte {
	t.Helper()
	var list [][]byte
	for len(file) > 0 {
		if len(file) < 16 {
			t.Fatalf("%d bytes are left over", len(file))
		}
		n := binary.LittleEndian.Uint64(file)
		if got, want := binary.LittleEndian.Uint32(file[8:]), slowCRC(file[:8]); got != want {
			t.Fatalf("record %d: the CRC of the length is %08x, want %08x", len(list), got, want)
		}
		if n > uint64(len(file)-16) {
			t.Fatalf("record %d has %d bytes, %d are left", len(list), n, len(file)-16)
		}
		data := file[12 : 12+n]
		if got, want := binary.LittleEndian.Uint32(file[12+n:]), slowCRC(data); got != want {
			t.Fatalf("record %d: the CRC of the data is %08x, want %08x", len(list), got, want)
		}
		list = append(list, data)
		file = file[16+n:]
	}
	return list
}

func decode(t testing.TB, event protoreflect.MessageDescriptor, data []byte) protoreflect.Message {
	t.Helper()
	m := dynamicpb.NewMessage(event)
	if err := (proto.UnmarshalOptions{}).Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	if len(m.GetUnknown()) > 0 {
		t.Fatalf("the event has unknown fields: % x", m.GetUnknown())
	}
	return m
}

func get(m protoreflect.Message, name string) protoreflect.Value {
	return m.Get(m.Descriptor().Fields().ByName(protoreflect.Name(name)))
}

// TestEventsAreReadByTheProtobufLibrary writes a file and reads it by other means.
func TestEventsAreReadByTheProtobufLibrary(t *testing.T) {
	file := tfevents.AppendHeader(nil, 1234.5)
	type point struct {
		wall    float64
		step    int64
		scalars []tfevents.Scalar
	}
	points := []point{
		{1, 0, []tfevents.Scalar{{"loss/value", 0.25}}},
		{2.5, 1 << 40, []tfevents.Scalar{{"a", -1e30}, {"große/Zahl", float32(math.Inf(1))}, {"", 0}}},
		{1.7e9, 300, nil},
	}
	for i := range 200 { // lengths of one and of two bytes
		points = append(points, point{float64(i), int64(i), []tfevents.Scalar{{fmt.Sprintf("%0*d", i+1, i), float32(i)}}})
	}
	for _, p := range points {
		file = tfevents.AppendScalars(file, p.wall, p.step, p.scalars)
	}
	event := schema(t)
	list := records(t, file)
	if len(list) != len(points)+1 {
		t.Fatalf("the file has %d records, want %d", len(list), len(points)+1)
	}
	head := decode(t, event, list[0])
	if get(head, "file_version").String() != "brain.Event:2" || get(head, "wall_time").Float() != 1234.5 {
		t.Errorf("the first record is %v, want brain.Event:2 at 1234.5", head)
	}
	for i, p := range points {
		m := decode(t, event, list[i+1])
		if get(m, "wall_time").Float() != p.wall || get(m, "step").Int() != p.step {
			t.Errorf("record %d is step %d at %v, want %d at %v", i+1, get(m, "step").Int(), get(m, "wall_time").Float(), p.step, p.wall)
		}
		values := get(get(m, "summary").Message(), "value").List()
		if values.Len() != len(p.scalars) {
			t.Fatalf("record %d has %d values, want %d", i+1, values.Len(), len(p.scalars))
		}
		for j, want := range p.scalars {
			v := values.Get(j).Message()
			if get(v, "tag").String() != want.Tag || float32(get(v, "simple_value").Float()) != want.Value {
				t.Errorf("record %d, value %d is %v, want %v", i+1, j, v, want)
			}
		}
	}
}

// TestMaskedCRC: CRC-32C of "123456789" is 0xE3069283 (any list of check values); the mask
// turns it right by 15 bits and adds 0xA282EAD8.
func TestMaskedCRC(t *testing.T) {
	crc := uint32(0xE3069283)
	want := crc>>15 | crc<<17
	want += 0xA282EAD8
	if got := slowCRC([]byte("123456789")); got != want {
		t.Errorf("the masked CRC is %08x, want %08x", got, want)
	}
}

// TestFilesBeginAsTensorFlowsDo: every file of TensorFlow begins with these bytes,
// since the first record has always 24 bytes and begins with the wall time.
func TestFilesBeginAsTensorFlowsDo(t *testing.T) {
	const want = "\x18\x00\x00\x00\x00\x00\x00\x00\xa3\x7fK\"\t"
	if got := string(tfevents.AppendHeader(nil, 1.7e9)[:len(want)]); got != want {
		t.Errorf("the file begins with %q, want %q", got, want)
	}
}
