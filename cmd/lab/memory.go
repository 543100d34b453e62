package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// memory is the bytes that this machine has to give, 0 if it does not say: a run that needs more is refused.
func memory() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) >= 2 && words[0] == "MemAvailable:" {
			kb, _ := strconv.ParseInt(words[1], 10, 64)
			return kb << 10
		}
	}
	return 0
}
