package serve

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Go's linker writes into each program in which file and line every instruction stands, also with -s and -w: for traces of panics, and a fifteenth of
// the download. dropLines takes that out of a program's memory, and the names of functions that are not the project's own. A trace names
// those still, and for lines there is a program built without it. What the runtime runs by stays: how large a function's frame is, which of its words are pointers, what was inlined.

// The table's layout (runtime.pcHeader of runtime/symtab.go, runtime._func of runtime/runtime2.go; of Go 1.20 to 1.26), for WebAssembly.
const (
	lineTabHead = 72 // bytes of the head, whose words are of 8
	headFuncs   = 8  // where in it the number of functions is
	headNames   = 32 // … and how far from it the tables are: of names,
	headUnits   = 40 // of each function's files,
	headFiles   = 48 // of their names,
	headValues  = 56 // of values by instruction,
	headEntries = 64 // and of functions: two numbers of 4 bytes each, code and description, and one more for the end

	funcCode      = 0 // of a description: where its code begins
	funcName      = 4
	funcFrame     = 16 // its tables of values: the size of its frame,
	funcFile      = 20 // files,
	funcLine      = 24 // lines
	funcValues    = 28 // and how many others
	funcUnit      = 32
	funcFirstLine = 36
	funcTables    = 43 // how many other tables of its own
	funcHead      = 44 // bytes of it; the places of those values and of these tables follow

	valuesUnsafe  = 0 // of the other values: where a thread may not be stopped, which in WebAssembly no one does,
	valuesArgLive = 3 // and which arguments a trace shows
	tableArgs     = 5 // of the other tables: arguments as a trace shows them,
	tableArgLive  = 6 // and when
)

// noTable stands for a table that a function does not have.
const noTable = ^uint32(0)

// lineTabMagic begins the table: a number, two zeros, an instruction's size and an address's.
var lineTabMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// lineTab is the table within a program's memory.
type lineTab struct {
	names, units, files, values []byte
	entries                     []byte // descriptions included
	count                       int
}

// ownNames is what the names of the project's functions begin with, among them those of its methods.
var ownNames = [][]byte{[]byte("checkpointlab/"), []byte("main.")}

// dropLines clears what says lines, the names of others' functions, and how arguments are shown, in a program's memory; it reports false, and leaves all as it is, where there is no table or another kind.
func dropLines(memory []byte) bool {
	tab, ok := findLineTab(memory)
	if !ok {
		return false
	}
	kept := make([]bool, len(tab.values))
	for i := range tab.count {
		if d, ok := tab.describes(i); !ok || !tab.keep(d, kept) {
			return false
		}
	}
	for i := range tab.count {
		d, _ := tab.describes(i)
		clear(d[funcFile:funcValues])
		clear(d[funcUnit : funcFirstLine+4])
		if !own(tab.names[number(d, funcName):]) {
			clear(d[funcName:][:4])
		}
		for _, values := range []uint32{valuesUnsafe, valuesArgLive} {
			if values < number(d, funcValues) {
				clear(d[funcHead+4*values:][:4])
			}
		}
		for _, table := range []int{tableArgs, tableArgLive} {
			if table < int(d[funcTables]) {
				binary.LittleEndian.PutUint32(d[funcHead+4*(int(number(d, funcValues))+table):], noTable)
			}
		}
	}
	for i := range tab.values {
		if !kept[i] {
			tab.values[i] = 0
		}
	}
	for name := range bytes.SplitSeq(tab.names, []byte{0}) {
		if !own(name) {
			clear(name)
		}
	}
	clear(tab.units)
	clear(tab.files)
	return true
}

// own reports whether a name is of the project's functions.
func own(name []byte) bool {
	return slices.ContainsFunc(ownNames, func(begin []byte) bool { return bytes.HasPrefix(name, begin) })
}

// findLineTab is the table that a program has once.
func findLineTab(memory []byte) (tab lineTab, ok bool) {
	at := bytes.Index(memory, lineTabMagic)
	if at < 0 || len(memory)-at < lineTabHead {
		return tab, false
	}
	table := memory[at:]
	word := func(at int) uint64 { return binary.LittleEndian.Uint64(table[at:]) }
	from := uint64(lineTabHead)
	for _, head := range []int{headNames, headUnits, headFiles, headValues, headEntries} {
		if word(head) < from || word(head) > uint64(len(table)) {
			return tab, false
		}
		from = word(head)
	}
	tab = lineTab{
		names: table[word(headNames):word(headUnits)], units: table[word(headUnits):word(headFiles)],
		files: table[word(headFiles):word(headValues)], values: table[word(headValues):from], entries: table[from:],
	}
	if count := word(headFuncs); count < uint64(len(tab.entries)/8) {
		tab.count = int(count)
	}
	return tab, tab.count > 0
}

// describes is the description of a function, if it is what it should be.
func (tab *lineTab) describes(i int) (d []byte, ok bool) {
	entry := tab.entries[8*i:]
	at := uint64(number(entry, 4))
	if at+funcHead > uint64(len(tab.entries)) {
		return nil, false
	}
	d = tab.entries[at:]
	end := funcHead + 4*(uint64(number(d, funcValues))+uint64(d[funcTables]))
	name := uint64(number(d, funcName))
	if end > uint64(len(d)) || number(d, funcCode) != number(entry, 0) || name >= uint64(len(tab.names)) || name > 0 && tab.names[name-1] != 0 {
		return nil, false
	}
	return d[:end], true
}

// keep notes the tables of values that a function needs.
func (tab *lineTab) keep(d []byte, kept []bool) bool {
	ok := tab.keepValues(number(d, funcFrame), kept)
	for i := range number(d, funcValues) {
		if i != valuesUnsafe && i != valuesArgLive {
			ok = ok && tab.keepValues(number(d, funcHead+4*int(i)), kept)
		}
	}
	return ok
}

// keepValues notes a table: pairs of numbers, how a value changes and for how many instructions it stands, up to a change of 0 that is
// not the first (runtime.step).
func (tab *lineTab) keepValues(at uint32, kept []bool) bool {
	if at == 0 { // there is none
		return true
	}
	for from, first := int(at), true; ; first = false {
		change, n := uvarint(tab.values, from)
		if n <= 0 {
			return false
		}
		_, m := uvarint(tab.values, from+n)
		if change == 0 && !first {
			m = 0
		}
		for i := from; i < from+n+m; i++ {
			kept[i] = true
		}
		if from += n + m; m == 0 {
			return change == 0 && !first
		}
	}
}

func uvarint(in []byte, at int) (v uint64, n int) {
	if at >= len(in) {
		return 0, 0
	}
	return binary.Uvarint(in[at:])
}

func number(in []byte, at int) uint32 { return binary.LittleEndian.Uint32(in[at:]) }
