package scene

// word is a piece of the picture's text. Flink's own words (checkpoint phases, options, partitioners) stay English.
type word uint8

const (
	wRunning word = iota
	wPaused
	wAligning
	wSync
	wAsync
	wInitializing
	wShortInitializing
	wRestoring
	wWaiting
	wFailed
	wFinished
	wLostManager
	wStalled
	wShortStalled
	wMasterStalled
	wBusy
	wBackpressured
	wIdle
	wIn
	wOut
	wInOut
	wLog
	wEach
	wPerRecord
	wOutput
	wLag
	wOldestWaits
	wIfFails
	wAgain
	wReadingAgain
	wOpenTransaction
	wPreCommitted
	wAborted
	wRecords
	wReader
	wSeesUpTo
	wSeesNothing
	wVisible
	wDirect
	wDuplicates
	wCoordinator
	wCheckpoint
	wSavepoint
	wAligned
	wUnaligned
	wOf
	wAcknowledged
	wElapsed
	wTimeout
	wLastCompleted
	wNoPending
	wNext
	wRestarting
	wNotCancelled
	wJobFailed
	wJobFinished
	wMore
	wWhere
	wOldFollows
	wHasSpent
	wRightBehind
	wAllVisible
	wInLog
	wInBuffers
	wInTransaction
	wBlocked
	wAhead
	wBuffer
	wBehind
	wCredit
	wNoneLeft
	wExclusive
	wFloating
	wPool
	wOpen
	wStored
	wSortedByShare
	wQueued
	wShortQueued
	wLeast
	wMedian
	wMost
	wNotRunning
	wHasPassed
	wPassed
	wChannels
	wMostAt
	wPerSubtask
	wTriggerToAck
	wNoAck
	wStartDelay
	wAlignment
	wNoCheckpoint
	wShortAborted
	wLost
	wHasPassedEnd
	wRightBehindEnd
	wOfTimeout
	wSeesUpToEnd
	wAheadEnd
	wShortSync
	wShortAsync
	wShortWaiting
	wShortPaused
	wGreys
	wBarrier
	wBarrierHere
	wShortBackpressured
	wShortInTransaction
	wSpaceTime
	wSpaceTimeHow
	wSpaceTimeWide
	wOnlySlowest
	words
)

