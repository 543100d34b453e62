package vector

import (
	"errors"

	"checkpointlab/core/job"
)

// runUnalignedEdges replays unit unalignedEdges: whether the exchanges into one operator carry unaligned barriers.
func runUnalignedEdges(c Case) (Status, string) {
	var v struct {
		Unit   string
		Inputs []string // partitioners
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	inputs := make([]job.Partitioner, len(v.Inputs))
	for i, name := range v.Inputs {
		p, ok := job.ParsePartitioner(name)
		if !ok {
			return Unknown("partitioner "+name, errUnknown)
		}
		inputs[i] = p
	}
	if len(inputs) == 0 {
		return Unknown("inputs", errors.New("none is given"))
	}
	carried := job.CarryUnaligned(inputs)
	each := make([]bool, len(inputs))
	for i := range each {
		each[i] = carried
	}
	return compared(c, answers{"supportsUnaligned": carried, "supportsUnalignedEach": each})
}
