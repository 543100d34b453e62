package vector

// vocabulary is what else the words of each unit may be called: as Flink's classes, its tests and the metrics call them.
var vocabulary = map[string]words{
	"aligned": barrierWords, "tracker": barrierWords, "unaligned": barrierWords, "alternating": barrierWords,
	"lifecycle": lifecycleWords, "trigger": lifecycleWords,
	"CheckpointRequestDecider": {
		given: "unit maxQueued=maxQueuedRequests maxPending=maxConcurrent,maxConcurrentCheckpoints minPauseMs=minPauseBetweenCheckpointsMs " +
			"pending=numPending,pendingCheckpoints cleaning=numCleaning,checkpointsToClean clockMs=nowMs",
		verbs: "check=assert choose=chooseRequestToExecute,submit,request chooseQueued=chooseQueuedRequestToExecute,reevaluate " +
			"setPending=pending setCleaning=cleaning setClockMs=setClock,clockMs advance=advanceMs",
		keys: "chosen=executed,started queued=queueSize,numQueued,numQueuedRequests failed=failures notFailed failReason=reason " +
			"failedCountAfterEach=failedAfterEach,failuresAfterEach rescheduleInMs=rescheduledInMs,rescheduleMs,rescheduleAfterMs checks",
	},
	"CheckpointFailureManager": {
		given: "unit tolerable=tolerableFailures,tolerableFailedCheckpoints,tolerableCpFailureNumber,tolerableFailureNumber,tolerableCheckpointFailureNumber savepoint=isSavepoint",
		verbs: "check=assert fail=failure,failCheckpoint failTask=taskFail,failAtTaskLevel success=complete,completed,succeed,checkpointSuccess " +
			"failEveryReasonOnce=failEveryReason,failAllReasons",
		keys: "jobFailures=failJobCalls,jobFailed,failJobInvocations jobFailuresEach=jobFailuresAfterEach counted=countedReasons " +
			"continuousFailures=continuous,count,consecutiveFailures,continuousFailureCounter checks",
	},
	"options": {
		given:  "unit type=checkpointType,snapshotType alignment=alignmentType timeoutMs=alignedCheckpointTimeoutMs,alignmentTimeoutMs options config=forConfig,configuration",
		verbs:  "check=assert withUnalignedUnsupported=unalignedUnsupported withUnalignedSupported=unalignedSupported",
		fields: "exactlyOnce=isExactlyOnce,isExactlyOnceMode unaligned=isUnalignedEnabled,unalignedEnabled alignedTimeoutMs=alignedCheckpointTimeoutMs,timeoutMs",
		keys: "error=fails,throws needsAlignment alignment=alignmentType isUnaligned=unaligned,isUnalignedCheckpoint isTimeoutable=timeoutable " +
			"timeoutMs=alignedCheckpointTimeoutMs,alignmentTimeoutMs type=checkpointType,snapshotType isSavepoint=savepoint exactlyOnce=isExactlyOnce,isExactlyOnceMode changedByForce backToOriginal checks",
	},
	"sharedStateRegistry": {
		given: "unit restored=initialCheckpoint,restoredCheckpoint",
		verbs: "check=assert register=registerReference unregisterUnusedBelow=unregisterUnusedState,unregisterUnused checkpointCompleted=completed,complete",
		keys:  "discarded=deleted notDiscarded=notDeleted kept=retained bytes checks",
		fields: "preventDiscardingCreatedCheckpoint=preventDiscarding,usedInChangelog id=checkpointId kind=type mode=claimMode,recoveryClaimMode,restoreMode states=state " +
			"inUse=stillInUse",
		values: "retained~checkpoint=retained native~savepoint=savepoint~native,nativeSavepoint,NATIVE",
	},
	"rocksdbIncremental": {
		given: "unit sstFiles=files,sst",
		verbs: "check=assert snapshot=checkpoint notifyComplete=notifyCheckpointComplete,complete,completed notifyAborted=notifyCheckpointAborted,abort,aborted " +
			"flush=addFiles,newFiles compact=compaction restore restoreCanonicalSavepoint",
		keys: "base=lastCompletedCheckpoint,lastCompletedId,lastCompletedCheckpointId checks",
	},
	"fileMerging": {
		given: "unit acrossCheckpoints=acrossBoundary,across maxFileBytes=maxFileSize,maxFileSizeBytes,maxPhysicalFileSize subtasks=parallelism",
		verbs: "check=assert write=writeCheckpoint reuse=reusePreviousStateHandle,reuseStateHandles complete=notifyCheckpointComplete,completed subsume=notifyCheckpointSubsumed,subsumed abort=notifyCheckpointAborted,aborted",
		keys:  "physicalFiles=physicalFileCount,physical logicalFiles=logicalFileCount,logical bytes=physicalFileSize checks",
	},
	"committer": {
		given: "unit postCommitTopology=postCommit,withPostCommitTopology checkpointing=isCheckpointingEnabled,checkpointingEnabled batch=batchMode,isBatchMode " +
			"subtask=subtaskId subtaskBefore subtaskAfter parallelism parallelismBefore parallelismAfter retries=maxRetries,committerRetries,sinkCommitterRetries committer",
		verbs: "check=assert summary=committableSummary committable=committableWithLineage notifyComplete=notifyCheckpointComplete,notifyOfCompletedCheckpoint,complete " +
			"endInput=endOfInput,finish crash=fail,close snapshot restore=recover,initializeState",
		keys: "commits=committed commitsBeforeCrash=committedBeforeCrash commitAt=committedAt when emitted=output emittedCount=outputCount,emittedSize pending=pendingCommittables " +
			"retried=retriedCommittables jobFails=fails,error,throws,jobFailed successful=successfulCommittables already=alreadyCommittedCommittables " +
			"failed=failedCommittables checks",
		fields: "cp=checkpoint,checkpointId count=numberOfCommittables,numCommittables failed=numberOfFailedCommittables,numFailed writerSubtask=subtaskOfWriter",
		values: "error=exception,throws end-of-input~marker=endOfInput,EOI,9223372036854775807",
	},
	"writer": {
		given: "unit committer=withCommitter,hasCommitter subtask=subtaskId writer=kind,sinkWriter stateful=isStateful holdMs=timerMs,bufferMs",
		verbs: "check=assert write=element,record,processElement preBarrier=prepareSnapshotPreBarrier,barrier endInput=endOfInput snapshot restore=recover,initializeState crash=close clockMs=setProcessingTime,processingTime,setClock advance=advanceMs",
		keys: "emitted=output emittedBeforeBarrier committablesEmitted=emittedCommittables restoredCheckpoint=restoredCheckpointId,checkpointIdAtRestore,restoredFrom restoredElements=recoveredElements,recovered,restoredState bufferedAfterWrite bufferedAfterPreBarrier bufferedAfterEndInput " +
			"emittedCount=outputCount jobFails=fails,error checks",
		fields: "cp=checkpoint,checkpointId count=numberOfCommittables,numCommittables failed=numberOfFailedCommittables",
		values: "error=exception,throws buffering=bufferingSinkWriter time-based=timeBased,timeBasedBuffering,timeBasedBufferingSinkWriter " +
			"end-of-input~marker=endOfInput,EOI",
	},
	"two-phase": {
		given: "unit transactionTimeoutMs warningRatio=timeoutWarningRatio transactionStartMs=transactionStartTimeMs ignoreFailuresAfterTransactionTimeout",
		verbs: "check=assert write=invoke,element,processElement snapshot=snapshotState notifyComplete=notifyCheckpointComplete,notifyOfCompletedCheckpoint,complete " +
			"crash=fail restore=recover,initializeState finish=endInput close clockMs=setClock,setClockMs advance=advanceMs commitsFail=failCommits,commitFails",
		keys: "visible=committed openTransactions=pendingTransactions,transactions,open openTransactionsAfterClose writeAfterFinish warningAgeMs=warnedAgeMs aborted=abortedTransactions " +
			"lost jobFails=fails,error,throws checks",
		values: "error=exception,throws",
	},
	"PipelinedSubpartition": {
		given: "unit initialBufferSize=startingBufferSize,bufferSize",
		verbs: "check=assert add=append poll=pollBuffer,getNextBuffer finishBuffer alignedBarrierTimeout=barrierTimeout,timeout resume=resumeConsumption flush finish " +
			"bufferSize=setBufferSize,newBufferSize release",
		keys: "queued=numQueued,numberOfQueuedBuffers,buffersQueued dataAvailable=isDataAvailable,isAvailable,available,moreAvailable eventAvailable=isEventAvailable " +
			"size=bytes outputStateDecided=channelStateFutureDone,channelStateDecided outputState=channelState outputStateBuffers=channelStateBuffers " +
			"outputStateFailed=channelStateFailed addReturns=returns blocked=isBlocked,blockedByCheckpoint buffersInBacklog=backlog,buffersInBacklogUnsafe released=isReleased,viewReleased,isViewReleased error=throws,fails checks",
		values: "data=buffer,buf timeoutableBarrier=alignedTimeoutableBarrier,timeoutBarrier unalignedBarrier=priorityBarrier unfinishedData=unfinished,unfinishedBuffer " +
			"priorityEvent=priority nothing=null,none endOfPartition=eop",
	},
	"RemoteInputChannel": {
		given: "unit channels=numChannels,numberOfChannels exclusivePerChannel=exclusiveBuffers,buffersPerChannel,exclusive,networkBuffersPerChannel exclusiveEach=exclusiveBuffersEach " +
			"gatePool=floatingBuffers,floatingBuffersPerGate,floating globalPool=networkBufferPool",
		verbs: "check=assert takeFromChannel=requestBuffer,take takeFromPool=requestFromPool,takeFloating recycle=return,release backlog=onSenderBacklog,senderBacklog backlogOn=senderBacklogOn,onSenderBacklogOn " +
			"buffer=onBuffer,receive bufferOn=onBufferOn poll=getNextBuffer pollOn " +
			"timeoutableBarrierOn=blockOn,upstreamBlockedOn alignedBarrierOn resumeOn=resumeConsumptionOn takeRepeatedly=requestRepeatedly",
		keys: "poolFree=floatingFree,gatePoolFree,poolAvailable,availableInPool,availableInGatePool available=availableBuffers,numberOfAvailableBuffers availableEach=availableBuffersEach required=requiredBuffers,numberOfRequiredBuffers " +
			"requiredEach=requiredBuffersEach unannounced=unannouncedCredit unannouncedEach=unannouncedCreditEach waiting=isWaiting,isWaitingForFloatingBuffers " +
			"waitingEach=isWaitingEach buffersInUse=buffersInUseCount buffersInUseEach requiredBeforeEachTake checks",
	},
	"RemoteInputChannelQueue": {
		given: "unit channels firstSequence=firstSequenceNumber,sequenceStart",
		verbs: "check=assert convertToPriorityEvent=prioritize,convert unalignedBarrier=priorityBarrier timeoutBarrier=timeoutableBarrier,alignedTimeoutableBarrier alignedBarrier=barrier",
		keys:  "priorityEventAvailable=isPriorityEventAvailable,hasPriorityEvent,priorityAvailable,gateNotified inflightSizes=inflight,inflightBuffers,inflightBufferSizes queued=numQueued,numberOfQueuedBuffers,buffersQueued,queuedBuffers,queueLength queuedBytes=sizeOfQueuedBuffers,queueSizeBytes checks",
	},
	"ChannelStatePersister": {
		given: "unit",
		verbs: "check=assert buffer=buf,data,maybePersist barrier=checkForBarrier startPersisting=start,checkpointStarted stopPersisting=stop,checkpointStopped",
		keys:  "persisted=addedInput persistsWhatComes=persisting checks",
	},
	"LocalBufferPool": {
		given: "unit poolSize=size,numBuffers,localPoolSize channels=subpartitions,numSubpartitions,numberOfSubpartitions maxOverdraft=maxOverdraftBuffers,maxOverdraftBuffersPerGate " +
			"globalPool=networkBufferPool maxBuffersPerChannel required=requiredBuffers,minBuffers,numberOfRequiredMemorySegments max=maxBuffers,maxPoolSize,maxNumberOfMemorySegments",
		verbs: "check=assert take=request,requestBuffer,requestSegment tryTake=tryRequest,requestNothing recycle=return,release resize=setPoolSize,setNumBuffers,setSize",
		keys: "isAvailable=available used=buffersInUse,bestEffortGetNumOfUsedBuffers requestedOverdraft=overdraft,requestedOverdraftBuffers,numberOfRequestedOverdraftBuffers poolSize=numBuffers,size " +
			"unused held=requestedFromGlobal,requestedFromNetworkPool,requestedFromGlobalPool,numberOfRequestedMemorySegments,requestedSegments " +
			"ready=free,localFree,availableSegments,availableMemorySegments,numberOfAvailableMemorySegments error=throws,fails checks",
	},
	"BufferSizeEMA": {
		given: "unit start=startingBufferSize,startBufferSize,startSize,lastBufferSize max=maxBufferSize,maxSize min=minBufferSize,minSize samples=numberOfSamples,numSamples",
		verbs: "check=assert calc=calculate,calculateBufferSize calcRepeat=calculateRepeatedly",
		keys:  "sizes=bufferSizes size=last,lastSize error=throws,fails lastGreaterThan lastLessThan checks",
	},
	"BufferDebloater": {
		given: "unit targetMs=consumptionTimeMs,targetConsumptionTimeMs,debloatTargetMs min=minBufferSize,minSize max=maxBufferSize,maxSize start=startingBufferSize,startSize " +
			"thresholdPercent=thresholdPercentages,bufferDebloatThresholdPercentages,threshold samples=numberOfSamples,numSamples",
		verbs: "check=assert recalc=recalculate,recalculateBufferSize skip=skipUpdate",
		keys: "announced skip=skipped error=throws,fails lastSize=lastBufferSize,size,sizes debloatedBufferSize estimatedTimeToConsumeBuffersMs=estimatedTimeMs,lastEstimatedTimeToConsumeBuffersMs " +
			"lastSizeAfter checks",
	},
	"BufferDebloatConfiguration": {
		given: "unit targetMs=consumptionTimeMs,targetConsumptionTimeMs,targetTotalBufferTimeMs,debloatTargetMs min=minBufferSize,minSegmentSize,minMemorySegmentSize " +
			"max=maxBufferSize,segmentSize,memorySegmentSize start=startingBufferSize,startingSegmentSize thresholdPercent=thresholdPercentages,threshold samples=numberOfSamples enabled=isEnabled",
		keys: "error=throws,fails",
	},
	"ThroughputCalculator": {
		given:  "unit",
		verbs:  "check=assert in=incoming,incomingDataSize,bytes advance=advanceMs,sleep pause=pauseMeasurement,idleStart resume=resumeMeasurement,idleEnd calc=calculate,calculateThroughput",
		keys:   "bytesPerSecond=throughput,throughputBytesPerSecond checks",
		values: "",
	},
	"defaultMaxParallelism": {
		given: "unit parallelism=p configured=configuredMaxParallelism,maxParallelism",
		keys:  "maxParallelism=defaultMaxParallelism parallelism error=throws,fails",
	},
	"canRescaleMaxParallelism": {given: "unit parallelism=p configured=configuredMaxParallelism,maxParallelism to=newMaxParallelism", keys: "allowed=canRescale error=throws,fails"},
	"SubtaskStateMapper": {
		given: "unit mapper oldParallelism=from newParallelism=to",
		keys:  "oldSubtasksPerNew=oldSubtasks,mapping error=throws,fails",
	},
	"keyGroup": {
		given: "unit key keyType=typeOfKey keyGroup=group,keyGroupIndex keyHashCode=hashCode,hash maxParallelism=numberOfKeyGroups,numKeyGroups parallelism",
		keys:  "murmur=murmurHash keyGroup=group subtask=operatorIndex,operatorIndexForKeyGroup keyHashCode=hashCode",
	},
	"keyGroupRanges":       {given: "unit maxParallelism=keyGroups,numberOfKeyGroups parallelism subtask=operatorIndex,index", keys: "inclusiveRanges=ranges,keyGroupRanges inclusiveRange=range,keyGroupRange size=numberOfKeyGroups,keyGroups"},
	"pointwiseConnections": connectionWords, "allToAllConnections": connectionWords,
	"channelSelection": {
		given: "unit partitioner channels=numChannels,numberOfChannels maxParallelism", verbs: "record=element,selectChannel",
		keys:   "channels=selected,selectedChannels first then=next each=any error=throws,fails",
		values: "hash=keyGroup,keyBy,KeyGroupStreamPartitioner broadcast=BroadcastPartitioner forward=ForwardPartitioner global=GlobalPartitioner rebalance=RebalancePartitioner rescale=RescalePartitioner shuffle=ShufflePartitioner",
	},
	"chaining": {
		given: "unit chainDifferentMaxParallelism=chainOperatorsWithDifferentMaxParallelism chainingEnabled=operatorChaining,operatorChainingEnabled,isChainingEnabled operators=nodes " +
			"edges exchangeMode=shuffleMode,streamExchangeMode",
		keys: "vertices=chains,jobVertices vertexCount=numVertices,numberOfVertices resultPartitionType=partitionType",
		fields: "disableChaining=chainingDisabled startNewChain=startsNewChain yielding=isYielding legacy=legacySource,isLegacySource chainingStrategy=strategy,chaining slotSharingGroup=slotGroup " +
			"partitioner=partition from=source to=target",
		values: "hash=keyGroup",
	},
	"region": {
		given: "unit strategy=failoverStrategy vertices edges unavailableResultsOf=unavailablePartitionsOf,lostResultsOf",
		verbs: "fail=failure,failed", keys: "restarts=tasksToRestart,restarted restartsEach regions=pipelinedRegions,components", values: "full=all,restartAll region=pipelinedRegion",
	},
	"none": restartWords, "fixed-delay": restartWords, "failure-rate": restartWords, "exponential-delay": restartWords,
	"TimerGauge": {
		given: "unit timeSpanSeconds=timeSpanInSeconds,spanSeconds updateIntervalSeconds=updateSeconds",
		verbs: "check=assert start=markStart end=markEnd update advance=advanceMs",
		keys:  "value=perSecond,msPerSecond max=maxSingleMeasurement,maxSingle,longest accumulated=accumulatedCount,accumulatedMs,count,total valueMin checks",
	},
	"backpressure": {
		given: "unit backPressuredTimeMsPerSecond=backPressuredMs idleTimeMsPerSecond=idleMs busyTimeMsPerSecond=busyMs subtaskBackPressuredMs metrics",
		keys: "ratio=backPressureRatio,backPressuredRatio idleRatio busyRatio backpressureLevel=level,backPressureLevel,vertexLevel status=vertexBackpressureStatus,backPressureStatus " +
			"subtasksListed=subtasks,listedSubtasks",
	},
	"StatusWatermarkValve": {
		given: "unit channels=numChannels,numberOfChannels,inputs", verbs: "check=assert watermark=inputWatermark idle=inputIdle active=inputActive",
		keys: "output=emitted watermarkOf isIdle=idle checks",
	},
	"WatermarkAlignment": {
		given: "unit driftMs=maxDriftMs,maxAllowedWatermarkDriftMs subtasks=parallelism groups=watermarkGroups", verbs: "check=assert report=reportWatermark,reportedWatermark,aggregate idle=reportIdle",
		keys: "mayGoTo=maxAllowedWatermark,announced,watermarkAlignmentEvent combined=aggregated,aggregatedWatermark,combinedWatermark checks",
	},
	"BoundedOutOfOrdernessWatermarks": {
		given: "unit outOfOrdernessMs=maxOutOfOrdernessMs,boundMs,delayMs", verbs: "check=assert event=onEvent,record,element periodicEmit=onPeriodicEmit,emit,tick",
		keys: "watermark=lastWatermark,currentWatermark emitted=watermarks,output error=throws,fails checks",
	},
	"OrderedStreamElementQueue": elementWords, "UnorderedStreamElementQueue": elementWords,
	"FsStateChangelogWriter": {
		given: "unit preemptivePersistThreshold=preEmptivePersistThreshold,preemptivePersistThresholdBytes,appendPersistThreshold persistThreshold=persistSizeThreshold,sizeThreshold,batchSizeThreshold,persistSizeThresholdBytes " +
			"persistDelayMs=batchDelayMs,scheduleDelayMs,delayMs maxInFlight=maxBytesInFlight,maxInFlightBytes,uploadMaxInFlight,inFlightDataLimit maxFailures=maxFailuresAllowed",
		verbs: "check=assert append persist=checkpoint upload=submit advance=advanceMs,sleep uploaded=completeUpload,uploadCompletes,complete uploadedAll=completeUploads,completeAllUploads " +
			"abort=reset,notifyAborted materialize=startMaterialization,triggerMaterialization materialized=materializationCompletes,completeMaterialization",
		keys: "uploads=submitted,uploadSizes uploadsSince=newUploads,submittedSince uploadedBytes=submittedBytes,bytesUploaded onTheirWay=inFlightUploads,pendingUploads isAvailable=available,hasCapacity " +
			"stored=completed,persisted,completedCheckpoints checkpointedSize=incrementalSize,deltaSize fullSize=stateSize logBytes=logSize truncatedTo taskFails=fails,taskFailed checks",
		values: "error=exception,fails",
	},
	"OperatorStateRepartitioner": {
		given: "unit mode=distributionMode modes=distributionModes,modeByState,stateModes parts=partitions,numPartitions,totalPartitions partsPerSubtask=partitionsPerSubtask,partitionsPerOldSubtask,partsPerOldSubtask states=namedStates " +
			"oldParallelism newParallelism=to,parallelism",
		keys:   "partsPerNewSubtask=partitionsPerNewSubtask,counts,shares partsOfNewSubtasks=partitionsOfNewSubtasks,assignment,newSubtasks partsMax partsMin partsPerNewSubtaskByState partsOfNewSubtasksByState",
		values: "SPLIT_DISTRIBUTE=split,splitDistribute UNION BROADCAST",
	},
	"channelState": {
		given: "unit partitioner inputMapper=downstreamMapper,downstreamSubtaskStateMapper outputMapper=upstreamMapper,upstreamSubtaskStateMapper oldParallelism=from newParallelism=to " +
			"oldUpstream=oldUpstreamParallelism newUpstream=newUpstreamParallelism oldDownstream=oldDownstreamParallelism newDownstream=newDownstreamParallelism",
		keys: "inputOldSubtasksPerNew=inputOldSubtasks,inputChannelState,inputMapping outputOldSubtasksPerNew=outputOldSubtasks,resultSubpartitionState,outputMapping " +
			"ambiguous=ambiguousSubtasks,ambiguousSubtaskIndexes noRescale=isNoRescale error=throws,fails",
	},
	"checkpointPlan": {
		given: "unit vertices=jobVertices edges=jobEdges,connections",
		keys: "toTrigger=tasksToTrigger,triggered,triggeredTasks toWaitFor=tasksToWaitFor,tasksToAck,running,waitFor error=throws,fails,aborted,checkpointFails " +
			"fullyFinished=fullyFinishedVertices,finishedVertices finishedSubtasks=partiallyFinished",
		fields: "finished=finishedTasks tasks=states,taskStates,executionStates unionListState=usesUnionListState,union finishedOperators=operatorsFinished finishedOnRestore=restoredAsFinished",
	},
	"keyedState": {
		given: "unit oldParallelism=from newParallelism=to maxParallelism=numberOfKeyGroups",
		keys:  "oldSubtasksPerNew=oldSubtasks,mapping sharedRangesPerNew=intersections inclusiveRanges=ranges,keyGroupRanges",
	},
	"unalignedEdges": {
		given: "unit inputs=partitioners,inEdges,edges", keys: "supportsUnaligned=supportsUnalignedCheckpoints,supported,carriesUnaligned supportsUnalignedEach=supportsUnalignedCheckpointsEach,supportedEach",
		values: "hash=keyGroup,keyBy",
	},
	"configuration": {given: "unit version=flinkVersion config=options,configuration,settings,jobConfig,jobConfiguration,job clusterConfig=clusterConfiguration,cluster checkpointing=isCheckpointingEnabled,checkpointingEnabled", keys: "error=throws,fails strategy=restartStrategy"},
	"IdlenessTimer": {given: "unit timeoutMs=idleTimeoutMs", verbs: "check=assert checkIfIdle activity=record,event advance=advanceMs", keys: "idle=isIdle checks"},
}

