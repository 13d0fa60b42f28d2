'use strict';
// The scenario of ../README.md, told by the Hazelcast client for Node.js.

const { Client, Predicates, Aggregators } = require('hazelcast-client');
const { version } = require('hazelcast-client/package.json');

const NAME = 'orders';
const PATIENCE_MS = 15000;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const describe = (e) => `${e.name}: ${e.message}`;
const pairs = (entries) => entries.map(([k, v]) => `${k}=${v}`).sort();
const sorted = (items) => [...items].sort();

/** What became of each operation on one structure: "ok", or what went wrong. */
class Verdicts {
    operations = {};

    async expect(operation, expected, call) {
        try {
            const actual = (await call()) ?? null;
            this.operations[operation] = same(actual, expected)
                ? 'ok'
                : `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
        } catch (e) {
            this.operations[operation] = describe(e);
        }
    }

    /** For a call whose answer says nothing. */
    run(operation, call) {
        return this.expect(operation, null, async () => {
            await call();
            return null;
        });
    }

    eventually(operation, expected, call) {
        return this.expect(operation, expected, async () => {
            const deadline = Date.now() + PATIENCE_MS;
            for (;;) {
                const actual = (await call()) ?? null;
                if (same(actual, expected) || Date.now() > deadline) {
                    return actual;
                }
                await new Promise((resolve) => setTimeout(resolve, 20));
            }
        });
    }
}

async function mapScenario(client, m, v) {
    const orders = await client.getMap(NAME);
    const content = async () => pairs(await orders.entrySet());
    const write = async () => {
        const isB = Predicates.sql(`this = '${m('b')}'`);
        await v.expect('put', null, () => orders.put('a', m('a')));
        await v.expect('put replaces', m('a'), () => orders.put('a', m('a')));
        await v.expect('get', m('a'), () => orders.get('a'));
        await v.run('putAll', () => orders.putAll([['b', m('b')], ['c', m('c')]]));
        await v.expect('getAll', ['a=' + m('a'), 'b=' + m('b')],
            async () => pairs(await orders.getAll(['a', 'b'])));
        await v.expect('containsKey', true, () => orders.containsKey('b'));
        await v.expect('containsValue', true, () => orders.containsValue(m('b')));
        await v.expect('putIfAbsent', m('b'), () => orders.putIfAbsent('b', 'other'));
        await v.expect('replace', m('c'), () => orders.replace('c', m('c')));
        await v.expect('replaceIfSame', true, () => orders.replaceIfSame('c', m('c'), m('c')));
        await v.run('set', () => orders.set('d', m('d')));
        await v.expect('remove', m('d'), () => orders.remove('d'));
        await v.expect('keySet', ['a', 'b', 'c'], async () => sorted(await orders.keySet()));
        await v.expect('values', [m('a'), m('b'), m('c')],
            async () => sorted((await orders.values()).toArray()));
        await v.expect('entrySet', ['a', 'b', 'c'].map((k) => `${k}=${m(k)}`), content);
        await v.expect('size', 3, () => orders.size());
        await v.expect('isEmpty', false, () => orders.isEmpty());
        await v.run('addIndex', () => orders.addIndex({ type: 'HASH', attributes: ['this'] }));
        await v.expect('entrySet by predicate', ['b=' + m('b')],
            async () => pairs(await orders.entrySetWithPredicate(isB)));
        await v.expect('keySet by predicate', ['b'], () => orders.keySetWithPredicate(isB));
        await v.expect('values by predicate', [m('a')],
            async () => (await orders.valuesWithPredicate(Predicates.sql("__key = 'a'"))).toArray());
        await v.expect('aggregate', 3, async () => (await orders.aggregate(Aggregators.count())).toNumber());
        await v.expect('sql', [m('b')], async () => {
            const values = [];
            const found = await client.getSql().execute(`SELECT this FROM ${NAME} WHERE __key = ?`, ['b']);
            for await (const row of found) {
                values.push(row.this);
            }
            return values;
        });
        await v.expect('entryView', m('a'), async () => (await orders.getEntryView('a')).value);
        await v.expect('put with ttl', null, () => orders.put('t', m('t'), 1000));
        await v.eventually('ttl passes', null, () => orders.get('t'));
        await v.run('lock', () => orders.lock('a'));
        await v.expect('isLocked', true, () => orders.isLocked('a'));
        await v.run('unlock', () => orders.unlock('a'));
        await v.expect('tryLock', true, () => orders.tryLock('a'));
        await v.run('forceUnlock', () => orders.forceUnlock('a'));
        await v.expect('isLocked after unlock', false, () => orders.isLocked('a'));
        const heard = [];
        let listener;
        await v.run('addEntryListener', async () => {
            listener = await orders.addEntryListener(
                { added: (e) => heard.push(`${e.name} ${e.key}=${e.value}`) }, undefined, true);
        });
        await v.run('put to be heard', () => orders.put('e', m('e')));
        await v.eventually('entry event', [`${NAME} e=${m('e')}`], () => heard);
        await v.expect('removeEntryListener', true, () => orders.removeEntryListener(listener));
    };
    return { content, write };
}

/** Adds a listener that notes `NAME item` of every added item. */
async function hearItems(collection) {
    const heard = [];
    const id = await collection.addItemListener(
        { itemAdded: (e) => heard.push(`${e.name} ${e.item}`) }, true);
    return { heard, remove: () => collection.removeItemListener(id) };
}

async function queueScenario(client, m, v) {
    const queue = await client.getQueue(NAME);
    const content = () => queue.toArray();
    const write = async () => {
        const ear = await hearItems(queue);
        await v.expect('offer', true, () => queue.offer(m('1')));
        await v.run('put', () => queue.put(m('2')));
        await v.expect('addAll', true, () => queue.addAll([m('3')]));
        await v.expect('size', 3, () => queue.size());
        await v.expect('peek', m('1'), () => queue.peek());
        await v.expect('poll', m('1'), () => queue.poll());
        await v.expect('take', m('2'), () => queue.take());
        await v.expect('contains', true, () => queue.contains(m('3')));
        await v.eventually('item event', ['1', '2', '3'].map((i) => `${NAME} ${m(i)}`), () => sorted(ear.heard));
        await v.expect('removeListener', true, ear.remove);
    };
    return { content, write };
}

async function reliableTopicScenario(client, m, v) {
    const topic = await client.getReliableTopic(NAME);
    const write = async () => {
        const heard = [];
        let listener;
        await v.run('addMessageListener', () => {
            listener = topic.addMessageListener((message) => heard.push(message.messageObject));
        });
        await v.run('publish', () => topic.publish(m('hello')));
        await v.eventually('message', [m('hello')], () => heard);
        await v.expect('removeListener', true, () => topic.removeMessageListener(listener));
    };
    return { content: () => [], write };
}

async function setScenario(client, m, v) {
    const items = await client.getSet(NAME);
    const content = async () => sorted(await items.toArray());
    const write = async () => {
        const ear = await hearItems(items);
        await v.expect('add', true, () => items.add(m('1')));
        await v.expect('add again', false, () => items.add(m('1')));
        await v.expect('addAll', true, () => items.addAll([m('2'), m('3')]));
        await v.expect('remove', true, () => items.remove(m('3')));
        await v.expect('contains', true, () => items.contains(m('2')));
        await v.expect('size', 2, () => items.size());
        await v.eventually('item event', ['1', '2', '3'].map((i) => `${NAME} ${m(i)}`), () => sorted(ear.heard));
        await v.expect('removeListener', true, ear.remove);
    };
    return { content, write };
}

async function listScenario(client, m, v) {
    const items = await client.getList(NAME);
    const content = () => items.toArray();
    const write = async () => {
        const ear = await hearItems(items);
        await v.expect('add', true, () => items.add(m('1')));
        await v.expect('addAll', true, () => items.addAll([m('2'), m('3')]));
        await v.expect('get', m('2'), () => items.get(1));
        await v.expect('set', m('2'), () => items.set(1, m('2')));
        await v.expect('indexOf', 1, () => items.indexOf(m('2')));
        await v.expect('subList', [m('1'), m('2')], async () => (await items.subList(0, 2)).toArray());
        await v.expect('removeAt', m('3'), () => items.removeAt(2));
        await v.expect('size', 2, () => items.size());
        await v.eventually('item event', true, () => ear.heard.includes(`${NAME} ${m('1')}`));
        await v.expect('removeListener', true, ear.remove);
    };
    return { content, write };
}

async function multiMapScenario(client, m, v) {
    const orders = await client.getMultiMap(NAME);
    const content = async () => pairs(await orders.entrySet());
    const write = async () => {
        const heard = [];
        const listener = await orders.addEntryListener(
            { added: (e) => heard.push(`${e.name} ${e.key}=${e.value}`) }, undefined, true);
        await v.expect('put', true, () => orders.put('a', m('1')));
        await v.expect('put a second value', true, () => orders.put('a', m('2')));
        await v.expect('get', [m('1'), m('2')], async () => sorted((await orders.get('a')).toArray()));
        await v.expect('put another key', true, () => orders.put('b', m('3')));
        await v.expect('remove', [m('3')], async () => (await orders.removeAll('b')).toArray());
        await v.expect('valueCount', 2, () => orders.valueCount('a'));
        await v.expect('keySet', ['a'], () => orders.keySet());
        await v.expect('size', 2, () => orders.size());
        await v.run('lock', () => orders.lock('a'));
        await v.expect('isLocked', true, () => orders.isLocked('a'));
        await v.run('unlock', () => orders.unlock('a'));
        await v.eventually('entry event', true, () => heard.includes(`${NAME} a=${m('1')}`));
        await v.expect('removeEntryListener', true, () => orders.removeEntryListener(listener));
    };
    return { content, write };
}

async function ringbufferScenario(client, m, v) {
    const ring = await client.getRingbuffer(NAME);
    const content = async () => {
        const head = (await ring.headSequence()).toNumber();
        const tail = (await ring.tailSequence()).toNumber();
        const found = [];
        for (let sequence = head; sequence <= tail; sequence++) {
            found.push(await ring.readOne(sequence));
        }
        return found;
    };
    const write = async () => {
        await v.expect('add', 0, async () => (await ring.add(m('1'))).toNumber());
        await v.expect('addAll', 1, async () => (await ring.addAll([m('2')])).toNumber());
        await v.expect('readOne', m('1'), () => ring.readOne(0));
        await v.expect('readMany', [m('1'), m('2')], async () => {
            const read = await ring.readMany(0, 2, 10);
            return [read.get(0), read.get(1)];
        });
        await v.expect('tailSequence', 1, async () => (await ring.tailSequence()).toNumber());
        await v.expect('size', 2, async () => (await ring.size()).toNumber());
    };
    return { content, write };
}

async function replicatedMapScenario(client, m, v) {
    const orders = await client.getReplicatedMap(NAME);
    const content = async () => pairs(await orders.entrySet());
    const write = async () => {
        const heard = [];
        const listener = await orders.addEntryListener(
            { added: (e) => heard.push(`${e.name} ${e.key}=${e.value}`) });
        await v.expect('put', null, () => orders.put('a', m('a')));
        await v.run('putAll', () => orders.putAll([['b', m('b')], ['c', m('c')]]));
        await v.eventually('get', m('a'), () => orders.get('a'));
        await v.expect('remove', m('c'), () => orders.remove('c'));
        await v.eventually('keySet', ['a', 'b'], async () => sorted(await orders.keySet()));
        await v.eventually('containsKey', true, () => orders.containsKey('b'));
        await v.eventually('size', 2, () => orders.size());
        await v.eventually('entry event', true, () => heard.includes(`${NAME} a=${m('a')}`));
        await v.expect('removeEntryListener', true, () => orders.removeEntryListener(listener));
    };
    return { content, write };
}

async function pnCounterScenario(client, m, v) {
    const counter = await client.getPNCounter(NAME);
    const content = async () => {
        const value = (await counter.get()).toNumber();
        return value ? [String(value)] : [];
    };
    const write = async () => {
        await v.expect('addAndGet', 5, async () => (await counter.addAndGet(5)).toNumber());
        await v.expect('decrementAndGet', 4, async () => (await counter.decrementAndGet()).toNumber());
        await v.expect('getAndIncrement', 4, async () => (await counter.getAndIncrement()).toNumber());
        await v.expect('get', 5, async () => (await counter.get()).toNumber());
    };
    return { content, write };
}

async function flakeIdScenario(client, m, v) {
    const ids = await client.getFlakeIdGenerator(NAME);
    const write = async () => {
        await v.expect('newId', 3, async () => {
            const three = [await ids.newId(), await ids.newId(), await ids.newId()];
            return new Set(three.map(String)).size;
        });
    };
    return { content: () => [], write };
}

const SCENARIOS = {
    map: mapScenario,
    queue: queueScenario,
    reliableTopic: reliableTopicScenario,
    set: setScenario,
    list: listScenario,
    multimap: multiMapScenario,
    ringbuffer: ringbufferScenario,
    replicatedMap: replicatedMapScenario,
    pnCounter: pnCounterScenario,
    flakeId: flakeIdScenario,
};

async function runStructure(scenario, client, marker, phase) {
    const verdicts = new Verdicts();
    const result = {};
    try {
        const { content, write } = await scenario(client, (text) => `${marker}-${text}`, verdicts);
        result.before = await content();
        if (phase === 'write') {
            await write();
            result.content = await content();
        }
    } catch (e) {
        Object.assign(result, { before: [describe(e)], content: [describe(e)] });
    }
    return { ...result, operations: verdicts.operations };
}

async function runObjects(client, phase) {
    const v = new Verdicts();
    if (phase === 'write') {
        const heard = [];
        const listener = await client.addDistributedObjectListener(
            (e) => heard.push(`${e.eventType} ${e.serviceName} ${e.objectName}`));
        // A service may tell of one creation more than once: stock Hazelcast does.
        // Those of the scenarios were made just now, and it may be told of them late.
        const told = () => sorted(new Set(heard.filter((event) => !event.endsWith(` ${NAME}`))));
        const scratch = await client.getMap('scratch');
        const [created, destroyed] = ['created', 'destroyed'].map((e) => `${e} hz:impl:mapService scratch`);
        await v.eventually('created event', [created], told);
        await v.run('destroy', () => scratch.destroy());
        await v.eventually('destroyed event', [created, destroyed], told);
        await v.expect('removeListener', true, () => client.removeDistributedObjectListener(listener));
    }
    const objects = await client.getDistributedObjects();
    return {
        listed: sorted(objects.map((o) => `${o.getServiceName()} ${o.getName()}`)),
        operations: v.operations,
    };
}

/** Something for a member to run that no member knows. */
const unknownTask = { factoryId: 4711, classId: 1, readData() {}, writeData() {} };

async function runRefusals(client) {
    const outcome = (call) => call().then((answer) => `answered ${JSON.stringify(answer)}`, describe);
    const orders = await client.getMap(NAME);
    return {
        entryProcessor: await outcome(() => orders.executeOnKey('a', unknownTask)),
    };
}

async function main() {
    const [address, cluster, marker, phase] = process.argv.slice(2);
    const config = {
        clusterName: cluster,
        network: { clusterMembers: [address] },
        connectionStrategy: { connectionRetry: { clusterConnectTimeoutMillis: 20000 } },
        properties: { 'hazelcast.client.invocation.timeout.millis': 30000, 'hazelcast.logging.level': 'WARN' },
        customLogger: { trace() {}, debug() {}, info() {}, log() {}, warn: console.error, error: console.error },
    };
    const key = process.env.KVS_ACCESS_KEY;
    if (key && process.env.KVS_AUTH === 'token') {
        config.security = { token: { token: key } };
    } else if (key) {
        config.security = { usernamePassword: { username: marker, password: key } };
    }
    const client = await Client.newHazelcastClient(config);
    try {
        const result = { client: `node ${version}` };
        if (phase === 'refusals') {
            result.refusals = await runRefusals(client);
            result.alive = await (await client.getMap(NAME)).get('a');
        } else {
            result.structures = {};
            for (const [name, scenario] of Object.entries(SCENARIOS)) {
                result.structures[name] = await runStructure(scenario, client, marker, phase);
            }
            result.objects = await runObjects(client, phase);
        }
        console.log(JSON.stringify(result));
    } finally {
        await client.shutdown();
    }
}

main().then(() => process.exit(0), (e) => {
    console.error(e);
    process.exit(1);
});
