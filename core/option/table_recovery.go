package option

import "math"

// Keys that the rules of recovery speak of.
const (
	keyClaim        = "execution.state-recovery.claim-mode"
	keyRetention    = "execution.checkpointing.externalized-checkpoint-retention"
	keyLocalBackup  = "execution.checkpointing.local-backup.enabled"
	keyFromLocal    = "execution.state-recovery.from-local"
	keyWithoutFlow  = "execution.state-recovery.without-channel-state.checkpoint-id"
	keyOldLocal     = "state.backend.local-recovery" // of 1.18, which has both in one
	keyDownstream   = "execution.checkpointing.unaligned.recover-output-on-downstream.enabled"
	keyDuring       = "execution.checkpointing.during-recovery.enabled"
	keyPauseSources = "pipeline.sources.pause-until-first-checkpoint"
)

// ClaimMode is execution.state-recovery.claim-mode: whose the snapshot is that a job starts from.
type ClaimMode uint8

// The modes.
const (
	NoClaim ClaimMode = iota // the user's; the first checkpoint stores all, so that the job needs none of its files afterwards
	Claim                    // the job's: it is deleted when it is subsumed
	Legacy                   // the user's, but checkpoints go on using its files (deprecated since 1.20)
)

var claimModes = []string{"NO_CLAIM", "CLAIM", "LEGACY"}

// String is Flink's word.
func (m ClaimMode) String() string { return claimModes[m] }

// Retention is execution.checkpointing.externalized-checkpoint-retention: what becomes of the last checkpoints of a job that
// fails for good or is cancelled; one that finishes keeps none (checkpoint.Discards).
type Retention uint8

// The choices.
const (
	NotExternalized Retention = iota // both are deleted
	DeleteOnCancel
	RetainOnCancel
)

var retentions = []string{"NO_EXTERNALIZED_CHECKPOINTS", "DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION"}

// String is Flink's word.
func (m Retention) String() string { return retentions[m] }

// recoveryOptions are the modelled options of how a job starts from a snapshot (spec 1.1, 8.2, 9.3).
func recoveryOptions() []Option {
	return []Option{
		Option{
			Key: keyClaim, Field: "ClaimMode", Old: []string{"execution.savepoint-restore-mode"},
			Label: both("Claim mode", "복구 소유 방식"),
			Effect: both("Whose the files are of the checkpoint or savepoint that a job starts from: CLAIM makes them the job's, which deletes them when they are subsumed; NO_CLAIM leaves them to the user, and the first checkpoint stores everything.",
				"시작점이 된 체크포인트나 세이브포인트의 파일이 누구의 것인지 정한다. CLAIM이면 잡이 넘겨받아 더 새로운 체크포인트가 대신하면 지운다. NO_CLAIM이면 사용자의 것으로 남고, 첫 체크포인트가 전부를 다시 저장한다."),
		}.as(choice(claimModes, nil, func(c *Config, i int) { c.ClaimMode = ClaimMode(i) }, func(c *Config) string { return c.ClaimMode.String() })),
		Option{
			Key: "execution.state-recovery.ignore-unclaimed-state", Field: "IgnoreUnclaimed", Old: []string{"execution.savepoint.ignore-unclaimed-state"},
			Label: both("Ignore state that nobody takes", "받는 연산자가 없는 상태 무시"),
			Effect: both("Whether a job may start although the snapshot has state of an operator that the job does not have, as after a changed uid (--allowNonRestoredState); that state is dropped.",
				"uid가 바뀐 때처럼 스냅샷에 있는 상태를 받을 연산자가 잡에 없어도 시작할지 정한다(--allowNonRestoredState). 그 상태는 버린다."),
		}.as(flag(func(c *Config) *bool { return &c.IgnoreUnclaimed })),
		Option{
			Key: keyRetention, Field: "Retention",
			Label: both("Retention after the job's end", "잡이 끝난 뒤 보관"),
			Effect: both("Whether the last checkpoints stay when the job fails for good, or is cancelled: a job that finishes deletes them. DELETE_ON_CANCELLATION leaves those of a failed job, RETAIN_ON_CANCELLATION also those of one that is cancelled, to start from.",
				"잡이 아주 실패하거나 취소될 때 마지막 체크포인트를 남길지 정한다. 정상적으로 끝난 잡은 모두 지운다. DELETE_ON_CANCELLATION은 실패한 잡의 것을, RETAIN_ON_CANCELLATION은 취소한 잡의 것까지 남겨 거기서 다시 시작할 수 있게 한다."),
		}.as(choice(retentions, nil, func(c *Config, i int) { c.Retention = Retention(i) }, func(c *Config) string { return c.Retention.String() })),
		Option{
			Key: keyLocalBackup, Field: "LocalBackup",
			Label: both("Local copies", "로컬 사본"),
			Effect: both("Keep a copy of the state on the TaskManager's disk: a restart in the same place then reads it from there.",
				"TaskManager 디스크에 상태 사본을 둔다. 같은 자리에서 재시작하면 거기서 읽는다."),
		}.as(flag(func(c *Config) *bool { return &c.LocalBackup })),
		Option{
			Key: keyFromLocal, Field: "FromLocal", Old: []string{keyOldLocal},
			Label: both("Recovery from local copies", "로컬 사본에서 복구"),
			Effect: both("Whether a restart reads the local copies where there are any; what a lost TaskManager had is read from the storage.",
				"재시작할 때 로컬 사본이 있으면 그것을 읽을지 정한다. 사라진 TaskManager의 상태는 저장소에서 읽는다."),
		}.as(flag(func(c *Config) *bool { return &c.FromLocal })),
		Option{
			Key: keyWithoutFlow, Field: "WithoutFlow", Old: []string{"execution.checkpointing.recover-without-channel-state.checkpoint-id"},
			Label: both("Recovery without in-flight data", "흐르는 중인 데이터 없이 복구"),
			Effect: both("When the job goes back to the checkpoint with this id, the in-flight data that it has is dropped, and with it those records; -1 for no checkpoint.",
				"잡이 이 번호의 체크포인트로 돌아갈 때 거기 담긴 흐르는 중인 데이터를 버린다. 그 레코드는 잃는다. -1이면 그런 체크포인트가 없다."),
		}.as(count(func(c *Config) *int { return &c.WithoutFlow }, -1, math.MaxInt32)),
		Option{
			Key: keyDownstream, Field: "RecoverDownstream",
			Label: both("Recover output downstream", "출력 데이터 하류 복구"),
			Effect: both("On a restart the receiving tasks get the stored output buffers, behind their own input. Until they have consumed both they are INITIALIZING.",
				"재시작할 때 저장된 출력 버퍼를 받는 쪽 태스크가 자기 입력 뒤에 이어서 받는다. 둘 다 처리할 때까지 INITIALIZING이다."),
		}.as(flag(func(c *Config) *bool { return &c.RecoverDownstream })),
		Option{
			Key: keyDuring, Field: "DuringRecovery",
			Label: both("Checkpoints during recovery", "복구 중 체크포인트"),
			Effect: both("A task with restored in-flight data is RUNNING at once, so that checkpoints are taken while it still works that off.",
				"복구한 흐르는 중인 데이터가 있는 태스크도 바로 RUNNING이 되어, 그것을 처리하는 동안에도 체크포인트를 만든다."),
		}.as(flag(func(c *Config) *bool { return &c.DuringRecovery })),
		Option{
			Key: keyPauseSources, Field: "PauseSources",
			Label: both("Sources pause until the first checkpoint", "첫 체크포인트까지 소스 멈춤"),
			Effect: both("A source that is restored reads nothing until the first checkpoint reaches it, so that restored in-flight data is worked off first.",
				"복구한 소스는 첫 체크포인트가 올 때까지 아무것도 읽지 않아, 복구한 흐르는 중인 데이터를 먼저 처리한다."),
		}.as(flag(func(c *Config) *bool { return &c.PauseSources })),
	}
}

