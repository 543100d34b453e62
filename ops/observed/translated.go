package observed

import "strings"

// The web interface speaks English alone, but a browser translates it, and people write its words in their own language.

// translations are its words in Korean and Chinese, a line each: the English word, then the others.
const translations = `
id|检查点 id|체크포인트 id|체크포인트 번호
status|状态|상태
acknowledged|已确认|确认|확인|승인|승인됨|확인됨
trigger time|触发时间|트리거 시간|트리거 시각
latest acknowledgement|最近确认|最新确认|최근 승인|최근 확인|마지막 확인
end to end duration|端到端时长|端到端持续时间|端到端耗时|종단 간 소요 시간|엔드투엔드 소요 시간|엔드 투 엔드 기간|전체 소요 시간
checkpointed data size|检查点数据大小|체크포인트 데이터 크기|체크포인트된 데이터 크기
full checkpoint data size|完整检查点数据大小|全量检查点数据大小|전체 체크포인트 데이터 크기
failure message|失败信息|失败消息|실패 메시지
cause|失败原因|原因|실패 원인|원인
triggered|触发|已触发|트리거|트리거됨
in progress|进行中|진행 중|진행중
completed|完成|已完成|완료|완료됨
failed|失败|已失败|실패|실패함|실패됨
restored|恢复|已恢复|복원|복원됨
latest completed checkpoint|最近完成的检查点|最新完成的检查点|최근 완료된 체크포인트|마지막 완료 체크포인트
latest failed checkpoint|最近失败的检查点|最新失败的检查点|최근 실패한 체크포인트|마지막 실패 체크포인트
latest savepoint|最近的保存点|最新保存点|최근 세이브포인트|마지막 세이브포인트
`

// inEnglish is a word of the web interface in English and lower case; another word stays as it is, in lower case.
func inEnglish(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	before, _, found := strings.Cut(translations, "|"+word+"|")
	if !found {
		before, _, found = strings.Cut(translations, "|"+word+"\n")
	}
	if !found || word == "" {
		return word
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	english, _, _ := strings.Cut(line, "|")
	return english
}

// spans are the units of time in Korean and Chinese as durationCell has them.
var spans = strings.NewReplacer("밀리초", "ms", "毫秒", "ms", "시간", "h", "小时", "h", "小時", "h", "일", "d", "天", "d", "분钟", "m", "分钟", "m", "分鐘", "m", "분", "m", "分", "m", "초", "s", "秒", "s")
