package serve

import (
	"bytes"
	"errors"
	"testing"
)

// program is one with a section of another kind around its data.
func program(all []segment) []byte {
	const custom = 0
	other := []byte{custom, 3, 1, 'x', 7}
	body := written(all)
	out := append([]byte("\x00asm\x01\x00\x00\x00"), other...)
	out = append(out, dataSection, byte(len(body))|1<<7, byte(len(body)>>7))
	return append(append(out, body...), other...)
}

// memory is what a program's data comes to.
func memory(t *testing.T, p []byte) (image []byte, count int) {
	t.Helper()
	const head = wasmHead + 5
	body, _, err := sized(p[head+1:])
	if err != nil || p[head] != dataSection {
		t.Fatalf("no data section: %v", err)
	}
	all, err := segments(body)
	if err != nil {
		t.Fatal(err)
	}
	image = make([]byte, 1<<21)
	for _, s := range all {
		copy(image[s.at:], s.bytes)
	}
	return image, len(all)
}

func TestJoinedSegmentsAreTheSameMemory(t *testing.T) {
	var all []segment
	for at := uint64(0); at < 20*20; at += 20 { // a table of one number in 20 bytes
		all = append(all, segment{63 + at, []byte{byte(at), 1}})
	}
	far := all[len(all)-1].at + 2 + mostZeros
	all = append(all, segment{far, []byte("joined")}, segment{far + 6 + mostZeros + 1, []byte("apart")}, segment{8191, []byte("behind")},
		segment{8192, []byte("over it")}, segment{1<<20 + 1, []byte("!")}, segment{16, []byte("before")})
	p := program(all)
	got, _, err := lighter(p)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := memory(t, p)
	image, count := memory(t, got)
	if !bytes.Equal(image, want) {
		t.Error("the joined segments make another memory")
	}
	if count != 4 {
		t.Errorf("%d segments are left, want the table's, the far one's, those over each other and the last", count)
	}
	if !bytes.HasSuffix(got, p[wasmHead:][:5]) || !bytes.HasPrefix(got, p[:wasmHead+5]) {
		t.Error("the other sections are not as they were")
	}
}

func TestBrokenProgramsAreRefused(t *testing.T) {
	p := program([]segment{{70, []byte("some")}, {1 << 14, []byte("more")}})
	for n := range len(p) {
		if n == wasmHead || n == wasmHead+5 || n == len(p)-5 {
			continue // a program with fewer sections
		}
		if _, _, err := lighter(p[:n]); !errors.Is(err, errProgram) {
			t.Errorf("the first %d bytes of %d: error %v", n, len(p), err)
		}
	}
	for at, with := range map[int]byte{17: 1, 18: 0x23, 20: 0x7f, 21: 0} { // kind, operation, sign, end
		broken := bytes.Clone(p)
		broken[at] = with
		if _, _, err := lighter(broken); !errors.Is(err, errProgram) {
			t.Errorf("byte %d as %#x: error %v", at, with, err)
		}
	}
}
