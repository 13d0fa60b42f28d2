// Uses frameworks that were written for Redis; prints what came of each, as JSON.
'use strict';

const Bull = require('bull');
const BeeQueue = require('bee-queue');
const Redis = require('ioredis');
const { createClient } = require('redis');
const session = require('express-session');
const { RedisStore } = require('connect-redis');
const { RateLimiterRedis } = require('rate-limiter-flexible');
const Redlock = require('redlock');

const url = new URL(process.argv[2]);
const connection = {
  host: url.hostname,
  port: Number(url.port),
  username: url.username,
  password: url.password,
};

async function bull() {
  const queue = new Bull('bull-jobs', { redis: connection });
  const done = new Promise((resolve, reject) => {
    const results = [];
    queue.on('error', reject);
    queue.on('completed', (_, result) => results.push(result) === 5 && resolve(results.sort()));
  });
  queue.process(async (job) => job.data.x + 1);
  for (let x = 0; x < 5; x++) await queue.add({ x }, x === 4 ? { delay: 200 } : {});
  const results = await done;
  await queue.close();
  return results;
}

async function bee() {
  const queue = new BeeQueue('bee-jobs', { redis: connection });
  queue.process(async (job) => job.data.x * 2);
  const results = [];
  for (let x = 0; x < 5; x++) {
    const job = queue.createJob({ x });
    const succeeded = new Promise((resolve) => job.on('succeeded', resolve));
    await job.save();
    results.push(await succeeded);
  }
  await queue.close(1000);
  return results;
}

async function limiter() {
  const client = new Redis(connection);
  const limit = new RateLimiterRedis({ storeClient: client, points: 3, duration: 60 });
  const answers = [];
  for (let i = 0; i < 4; i++) {
    answers.push(await limit.consume('user').then(() => 'let in', (no) => (no.msBeforeNext > 0 ? 'refused' : String(no))));
  }
  client.disconnect();
  return answers;
}

async function redlock() {
  const client = new Redis(connection);
  const locks = new Redlock([client], { retryCount: 0 });
  const held = await locks.lock('resource', 30000);
  const other = await locks.lock('resource', 30000).then(() => 'taken', () => 'held');
  await held.unlock();
  const again = await locks.lock('resource', 30000);
  await again.unlock();
  client.disconnect();
  return [other, 'released'];
}

async function sessions() {
  const client = createClient({ url: process.argv[2] });
  await client.connect();
  const store = new RedisStore({ client });
  const cookie = new session.Cookie({ maxAge: 60000 });
  await store.set('id', { cookie, user: 'ada' });
  const found = await store.get('id');
  const all = await store.length();
  await store.destroy('id');
  const gone = await store.get('id');
  client.destroy();
  return [found.user, all, gone ?? 'gone'];
}

(async () => {
  const report = {};
  for (const [name, use] of Object.entries({ bull, bee, limiter, redlock, sessions })) {
    report[name] = await use().catch((error) => 'failed: ' + error.message);
  }
  console.log(JSON.stringify(report));
  process.exit(0);
})();
