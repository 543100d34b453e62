// Package core_test holds the core to what is known of Flink, and to itself. By what a test compares with:
//
//   - vectors_test.go: facts from Flink's own tests; truth_test.go: recorded runs of a real Flink; closedform_test.go: exact values;
//     case_*_test.go: what public cases ask of the mechanism.
//   - reference_*_test.go: a simulation record by record (package reference), event for event.
//   - property_*_test.go, storage_laws_test.go: laws that every random run keeps; a run that broke one stays as an example
//     (property_found_test.go).
//   - determinism_test.go, snapshot_test.go: a run is the same however it is cut, restored or compiled.
//   - rooms_test.go: who may import whom, and that the core sees no clock, file, network or thread.
//
// `make test` runs a few random runs from fixed seeds, `make nightly` many from others.
package core_test
