package core_test

import (
	"slices"
	"testing"

	"checkpointlab/ops/fidelity"
	"checkpointlab/ops/vector"
)

// files are the vectors, with whether the whole file must pass: what is not modelled yet may not become a pass by itself,
// and what passes may not be lost.
var files = map[string]bool{
	"barrier-aligned.json": true, "barrier-alternating.json": true, "barrier-tracker.json": true, "barrier-unaligned.json": true,
	"buffer-debloat.json": true, "coordinator.json": true, "exchange-chaining.json": true, "failover-regions.json": true,
	"keygroups-rescale.json": true, "network-credit-pool.json": true, "restart-and-metrics.json": true,
	"checkpoint-lifecycle.json": true, "sink-commit.json": true, "state-sharing.json": true,
	"barrier-more.json": true, "buffer-debloat-more.json": true, "checkpoint-lifecycle-more.json": true, "coordinator-more.json": true,
	"exchange-chaining-more.json": true, "failover-regions-more.json": true, "keygroups-rescale-more.json": true,
	"network-credit-pool-more.json": true, "restart-and-metrics-more.json": true, "sink-commit-more.json": true, "state-sharing-more.json": true,
	"subpartition-more.json": true, "network-channel-more.json": true, "watermark-more.json": true, "coordinator-time-more.json": true,
	"flink23-more.json": true, "recorded.json": true, "checkpoint-plan-more.json": true,
	"coordinator-messages-more.json": true, "pool-and-queue-more.json": true, "further-more.json": true, "chains-and-writers-more.json": true, "alignment-more.json": true, "async-and-state-more.json": true, "checkpoint-store-more.json": true,
	"unseen-barriers-more.json": true, "unseen-coordinator-more.json": true, "unseen-job-more.json": true, "unseen-network-more.json": true, "unseen-rest-more.json": true,
	"reworded-barriers-more.json": true, "reworded-coordinator-more.json": true, "reworded-lifecycle-more.json": true,
	"reworded-job-more.json": true, "reworded-network-more.json": true, "reworded-rest-more.json": true,
	"combined-more.json": true, "reworded-forms-more.json": true,
}

func TestFactsFromFlinksOwnTests(t *testing.T) {
	got, err := fidelity.Vectors(vector.Recorded())
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, f := range got {
		seen = append(seen, f.File)
		if f.Pass+f.Fail+f.NotModelled == 0 {
			t.Errorf("%s has no case", f.File)
		}
		for _, c := range f.Cases {
			if c.Status == vector.Fail.String() || files[f.File] && c.Status != vector.Pass.String() {
				t.Errorf("%s %s: %s: %s", f.File, c.Case, c.Status, c.Difference)
			}
		}
	}
	for name := range files {
		if !slices.Contains(seen, name) {
			t.Errorf("%s is missing", name)
		}
	}
}
