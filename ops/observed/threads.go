package observed

import (
	"strconv"
	"strings"
)

// thread is one of a dump, of jstack, of the web interface or of /taskmanagers/:id/thread-dump.
type thread struct {
	name, frames string
	line         int
}

var (
	threadHead = lazily(`^\s*"(.+?)"(?: .*)?(?:Id=\d+|prio=\d+|tid=|nid=|#\d+| (?:RUNNABLE|WAITING|TIMED_WAITING|BLOCKED))`)
	taskOf     = lazily(`\((\d+)/(\d+)\)#?\d*`)
)

// stands is where a thread of a task stands, by a frame of it; the first one that is found counts.
var stands = []struct{ frame, en, ko string }{
	{"requestMemorySegmentBlocking", "is back-pressured: it waits for an output buffer (LocalBufferPool.requestMemorySegmentBlocking). What holds it up is behind it, and in the middle of a record it takes no barrier.", "백프레셔를 받는다. 출력 버퍼를 기다린다(LocalBufferPool.requestMemorySegmentBlocking). 원인은 그 뒤에 있고, 레코드를 처리하다 멈춘 동안에는 배리어도 받지 못한다."},
	{"requestBufferBuilderBlocking", "is back-pressured: it waits for an output buffer. What holds it up is behind it.", "백프레셔를 받는다. 출력 버퍼를 기다린다. 원인은 그 뒤에 있다."},
	{"awaitAllPendingWrites", "waits for the channel state writer.", "채널 상태를 쓰기를 기다린다."},
	{"org.rocksdb.RocksDB.flush", "flushes RocksDB in the synchronous part of a snapshot.", "스냅샷의 동기 단계에서 RocksDB를 flush하고 있다."},
	{"org.rocksdb.Checkpoint.createCheckpoint", "takes RocksDB's local checkpoint, the synchronous part of a snapshot; it does not return while the disk is slow.", "RocksDB의 로컬 체크포인트를 뜨고 있다. 스냅샷의 동기 단계이며 디스크가 느리면 돌아오지 않는다."},
	{"org.rocksdb.", "is in RocksDB: an access to its state.", "RocksDB 안에 있다. 상태에 접근하고 있다."},
	{"org.forstdb.", "is in ForSt: an access to its state.", "ForSt 안에 있다. 상태에 접근하고 있다."},
	{"notifyCheckpointComplete", "is in notifyCheckpointComplete: a commit on the task's thread. The next barrier waits for it.", "notifyCheckpointComplete 안에 있다. 태스크 스레드에서 커밋한다. 다음 배리어가 기다린다."},
	{"snapshotState", "is in snapshotState: the synchronous part of a snapshot, in which it passes no record.", "snapshotState 안에 있다. 스냅샷의 동기 단계이며 그동안 레코드를 넘기지 않는다."},
	{"flushInternal", "flushes its sink.", "싱크를 flush하고 있다."},
	{"AsyncWaitOperator.addToWorkQueue", "waits for room among its asynchronous requests (capacity); Flink counts that as busy.", "비동기 요청의 자리를 기다린다(capacity). Flink는 busy로 센다."},
	{"java.net.SocketInputStream", "waits for an answer from outside (a socket): each record that asks so holds the thread.", "바깥의 응답을 기다린다(소켓). 그렇게 묻는 레코드마다 스레드가 붙잡힌다."},
	{"sun.nio.ch.SocketDispatcher", "waits for an answer from outside (a socket): each record that asks so holds the thread.", "바깥의 응답을 기다린다(소켓). 그렇게 묻는 레코드마다 스레드가 붙잡힌다."},
	{"TaskMailboxImpl.take", "waits in its mailbox: it has nothing to do, or all of its outputs are full (soft back pressure).", "메일박스에서 기다린다. 할 일이 없거나 출력이 모두 찼다(soft 백프레셔)."},
	{"Thread.sleep", "sleeps.", "sleep 중이다."},
}

// threads reads a thread dump; nil if the text is none.
func threads(text string) *Seen {
	var all []thread
	line, frames := 0, 0
	for one := range strings.Lines(text) {
		line++
		if m := threadHead.find(one); m != nil {
			all = append(all, thread{name: m[1], frames: one, line: line})
		} else if t := strings.TrimSpace(one); len(all) > 0 && (strings.HasPrefix(t, "at ") || strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "java.lang.Thread.State")) {
			if last := &all[len(all)-1]; len(last.frames) < 1<<14 {
				last.frames += t + "\n"
			}
			frames++
		}
	}
	if frames == 0 {
		return nil
	}
	s := &Seen{Form: "thread dump"}
	s.count("threads", int64(len(all)))
	tasks := 0
	for i := range all {
		if t := &all[i]; taskOf.find(t.name) != nil && !strings.Contains(t.name, "OutputFlusher") && !strings.Contains(t.name, "Channel state writer") && !strings.Contains(t.name, "AsyncOperations") {
			tasks++
			s.thread(t)
		}
	}
	s.count("threads.tasks", int64(tasks))
	if tasks == 0 {
		s.remark(0, "No thread of a task is among them: those are named after the vertex and the subtask, as Window (3/16)#0.", "태스크의 스레드가 없다. 그 이름은 Window (3/16)#0처럼 정점과 서브태스크다.")
	}
	if tasks > 0 {
		s.remark(0, "One dump is one instant: take several, some seconds apart, and see what stays.", "덤프 하나는 한순간이다. 몇 초 간격으로 여러 번 떠서 무엇이 그대로인지 본다.")
	}
	return s
}

// thread says where one stands.
func (s *Seen) thread(t *thread) {
	name := shortName(t.name)
	if m := taskOf.find(t.name); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			name = shortName(strings.TrimSpace(t.name[:strings.Index(t.name, m[0])])) + ", subtask " + strconv.Itoa(n-1)
		}
	}
	for _, w := range stands {
		if strings.Contains(t.frames, w.frame) {
			s.word(name, w.frame)
			if w.frame == "TaskMailboxImpl.take" {
				s.remark(t.line, "%s "+w.en, "%s: "+w.ko, name)
			} else {
				s.warn(t.line, "%s "+w.en, "%s: "+w.ko, name)
			}
			s.locked(t, name)
			return
		}
	}
	s.word(name, "runs")
	s.locked(t, name)
}

// locked: a source of the old interface emits under the checkpoint lock, and the checkpoint waits for it.
func (s *Seen) locked(t *thread, name string) {
	if strings.Contains(t.frames, "BLOCKED") || strings.Contains(t.frames, "waiting to lock") {
		s.warn(t.line, "%s is BLOCKED: it waits for a lock that another thread holds. With a source of the old interface that is the checkpoint lock, under which it emits.", "%s: BLOCKED. 다른 스레드가 쥔 락을 기다린다. 옛 인터페이스의 소스라면 레코드를 내보낼 때 쥐는 체크포인트 락이다.", name)
	}
}
