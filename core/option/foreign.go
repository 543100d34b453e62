package option

import "strings"

// owner is somebody beside Flink's runtime who reads keys from its configuration.
type owner struct {
	prefix string
	en, ko string
	alone  bool // no key of Flink's own begins like that, whatever Known says of patterns
}

// owners by the beginnings of their keys: file systems are plugins with settings of their own, and the Kubernetes operator puts
// its own among Flink's.
var owners = []owner{
	{"kubernetes.operator.", "Of the Kubernetes operator, not of Flink.", "Flink가 아니라 Kubernetes 오퍼레이터의 설정이다.", true},
	{"job.autoscaler.", "Of the Kubernetes operator's autoscaler, not of Flink.", "Flink가 아니라 Kubernetes 오퍼레이터 오토스케일러의 설정이다.", true},
	{"s3.", "Of the S3 file system plugin.", "S3 파일 시스템 플러그인의 설정이다.", false},
	{"s3a.", "Of the S3 file system plugin.", "S3 파일 시스템 플러그인의 설정이다.", false},
	{"presto.s3.", "Of the S3 file system plugin.", "S3 파일 시스템 플러그인의 설정이다.", false},
	{"fs.", "Of a file system plugin.", "파일 시스템 플러그인의 설정이다.", false},
	{"gs.", "Of the Google Storage file system plugin.", "Google Storage 파일 시스템 플러그인의 설정이다.", false},
	{"python.", "Of PyFlink.", "PyFlink의 설정이다.", false},
	{"metrics.reporter.", "Of a metrics reporter.", "메트릭 리포터의 설정이다.", false},
}

// keySyncPhase is a key that no released version has (FLINK-40200, merged in August 2026).
const keySyncPhase = "execution.checkpointing.sync-phase-timeout"

// elsewhere is who reads a key that is no option of Flink's runtime; nil = nobody that is known.
func elsewhere(key string) *owner {
	for i := range owners {
		if strings.HasPrefix(key, owners[i].prefix) {
			return &owners[i]
		}
	}
	return nil
}

// Foreign reports whether somebody beside Flink's runtime reads a key.
func Foreign(key string) bool { return elsewhere(key) != nil }

// unreleased says of the key of a version to come that today's pass it over.
func (r *resolver) unreleased() {
	r.note(Warning, "Without effect: no released Flink has it, it comes with the version after 2.3 (FLINK-40200). The lab tries it as syncPhaseTimeout of the scenario.",
		"효과가 없다. 출시된 Flink에는 없고 2.3 다음 버전에 들어간다(FLINK-40200). 이 랩에서는 시나리오의 syncPhaseTimeout으로 시험한다.")
}

func (r *resolver) foreign(o *owner) {
	r.note(Info, o.en+" The lab does not model it.", o.ko+" 이 랩은 모델링하지 않는다.")
}

const (
	keyEntropy = "s3.entropy.key"
	keyDir     = "execution.checkpointing.dir"
)

// entropy: a store counts requests by the beginning of a key, so random letters behind a constant part spread nothing
// (case C34; FLINK-24159).
func (r *resolver) entropy() {
	marker := r.pairs[r.current].Value
	for _, p := range r.pairs {
		if o, ok := Find(p.Key); !ok || o.Key != keyDir || marker == "" {
			continue
		}
		_, path, _ := strings.Cut(p.Value, "://")
		_, path, _ = strings.Cut(path, "/")
		switch {
		case !strings.Contains(path, marker):
			r.note(Warning, "The marker "+marker+" is not in "+p.Key+", so nothing is put in.", p.Key+"에 "+marker+" 표시가 없어서 아무것도 끼워 넣지 않는다.")
		case !strings.HasPrefix(path, marker):
			r.note(Warning, "The marker "+marker+" does not follow the bucket directly in "+p.Key+": all keys still begin with "+path[:strings.Index(path, marker)]+", and the store counts their requests together. Write it first.",
				p.Key+"에서 "+marker+" 표시가 버킷 바로 뒤에 있지 않다. 모든 키가 여전히 "+path[:strings.Index(path, marker)]+"로 시작해 저장소가 요청을 함께 센다. 맨 앞에 쓴다.")
		}
	}
}
