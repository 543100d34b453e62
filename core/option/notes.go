package option

import (
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// unread notes a spelling that the version ignores in silence (options that 1.20 has and 2.3 neither declares nor lists).
func (r *resolver) unread(key string, info KeyInfo) {
	v := Versions[r.version]
	if i, ok := index[key]; ok {
		o := &table[i]
		for _, k := range o.spellings() {
			if r.reads(k) {
				r.note(Warning, "Flink "+v+" ignores this spelling in silence; it reads "+k+".",
					"Flink "+v+"은 이 표기를 조용히 무시한다. 이 버전이 읽는 키는 "+k+"이다.")
				return
			}
		}
		if fixed := o.Get(&r.cfg); fixed != "" && o.Until != "" {
			r.note(Warning, "Flink "+v+" ignores it in silence: it is the constant "+fixed+" there.",
				"Flink "+v+"은 이 옵션을 조용히 무시한다. 값이 상수("+fixed+")로 고정되어 있다.")
			return
		}
	}
	list := strings.Join(info.Versions, ", ")
	r.note(Warning, "Flink "+v+" ignores it in silence: it is an option of "+list+" only.",
		"Flink "+v+"은 이 옵션을 조용히 무시한다. "+list+"에만 있는 옵션이다.")
}

// unmodelled notes a real option that has no effect in the lab; o is its line of the table, if it has one.
func (r *resolver) unmodelled(o *Option) {
	en, ko := "A Flink option that the lab does not model.", "Flink에는 있으나 이 랩은 모델링하지 않는 옵션이다."
	if o != nil {
		en, ko = en+" "+o.Effect["en"], ko+" "+o.Effect["ko"]
	}
	r.note(Info, en, ko)
}

// renamed notes an old spelling that is still read.
func (r *resolver) renamed(key string) {
	if key != "" {
		r.note(Info, "An old spelling, still read; today it is "+key+".", "예전 표기로, 아직 읽힌다. 지금 표기는 "+key+"이다.")
	}
}

// lost notes a spelling that counts for nothing beside a newer one.
func (r *resolver) lost(to string) {
	r.note(Warning, "Not read: "+to+" is given too, and the newer spelling wins.", "읽히지 않는다. "+to+"도 있고, 새 표기가 이긴다.")
}
