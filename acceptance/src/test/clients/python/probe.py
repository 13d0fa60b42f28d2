"""The scenario of ../README.md, told by the Hazelcast client for Python."""

import json
import os
import sys
import threading
import time

import hazelcast
from hazelcast.core import DistributedObjectEventType
from hazelcast.predicate import sql
from hazelcast.aggregator import count
from hazelcast.config import IndexType
from hazelcast.security import BasicTokenProvider
from hazelcast.serialization.api import IdentifiedDataSerializable

NAME = "orders"
PATIENCE_SECONDS = 15


class Verdicts:
    """What became of each operation on one structure: "ok", or what went wrong."""

    def __init__(self):
        self.operations = {}

    def expect(self, operation, expected, call):
        try:
            actual = call()
            good = actual == expected
            self.operations[operation] = "ok" if good else f"expected {expected!r}, got {actual!r}"
        except Exception as e:
            self.operations[operation] = describe(e)

    def run(self, operation, call):
        """For a call whose answer says nothing."""
        self.expect(operation, None, lambda: call() and None)

    def eventually(self, operation, expected, call):
        def settled():
            deadline = time.monotonic() + PATIENCE_SECONDS
            while (actual := call()) != expected and time.monotonic() < deadline:
                time.sleep(0.02)
            return actual

        self.expect(operation, expected, settled)


class Heard:
    """What a listener was told; written by the client's threads."""

    def __init__(self):
        self._lock = threading.Lock()
        self._items = []

    def add(self, item):
        with self._lock:
            self._items.append(item)

    def all(self):
        with self._lock:
            return list(self._items)


class PrintTask(IdentifiedDataSerializable):
    """Something for an executor that no member knows."""

    def read_data(self, object_data_input):
        pass

    def write_data(self, object_data_output):
        pass

    def get_factory_id(self):
        return 4711

    def get_class_id(self):
        return 1


def describe(e):
    return f"{type(e).__name__}: {e}"


def pairs(entries):
    return sorted(f"{k}={v}" for k, v in entries)


def map_scenario(client, m, v):
    orders = client.get_map(NAME).blocking()

    def content():
        return pairs(orders.entry_set())

    def write():
        v.expect("put", None, lambda: orders.put("a", m("a")))
        v.expect("put replaces", m("a"), lambda: orders.put("a", m("a")))
        v.expect("get", m("a"), lambda: orders.get("a"))
        v.run("putAll", lambda: orders.put_all({"b": m("b"), "c": m("c")}))
        v.expect("getAll", {"a": m("a"), "b": m("b")}, lambda: orders.get_all(["a", "b"]))
        v.expect("containsKey", True, lambda: orders.contains_key("b"))
        v.expect("containsValue", True, lambda: orders.contains_value(m("b")))
        v.expect("putIfAbsent", m("b"), lambda: orders.put_if_absent("b", "other"))
        v.expect("replace", m("c"), lambda: orders.replace("c", m("c")))
        v.expect("replaceIfSame", True, lambda: orders.replace_if_same("c", m("c"), m("c")))
        v.expect("set", None, lambda: orders.set("d", m("d")))
        v.expect("remove", m("d"), lambda: orders.remove("d"))
        v.expect("keySet", ["a", "b", "c"], lambda: sorted(orders.key_set()))
        v.expect("values", [m("a"), m("b"), m("c")], lambda: sorted(orders.values()))
        v.expect("entrySet", pairs({k: m(k) for k in "abc"}.items()), content)
        v.expect("size", 3, orders.size)
        v.expect("isEmpty", False, orders.is_empty)
        v.expect("addIndex", None, lambda: orders.add_index(["this"], IndexType.HASH))
        v.expect(
            "entrySet by predicate",
            [("b", m("b"))],
            lambda: [tuple(e) for e in orders.entry_set(sql(f"this = '{m('b')}'"))],
        )
        v.expect("keySet by predicate", ["b"], lambda: list(orders.key_set(sql(f"this = '{m('b')}'"))))
        v.expect("values by predicate", [m("a")], lambda: list(orders.values(sql("__key = 'a'"))))
        v.expect("aggregate", 3, lambda: orders.aggregate(count()))
        by_key = f"SELECT this FROM {NAME} WHERE __key = ?"
        v.expect("sql", [m("b")], lambda: [row["this"] for row in client.sql.execute(by_key, "b").result()])
        v.expect("entryView", m("a"), lambda: orders.get_entry_view("a").value)
        v.expect("put with ttl", None, lambda: orders.put("t", m("t"), ttl=1))
        v.eventually("ttl passes", None, lambda: orders.get("t"))
        v.expect("lock", None, lambda: orders.lock("a"))
        v.expect("isLocked", True, lambda: orders.is_locked("a"))
        v.expect("unlock", None, lambda: orders.unlock("a"))
        v.expect("tryLock", True, lambda: orders.try_lock("a"))
        v.expect("forceUnlock", None, lambda: orders.force_unlock("a"))
        v.expect("isLocked after unlock", False, lambda: orders.is_locked("a"))
        heard = Heard()
        listener = []

        def listen():
            listener.append(
                orders.add_entry_listener(
                    include_value=True, added_func=lambda e: heard.add(f"{e.key}={e.value}")
                )
            )

        v.expect("addEntryListener", None, listen)
        v.expect("put to be heard", None, lambda: orders.put("e", m("e")))
        v.eventually("entry event", [f"e={m('e')}"], heard.all)
        v.expect("removeEntryListener", True, lambda: orders.remove_entry_listener(listener[0]))

    return content, write


