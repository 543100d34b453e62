package option

import "testing"

// Seconds, minutes, hours and days are said in Korean; milliseconds, keys and words stay.
func TestKorean(t *testing.T) {
	for value, want := range map[string]string{
		"5 s": "5초", "2.03\u202fs": "2.03초", "1 min": "1분", "12 h": "12시간", "30 d": "30일", "16 gb": "16 GB", "80.0 gb": "80.0 GB", "256 bytes": "256 B",
		"500 ms": "500 ms", "200\u202fµs": "200\u202fµs", "map": "map", "a s": "a s", "1000/s": "1000/s", "": "", "5 s 6": "5 s 6", "60 %": "60 %",
	} {
		if got := Korean(value); got != want {
			t.Errorf("%q is said %q, want %q", value, got, want)
		}
	}
}
