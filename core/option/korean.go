package option

import "strings"

// narrow is the narrow no-break space, which pages and pictures write before a unit.
const narrow = "\u202f"

// koreanUnits are the units that a Korean sentence says in Korean, and sizes as they are written outside of settings.
var koreanUnits = [...][2]string{{"s", "초"}, {"min", "분"}, {"h", "시간"}, {"d", "일"}, {"kb", " KB"}, {"mb", " MB"}, {"gb", " GB"}, {"tb", " TB"}, {"bytes", " B"}}

// Korean is a value as a Korean sentence says it: 5초 for "5 s", 1분 for "1 min", 16 GB for "16 gb"; 500 ms and all that is no
// number with one of these units stay as they are. A setting that somebody is to write is not for it.
func Korean(value string) string {
	for _, space := range [...]string{" ", narrow} {
		number, unit, ok := strings.Cut(value, space)
		if !ok || number == "" || strings.Trim(number, "0123456789.,−-") != "" {
			continue
		}
		for _, u := range koreanUnits {
			if unit == u[0] {
				return number + u[1]
			}
		}
	}
	return value
}
