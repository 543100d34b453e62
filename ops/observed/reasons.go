package observed

import "strings"

// reason is why Flink says that a checkpoint failed (CheckpointFailureReason), and what that means.
type reason struct {
	name    string // of the constant
	message string // its beginning, as answers and logs have it
	en, ko  string
}

const (
	expired     = "CHECKPOINT_EXPIRED"
	otherReason = "another reason"
)

// reasons are those of 1.9 to 2.3. The message of a failed checkpoint begins with its reason's, or has it inside of an exception.
var reasons = []reason{
	{expired, "Checkpoint expired before completing", "", ""},
	{"CHECKPOINT_DECLINED_TASK_NOT_READY", "Checkpoint was declined (tasks not ready", "a task was not running yet; harmless just after a start. It does not count as a tolerable failure.", "태스크가 아직 실행 전이었다. 시작 직후에는 해가 없다. 허용 실패로 세지 않는다."},
	{"CHECKPOINT_DECLINED_TASK_CLOSING", "Checkpoint was declined (task is closing", "a task was ending. It does not count as a tolerable failure.", "태스크가 끝나는 중이었다. 허용 실패로 세지 않는다."},
	{"CHECKPOINT_DECLINED_INPUT_END_OF_STREAM", "Checkpoint was declined because one input stream is finished", "one input has ended. It does not count as a tolerable failure.", "입력 하나가 끝났다. 허용 실패로 세지 않는다."},
	{"CHECKPOINT_DECLINED", "Checkpoint was declined", "a task could not take its part: its synchronous part or its storage threw. The task's log has the cause; it counts as a tolerable failure.", "태스크가 제 몫을 뜨지 못했다. 동기 단계나 저장소에서 예외가 났다. 원인은 그 태스크의 로그에 있다. 허용 실패로 센다."},
	{"CHECKPOINT_ASYNC_EXCEPTION", "Asynchronous task checkpoint failed", "a task could not write its part: the storage failed or refused. Neither back pressure nor the timeout is the cause; it counts as a tolerable failure.", "태스크가 제 몫을 쓰지 못했다. 저장소가 실패했거나 거부했다. 백프레셔나 timeout 탓이 아니다. 허용 실패로 센다."},
	{"FINALIZE_CHECKPOINT_FAILURE", "Failure to finalize checkpoint", "every subtask had acknowledged, and the JobManager could not write the metadata or register it with the high availability: look at its storage.", "서브태스크가 모두 확인한 뒤 JobManager가 메타데이터를 쓰지 못했거나 고가용성 저장소에 등록하지 못했다. JobManager의 저장소를 본다."},
	{"IO_EXCEPTION", "An Exception occurred while triggering the checkpoint. IO-problem", "the JobManager could not prepare the place of the checkpoint: its access to the storage. It counts as a tolerable failure.", "JobManager가 체크포인트를 둘 곳을 마련하지 못했다. JobManager의 저장소 접근을 본다. 허용 실패로 센다."},
	{"TRIGGER_CHECKPOINT_FAILURE", "Trigger checkpoint failure", "the JobManager could not trigger it: the cause stands below it in the log. It does not count as a tolerable failure.", "JobManager가 트리거하지 못했다. 원인은 로그의 그 아래에 있다. 허용 실패로 세지 않는다."},
	{"EXCEPTION", "An Exception occurred while triggering the checkpoint", "the JobManager could not trigger it: the cause stands below it in the log.", "JobManager가 트리거하지 못했다. 원인은 로그의 그 아래에 있다."},
	{"NOT_ALL_REQUIRED_TASKS_RUNNING", "Not all required tasks are currently running", "a task was not running when it was due: after a restart until all run, or because one has finished (execution.checkpointing.checkpoints-after-tasks-finish, before 1.15 off). It does not count as a tolerable failure.", "때가 되었을 때 실행 중이 아닌 태스크가 있었다. 재시작 뒤 모두 실행되기 전이거나, 끝난 태스크가 있다(execution.checkpointing.checkpoints-after-tasks-finish, 1.15 전에는 꺼짐). 허용 실패로 세지 않는다."},
	{"NOT_ALL_REQUIRED_TASKS_RUNNING", "Checkpoint triggering task", "a task was not running when it was due. It does not count as a tolerable failure.", "때가 되었을 때 실행 중이 아닌 태스크가 있었다. 허용 실패로 세지 않는다."},
	{"MINIMUM_TIME_BETWEEN_CHECKPOINTS", "The minimum time between checkpoints is still pending", "execution.checkpointing.min-pause had not passed; it starts later. This is no failure.", "execution.checkpointing.min-pause가 지나지 않았다. 나중에 시작한다. 실패가 아니다."},
	{"TOO_MANY_CHECKPOINT_REQUESTS", "The maximum number of queued checkpoint requests exceeded", "too many requests wait, as when savepoints are asked for faster than they are taken.", "기다리는 요청이 너무 많다. 세이브포인트를 뜨는 속도보다 빨리 요청할 때 그렇다."},
	{"TOO_MANY_CONCURRENT_CHECKPOINTS", "The maximum number of concurrent checkpoints is exceeded", "execution.checkpointing.max-concurrent-checkpoints are under way.", "execution.checkpointing.max-concurrent-checkpoints만큼 진행 중이다."},
	{"CHECKPOINT_SUBSUMED", "Checkpoint has been subsumed", "a newer one completed first; nothing is lost.", "더 새로운 것이 먼저 완료되었다. 잃은 것은 없다."},
	{"CHECKPOINT_DECLINED_SUBSUMED", "Checkpoint was canceled because a barrier from newer checkpoint was received", "a newer checkpoint's barrier overtook it: checkpoints at the same time, or one that was given up upstream.", "더 새로운 체크포인트의 배리어가 먼저 왔다. 동시에 진행했거나, 앞쪽에서 포기한 것이다."},
	{"CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER", "Task received cancellation from one of its inputs", "a task before it gave the checkpoint up and said so downstream: look for the first decline.", "앞의 태스크가 포기하고 뒤에 알렸다. 첫 거부를 찾는다."},
	{"CHECKPOINT_DECLINED_ALIGNMENT_LIMIT_EXCEEDED", "The checkpoint alignment phase needed to buffer more", "task.checkpoint.alignment.max-size was exceeded (until 1.10): one input is far behind others.", "task.checkpoint.alignment.max-size를 넘었다(1.10까지). 한 입력이 다른 입력보다 크게 뒤처진다."},
	{"CHANNEL_STATE_SHARED_STREAM_EXCEPTION", "The checkpoint was aborted due to exception of other subtasks sharing the ChannelState file", "another subtask with the same file of channel state failed: look for that one.", "같은 채널 상태 파일을 쓰는 다른 서브태스크가 실패했다. 그것을 찾는다."},
	{"CHECKPOINT_COORDINATOR_SUSPEND", "Checkpoint Coordinator is suspending", "the job restarted meanwhile: the checkpoint is a victim, not the cause. Look for what failed before it.", "그동안 잡이 재시작했다. 이 체크포인트는 원인이 아니라 피해자다. 그 전에 실패한 것을 찾는다."},
	{"CHECKPOINT_COORDINATOR_SHUTDOWN", "CheckpointCoordinator shutdown", "the job ended or was cancelled meanwhile.", "그동안 잡이 끝났거나 취소되었다."},
	{"PERIODIC_SCHEDULER_SHUTDOWN", "Periodic checkpoint scheduler is shut down", "the job was restarting or ending. This is no failure of a checkpoint.", "잡이 재시작하거나 끝나는 중이었다. 체크포인트의 실패가 아니다."},
	{"JOB_FAILOVER_REGION", "FailoverRegion is restarting", "a region of the job restarted meanwhile: look for what failed before it.", "그동안 잡의 한 리전이 재시작했다. 그 전에 실패한 것을 찾는다."},
	{"TASK_CHECKPOINT_FAILURE", "Task local checkpoint failure", "a task could not take its part; its log has the cause.", "태스크가 제 몫을 뜨지 못했다. 원인은 그 태스크의 로그에 있다."},
	{"TASK_FAILURE", "Task has failed", "a task failed meanwhile: the checkpoint is a victim, not the cause. It does not count as a tolerable failure.", "그동안 태스크가 실패했다. 이 체크포인트는 원인이 아니라 피해자다. 허용 실패로 세지 않는다."},
	{"JOB_FAILURE", "The job has failed", "the job failed meanwhile: the checkpoint is a victim, not the cause.", "그동안 잡이 실패했다. 이 체크포인트는 원인이 아니라 피해자다."},
}

// reasonOf finds the reason in what Flink says of a failed checkpoint.
func reasonOf(message string) *reason {
	for i := range reasons {
		if strings.HasPrefix(message, reasons[i].message) {
			return &reasons[i]
		}
	}
	for i := range reasons {
		if strings.Contains(message, reasons[i].message) {
			return &reasons[i]
		}
	}
	return &reason{otherReason, "", "what is told of it stands in failure_message; the JobManager's log has the cause.", "failure_message에 적힌 것이 전부다. 원인은 JobManager의 로그에 있다."}
}

// headOf is the first line of a message.
func headOf(message string) string {
	head, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if r := []rune(head); len(r) > 200 {
		head = string(r[:200]) + "…"
	}
	return head
}
