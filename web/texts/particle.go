package texts

import (
	"strings"
	"unicode/utf8"
)

const (
	firstSyllable, lastSyllable = '가', '힣'
	finals                      = 28 // forms of a syllable's final, the first being none
	finalRieul                  = 8  // ㄹ
)

// digitFinals are the finals of 영 일 이 삼 사 오 육 칠 팔 구; only none, ㄹ and "some other" matter.
var digitFinals = [10]int{21, finalRieul, 0, 16, 0, 0, 1, finalRieul, finalRieul, 0}

// Particle picks from a pair such as "이/가", "은/는", "을/를", "과/와", "으로/로" the form that follows the word;
// an empty pair gives nothing. After ㄹ the pair 으로/로 takes its second form.
func Particle(word, pair string) string {
	first, second, found := strings.Cut(pair, "/")
	if !found {
		return pair
	}
	final := finalOf(word)
	if final == 0 || final == finalRieul && second == "로" {
		return second
	}
	return first
}

// finalOf is the final consonant of the word as it is read; marks at its end are not read.
func finalOf(word string) int {
	for word != "" {
		r, size := utf8.DecodeLastRuneInString(word)
		word = word[:len(word)-size]
		switch {
		case r >= firstSyllable && r <= lastSyllable:
			return int(r-firstSyllable) % finals
		case r >= '0' && r <= '9':
			return digitFinals[r-'0']
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			return letterFinal(word, r)
		}
	}
	return 0
}

// letterFinal guesses how an English word ends in Korean: source is 소스, map is 맵, sink is 싱크, join is 조인.
func letterFinal(before string, last rune) int {
	switch last {
	case 'm', 'M', 'n', 'N':
		return 16
	case 'l', 'L':
		return finalRieul
	case 'p', 'b':
		return 17
	case 'g', 'G':
		if strings.HasSuffix(strings.ToLower(before), "n") {
			return 21
		}
	}
	return 0
}
