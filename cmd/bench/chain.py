"""A chain of source, map and sink in SimPy, record by record: what a plain model of the same job costs.

Each subtask is a process; channels are stores of buffers with a limit (credit); a buffer is filled record by record and
sent when it is full or flushed; every record's latency is kept. Argument: the chain as JSON. Prints how many times faster
than real time it ran.
"""
import json
import random
import sys
import time

import simpy

job = json.loads(sys.argv[1])


class Channel:
    """One producer's buffers to one consumer: what is being filled, and what waits for credit."""

    def __init__(self, env, inbox):
        self.env, self.inbox, self.open = env, inbox, []
        self.credit = simpy.Container(env, init=job["credit"] + job["pool"], capacity=job["credit"] + job["pool"])

    def send(self):
        full, self.open = self.open, []
        yield self.credit.get(1)
        self.env.process(self.carry(full))

    def carry(self, full):
        yield self.env.timeout(job["net"])
        yield self.inbox.put((self, full))


class Output:
    """A producer's channels with the flusher."""

    def __init__(self, env, inboxes, seed):
        self.env, self.channels = env, [Channel(env, i) for i in inboxes]
        self.draw, self.per = random.Random(seed), max(1, job["segment"] // job["record"])
        env.process(self.flusher())

    def emit(self, record):
        c = self.channels[self.draw.randrange(len(self.channels))] if len(self.channels) > 1 else self.channels[0]
        c.open.append(record)
        if len(c.open) >= self.per:
            yield from c.send()

    def flusher(self):
        while True:
            yield self.env.timeout(job["flush"])
            for c in self.channels:
                if c.open and c.credit.level > 0:
                    yield from c.send()


def source(env, out):
    while True:
        if job["rate"]:
            yield env.timeout(1 / job["rate"])
        born = env.now
        yield env.timeout(job["cost"][0])
        yield from out.emit(born)


def operator(env, inbox, cost, out, seen):
    while True:
        channel, records = yield inbox.get()
        for born in records:
            yield env.timeout(cost)
            if out is None:
                seen.append(env.now - born)
            else:
                yield from out.emit(born)
        yield channel.credit.put(1)


def main():
    env, seen = simpy.Environment(), []
    inboxes = [[simpy.Store(env) for _ in range(p)] for p in job["parallelism"]]
    for v, p in enumerate(job["parallelism"]):
        for i in range(p):
            out = Output(env, inboxes[v + 1], v * 100 + i) if v + 1 < len(inboxes) else None
            if v == 0:
                env.process(source(env, out))
            else:
                env.process(operator(env, inboxes[v][i], job["cost"][v], out, seen))
    began = time.perf_counter()
    env.run(until=job["span"])
    seen.sort()
    took = time.perf_counter() - began
    if not seen:
        sys.exit("the model moved no record")
    print(job["span"] / took)


main()
