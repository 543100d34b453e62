package serve

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Go's linker starts another data segment of a program wherever a few bytes are zero, up to 100,000 of them (cmd/link/internal/wasm,
// writeDataSec). Most stand for single numbers of a table with an entry for each function, and their addresses, which all differ,
// hardly shrink; written out, the table does. lighter does that where the gap is small: 4 % less to download.

// mostZeros is the longest gap between two segments, in bytes, that is written out.
const mostZeros = 64

// mostMemory is more than any program's data fills, in bytes.
const mostMemory = 1 << 28

// What of WebAssembly's binary format is read here (https://webassembly.github.io/spec/core/binary/modules.html).
const (
	wasmHead    = 8    // bytes of magic number and version
	dataSection = 11   // id
	activeIn0   = 0    // kind of a segment: put into memory 0 at the start
	i32Const    = 0x41 // with the address behind it, in LEB128
	endOfExpr   = 0x0b
)

var errProgram = errors.New("not a WebAssembly program as Go's linker writes it")

// segment is bytes that stand in memory from at on.
type segment struct {
	at    uint64
	bytes []byte
}

// lighter is the same program with fewer segments of data, and without the lines of its instructions; lines tells whether they stayed, for
// Go wrote them in another way.
func lighter(program []byte) (out []byte, lines bool, err error) {
	if len(program) < wasmHead {
		return nil, false, errProgram
	}
	lines = true
	out = append(out, program[:wasmHead]...)
	for rest := program[wasmHead:]; len(rest) > 0; {
		id := rest[0]
		body, after, err := sized(rest[1:])
		if err != nil {
			return nil, false, err
		}
		if id == dataSection {
			all, err := segments(body)
			if err != nil {
				return nil, false, err
			}
			memory := image(all)
			lines = !dropLines(memory)
			body = written(cut(memory))
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
		rest = after
	}
	return out, lines, nil
}

// segments reads the body of a data section.
func segments(body []byte) ([]segment, error) {
	count, n := binary.Uvarint(body)
	if n <= 0 || count > uint64(len(body)) {
		return nil, errProgram
	}
	all := make([]segment, 0, count)
	for body = body[n:]; len(all) < cap(all); {
		if len(body) < 2 || body[0] != activeIn0 || body[1] != i32Const {
			return nil, fmt.Errorf("%w: a segment that is not put at an address", errProgram)
		}
		at, n := binary.Uvarint(body[2:])
		if n <= 0 || at>>(7*n-1) != 0 || len(body) <= 2+n || body[2+n] != endOfExpr {
			return nil, fmt.Errorf("%w: a segment's address", errProgram)
		}
		bytes, after, err := sized(body[2+n+1:])
		if err != nil {
			return nil, err
		}
		if at > mostMemory || at+uint64(len(bytes)) > mostMemory {
			return nil, fmt.Errorf("%w: a segment's address", errProgram)
		}
		all, body = append(all, segment{at, bytes}), after
	}
	if len(body) > 0 {
		return nil, errProgram
	}
	return all, nil
}

// image is the memory that segments make, from address 0 on.
func image(all []segment) []byte {
	var end uint64
	for _, s := range all {
		end = max(end, s.at+uint64(len(s.bytes)))
	}
	memory := make([]byte, end)
	for _, s := range all {
		copy(memory[s.at:], s.bytes)
	}
	return memory
}

// cut is the segments of a memory with more than mostZeros zeros between them.
func cut(memory []byte) (all []segment) {
	end := -1 - mostZeros // of the last segment
	for at, b := range memory {
		switch {
		case b == 0:
			continue
		case at-end > mostZeros:
			all = append(all, segment{at: uint64(at)})
		}
		last := &all[len(all)-1]
		last.bytes = memory[last.at : at+1]
		end = at + 1
	}
	return all
}

// written is the body of a data section.
func written(all []segment) []byte {
	out := binary.AppendUvarint(nil, uint64(len(all)))
	for _, s := range all {
		out = append(appendAddress(append(out, activeIn0, i32Const), s.at), endOfExpr)
		out = append(binary.AppendUvarint(out, uint64(len(s.bytes))), s.bytes...)
	}
	return out
}

// appendAddress appends a number that is signed, though never negative: the last byte's uppermost bit is its sign.
func appendAddress(out []byte, at uint64) []byte {
	for ; at >= 1<<6; at >>= 7 {
		out = append(out, byte(at)|1<<7)
	}
	return append(out, byte(at))
}

// sized cuts off bytes behind their number.
func sized(from []byte) (bytes, after []byte, err error) {
	size, n := binary.Uvarint(from)
	if n <= 0 || size > uint64(len(from)-n) {
		return nil, nil, errProgram
	}
	return from[n:][:size], from[n:][size:], nil
}
