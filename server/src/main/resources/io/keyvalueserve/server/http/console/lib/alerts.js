// What an operator should look at, from a frame and the quotas. Nothing is kept here: an alert is there
// for as long as its cause. Members note alerts by the same rules and ids (AlertRules).

import { bytes, count, counted, percent } from './format.js';
import { partOf } from './store.js';

export const NEARLY_FULL = 0.9;
const LOST_SHOWN = 20;
const LIMITED = {
  operationsPerSecond: ['operations a second', count],
  bytesInPerSecond: ['bytes in a second', bytes],
  bytesOutPerSecond: ['bytes out a second', bytes],
  memoryBytes: ['memory', bytes],
  entries: ['entries', count],
  connections: ['connections', count],
};

/** Alerts as {id, tone, title, detail, href}, the gravest first. `limits` has quotas by tenant. */
export function alertsOf(frame, limits) {
  if (!frame) {
    return [];
  }
  const alerts = [...ofCluster(frame)];
  for (const usage of frame.tenants ?? []) {
    alerts.push(...ofTenant(usage, limits.get(usage.tenant) ?? {}));
  }
  return alerts.sort((a, b) => (a.tone === b.tone ? 0 : a.tone === 'bad' ? -1 : 1));
}

function* ofCluster(frame) {
  if (frame.loading && !frame.loading.done) {
    const part = frame.loading.totalBytes > 0 ? frame.loading.bytes / frame.loading.totalBytes : 0;
    yield alert('loading', 'warn', 'This member is loading its data', `${percent(part)} of ${bytes(frame.loading.totalBytes)} is back from the disk.`, '#/overview');
  }
  if (frame.lost?.count > 0) {
    yield alert('lost', 'bad', `${counted(frame.lost.count, 'partition')} without a copy`,
      `Requests for their keys are refused until the members that had them are back: ${frame.lost.partitions.slice(0, LOST_SHOWN).join(', ')}${frame.lost.count > LOST_SHOWN ? ', …' : ''}.`, '#/overview');
  } else if (!frame.safe) {
    yield alert('unsafe', 'bad', 'The cluster is not safe', 'Some entries lack a backup. If a member ends now, data may be lost.', '#/overview');
  }
  for (const member of frame.silent) {
    yield alert(`silent ${member}`, 'bad', `Member ${member} does not answer`, 'What is used there is missing in all figures.', '#/overview');
  }
  const used = frame.memory.usedBytes / Math.max(1, frame.memory.capacityBytes);
  if (used >= NEARLY_FULL) {
    yield alert('memory', 'bad', 'Memory is short', `${percent(used)} of this member's ${bytes(frame.memory.capacityBytes)} is taken.`, '#/memory');
  }
  if (frame.log?.failed) {
    yield alert('log', 'bad', 'The log has failed', 'Durable writes are refused until the disk is mended and the member is started again.', '#/overview');
  } else if (frame.log?.diskFull) {
    yield alert('disk', 'bad', 'The disk of the log is full', 'Durable writes are refused until there is room.', '#/overview');
  }
}

function* ofTenant(usage, limits) {
  const name = usage.tenant;
  const href = `#/tenants/${encodeURIComponent(name)}`;
  if (usage.throttledPerSecond > 0) {
    yield alert(`throttled ${name}`, 'warn', `${name} is throttled`, `Its requests that are not admitted: ${count(usage.throttledPerSecond)} a second.`, href);
  }
  for (const [limit, [what, format]] of Object.entries(LIMITED)) {
    const used = partOf(usage[limit], limits[limit]);
    if (used !== null && used >= NEARLY_FULL) {
      yield alert(`${limit} ${name}`, used >= 1 ? 'bad' : 'warn', `${name} is at ${percent(used)} of its limit of ${what}`,
        `${format(usage[limit])} of ${format(limits[limit])}.`, href);
    }
  }
}

function alert(id, tone, title, detail, href) {
  return { id, tone, title, detail, href };
}
