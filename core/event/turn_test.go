package event_test

import (
	"testing"

	"checkpointlab/core/event"
)

// Each of some tasks is first about as often as any other, and no two share a turn.
func TestTurnsAreFair(t *testing.T) {
	const tasks, instants = 4, 40_000
	first := [tasks]int{}
	for at := event.Time(0); at < instants; at++ {
		least, taken := event.Task(0), map[int64]bool{}
		for task := event.Task(0); task < tasks; task++ {
			turn := event.Turn(1, at*event.Millisecond, task)
			if turn < 0 || turn >= 1<<61 || taken[turn] {
				t.Fatalf("turn %d of task %d at %d", turn, task, at)
			}
			taken[turn] = true
			if turn < event.Turn(1, at*event.Millisecond, least) {
				least = task
			}
		}
		first[least]++
	}
	for task, n := range first {
		if n < instants/tasks-500 || n > instants/tasks+500 { // ± 5.8 standard deviations
			t.Errorf("task %d is first %d times of %d", task, n, instants)
		}
	}
}
