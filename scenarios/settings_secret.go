package scenarios

import (
	"slices"
	"strings"

	"checkpointlab/core/option"
)

// sensitive are the words by which Flink knows a key whose value it does not print (GlobalConfiguration.SENSITIVE_KEYS), and the
// public half of an access key.
var sensitive = []string{"password", "secret", "fs.azure.account.key", "apikey", "api-key", "auth-params", "service-key", "token", "basic-auth", "jaas.config", "http-headers", "access-key", "access.key"}

// hidden stands for such a value, as in Flink's own logs.
const hidden = "******"

// secret takes the values of keys that hold one out: links and files of the lab are passed on.
func (p *paste) secret(pairs []option.Pair) {
	for i := range pairs {
		q := &pairs[i]
		if _, table := option.Find(q.Key); table || !slices.ContainsFunc(sensitive, func(word string) bool { return strings.Contains(strings.ToLower(q.Key), word) }) {
			continue
		}
		if q.Value != hidden && !strings.EqualFold(q.Value, "true") && !strings.EqualFold(q.Value, "false") {
			q.Value = hidden
			p.note(q.Line, q.Key, hidden, option.Warning, "Its value is a secret and was not kept. Take it out before you show this text to others.", "값이 비밀이라 남기지 않았다. 이 글을 남에게 보이기 전에 지운다.")
		}
	}
}

// elder takes out old spellings of options that the lab only names, where the new one is given, too: Flink reads that.
func (p *paste) elder(pairs *[]option.Pair) {
	all := *pairs
	*pairs = slices.DeleteFunc(slices.Clone(all), func(q option.Pair) bool {
		info, ok := option.Known(q.Key)
		if _, table := option.Find(q.Key); table || !ok || info.New == "" || !slices.ContainsFunc(all, func(o option.Pair) bool { return o.Key == info.New }) {
			return false
		}
		if today, _ := option.Known(info.New); !slices.Contains(today.Versions, p.version) {
			return false
		}
		p.note(q.Line, q.Key, q.Value, option.Warning, "Not read: "+info.New+" is given too, and the newer spelling wins.", "읽지 않는다. "+info.New+"도 있으면 새 이름이 이긴다.")
		return true
	})
}
