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
		keys:  "discarded=deleted,discardedStates,deletedStates inUse=stillInUse,checkpointsInUse notDiscarded=notDeleted kept=retained bytes checks",
		fields: "preventDiscardingCreatedCheckpoint=preventDiscarding,usedInChangelog,byChangelog,inChangelog,changelog id=checkpointId kind=type mode=claimMode,recoveryClaimMode,restoreMode states=state,stateIds,stateId,key,keys,registrationKey lowest=lowestCheckpointId " +
			"format=savepointFormat inUse=stillInUse,checkpointsInUse",
		args:   "register=states,id,* unregisterUnusedBelow=lowest,* checkpointCompleted=id",
		values: "retained~checkpoint=retained native~savepoint=savepoint~native,nativeSavepoint,NATIVE canonical~savepoint=savepoint~canonical,canonicalSavepoint,CANONICAL",
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
		given: "unit postCommitTopology=postCommit,withPostCommitTopology,emitDownstream,emitsDownstream checkpointing=isCheckpointingEnabled,checkpointingEnabled batch=batchMode,isBatchMode " +
			"subtask=subtaskId subtaskBefore=subtaskIdBefore subtaskAfter=subtaskIdAfter,subtaskIdAfterRecovery parallelism parallelismBefore parallelismAfter retries=maxRetries,committerRetries,sinkCommitterRetries,numRetries,sink.committer.retries committer=committerBehavior,committerAnswers,externalSystem checkpointId",
		verbs: "check=assert summary=committableSummary,addSummary committable=committableWithLineage,addCommittable,add notifyComplete=notifyCheckpointComplete,notifyOfCompletedCheckpoint,complete " +
			"endInput=endOfInput,finish crash=fail,close snapshot=snapshotState restore=recover,initializeState commit",
		keys: "commitCalls=committerCalls,attempts,commitInvocations commits=committed,committedIds commitsBeforeCrash=committedBeforeCrash commitAt=committedAt when emitted=output emittedCount=outputCount,emittedSize pending=pendingCommittables " +
			"retried=retriedCommittables jobFails=jobFailed,fails error=throws,exception successful=successfulCommittables already=alreadyCommittedCommittables " +
			"failed=failedCommittables checks",
		fields: "cp=checkpoint,checkpointId count=numberOfCommittables,numCommittables,overall,overallCommittables,committables failed=numberOfFailedCommittables,numFailed,failedCommittables pending=numberOfPendingCommittables,pendingCommittables subtask=subtaskId writerSubtask=subtaskOfWriter,writer,fromSubtask,sender name=id,committable,value",
		args:   "committable=name,cp,* notifyComplete=cp snapshot=cp restore=cp",
		values: "summary=committableSummary committable=committableWithLineage error=exception,throws end-of-input~marker=endOfInput,EOI,9223372036854775807",
	},
	"writer": {
		given: "unit committer=withCommitter,hasCommitter subtask=subtaskId writer=kind,sinkWriter stateful=isStateful holdMs=timerMs,bufferMs",
		verbs: "check=assert watermark=processWatermark write=element,record,processElement preBarrier=prepareSnapshotPreBarrier,barrier endInput=endOfInput snapshot=snapshotState restore=recover,initializeState crash=close,fail clockMs=setProcessingTime,processingTime,processingTimeMs,setClock,setCurrentTime advance=advanceMs",
		keys: "emitted=output emittedBeforeBarrier committablesEmitted=emittedCommittables restoredCheckpoint=restoredCheckpointId,checkpointIdAtRestore,restoredFrom restoredElements=recoveredElements,recovered,restoredState buffered=recordsOfCurrentCheckpoint,numBuffered,bufferedRecords " +
			"lastCheckpointId=lastSnapshotId recordsInState=recordCountFromState,recordsFromState,stateSize watermarksOfWriter=writerWatermarks,watermarks watermarksEmitted=emittedWatermarks,outputWatermarks " +
			"emittedCount=outputCount jobFails=jobFailed,fails error=throws,exception checks",
		fields: "cp=checkpoint,checkpointId count=numberOfCommittables,numCommittables,overall,overallCommittables,committables failed=numberOfFailedCommittables,numFailed,failedCommittables pending=numberOfPendingCommittables,pendingCommittables subtask=subtaskId name=id,value,element",
		args:   "write=name preBarrier=cp snapshot=cp restore=cp",
		values: "summary=committableSummary committable=committableWithLineage error=exception,throws buffering=bufferingSinkWriter time-based=timeBased,timeBasedBuffering,timeBasedBufferingSinkWriter " +
			"end-of-input~marker=endOfInput,EOI,9223372036854775807",
	},
	"two-phase": {
		given: "unit transactionTimeoutMs warningRatio=timeoutWarningRatio transactionStartMs=transactionStartTimeMs ignoreFailuresAfterTransactionTimeout",
		verbs: "check=assert write=invoke,element,processElement snapshot=snapshotState notifyComplete=notifyCheckpointComplete,notifyOfCompletedCheckpoint,complete " +
			"crash=fail restore=recover,initializeState finish=endInput close clockMs=setClock,setClockMs advance=advanceMs commitsFail=failCommits,commitFails,commitFailsFromNow,commitThrows,throwOnCommit,throwException",
		keys: "visible=committed,committedRecords,committedValues,visibleRecords openTransactions=transactions,open openTransactionsAfterClose writeAfterFinish warningAgeMs=warnedAgeMs warnings=warningCount,warned,numWarnings pendingCommits=pendingCommitTransactions,preCommitted aborted=abortedTransactions " +
			"lost jobFails=jobFailed,fails error=throws,exception checks",
		fields: "cp=checkpoint,checkpointId,id name=value,element,record ms=timeMs,nowMs",
		args:   "write=name snapshot=cp notifyComplete=cp restore=cp clockMs=ms advance=ms",
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
		given: "unit channels=numChannels,numberOfChannels exclusivePerChannel=exclusiveBuffers,buffersPerChannel,exclusive,networkBuffersPerChannel,exclusiveBuffersPerChannel,taskmanager.network.memory.buffers-per-channel exclusiveEach=exclusiveBuffersEach,exclusivePerChannelEach " +
			"gatePool=floatingBuffers,floatingBuffersPerGate,floating,taskmanager.network.memory.floating-buffers-per-gate globalPool=networkBufferPool",
		verbs: "check=assert takeFromChannel=requestBuffer,take,requestExclusiveBuffer,takeExclusive takeFromPool=requestFromPool,takeFloating,requestFloatingBuffer recycle=return,release backlog=onSenderBacklog,senderBacklog backlogOn=senderBacklogOn,onSenderBacklogOn " +
			"buffer=onBuffer,receive bufferOn=onBufferOn,receiveOn poll=getNextBuffer pollOn " +
			"timeoutableBarrierOn=blockOn,upstreamBlockedOn,timeoutableBarrier,timeoutBarrier,upstreamBlocked,blockUpstream,onBlockingUpstream alignedBarrierOn=alignedBarrier resumeOn=resumeConsumptionOn,resume,resumeConsumption,resumed takeRepeatedly=requestRepeatedly",
		keys: "poolFree=floatingFree,gatePoolFree,poolAvailable,availableInPool,availableInGatePool,availableInLocalPool,bufferPoolAvailable,floatingAvailable channel=ofChannel,channelIndex available=availableBuffers,numberOfAvailableBuffers availableEach=availableBuffersEach required=requiredBuffers,numberOfRequiredBuffers " +
			"requiredEach=requiredBuffersEach unannounced=unannouncedCredit unannouncedEach=unannouncedCreditEach waiting=isWaiting,isWaitingForFloatingBuffers " +
			"waitingEach=isWaitingEach floatingHeld=floatingBuffers,floatingBuffersHeld buffersInUse=buffersInUseCount buffersInUseEach requiredBeforeEachTake checks",
		fields: "backlog=buffersInBacklog,senderBacklog bytes=size channel=ch,channelIndex,ofChannel name=as,id,buffer times=n,count",
		args:   "takeFromChannel=channel,name takeFromPool=name recycle=name backlog=channel,backlog backlogOn=channel,backlog timeoutableBarrierOn=channel alignedBarrierOn=channel resumeOn=channel takeRepeatedly=channel,times",
	},
	"RemoteInputChannelQueue": {
		given:  "unit channels firstSequence=firstSequenceNumber,sequenceStart",
		verbs:  "check=assert buffer=onBuffer,receive,data poll=getNextBuffer,pollNext convertToPriorityEvent=prioritize,convert unalignedBarrier=priorityBarrier timeoutBarrier=timeoutableBarrier,alignedTimeoutableBarrier alignedBarrier=barrier",
		keys:   "priorityEventAvailable=isPriorityEventAvailable,hasPriorityEvent,priorityAvailable,gateNotified inflightSizes=inflight,inflightBuffers,inflightBufferSizes queued=numQueued,numberOfQueuedBuffers,buffersQueued,queuedBuffers,queueLength queuedBytes=sizeOfQueuedBuffers,queueSizeBytes,unsynchronizedGetSizeOfQueuedBuffers polledSequence=pollOrder,polledSequenceNumbers,sequenceNumbers,polledSeq,order polledSizes=polledBytes,polledBuffers checks",
		fields: "bytes=size",
	},
	"ChannelStatePersister": {
		given: "unit",
		verbs: "check=assert buffer=buf,data,maybePersist barrier=checkForBarrier startPersisting=start,checkpointStarted stopPersisting=stop,checkpointStopped",
		keys:  "persisted=addedInput persistsWhatComes=persisting checks",
	},
	"LocalBufferPool": {
		given: "unit poolSize=size,numBuffers,localPoolSize channels=subpartitions,numSubpartitions,numberOfSubpartitions maxOverdraft=maxOverdraftBuffers,maxOverdraftBuffersPerGate,taskmanager.network.memory.max-overdraft-buffers-per-gate " +
			"globalPool=networkBufferPool maxBuffersPerChannel=maxPerChannel,buffersPerChannel,taskmanager.network.memory.max-buffers-per-channel required=requiredBuffers,minBuffers,numberOfRequiredMemorySegments,requiredSegments,minSegments,requiredMemorySegments,expectedBuffers " +
			"max=maxBuffers,maxPoolSize,maxNumberOfMemorySegments,maxSegments,maxMemorySegments,maxUsedBuffers",
		verbs: "check=assert take=request,requestBuffer,requestSegment,requestMemorySegment,requestMemorySegmentBlocking,requestBufferBuilder,requestBufferBuilderBlocking tryTake=tryRequest,requestNothing recycle=return,release,close " +
			"resize=setPoolSize,setNumBuffers,setSize takeMany=requestMany,takeTimes,requestTimes,takeAll,takeRepeatedly,requestBuffers,requestSegments,requestRepeatedly recycleAll=returnAll,releaseAll",
		keys: "available isAvailable=futureDone,availableFutureDone,isApproximatelyAvailable ordinary=requestedOrdinary,requestedOrdinaryBuffers,ordinaryBuffers,numRequestedOrdinaryBuffers max=maxSegments,maxBuffers,maxNumberOfMemorySegments,getMaxNumberOfMemorySegments " +
			"fullChannels=unavailableSubpartitions,unavailableSubpartitionsCount,channelsAtLimit used=buffersInUse,bestEffortGetNumOfUsedBuffers requestedOverdraft=overdraft,requestedOverdraftBuffers,numberOfRequestedOverdraftBuffers poolSize=numBuffers,size " +
			"unused held=requestedFromGlobal,requestedFromNetworkPool,requestedFromGlobalPool,numberOfRequestedMemorySegments,requestedSegments,requested,requestedMemorySegments,numRequestedFromMemorySegmentPool " +
			"ready=poolFree,freeSegments,numberOfAvailableSegments,availableBuffers,free,localFree,availableSegments,availableMemorySegments,numberOfAvailableMemorySegments error=throws,fails checks",
		fields: "channel=subpartition,targetChannel,targetSubpartition name=as,id,buffer,segment times=n,count",
		args:   "take=channel,name tryTake=channel,name recycle=name takeMany=channel,times resize=poolSize",
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
	"defaultMaxParallelism": maxParallelismWords, "canRescaleMaxParallelism": maxParallelismWords,
	"SubtaskStateMapper": {
		given:  "unit mapper=subtaskStateMapper,rescaler oldParallelism=from,oldSubtasks newParallelism=to,newSubtasks newSubtask=newSubtaskIndex",
		values: "FIRST FULL RANGE ROUND_ROBIN ARBITRARY UNSUPPORTED",
		keys:   "oldSubtasks oldSubtasksPerNew=mapping,mappings,newToOldSubtasksMapping,newToOld newSubtasksPerOld=oldToNew ambiguous=isAmbiguous error=throws,fails,exception",
	},
	"keyGroup": {
		given: "unit key=record keyType=typeOfKey keyGroup=group,keyGroupIndex keyHashCode=hashCode,hash,keyHash maxParallelism=numberOfKeyGroups,numKeyGroups parallelism=operatorParallelism " +
			"keys keyHashCodes=hashCodes,hashes,keyHashes keyGroups=groups,keyGroupIndices",
		keys: "murmur=murmurHash keyGroup=group,keyGroupIndex,keyGroupId,assignToKeyGroup subtask=operatorIndex,operatorIndexForKeyGroup,subtaskIndex,assignKeyToParallelOperator,channel keyHashCode=hashCode " +
			"murmurs=murmurHashes keyGroups=groups subtasks=operatorIndexes,operatorIndices,subtaskIndices,channels keyHashCodes=hashCodes",
	},
	"keyGroupRanges":       {given: "unit maxParallelism=keyGroups,numberOfKeyGroups parallelism subtask=operatorIndex,index", keys: "inclusiveRanges=ranges,keyGroupRanges,rangesPerSubtask inclusiveRange=range,keyGroupRange start=startKeyGroup,first,from end=endKeyGroup,last,to size=numberOfKeyGroups,keyGroups starts=startKeyGroups,firsts ends=endKeyGroups,lasts sizes=groupsPerSubtask,keyGroupsPerSubtask,numberOfKeyGroupsPerSubtask,rangeSizes"},
	"pointwiseConnections": connectionWords, "allToAllConnections": connectionWords,
	"channelSelection": {
		given: "unit partitioner channels=numChannels,numberOfChannels,channelCount maxParallelism firstChannel=start,startChannel,initialChannel", verbs: "check=assert record=element,selectChannel records=elements,selectChannels",
		keys: "channels=selected,selectedChannels,channelEach,selectedChannelEach channel=selectedChannel first then=next each=any channelsPerRecord=selectedChannelsCount,numberOfSelectedChannels " +
			"checks channelMin=firstChannel,minChannel channelMax=lastChannel,maxChannel sameChannelForSameKey=sameChannel,sameKeySameChannel error=throws,fails,exception",
		values: "hash=keyGroup,keyBy,KeyGroupStreamPartitioner broadcast=BroadcastPartitioner forward=ForwardPartitioner global=GlobalPartitioner rebalance=RebalancePartitioner rescale=RescalePartitioner shuffle=ShufflePartitioner",
	},
	"chaining": {
		given: "unit chainDifferentMaxParallelism=chainOperatorsWithDifferentMaxParallelism,pipeline.operator-chaining.chain-operators-with-different-max-parallelism chainingEnabled=operatorChaining,operatorChainingEnabled,isChainingEnabled,pipeline.operator-chaining.enabled operators=nodes,streamNodes " +
			"edges exchangeMode=shuffleMode,streamExchangeMode",
		keys: "vertices=chains,jobVertices vertexCount=numVertices,numberOfVertices,numberOfJobVertices,jobVertexCount,chainCount chained=isChained,chainable,isChainable resultPartitionType=partitionType resultPartitionTypes=partitionTypes " +
			"operatorsPerVertex=chainLengths,operatorCounts,verticesSizes,chainedOperators chainStart=isChainStart,chainStarts chainEnd=isChainEnd,chainEnds",
		fields: "name=id,operator exchangeMode=shuffleMode disableChaining=chainingDisabled startNewChain=startsNewChain yielding=isYielding legacy=legacySource,isLegacySource chainingStrategy=strategy,chaining slotSharingGroup=slotGroup " +
			"partitioner=partition from=source to=target",
		values: "hash=keyGroup",
	},
	"region": {
		given: "unit strategy=failoverStrategy,jobmanager.execution.failover-strategy vertices=executionStates,tasks,executions,executionVertices states=state edges=connections,partitions,resultPartitions results=intermediateResults unavailableResultsOf=unavailablePartitionsOf,lostResultsOf,unavailableResults,unavailable,lost " +
			"availableResultsOf=availablePartitionsOf,availableResults",
		verbs: "check=assert fail=failure,failed,taskFails,failTask,taskFailed,executionFailed failGlobally=globalFailure,failGlobal lose=resultLost,loseResult,partitionLost,markResultPartitionFailed,unavailable,resultUnavailable,makeUnavailable " +
			"regain=resultAvailable,removeResultPartitionFromFailedState,available,makeAvailable setState=state,transition",
		keys:   "restarts=tasksToRestart,restarted,verticesToRestart,tasksNeedingRestart,getTasksNeedingRestart notRestarted=untouched,notRestarting restartsEach=restartsAfterEach,restartedEach,tasksToRestartEach regions=pipelinedRegions,components sameRegion checks",
		fields: "id=name,vertex state=executionState from to=consumer type=resultPartitionType,partitionType,resultType producer consumers partitionOf=unreadableResultOf,resultOf,partitionConnectionError,partitionConnectionCause,unavailableResultOf,failedProducer cause=exception,error,reason",
		values: "full=all,restartAll region=pipelinedRegion,restartPipelinedRegion",
	},
	"none": restartWords, "fixed-delay": restartWords, "failure-rate": restartWords, "exponential-delay": restartWords,
	"TimerGauge": {
		given: "unit timeSpanSeconds=timeSpanInSeconds,spanSeconds updateIntervalSeconds=updateSeconds,updateInterval",
		verbs: "check=assert start=markStart end=markEnd update advance=advanceMs",
		keys:  "value=perSecond,msPerSecond max=maxSingleMeasurement,maxSingle,longest accumulated=accumulatedCount,accumulatedMs,count,total valueMin checks",
	},
	"MeterView": {
		given: "unit timeSpanSeconds=timeSpanInSeconds,spanSeconds counter=count,initialCount,counterStart",
		verbs: "check=assert markEvent=mark,inc update", keys: "rate=getRate,perSecond,currentRate count=getCount,total checks",
	},
	"backpressure": {
		given: "unit backPressuredTimeMsPerSecond=backPressuredMs idleTimeMsPerSecond=idleMs busyTimeMsPerSecond=busyMs subtasks subtaskBackPressuredMs=subtaskBackPressuredTimeMsPerSecond,backPressuredMsBySubtask,backPressuredTimeMsPerSecondEach,backPressuredMsEach subtaskIdleMs=subtaskIdleTimeMsPerSecond,idleMsBySubtask,idleTimeMsPerSecondEach,idleMsEach " +
			"subtaskBusyMs=subtaskBusyTimeMsPerSecond,busyMsBySubtask,busyTimeMsPerSecondEach,busyMsEach metrics",
		fields: "subtask=subtaskIndex,index backPressuredTimeMsPerSecond=backPressuredMs idleTimeMsPerSecond=idleMs busyTimeMsPerSecond=busyMs ratio=backPressuredRatio,backPressureRatio idleRatio busyRatio backpressureLevel=level,backPressureLevel",
		keys: "ratio=backPressureRatio,backPressuredRatio idleRatio busyRatio backpressureLevel=level,backPressureLevel,vertexLevel status=vertexBackpressureStatus,backPressureStatus " +
			"subtasksListed=subtasks,listedSubtasks levels=backpressureLevels,subtaskLevels,backpressureLevelEach,levelEach ratios=backPressuredRatios,backPressureRatios,ratioEach idleRatios=idleRatioEach busyRatios=busyRatioEach",
	},
	"taskio": {
		given: "unit runningBeforeMs=runningMs idleAndSoftConcurrentMs=idleAndSoftMs,softAndIdleMs idleMs softMs=softBackPressuredMs,softBackpressureMs hardMs=hardBackPressuredMs,hardBackpressureMs changelogMs=changelogBusyMs",
		verbs: "check=assert advance=advanceMs,sleep idleStart=startIdle idleEnd=endIdle softStart=softBackPressuredStart,softBackPressureStart,startSoft softEnd=softBackPressuredEnd,softBackPressureEnd,endSoft " +
			"hardStart=hardBackPressuredStart,hardBackPressureStart,startHard hardEnd=hardBackPressuredEnd,hardBackPressureEnd,endHard changelogStart=changelogBusyStart,startChangelog changelogEnd=changelogBusyEnd,endChangelog",
		keys: "checks accumulatedBusyEquals accumulatedBusyMs=accumulateBusyTime,accumulatedBusyTimeMs,busyMs accumulatedIdleMs=accumulateIdleTime,accumulatedIdleTimeMs,idleMs accumulatedSoftMs=softMs accumulatedHardMs=hardMs " +
			"accumulatedBackPressuredMs=accumulateBackPressuredTime,accumulatedBackPressuredTimeMs,backPressuredMs changelogBusyMs=changelogMs",
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
		given: "unit partitioner inputMapper=downstreamMapper,downstreamSubtaskStateMapper,inputStateMapper outputMapper=upstreamMapper,upstreamSubtaskStateMapper,outputStateMapper oldParallelism=from newParallelism=to " +
			"oldUpstream=oldUpstreamParallelism,upstreamOldParallelism,upstreamOld newUpstream=newUpstreamParallelism,upstreamNewParallelism,upstreamNew " +
			"oldDownstream=oldDownstreamParallelism,downstreamOldParallelism,downstreamOld newDownstream=newDownstreamParallelism,downstreamNewParallelism,downstreamNew",
		keys: "inputOldSubtasksPerNew=inputOldSubtasks,inputChannelState,inputMapping,downstreamOldSubtasksPerNew outputOldSubtasksPerNew=outputOldSubtasks,resultSubpartitionState,outputMapping,upstreamOldSubtasksPerNew " +
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
	keys: "outputOrder dataOrder triggered=triggeredCheckpoints,snapshots,snapshotted,performed triggeredIds aborted=abortedIds,abortedCheckpoints abortedCount=aborts,abortCount,numAborted,numberOfAborts triggeredCount=numTriggered,numberOfTriggers sequence=notifications,notified,checkpointSequence options=alignments,triggeredOptions,checkpointOptions " +
		"lastOption=option,lastAlignment unaligned=switchedToUnaligned,lastUnaligned unalignedCount=unalignedSnapshots subsumed=subsumedCheckpoints timers=registeredTimers,armedTimers pendingId=pendingCheckpointId lastAborted=lastAbortedId,abortedId,lastCancelled,lastCancelledId,lastCanceled,lastCanceledId,lastCanceledCheckpointId reason=abortReason,lastAbortReason,lastReason,failureReason abortedReasons=abortReasons,reasons latestId=latestCheckpointId,currentCheckpointId pending=isPending,pendingCheckpoint,checkpointPending,isCheckpointPending " +
		"pendingAtEnd pendingIds=pendingCheckpointIds,trackedIds pendingCount=pendingCheckpointsCount openChannels=numOpenChannels,numberOfOpenChannels duringAlignment=isDuringAlignment blocked=blockedChannels blocked_not=unblocked,resumed,notBlocked,unblockedChannels " +
		"startedId=lastStartedId,lastStartedCheckpointId inflight=inflightData,inflightBuffers inflightInput=inputState,channelState allBarriersReceivedFutureDone=allBarriersReceived atAbort " +
		"alignmentNanos=alignmentDurationNanos,lastAlignmentDurationNanos startDelayNanos=checkpointStartDelayNanos bytesProcessedDuringAlignment=bytesDuringAlignment,processedDuringAlignmentBytes,processedBytes,bytesProcessed " +
		"bytesPersistedDuringAlignment=persistedDuringAlignmentBytes,bytesPersisted,persistedBytes,persisted,storedBytes checks note",
	values: "barrier=checkpointBarrier cancel=cancellation eop=endOfPartition announcement=eventAnnouncement timeout=alignedWithTimeout,timeoutable unaligned aligned=alignedNoTimeout",
}

var lifecycleWords = words{
	given: "unit tasks=vertices triggered=tasksToTrigger,triggeredTasks ackNeeded=tasksToAck,tasksToWaitFor,ackTasks maxConcurrent=maxConcurrentCheckpoints,maxConcurrentAttempts numRetained=maxRetained,numberOfRetained " +
		"idCounter=checkpointIdCounter scheduler masterHook=hook operatorCoordinator=coordinator storage=checkpointStorage intervalMs=checkpointIntervalMs minPauseMs=minPauseBetweenCheckpointsMs timeoutMs=checkpointTimeoutMs " +
		"intervalDuringBacklogMs=checkpointIntervalDuringBacklogMs completedStore=completedCheckpointStore,store restored=restoredCheckpoint,initialCheckpoint,startedFrom tolerableFailures=tolerable,tolerableFailedCheckpoints,tolerableFailureNumber,tolerableCheckpointFailureNumber " +
		"unaligned=unalignedEnabled,unalignedCheckpointsEnabled pauseSources=pauseSourcesUntilFirstCheckpoint taskStates=states recovered=recoveredCheckpoints,storedCheckpoints coordinators=operatorCoordinators,coordinatorsToAck checkpointsAfterFinish=checkpointsAfterTasksFinish,checkpointsAfterTasksFinished,allowCheckpointsAfterTasksFinished,enableCheckpointsAfterTasksFinish retention=retentionPolicy,externalizedCheckpointRetention,checkpointRetentionPolicy version=flinkVersion",
	verbs: "check=assert trigger=triggerCheckpoint,checkpoint savepoint=triggerSavepoint stopWithSavepoint=triggerSynchronousSavepoint,syncSavepoint,synchronousSavepoint complete=addCheckpoint,completeCheckpoint,checkpointCompletes,addCheckpointAndSubsumeOldestOne tick=periodicTick,periodicTrigger,periodicTriggerFires,timerFires,triggerPeriodic changeLeader=jobMasterFailover,jobManagerFailover request=submit runAll=triggerAll,run masterHookDone=masterHookCompletes,masterHookCompleted,hookDone " +
		"masterHookFails=masterHookFailed,hookFails shutdown=coordinatorShutdown,shutdownStore,storeShutdown,jobStatus,jobTerminates,jobReaches stopScheduler=stop,stopPeriodicScheduler,stopCheckpointScheduler,stopPeriodic startScheduler=start,startPeriodicScheduler,startCheckpointScheduler,startPeriodic " +
		"advance=advanceMs,sleep backlog=setBacklog,isProcessingBacklog,setIsProcessingBacklog timeoutFires=expire,expires,timeout,checkpointTimeout ack=acknowledge,confirm ackUnknownTask=ackFromUnknownTask " +
		"ackOtherJob=ackFromOtherJob,ackUnknownJob ackDuplicate=duplicateAck decline=declineCheckpoint declineUnknownTask=declineFromUnknownTask taskFails=failTask,taskFailed " +
		"restore=restoreLatest,restoreLatestCheckpoint,restoreLatestCheckpointedState,failover ackCoordinator=acknowledgeCoordinator,coordinatorAcknowledges abortPending=abortAll,abortPendingCheckpoints abort=abortCheckpoint,fail taskState=setTaskState,transition",
	keys: "pending=numPending,numberOfPendingCheckpoints,pendingCheckpoints retained=numRetained,numberOfRetainedSuccessfulCheckpoints,successful queued=queueSize,numQueued,queuedRequests,triggerRequestQueue isTriggering=triggering " +
		"taskTriggers=triggersSent,tasksTriggered,triggerMessages,triggerCalls inProgress=inProgressCheckpoints triggersSentTo=triggeredTasks subsumed=subsumedCheckpoints,dropped latest=latestCheckpoint,latestCompleted,latestCompletedCheckpoint,latestSuccessful nextId=nextCheckpointId,checkpointIdCounter savepoints=completedSavepoints,savepointsCompleted snapshotType=checkpointType,triggeredType,typeOfTrigger snapshotTypes=checkpointTypes,triggeredTypes completed=completedCheckpoints,successfulCheckpoints,all,allCheckpoints,retainedCheckpoints error=throws,fails aborted=abortedCheckpoints notifiedComplete=notifiedCompleted,notifyComplete,confirmed,notifiedOfCompletion " +
		"notifiedAborted=notifiedAbort,notifyAborted,abortNotifications,notifiedOfAbort,notifiedAbortedCount triggeredAtMs jobFailures=failJobCalls,jobFailed,jobFails,failsJob latestCompletedToldAtAbort=latestCompletedToldWithAbort,latestCompletedIdWithAbort,latestCompletedAtAbort counts=stats pendingIds stateDiscarded=discarded stateKept=kept failed=failures,failReasons,failureReasons,failedRequests,requestsFailed notFailed " +
		"acknowledged=acknowledgedTasks,numberOfAcknowledgedTasks,acknowledgedSubtasks,numberOfAcknowledgedSubtasks notAcknowledged=nonAcknowledged,notYetAcknowledged,numberOfNonAcknowledgedTasks fullyAcknowledged=areTasksFullyAcknowledged,isFullyAcknowledged " +
		"expired=expiredCheckpoints triggeredIds=triggeredCheckpointIds triggeredCount=checkpointsTriggered triggerDelayMs=initialDelayMs,triggeringDelayMs,initialTriggeringDelayMs schedulerStarted=isPeriodicCheckpointingStarted,periodicSchedulingStarted,periodicStarted continuousFailures=consecutiveFailures,continuousFailureCounter " +
		"completionFutureDone=futureDone,isDone,requestDone,futuresDone,requestsDone unacknowledgedCoordinators=nonAcknowledgedCoordinators,numberOfNonAcknowledgedOperatorCoordinators sharedStateDiscarded=discardedShared sharedStateKept=keptShared " +
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
	given: "unit=distributionPattern partitioner sourceParallelism=producers,upstreamParallelism,producerParallelism,from targetParallelism=consumers,downstreamParallelism,consumerParallelism,to parallelisms broadcast consumer=consumerIndex,targetSubtask,downstreamSubtask producer=producerIndex,sourceSubtask,upstreamSubtask",
	keys: "producersPerConsumer=inputs,producersOfConsumer,upstreamSubtasksPerDownstream,upstreamPerDownstream subpartitionPerConsumer=subpartitions consumersPerProducer=consumersOfProducer,downstreamSubtasksPerUpstream,downstreamPerUpstream producers consumers subpartition connectionCount=channelCount,numConnections,numberOfConnections rule producersPerConsumerCount producersPerConsumerMin producersPerConsumerMax " +
		"consumersPerProducerCount consumersPerProducerMin consumersPerProducerMax eachProducerUsed=producerUsage partitionIndexRanges=partitionIndexRange,partitionRanges,consumedPartitionRanges subpartitionIndexRanges=subpartitionIndexRange,subpartitionRanges,consumedSubpartitionRanges,consumedSubpartitionGroups firstHop secondHop thirdHop fourthHop",
}

var restartWords = words{
	given: "unit strategy=restartStrategy,restart-strategy.type initialMs=initialBackoffMs,restart-strategy.exponential-delay.initial-backoff maxMs=maxBackoffMs,restart-strategy.exponential-delay.max-backoff " +
		"multiplier=backoffMultiplier,restart-strategy.exponential-delay.backoff-multiplier resetThresholdMs=resetBackoffThresholdMs,restart-strategy.exponential-delay.reset-backoff-threshold jitter=jitterFactor,restart-strategy.exponential-delay.jitter-factor " +
		"attempts=maxAttempts,attemptsBeforeResetBackoff,numberOfRestarts,maxNumberRestartAttempts,restart-strategy.fixed-delay.attempts,restart-strategy.exponential-delay.attempts-before-reset-backoff " +
		"delayMs=backoffMs,backoffTimeMs,delayBetweenRestartAttemptsMs,restart-strategy.fixed-delay.delay,restart-strategy.failure-rate.delay maxFailuresPerInterval=maxFailures,restart-strategy.failure-rate.max-failures-per-interval " +
		"intervalMs=failureRateIntervalMs,failuresIntervalMs,restart-strategy.failure-rate.failure-rate-interval",
	verbs: "check=assert fail=notifyFailure,failure failAt=failAtMs,failureAt advance=advanceMs,sleep,advanceTime,advanceClock failThenAdvance=failAndAdvance failTimes advanceThresholdPlusBackoffMinus canRestart",
	keys: "backoffMs=backoff,remainingBackoffMs,backoffTimeMs,backoffTime,backoffMsEach,backoffTimeMsEach,restartDelayMs newAttempt=isNewAttempt,rootCause,isRootCause,notifyFailure canRestart=canRestartEach,canRestartAfterEach canRestartAtEnd=canRestartAfter,canRestartFinally " +
		"canRestartBeforeEach=canRestartEachBefore numberOfRestarts=numRestarts,restarts newAttemptEach=isNewAttemptEach,rootCauseEach possibleBackoffMsAfterFailures " +
		"error=throws,fails checks",
	values: "exponential-delay=exponentialDelay,ExponentialDelayRestartBackoffTimeStrategy fixed-delay=fixedDelay,FixedDelayRestartBackoffTimeStrategy " +
		"failure-rate=failureRate,FailureRateRestartBackoffTimeStrategy none=noRestart,off,disable,NoRestartBackoffTimeStrategy,NoRestartStrategy",
}

var maxParallelismWords = words{
	given: "unit parallelism=p,operatorParallelism configured=configuredMaxParallelism,maxParallelism,maxParallelismConfigured to=newMaxParallelism,rescaleTo,desiredMaxParallelism,maxToScaleTo",
	keys:  "maxParallelism=defaultMaxParallelism,expectedMaxParallelism parallelism allowed=canRescale,canRescaleMaxParallelism error=throws,fails,exception",
}
