"""Runs tasks of frameworks that were written for Redis; prints what came of each, as JSON."""

import json
import sys

import django
import redis
from celery import Celery, chord, group
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from rq import Queue, SimpleWorker

import jobs

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


def rq():
    client = redis.Redis.from_url(url)
    queue = Queue("probe", connection=client)
    failing = queue.enqueue(jobs.fail)
    many = [queue.enqueue(jobs.double, i) for i in range(4)]
    after = queue.enqueue(jobs.double, 21, depends_on=many)
    SimpleWorker([queue], connection=client).work(burst=True, logging_level="CRITICAL")
    return [[job.result for job in many], after.result, failing.get_status(), len(queue)]


def django_redis():
    settings.configure(
        CACHES={"default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": url + "/2"}},
        SESSION_ENGINE="django.contrib.sessions.backends.cache",
    )
    django.setup()
    from django.contrib.sessions.backends.cache import SessionStore
    from django.core.cache import cache

    cache.set("page", {"views": [1, 2]}, timeout=60)
    cache.set_many({"count:1": 1, "count:2": 2})
    counted = cache.incr("count:1", 5)
    hit, miss = cache.get("page"), cache.get("none")
    removed = cache.delete_pattern("count:*")
    with cache.lock("job", timeout=30):
        other = cache.lock("job", timeout=30).acquire(blocking=False)
    free = cache.lock("job", timeout=30).acquire(blocking=False)
    written = SessionStore()
    written["user"] = "ada"
    written.save()
    read = SessionStore(session_key=written.session_key)["user"]
    return [counted, hit, miss, removed, other, free, read]


report = {"celery": celery(), "redis-py lock": lock(), "rq": rq(), "django-redis": django_redis()}
print(json.dumps(report))