var texts = [words][2]string{
	wRunning:            {"running", "실행 중"},
	wPaused:             {"paused to align", "정렬 대기"},
	wAligning:           {"aligning", "정렬"},
	wSync:               {"snapshot, sync", "스냅샷, sync"},
	wAsync:              {"upload, async", "업로드, async"},
	wInitializing:       {"initializing", "initializing"},
	wShortInitializing:  {"init", "init"},
	wRestoring:          {"restoring", "복원 중"},
	wWaiting:            {"cancelled, waits", "취소됨, 대기"},
	wFailed:             {"failed", "실패"},
	wFinished:           {"finished", "완료"},
	wLostManager:        {"lost, unnoticed", "잃음"},
	wStalled:            {"process paused", "프로세스 정지"},
	wShortStalled:       {"paused", "정지"},
	wMasterStalled:      {"JobManager paused", "JobManager 정지"},
	wBusy:               {"busy", "처리"},
	wBackpressured:      {"backpressured", "백프레셔"},
	wIdle:               {"idle", "유휴"},
	wIn:                 {"in", "입력"},
	wOut:                {"out", "출력"},
	wInOut:              {"in, out", "입출력"},
	wLog:                {"Log", "로그"},
	wEach:               {" rec/s each", "건/s씩"},
	wPerRecord:          {"/rec", "/건"},
	wOutput:             {"Output topic", "출력 토픽"},
	wLag:                {"lag ", "밀린 양 "},
	wOldestWaits:        {"oldest waits ", "가장 오래된 것 "},
	wIfFails:            {"if it fails now, reads", "지금 실패하면 다시 읽음"},
	wAgain:              {" again", "건"},
	wReadingAgain:       {"reads again ", "다시 읽음 "},
	wOpenTransaction:    {"open transaction", "열린 트랜잭션"},
	wPreCommitted:       {"pre-committed", "pre-committed"},
	wAborted:            {"transaction aborted", "트랜잭션 취소"},
	wRecords:            {" records, ", "건, "},
	wReader:             {"read_committed consumer", "read_committed 소비자는"},
	wSeesUpTo:           {"sees up to checkpoint ", "체크포인트 "},
	wSeesNothing:        {"sees nothing yet", "아직 못 봄"},
	wVisible:            {"visible", "보임"},
	wDirect:             {"written through", "바로 씀"},
	wDuplicates:         {" duplicates", "건 중복"},
	wCoordinator:        {"Coordinator", "코디네이터"},
	wCheckpoint:         {"checkpoint", "체크포인트"},
	wSavepoint:          {"savepoint", "세이브포인트"},
	wAligned:            {"aligned, ", "aligned, "},
	wUnaligned:          {"unaligned, ", "unaligned, "},
	wOf:                 {" of ", "/"},
	wAcknowledged:       {" acknowledged", " 확인"},
	wElapsed:            {"elapsed ", "경과 "},
	wTimeout:            {" timeout", ""},
	wLastCompleted:      {"last completed", "마지막 완료"},
	wNoPending:          {"no checkpoint in progress", "진행 중인 체크포인트 없음"},
	wNext:               {"next trigger in ", "다음 트리거까지 "},
	wRestarting:         {"restarting in ", "재시작까지 "},
	wNotCancelled:       {"a task cannot be cancelled", "취소되지 않는 태스크"},
	wJobFailed:          {"job failed", "작업 실패"},
	wJobFinished:        {"job finished", "작업 완료"},
	wMore:               {"more", "더"},
	wWhere:              {"Where the oldest invisible record, now ", "아직 안 보이는 가장 오래된 레코드가 지금까지 "},
	wHasSpent:           {" old, has spent its time", " 보낸 곳"},
	wRightBehind:        {" (it follows right behind barrier ", " (배리어 "},
	wAllVisible:         {"Every record is visible.", "모든 레코드가 보인다."},
	wInLog:              {" in the log", " 로그에서"},
	wInBuffers:          {" in buffers", " 버퍼에서"},
	wInTransaction:      {" in the transaction, so far", " 트랜잭션에서, 지금까지"},
	wBlocked:            {"blocked", "막힘"},
	wAhead:              {"buffer ahead of barrier ", "배리어 "},
	wBuffer:             {"buffer", "버퍼"},
	wBehind:             {"behind it", "배리어 뒤"},
	wCredit:             {"credit", "credit"},
	wNoneLeft:           {"none left", "없음"},
	wExclusive:          {"exclusive", "exclusive"},
	wFloating:           {"floating", "floating"},
	wPool:               {"pool: lent, free", "풀: 빌려줌, 남음"},
	wOpen:               {"open", "열림"},
	wStored:             {"stored in checkpoint", "체크포인트에 저장"},
	wSortedByShare:      {"sorted by share", "비율 순"},
	wQueued:             {"bytes queued per receiver", "수신자별 쌓인 바이트"},
	wShortQueued:        {"queued", "쌓인 양"},
	wLeast:              {"least ", "최소 "},
	wMedian:             {"median ", "중앙값 "},
	wMost:               {"most ", "최대 "},
	wNotRunning:         {" not running", "개 멈춤"},
	wHasPassed:          {"has passed barrier ", "배리어 "},
	wPassed:             {" passed", " 통과"},
	wChannels:           {" channels", "개 채널"},
	wMostAt:             {"most at ", "최대: "},
	wPerSubtask:         {" per subtask", " 서브태스크별"},
	wTriggerToAck:       {"trigger to acknowledgement", "트리거에서 확인까지"},
	wNoAck:              {"no ack", "미확인"},
	wStartDelay:         {"start delay", "start delay"},
	wAlignment:          {"alignment", "alignment"},
	wShortSync:          {"sync", "sync"},
	wShortAsync:         {"async", "async"},
	wShortWaiting:       {"waits", "대기"},
	wShortPaused:        {"paused", "정렬 대기"},
	wGreys:              {"bytes queued: none, few, half, full", "쌓인 바이트: 없음, 조금, 절반, 가득"},
	wBarrier:            {"barrier", "배리어"},
	wBarrierHere:        {"holds the barrier, or is held by it", "배리어가 있거나 막힘"},
	wShortBackpressured: {"backpr.", "백프레셔"},
	wShortInTransaction: {" in transaction", " 트랜잭션에서"},
	wAheadEnd:           {"", " 앞 버퍼"},
	wSeesUpToEnd:        {"", "까지 본다"},
	wOfTimeout:          {" of ", ", 제한 "},
	wRightBehindEnd:     {")", " 바로 뒤)"},
	wHasPassedEnd:       {"", " 통과"},
	wLost:               {" records lost", "건 잃음"},
	wShortAborted:       {"aborted", "취소됨"},
	wSpaceTime:          {"Barriers in space and time", "배리어의 시공간"},
	wSpaceTimeHow:       {"rows: subtasks; slanted: a barrier on its way; hatched: alignment", "가로줄: 서브태스크, 빗금 띠: alignment, 기운 선: 배리어의 길"},
	wSpaceTimeWide:      {"rows: subtasks; hatched: alignment; of so many channels the barriers' ways are not kept", "가로줄: 서브태스크, 빗금 띠: alignment. 채널이 이렇게 많으면 배리어의 길은 기록하지 않는다"},
	wOnlySlowest:        {" slowest of ", "개만 표시, 전체 "},
	wNoCheckpoint:       {"No checkpoint has completed yet.", "아직 완료된 체크포인트가 없다."},
}

// in is the word in a language.
func (w word) in(l Lang) string { return texts[w][l] }
