"""Runs tasks of frameworks that were written for Redis; prints what came of each, as JSON."""

import json
import sys

import redis
from celery import Celery, chord, group
from celery.contrib.testing.worker import start_worker

url = sys.argv[1]
app = Celery("probe", broker=url + "/0", backend=url + "/1")
app.conf.worker_hijack_root_logger = False


@app.task
def add(a, b):
    return a + b


@app.task
def total(numbers):
    return sum(numbers)


def celery():
    with start_worker(app, perform_ping_check=False, pool="solo", loglevel="ERROR"):
        one = add.delay(2, 3).get(timeout=30)
        many = group(add.s(i, i) for i in range(10))().get(timeout=30)
        joined = chord((add.s(i, 1) for i in range(10)), total.s())().get(timeout=30)
        later = add.apply_async((1, 1), countdown=0.5).get(timeout=30)
    return [one, sum(many), joined, later]


def lock():
    client = redis.Redis.from_url(url)
    held = client.lock("resource", timeout=30)
    taken = held.acquire(blocking_timeout=5)
    other = client.lock("resource", timeout=30).acquire(blocking_timeout=0.2)
    held.release()
    free = client.lock("resource", timeout=30).acquire(blocking_timeout=5)
    return [taken, other, free]


print(json.dumps({"celery": celery(), "redis-py lock": lock()}))