def queue_scenario(client, m, v):
    queue = client.get_queue(NAME).blocking()

    def content():
        return list(queue.iterator())

    def write():
        heard = Heard()
        listener = queue.add_listener(include_value=True, item_added_func=lambda e: heard.add(e.item))
        v.expect("offer", True, lambda: queue.offer(m("1")))
        v.expect("put", None, lambda: queue.put(m("2")))
        v.expect("addAll", True, lambda: queue.add_all([m("3")]))
        v.expect("size", 3, queue.size)
        v.expect("peek", m("1"), queue.peek)
        v.expect("poll", m("1"), queue.poll)
        v.expect("take", m("2"), queue.take)
        v.expect("contains", True, lambda: queue.contains(m("3")))
        v.eventually("item event", [m("1"), m("2"), m("3")], lambda: sorted(heard.all()))
        v.expect("removeListener", True, lambda: queue.remove_listener(listener))

    return content, write


def topic_scenario(client, m, v):
    topic = client.get_topic(NAME).blocking()

    def write():
        heard = Heard()
        listener = topic.add_listener(lambda message: heard.add(message.message))
        v.expect("publish", None, lambda: topic.publish(m("hello")))
        v.eventually("message", [m("hello")], heard.all)
        v.expect("removeListener", True, lambda: topic.remove_listener(listener))

    return lambda: [], write


def reliable_topic_scenario(client, m, v):
    topic = client.get_reliable_topic(NAME).blocking()

    def write():
        heard = Heard()
        listener = topic.add_listener(lambda message: heard.add(message.message))
        v.expect("publish", None, lambda: topic.publish(m("hello")))
        v.expect("publishAll", None, lambda: topic.publish_all([m("again")]))
        v.eventually("messages", [m("hello"), m("again")], heard.all)
        v.expect("removeListener", True, lambda: topic.remove_listener(listener))

    return lambda: [], write


def set_scenario(client, m, v):
    items = client.get_set(NAME).blocking()

    def content():
        return sorted(items.get_all())

    def write():
        heard = Heard()
        listener = items.add_listener(include_value=True, item_added_func=lambda e: heard.add(e.item))
        v.expect("add", True, lambda: items.add(m("1")))
        v.expect("add again", False, lambda: items.add(m("1")))
        v.expect("addAll", True, lambda: items.add_all([m("2"), m("3")]))
        v.expect("remove", True, lambda: items.remove(m("3")))
        v.expect("contains", True, lambda: items.contains(m("2")))
        v.expect("size", 2, items.size)
        v.eventually("item event", [m("1"), m("2"), m("3")], lambda: sorted(heard.all()))
        v.expect("removeListener", True, lambda: items.remove_listener(listener))

    return content, write


def list_scenario(client, m, v):
    items = client.get_list(NAME).blocking()

    def content():
        return list(items.get_all())

    def write():
        heard = Heard()
        listener = items.add_listener(include_value=True, item_added_func=lambda e: heard.add(e.item))
        v.expect("add", True, lambda: items.add(m("1")))
        v.expect("addAll", True, lambda: items.add_all([m("2"), m("3")]))
        v.expect("get", m("2"), lambda: items.get(1))
        v.expect("set", m("2"), lambda: items.set_at(1, m("2")))
        v.expect("indexOf", 1, lambda: items.index_of(m("2")))
        v.expect("subList", [m("1"), m("2")], lambda: list(items.sub_list(0, 2)))
        v.expect("removeAt", m("3"), lambda: items.remove_at(2))
        v.expect("size", 2, items.size)
        v.eventually("item event", True, lambda: m("1") in heard.all())
        v.expect("removeListener", True, lambda: items.remove_listener(listener))

    return content, write


