package event

// What can fall due in the storage of checkpoints.
const (
	DueRequest     uint8 = 100 + iota // A request, Gen: the storage has answered it
	DueRetry                          // A request, Gen: one that was refused is made again
	DueFlow                           // Gen: transfers to and from the storage end, or get another rate
	DueLog                            // A task, ID, Gen: a batch of its changelog is to be sent (ID 0), or segment ID once more
	DueMaterialize                    // A task, Gen: its state is to be materialized
	DueOrder                          // A order, Gen: one without files is done
)

// What the storage tells the feed.
const (
	FilesStored Kind = 100 + iota // Task (-1 the JobManager), Checkpoint; A bytes, N requests, B storage.Purpose: an order of files is done
	FilesFailed                   // the same: it failed
)