// recovery: what goes together at a start from a snapshot.
func (r *resolver) recovery() {
	c := &r.cfg
	if r.given(keyFromLocal) && !r.given(keyLocalBackup) { // a fallback of it in either spelling (CheckpointingOptions.LOCAL_BACKUP_ENABLED)
		c.LocalBackup = c.FromLocal
	}
	if c.WithoutFlow >= 0 && r.given(keyWithoutFlow) {
		r.note(Warning, "Going back to that checkpoint loses the records that are in flight in it.", "그 체크포인트로 돌아가면 거기 담긴 흐르는 중인 레코드를 잃는다.")
	}
	if c.DuringRecovery && !c.RecoverDownstream { // CheckpointingOptions.isCheckpointingDuringRecoveryEnabled
		if c.DuringRecovery = false; r.given(keyDuring) {
			r.note(Warning, "Acts only with "+keyDownstream+": true.", keyDownstream+"가 true일 때만 작동한다.")
		}
	}
	switch {
	case !c.PauseSources || !r.given(keyPauseSources):
	case c.Interval == 0: // SourceOperatorFactory.instantiateSourceOperator
		r.note(Info, "Without "+keyInterval+" it has no effect.", keyInterval+" 없이는 효과가 없다.")
	case c.IntervalDuringBacklog == 0: // StreamingJobGraphGenerator.preValidate
		r.wrong(r.current, &Mistake{Problem: "cannot go with " + keyBacklog + ": 0, which Flink refuses",
			Remedy: "keep one of the two"})
	}
	switch {
	case c.FromLocal && !c.LocalBackup && r.given(keyFromLocal):
		r.note(Info, "Without "+keyLocalBackup+" there are no local copies.", keyLocalBackup+"가 꺼져 있으면 로컬 사본이 없다.")
	case c.LocalBackup && !c.FromLocal && r.given(keyLocalBackup):
		r.note(Info, "Read only with "+keyFromLocal+".", keyFromLocal+"가 켜져 있어야 읽는다.")
	}
	if c.ClaimMode == Legacy && r.given(keyClaim) {
		r.note(Warning, "Deprecated: the files stay the user's although checkpoints go on using them. Write CLAIM or NO_CLAIM.",
			"더는 권하지 않는 값이다. 파일은 사용자의 것인데 체크포인트가 계속 그 파일을 쓴다. CLAIM이나 NO_CLAIM으로 쓴다.")
	}
}