def multimap_scenario(client, m, v):
    orders = client.get_multi_map(NAME).blocking()

    def content():
        return pairs(orders.entry_set())

    def write():
        heard = Heard()
        listener = orders.add_entry_listener(
            include_value=True, added_func=lambda e: heard.add(f"{e.key}={e.value}")
        )
        v.expect("put", True, lambda: orders.put("a", m("1")))
        v.expect("put a second value", True, lambda: orders.put("a", m("2")))
        v.expect("get", [m("1"), m("2")], lambda: sorted(orders.get("a")))
        v.expect("put another key", True, lambda: orders.put("b", m("3")))
        v.expect("remove", [m("3")], lambda: list(orders.remove_all("b")))
        v.expect("valueCount", 2, lambda: orders.value_count("a"))
        v.expect("keySet", ["a"], lambda: list(orders.key_set()))
        v.expect("size", 2, orders.size)
        v.expect("lock", None, lambda: orders.lock("a"))
        v.expect("isLocked", True, lambda: orders.is_locked("a"))
        v.expect("unlock", None, lambda: orders.unlock("a"))
        v.eventually("entry event", True, lambda: f"a={m('1')}" in heard.all())
        v.expect("removeEntryListener", True, lambda: orders.remove_entry_listener(listener))

    return content, write


def ringbuffer_scenario(client, m, v):
    ring = client.get_ringbuffer(NAME).blocking()

    def content():
        head, tail = ring.head_sequence(), ring.tail_sequence()
        return [ring.read_one(sequence) for sequence in range(head, tail + 1)]

    def write():
        v.expect("add", 0, lambda: ring.add(m("1")))
        v.expect("addAll", 1, lambda: ring.add_all([m("2")], 0))
        v.expect("readOne", m("1"), lambda: ring.read_one(0))
        v.expect("readMany", [m("1"), m("2")], lambda: list(ring.read_many(0, 2, 10)))
        v.expect("tailSequence", 1, ring.tail_sequence)
        v.expect("size", 2, ring.size)

    return content, write


def replicated_map_scenario(client, m, v):
    orders = client.get_replicated_map(NAME).blocking()

    def content():
        return pairs(orders.entry_set())

    def write():
        heard = Heard()
        listener = orders.add_entry_listener(added_func=lambda e: heard.add(f"{e.key}={e.value}"))
        v.expect("put", None, lambda: orders.put("a", m("a")))
        v.expect("putAll", None, lambda: orders.put_all({"b": m("b"), "c": m("c")}))
        v.eventually("get", m("a"), lambda: orders.get("a"))
        v.expect("remove", m("c"), lambda: orders.remove("c"))
        v.eventually("keySet", ["a", "b"], lambda: sorted(orders.key_set()))
        v.eventually("containsKey", True, lambda: orders.contains_key("b"))
        v.eventually("size", 2, orders.size)
        v.eventually("entry event", True, lambda: f"a={m('a')}" in heard.all())
        v.expect("removeEntryListener", True, lambda: orders.remove_entry_listener(listener))

    return content, write


def pn_counter_scenario(client, m, v):
    counter = client.get_pn_counter(NAME).blocking()

    def content():
        value = counter.get()
        return [str(value)] if value else []

    def write():
        v.expect("addAndGet", 5, lambda: counter.add_and_get(5))
        v.expect("decrementAndGet", 4, counter.decrement_and_get)
        v.expect("getAndIncrement", 4, counter.get_and_increment)
        v.expect("get", 5, counter.get)

    return content, write


def flake_id_scenario(client, m, v):
    ids = client.get_flake_id_generator(NAME).blocking()

    def write():
        v.expect("newId", 3, lambda: len({ids.new_id() for _ in range(3)}))

    return lambda: [], write


