package vector

// runners says who replays a unit: one line each. A unit without a line is not modelled yet.
var runners = map[string]Runner{
	"CheckpointRequestDecider": runDecider,
	"CheckpointFailureManager": runFailures,
	"aligned":                  runBarrier,
	"tracker":                  runBarrier,
	"unaligned":                runBarrier,
	"alternating":              runBarrier,
	"lifecycle":                runLifecycle,
	"trigger":                  runLifecycle,
	"options":                  runOptions,
	"RemoteInputChannel":       runGate,
	"RemoteInputChannelQueue":  runInputQueue,
	"LocalBufferPool":          runPool,
	"BufferSizeEMA":            runEMA,
	"BufferDebloater":          runDebloater,
	"ThroughputCalculator":     runThroughput,
}
