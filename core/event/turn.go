package event

// Turn is the place of a task among the threads that look for work at one instant, below 1<<61 and different for each task. It
// is drawn from the seed and the instant, because processors take up threads in no fixed order; with a fixed one the first
// task's barrier would always arrive first, and its channel would be served once more per checkpoint than the others (recorded
// runs jmh-unaligned, where no map falls behind).
func Turn(seed uint64, at Time, t Task) int64 {
	return int64(turned(seed, at, t)>>35)<<32 | int64(t)
}

// Wait is what a task's thread waits at one instant for a processor, drawn evenly from 0 to most, which is at most an hour.
func Wait(seed uint64, at Time, t Task, most Time) Time {
	return int64(turned(seed, at, t)>>43) * most >> 21
}

func turned(seed uint64, at Time, t Task) uint64 {
	x := seed*0x9e3779b97f4a7c15 + uint64(at)*0xd1b54a32d192ed03 + uint64(t+1)*0xbf58476d1ce4e5b9
	return (x ^ x>>32) * 0x94d049bb133111eb
}