def transaction_scenario(client, m, v):
    # A name each: stock Hazelcast confuses a queue and a list of one name within one transaction.
    names = {kind: f"transfers-{kind}" for kind in ("map", "queue", "list", "set", "multimap")}
    stored = {
        "map": client.get_map(names["map"]).blocking(),
        "queue": client.get_queue(names["queue"]).blocking(),
        "list": client.get_list(names["list"]).blocking(),
        "set": client.get_set(names["set"]).blocking(),
        "multimap": client.get_multi_map(names["multimap"]).blocking(),
    }

    def content():
        found = [f"map a={x}" for x in [stored["map"].get("a")] if x]
        found += [f"queue {x}" for x in stored["queue"].iterator()]
        found += [f"list {x}" for x in stored["list"].get_all()]
        found += [f"set {x}" for x in stored["set"].get_all()]
        found += [f"multimap a={x}" for x in stored["multimap"].get("a") or []]
        return sorted(found)

    def fill(transaction):
        transaction.get_map(names["map"]).put("a", m("t"))
        transaction.get_queue(names["queue"]).offer(m("t"))
        transaction.get_list(names["list"]).add(m("t"))
        transaction.get_set(names["set"]).add(m("t"))
        transaction.get_multi_map(names["multimap"]).put("a", m("t"))

    def rolled_back():
        transaction = client.new_transaction()
        transaction.begin()
        fill(transaction)
        transaction.rollback()
        return content()

    def committed():
        with client.new_transaction() as transaction:
            fill(transaction)
        return len(content())

    def write():
        v.expect("rollback leaves nothing", [], rolled_back)
        v.expect("commit keeps all", 5, committed)

    return content, write


SCENARIOS = {
    "map": map_scenario,
    "queue": queue_scenario,
    "topic": topic_scenario,
    "reliableTopic": reliable_topic_scenario,
    "set": set_scenario,
    "list": list_scenario,
    "multimap": multimap_scenario,
    "ringbuffer": ringbuffer_scenario,
    "replicatedMap": replicated_map_scenario,
    "pnCounter": pn_counter_scenario,
    "flakeId": flake_id_scenario,
    "transactions": transaction_scenario,
}


def run_structure(scenario, client, marker, phase):
    verdicts = Verdicts()
    content, write = scenario(client, lambda text: f"{marker}-{text}", verdicts)
    try:
        result = {"before": content()}
        if phase == "write":
            write()
            result["content"] = content()
    except Exception as e:
        result = {"before": [describe(e)], "content": [describe(e)]}
    result["operations"] = verdicts.operations
    return result


def run_objects(client, phase):
    verdicts = Verdicts()

    def listed():
        return sorted(f"{o.service_name} {o.name}" for o in client.get_distributed_objects())

    if phase == "write":
        heard = Heard()

        def on_event(event):
            kind = DistributedObjectEventType.CREATED
            label = "created" if event.event_type == kind else "destroyed"
            if event.name != NAME:  # those were made just now, and it may be told of them late
                heard.add(f"{label} {event.service_name} {event.name}")

        listener = client.add_distributed_object_listener(on_event).result()
        scratch = client.get_map("scratch")
        created = "created hz:impl:mapService scratch"
        destroyed = "destroyed hz:impl:mapService scratch"
        # A service may tell of one creation more than once: stock Hazelcast does.
        v_all = lambda: sorted(set(heard.all()))
        verdicts.eventually("created event", [created], v_all)
        verdicts.expect("destroy", True, scratch.destroy)
        verdicts.eventually("destroyed event", [created, destroyed], v_all)
        removed = lambda: client.remove_distributed_object_listener(listener).result()
        verdicts.expect("removeListener", True, removed)
    return {"listed": listed(), "operations": verdicts.operations}


def run_refusals(client):
    def outcome(call):
        try:
            return f"answered {call()!r}"
        except Exception as e:
            return describe(e)

    def execute():
        return client.get_executor(NAME).blocking().execute_on_key_owner("a", PrintTask())

    entry_map = client.get_map(NAME).blocking()
    return {
        "executor": outcome(execute),
        "entryProcessor": outcome(lambda: entry_map.execute_on_key("a", PrintTask())),
    }


def main():
    address, cluster, marker, phase = sys.argv[1:5]
    config = {
        "cluster_name": cluster,
        "cluster_members": [address],
        "cluster_connect_timeout": 20,
        "invocation_timeout": 30,
        "statistics_enabled": False,
    }
    key = os.environ.get("KVS_ACCESS_KEY")
    if key and os.environ.get("KVS_AUTH") == "token":
        config["token_provider"] = BasicTokenProvider(key)
    elif key:
        config["creds_username"] = marker
        config["creds_password"] = key
    client = hazelcast.HazelcastClient(**config)
    try:
        result = {
            "client": f"python {hazelcast.__version__}",
            "structures": {
                name: run_structure(scenario, client, marker, phase)
                for name, scenario in SCENARIOS.items()
            },
        }
        if phase == "refusals":
            result = {"client": result["client"], "refusals": run_refusals(client)}
            result["alive"] = client.get_map(NAME).blocking().get("a")
        else:
            result["objects"] = run_objects(client, phase)
    finally:
        client.shutdown()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