var barrierWords = words{
	given: "unit handler channels=numberOfChannels,numChannels,inputChannels gates=inputGates,channelsPerGate checkpointsAfterFinish=checkpointsAfterTasksFinish,checkpointsAfterTasksFinished,enableCheckpointsAfterTasksFinish " +
		"bufferBytes=bufferSize,bufferSizeBytes clockStepMsAfterEachEvent=clockStepMs,stepMs note",
	verbs: "check=assert buf=buffer,data,record barrier=checkpointBarrier cancel=cancellation,cancelBarrier,cancellationBarrier,cancelMarker,cancellationMarker,cancelCheckpoint " +
		"eop=endOfPartition,endOfInput recv=receive,arrive,send advance=advanceMs,sleep advanceNoTimers runTimers=fireTimers poll=pollNext drain=pollAll",
	keys: "outputOrder dataOrder triggered=triggeredCheckpoints triggeredIds aborted=abortedIds,abortedCheckpoints abortedCount=aborts,abortCount,numAborted,numberOfAborts triggeredCount=numTriggered,numberOfTriggers sequence=notifications options=alignments " +
		"lastOption lastAborted=lastAbortedId,lastCanceledId,lastCanceledCheckpointId reason=abortReason,lastReason,failureReason abortedReasons=abortReasons,reasons latestId=latestCheckpointId,currentCheckpointId pending=isPending,pendingCheckpoint,checkpointPending,isCheckpointPending " +
		"pendingAtEnd pendingIds=pendingCheckpointIds openChannels=numOpenChannels,numberOfOpenChannels duringAlignment=isDuringAlignment blocked=blockedChannels blocked_not=unblocked,resumed,notBlocked " +
		"startedId=lastStartedId,lastStartedCheckpointId inflight=inflightData,inflightBuffers inflightInput=inputState,channelState allBarriersReceivedFutureDone=allBarriersReceived atAbort " +
		"alignmentNanos=alignmentDurationNanos,lastAlignmentDurationNanos startDelayNanos=checkpointStartDelayNanos bytesProcessedDuringAlignment=bytesDuringAlignment,processedDuringAlignmentBytes " +
		"bytesPersistedDuringAlignment=persistedDuringAlignmentBytes,bytesPersisted checks note",
	values: "barrier=checkpointBarrier cancel=cancellation eop=endOfPartition announcement=eventAnnouncement timeout=alignedWithTimeout,timeoutable unaligned aligned=alignedNoTimeout",
}

