package option

import "strings"

// KeyInfo says what is known of one of Flink's keys.
type KeyInfo struct {
	Key      string
	New      string   // today's spelling if Key is an old one, else ""
	Versions []string // those of Versions that read it

	mask int
}

// keyLines are the lines of keyTable, then the open keys. They are not kept: a page would cut them before its first picture.
func keyLines(yield func(string) bool) {
	for line := range strings.SplitSeq(keyTable, "\n") {
		if !yield(line) {
			return
		}
	}
	for _, line := range openKeys {
		if !yield(line) {
			return
		}
	}
}

// openKeys are keys that no option class declares because a part of them is the user's to name, or a plug-in reads them.
// They come last, as patterns are not searched by order.
var openKeys = []string{
	"7 containerized.master.env.<variable>", "7 containerized.taskmanager.env.<variable>",
	"7 metrics.reporter.<name>.<parameter>", "7 metrics.scope.<group>",
	"7 fs.<key>", "7 gs.<key>", "7 presto.<key>", "7 s3.<key>",
	"7 job.autoscaler.<key>", "7 kubernetes.operator.<key>",
}

// Known finds any key that Flink 1.18, 1.20 or 2.3 declares or still reads as an old spelling.
func Known(key string) (KeyInfo, bool) {
	if line := declared(key); line != "" {
		return keyInfo(line, key), true
	}
	for line := range keyLines {
		if mayMatch(line, key) && strings.Contains(line, "<") && matches(keyOf(line), key) {
			return keyInfo(line, key), true
		}
	}
	return KeyInfo{}, false
}

// declared is the line of keyTable for a key; "" if there is none.
func declared(key string) string {
	from, to := 0, len(keyTable)
	for from < to {
		middle := from + (to-from)/2
		start := strings.LastIndexByte(keyTable[:middle], '\n') + 1
		line, _, _ := strings.Cut(keyTable[start:], "\n")
		switch k := keyOf(line); {
		case k == key:
			return line
		case k < key:
			from = start + len(line) + 1
		default:
			to = start
		}
	}
	return ""
}

func keyOf(line string) string {
	k, _, _ := strings.Cut(line[2:], "=")
	return k
}

func keyInfo(line, key string) KeyInfo {
	_, renamed, _ := strings.Cut(line, "=")
	info := KeyInfo{Key: key, New: renamed, mask: int(line[0] - '0')}
	for v := range Versions {
		if info.mask&(1<<v) != 0 {
			info.Versions = append(info.Versions, Versions[v])
		}
	}
	return info
}

// mayMatch rules out most lines by the first letter of their keys.
func mayMatch(line, key string) bool {
	return len(line) > 2 && len(key) > 0 && (line[2] == key[0] || line[2] == '<')
}

// matches compares with a pattern such as external-resource.<name>.amount; the last place takes any rest.
func matches(pattern, key string) bool {
	p, k := strings.Split(pattern, "."), strings.Split(key, ".")
	if len(k) < len(p) || len(k) > len(p) && !strings.HasPrefix(p[len(p)-1], "<") {
		return false
	}
	for i, word := range p {
		if k[i] == "" || !strings.HasPrefix(word, "<") && word != k[i] {
			return false
		}
	}
	return true
}

// Nearest is the known key that a misspelt one most likely means, "" if none is near. Options of the table come first, an
// old spelling leads to today's. A key with one word too many in its middle, or of which a known one is the beginning, the end or a part by whole words counts as near
// (min-pause-between-checkpoints), else the number of wrong letters decides.
func Nearest(key string) string {
	key = strings.ToLower(strings.TrimSpace(key))
	if len(key) < 3 || len(key) > longestWord {
		return ""
	}
	listed, others := tableKeys(), otherKeys()
	for _, near := range []func([]string) string{
		func(keys []string) string { return sameEnds(key, keys) },
		func(keys []string) string { return closest(key, keys, 2) },
		func(keys []string) string { return byWords(key, keys) },
		func(keys []string) string { return closest(key, keys, len(key)/3) },
	} {
		if k := near(listed); k != "" {
			return today(k)
		}
		if k := near(others); k != "" {
			return today(k)
		}
	}
	return ""
}

func tableKeys() (keys []string) {
	for i := range table {
		keys = append(keys, table[i].spellings()...)
	}
	return keys
}

// otherKeys leaves out patterns and the one-word keys, which belong to connectors.
func otherKeys() (keys []string) {
	for line := range keyLines {
		if k := keyOf(line); strings.Contains(k, ".") && !strings.Contains(k, "<") {
			keys = append(keys, k)
		}
	}
	return keys
}

func today(key string) string {
	if o, ok := Find(key); ok {
		return o.Key
	}
	if info, ok := Known(key); ok && info.New != "" {
		return info.New
	}
	return key
}

// byWords prefers the longest known key that begins the given one, else the shortest that contains it.
func byWords(key string, candidates []string) string {
	longest, shortest := "", ""
	for _, c := range candidates {
		if strings.Count(c, ".") >= 2 && strings.HasPrefix(key, c) && edge(key[len(c):]) && len(c) > len(longest) {
			longest = c
		}
		if i := strings.Index(c, key); i >= 0 && (i == 0 || edge(c[i-1:])) && edge(c[i+len(key):]) &&
			(shortest == "" || len(c) < len(shortest)) {
			shortest = c
		}
	}
	if longest != "" {
		return longest
	}
	return shortest
}

// sameEnds is the known key whose words all stand in the given one in their order, the last one at its end: the longest that
// leaves out one word.
func sameEnds(key string, candidates []string) (best string) {
	words := strings.Split(key, ".")
	for _, c := range candidates {
		if len(c) > len(best) && strings.Count(c, ".") == len(words)-2 && len(words) > 3 && standIn(strings.Split(c, "."), words) {
			best = c
		}
	}
	return best
}

// standIn tells whether some words stand in others in their order, with the same first and last one.
func standIn(some, all []string) bool {
	if some[0] != all[0] || some[len(some)-1] != all[len(all)-1] {
		return false
	}
	at := 0
	for _, w := range all {
		if at < len(some) && some[at] == w {
			at++
		}
	}
	return at == len(some)
}

// edge reports whether a word ends here.
func edge(rest string) bool { return rest == "" || rest[0] == '.' || rest[0] == '-' }

// longestWord bounds the work for a word that nobody can have misspelt.
const longestWord = 200

// Closest is the candidate with the fewest wrong letters, "" if none is near enough to be meant.
func Closest(word string, candidates []string) string {
	return closest(strings.ToLower(word), candidates, max(2, len(word)/2))
}

func closest(word string, candidates []string, most int) string {
	if len(word) > longestWord {
		return ""
	}
	best, found := most+1, ""
	for _, c := range candidates {
		if gap := len(c) - len(word); gap >= best || -gap >= best {
			continue
		}
		if d := distance(word, strings.ToLower(c)); d < best && d < len(c) {
			best, found = d, c
		}
	}
	return found
}

// distance counts the letters to insert, delete, replace or swap with their neighbour.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
