package event

// The kinds of items that can fall due in the event queue, with what their fields carry.
const (
	DueRun         uint8 = iota // A task, Gen of the task: its thread looks for something to do
	DueStep                     // A task, Gen: the step in work ends
	DueMail                     // A task, B Mail, ID, Gen of the task: a mail arrives in the mailbox
	DueFlush                    // A task, Gen: the output flusher ticks
	DueSync                     // A task, Gen: the synchronous part of a snapshot ends
	DueAsync                    // A task, ID, Gen: the asynchronous part ends
	DueDebloat                  // A task, Gen: the debloater's period is over
	DueDeliver                  // A channel, Gen: the head of the wire arrives
	DueCredit                   // A channel, B credits, Gen: credit arrives at the sender
	DueResume                   // A channel, Gen: ResumeConsumption arrives at the sender
	DueSend                     // A partition, Gen of it: its producer's network thread is done with a buffer
	DueSize                     // A channel, B bytes, Gen: a new buffer size arrives at the sender
	DueBacklog                  // A channel, B buffers, Gen: an announced backlog arrives at the receiver
	DueAck                      // A task, ID, Gen: an acknowledgement arrives at the coordinator
	DueDecline                  // A task, B Reason, ID, Gen
	DueTick                     // ID sequence: the periodic trigger fires
	DueExpire                   // ID checkpoint: its timeout is over
	DueFinalized                // ID checkpoint: its metadata is written
	DueScript                   // A index of the script
	DueRestart                  // Gen: the back-off is over
	DueRunning                  // Gen: restored tasks run
	DueSample                   // the series get a row
	DueGauge                    // the 5-s gauges are updated
	DueFail                     // A task, B the Cause, Gen: it fails by itself
	DueCaughtUp                 // A task, Gen: the coordinator hears that it has read what was there at the start
	DueNoSlots                  // Gen: the attempt to restart has got no slots
	DueDetect                   // A task, B the Cause (0 = its task manager is lost): that it is gone is noticed
	DueEnd                      // A task, Gen: the log of a bounded source ends
	DueProcessed                // A channel, Gen: the sender hears that all of its records are processed
	DueEnded                    // A task, Gen: the coordinator hears that it has come to the end of its data
	DueMark                     // A task, Gen: the period of a source's watermarks is over
	DueLoad                     // A vertex: the rates of its sources change
	DueReport                   // A task, Gen: a source is to report its watermark
	DueReported                 // A task, ID ms, Gen: a source's watermark arrives at its coordinator
	DueAnnounce                 // A vertex: its sources are to be told how far they may go
	DueFinished                 // A task, Gen: the coordinator hears that it has finished
	DueBackend                  // A task, Gen: something happens in its state backend
	DueFatal                    // A task: its cancellation has taken too long, its task manager's process ends
	DueSyncLate                 // A task, ID checkpoint, Gen: its synchronous part has taken as long as it may
	DueAsked                    // A channel, Gen: the consumer's request for the partition arrives at the sender
	DueInitialized              // A task, Gen: the coordinator hears that it runs, its restored input consumed
	DueStartFails               // A task, B the Cause, Gen of the job: an attempt to start fails
	DueFaster                   // A task manager: it is not throttled any more
	DueGoOn                     // A process: it has stood still as long as it was to
	DueTimedOut                 // A channel, Gen, B 1 if bytes were not acknowledged, 0 if probes were not: TCP gives the connection up
	DueMissed                   // A process, ID since when it stands still, B 1 if another one takes its place: its heartbeats are missed
)

// Mail is what a mailbox holds.
type Mail = int32

// The mails.
const (
	MailTrigger      Mail = iota // ID: a source is to start the checkpoint
	MailComplete                 // ID: notifyCheckpointComplete
	MailAborted                  // ID: notifyCheckpointAborted
	MailTimer                    // ID: alignment timeout
	MailOutput                   // ID: output-side alignment timeout
	MailDebloat                  // the debloater's period is over
	MailPriority                 // a gate has a priority event
	MailSavepoint                // ID: a source is to start the savepoint
	MailMark                     // a source is to make a watermark
	MailAnswer                   // ID: the answer to a request of an asynchronous operator
	MailReport                   // a source is to report its watermark
	MailMayGo                    // ID ms: the greatest watermark that a source may have
	MailStop                     // ID: a source is to stop with the savepoint
	MailDrain                    // ID: a source is to end its operators and then to stop with the savepoint
	MailStopped                  // ID: its operators have ended
	MailNoAnswer                 // ID: a request of an asynchronous operator that is given up
	MailHang                     // ID ns: the thread does nothing so long, 0 = until a restart
	MailStuck                    // … and no interrupt ends it
	MailRetry                    // a committer is to try again what was refused
	MailMaterialize              // the state under a changelog is to be materialized
	MailMaterialized             // it is
	MailLogged                   // ID: that segment of the changelog is stored
)

// The lanes of the event queue: the items of a lane are all due equally long after they are scheduled.
const (
	LaneNetwork = iota // messages of the network
	LaneControl        // messages of the control plane
	LaneFlush          // flushers of a vertex; further vertices use the following lanes, FlushLanes in all
)

// FlushLanes is the number of lanes for flushers, whose period depends on the vertex.
const FlushLanes = 4