var lifecycleWords = words{
	given: "unit tasks=vertices triggered=tasksToTrigger,triggeredTasks ackNeeded=tasksToAck,tasksToWaitFor,ackTasks maxConcurrent=maxConcurrentCheckpoints,maxConcurrentAttempts numRetained=maxRetained,numberOfRetained " +
		"idCounter=checkpointIdCounter scheduler masterHook=hook operatorCoordinator=coordinator storage=checkpointStorage intervalMs=checkpointIntervalMs minPauseMs=minPauseBetweenCheckpointsMs timeoutMs=checkpointTimeoutMs " +
		"intervalDuringBacklogMs=checkpointIntervalDuringBacklogMs completedStore=completedCheckpointStore,store restored=restoredCheckpoint,initialCheckpoint,startedFrom tolerableFailures=tolerable,tolerableFailedCheckpoints,tolerableFailureNumber,tolerableCheckpointFailureNumber " +
		"unaligned=unalignedEnabled,unalignedCheckpointsEnabled taskStates=states recovered=recoveredCheckpoints,storedCheckpoints coordinators=operatorCoordinators,coordinatorsToAck checkpointsAfterFinish=checkpointsAfterTasksFinish,checkpointsAfterTasksFinished,allowCheckpointsAfterTasksFinished,enableCheckpointsAfterTasksFinish retention=retentionPolicy,externalizedCheckpointRetention,checkpointRetentionPolicy version=flinkVersion",
	verbs: "check=assert trigger=triggerCheckpoint,checkpoint savepoint=triggerSavepoint stopWithSavepoint=triggerSynchronousSavepoint,syncSavepoint,synchronousSavepoint complete=addCheckpoint,completeCheckpoint,checkpointCompletes,addCheckpointAndSubsumeOldestOne tick=periodicTick,periodicTrigger,periodicTriggerFires,timerFires,triggerPeriodic changeLeader=jobMasterFailover,jobManagerFailover request=submit runAll=triggerAll,run masterHookDone=masterHookCompletes,masterHookCompleted,hookDone " +
		"masterHookFails=masterHookFailed,hookFails shutdown=coordinatorShutdown,shutdownStore,storeShutdown,jobStatus,jobTerminates,jobReaches stopScheduler=stop,stopPeriodicScheduler,stopCheckpointScheduler,stopPeriodic startScheduler=start,startPeriodicScheduler,startCheckpointScheduler,startPeriodic " +
		"advance=advanceMs,sleep backlog=setBacklog,isProcessingBacklog,setIsProcessingBacklog timeoutFires=expire,expires,timeout,checkpointTimeout ack=acknowledge,confirm ackUnknownTask=ackFromUnknownTask " +
		"ackOtherJob=ackFromOtherJob,ackUnknownJob ackDuplicate=duplicateAck decline=declineCheckpoint declineUnknownTask=declineFromUnknownTask taskFails=failTask,taskFailed " +
		"restore=restoreLatest,restoreLatestCheckpoint,restoreLatestCheckpointedState,failover ackCoordinator=acknowledgeCoordinator,coordinatorAcknowledges abortPending=abortAll,abortPendingCheckpoints abort=abortCheckpoint,fail taskState=setTaskState,transition",
	keys: "pending=numPending,numberOfPendingCheckpoints,pendingCheckpoints retained=numRetained,numberOfRetainedSuccessfulCheckpoints,successful queued=queueSize,numQueued,triggerRequestQueue isTriggering=triggering " +
		"taskTriggers=triggersSent,tasksTriggered,triggerMessages triggersSentTo=triggeredTasks subsumed=subsumedCheckpoints,dropped latest=latestCheckpoint,latestCompleted,latestCompletedCheckpoint nextId=nextCheckpointId,checkpointIdCounter savepoints=completedSavepoints,savepointsCompleted snapshotType=checkpointType,triggeredType,typeOfTrigger snapshotTypes=checkpointTypes,triggeredTypes completed=completedCheckpoints,successfulCheckpoints,all,allCheckpoints,retainedCheckpoints error=throws,fails aborted=abortedCheckpoints notifiedComplete=notifiedCompleted,notifyComplete " +
		"notifiedAborted=notifiedAbort,notifyAborted triggeredAtMs jobFailures=failJobCalls,jobFailed,jobFails,failsJob latestCompletedToldAtAbort=latestCompletedToldWithAbort,latestCompletedIdWithAbort,latestCompletedAtAbort counts=stats pendingIds stateDiscarded=discarded stateKept=kept failed=failures,failReasons,failureReasons notFailed " +
		"acknowledged=acknowledgedTasks,numberOfAcknowledgedTasks,acknowledgedSubtasks,numberOfAcknowledgedSubtasks notAcknowledged=nonAcknowledged,notYetAcknowledged,numberOfNonAcknowledgedTasks fullyAcknowledged=areTasksFullyAcknowledged,isFullyAcknowledged " +
		"expired=expiredCheckpoints triggeredIds=triggeredCheckpointIds triggerDelayMs=initialDelayMs,triggeringDelayMs,initialTriggeringDelayMs schedulerStarted=isPeriodicCheckpointingStarted,periodicSchedulingStarted,periodicStarted continuousFailures=consecutiveFailures,continuousFailureCounter " +
		"completionFutureDone=futureDone,isDone,requestDone unacknowledgedCoordinators=nonAcknowledgedCoordinators,numberOfNonAcknowledgedOperatorCoordinators sharedStateDiscarded=discardedShared sharedStateKept=keptShared " +
		"latestRestored=latestRestoredCheckpoint latestSavepoint latestFailed=latestFailedCheckpoint disposed=isDisposed,discardedCheckpoints recentExpired=recentExpiredCheckpoints,numberOfRecentExpired timers=activeTimers,scheduledTimers,activeScheduledTasks " +
		"unknownTaskStateDiscarded otherJobStateDiscarded duplicateStateDiscarded checks",
	values: "manual=user,userSubmitted,nonPeriodic periodic=regular unfinished=pending fails=failing,failed acknowledges=present,completes,acknowledging stopWithSavepoint=syncSavepoint,synchronousSavepoint retained~checkpoint=retained native~savepoint=savepoint~native canonical~savepoint=savepoint~canonical",
	fields: "id=checkpointId kind=type mode=claimMode,recoveryClaimMode,restoreMode coordinator=operatorCoordinator,sourceCoordinator inProgress=in_progress shared=sharedState",
}

var elementWords = words{
	given:  "unit outputMode=mode capacity=queueCapacity,size",
	verbs:  "check=assert put=tryPut,add,record watermark=putWatermark complete=completes,answer,result giveUp=completeEmpty,drop emit=pop,poll,emitCompletedElement emitAll=popAll,drain,emitCompleted,popCompleted",
	keys:   "emitted=output,popped,results size=length isEmpty=empty isFull=full hasRoom=accepted,putAccepted hasCompleted=hasCompletedElements,hasCompletedElement checks",
	values: "error=rejected,full ORDERED UNORDERED",
}

var connectionWords = words{
	given: "unit partitioner sourceParallelism=producers,upstreamParallelism,producerParallelism,from targetParallelism=consumers,downstreamParallelism,consumerParallelism,to parallelisms broadcast",
	keys: "producersPerConsumer=producers,inputs subpartitionPerConsumer=subpartitions consumersPerProducer=consumers rule producersPerConsumerCount producersPerConsumerMin producersPerConsumerMax " +
		"consumersPerProducerCount consumersPerProducerMin consumersPerProducerMax eachProducerUsed firstHop secondHop thirdHop fourthHop",
}

var restartWords = words{
	given: "unit strategy=restartStrategy initialMs=initialBackoffMs maxMs=maxBackoffMs multiplier=backoffMultiplier resetThresholdMs=resetBackoffThresholdMs jitter=jitterFactor " +
		"attempts=maxAttempts,attemptsBeforeResetBackoff,numberOfRestarts,maxNumberRestartAttempts delayMs=backoffMs,backoffTimeMs,delayBetweenRestartAttemptsMs maxFailuresPerInterval=maxFailures intervalMs=failureRateIntervalMs,failuresIntervalMs",
	verbs: "check=assert fail=notifyFailure,failure advance=advanceMs,sleep failThenAdvance=failAndAdvance failTimes advanceThresholdPlusBackoffMinus",
	keys: "backoffMs=backoff,backoffTimeMs newAttempt=isNewAttempt canRestart canRestartAtEnd canRestartBeforeEach=canRestartEachBefore numberOfRestarts=numRestarts,restarts newAttemptEach possibleBackoffMsAfterFailures " +
		"error=throws,fails checks",
	values: "exponential-delay=exponentialDelay fixed-delay=fixedDelay failure-rate=failureRate none=noRestart,off,disable",
}
