// What the whole cluster does now.

import { get } from '../lib/api.js';
import { alertsOf } from '../lib/alerts.js';
import { h, replace, setAttribute, setText } from '../lib/dom.js';
import { byteRate, bytes, count, counted, millis, percent, rate } from '../lib/format.js';
import { fact, head, section } from '../lib/parts.js';
import { Plot } from '../lib/plot.js';
import { latencyPlot } from '../lib/plots.js';
import { partOf } from '../lib/store.js';
import { plainTable, VirtualTable } from '../lib/table.js';
import { alertList } from './alerts.js';

const WAITS_EVERY = 5_000;
const MOST_WAITING = 20;

function facts() {
  const all = {
    health: fact('Cluster'),
    members: fact('Members'),
    tenants: fact('Tenants'),
    operations: fact('Throughput'),
    latency: fact('p99', 'of all requests, last 10 s'),
    wait: fact('Longest wait', 'of any tenant, last 10 to 20 s'),
    memory: fact('Memory', 'of this member'),
  };
  return { ...all, element: h('dl', { class: 'facts' }, Object.values(all).map((each) => each.element)) };
}

function healthOf(frame) {
  if (frame.lost?.count > 0) {
    return `${counted(frame.lost.count, 'partition')} without a copy`;
  }
  return frame.safe ? 'every entry has its backups' : 'entries lack backups';
}

function showFacts(facts, { frame, totals, tenantCount }) {
  const tenants = frame.tenants;
  setText(facts.health.value, frame.safe ? 'Safe' : 'Not safe');
  setAttribute(facts.health.value, 'class', frame.safe ? 'good' : 'bad');
  setText(facts.health.note, healthOf(frame));
  setText(facts.members.value, count(frame.members.length));
  setText(facts.members.note, counted(frame.members.reduce((sum, each) => sum + each.partitions, 0), 'partition'));
  setText(facts.tenants.value, count(tenantCount));
  setText(facts.tenants.note, counted(totals.of('connections').last(), 'connection'));
  setText(facts.operations.value, rate(totals.of('operationsPerSecond').last()));
  setText(facts.operations.note,
    `${byteRate(totals.of('bytesInPerSecond').last())} in, ${byteRate(totals.of('bytesOutPerSecond').last())} out`);
  setText(facts.latency.value, millis(frame.latency?.p99Millis));
  setText(facts.wait.value, millis(tenants.reduce((most, each) => Math.max(most, each.longestWaitMillis), 0)));
  setText(facts.memory.value, percent(frame.memory.usedBytes / Math.max(1, frame.memory.capacityBytes)));
  setText(facts.memory.note, `${bytes(frame.memory.usedBytes)} of ${bytes(frame.memory.capacityBytes)}`);
}

function memberTable() {
  return new VirtualTable({
    caption: 'Members', key: (row) => row.uuid, sortBy: 'address', fit: true,
    empty: 'No member is known yet.',
    columns: [
      { id: 'address', title: 'Member', cell: (row) => row.address },
      { id: 'state', title: 'State', cell: (row) => row.state },
      { id: 'operations', title: 'Ops/s', numeric: true, sort: (row) => row.operationsPerSecond ?? -1, cell: (row) => count(row.operationsPerSecond) },
      { id: 'p99', title: 'p99', numeric: true, sort: (row) => row.latency?.p99Millis ?? -1, cell: (row) => millis(row.latency?.p99Millis) },
      { id: 'partitions', title: 'Partitions', numeric: true, cell: (row) => count(row.partitions), sort: (row) => row.partitions },
      { id: 'here', title: 'Shown here', cell: (row) => (row.local ? 'this one' : ''), sort: (row) => (row.local ? 0 : 1) },
    ],
  });
}

function tierTable() {
  return new VirtualTable({
    caption: 'Memory tiers', key: (row) => row.name, sortBy: 'name', fit: true,
    empty: 'No tier is known yet.',
    columns: [
      { id: 'name', title: 'Tier', cell: (row) => row.name },
      {
        id: 'used', title: 'Taken', numeric: true, sort: (row) => row.usedBytes, cell: (row) => bytes(row.usedBytes),
        bar: (row) => partOf(row.usedBytes, row.capacityBytes),
      },
      { id: 'capacity', title: 'Capacity', numeric: true, sort: (row) => row.capacityBytes, cell: (row) => bytes(row.capacityBytes) },
    ],
  });
}

function logTable() {
  return new VirtualTable({
    caption: 'Logs of members', key: (row) => row.uuid, sortBy: 'address', fit: true,
    empty: 'No member keeps a log.',
    columns: [
      { id: 'address', title: 'Member', cell: (row) => row.address },
      {
        id: 'written', title: 'Written', numeric: true, sort: (row) => row.log.appendedBytesPerSecond,
        cell: (row) => byteRate(row.log.appendedBytesPerSecond),
      },
      { id: 'live', title: 'Live', numeric: true, sort: (row) => row.log.liveBytes, cell: (row) => bytes(row.log.liveBytes) },
      { id: 'dead', title: 'Dead', numeric: true, sort: (row) => row.log.deadBytes, cell: (row) => bytes(row.log.deadBytes) },
    ],
  });
}

async function waits() {
  const { tenants } = await get('/top');
  const waiting = tenants
    .filter((tenant) => tenant.waitedMillisPerSecond >= 0.05)
    .sort((a, b) => b.waitedMillisPerSecond - a.waitedMillisPerSecond)
    .slice(0, MOST_WAITING);
  return plainTable('Who waits for whom',
    [{ title: 'Tenant' }, { title: 'Waits', numeric: true }, { title: 'Longest', numeric: true }, { title: 'Behind', wrap: true }],
    waiting.map((tenant) => [
      h('a', { href: `#/tenants/${encodeURIComponent(tenant.tenant)}` }, tenant.tenant),
      `${millis(tenant.waitedMillisPerSecond)}/s`,
      millis(tenant.longestWaitMillis),
      Object.entries(tenant.behindMillisPerSecond).slice(0, 3).map(([name, ms]) => `${name} ${millis(ms)}/s`).join(', ') || 'its own requests',
    ]),
    'Nobody waits.');
}

export default {
  id: 'overview',
  title: 'Overview',
  icon: 'overview',
  roles: ['operator'],
  render({ store }) {
    const figures = facts();
    const plots = [
      new Plot({ title: 'Throughput', format: rate, lines: [{ series: store.totals.of('operationsPerSecond') }] }),
      latencyPlot(store.cluster),
      new Plot({
        title: 'Traffic', format: byteRate, binary: true,
        lines: [
          { name: 'in', series: store.totals.of('bytesInPerSecond') },
          { name: 'out', series: store.totals.of('bytesOutPerSecond') },
        ],
      }),
      new Plot({
        title: 'Memory of this member', format: bytes, binary: true, lines: [{ series: store.cluster.of('usedBytes') }],
        limit: () => store.frame?.memory.capacityBytes ?? null,
      }),
      new Plot({
        title: 'Waiting to be served', format: (value) => `${millis(value)}/s`,
        lines: [{ series: store.totals.of('waitedMillisPerSecond') }],
      }),
    ];
    const members = memberTable();
    const tiers = tierTable();
    const logs = logTable();
    const alerts = alertList(3);
    const waiting = h('div', null, h('p', { class: 'empty' }, 'Loading …'));
    const askWaits = async () => {
      try {
        replace(waiting, await waits());
      } catch (e) {
        replace(waiting, h('p', { class: 'error' }, e.message));
      }
    };
    askWaits();
    const timer = setInterval(askWaits, WAITS_EVERY);
    return {
      element: [
        head('Overview', 'The cluster as this member sees it.'),
        alerts.element,
        figures.element,
        h('div', { class: 'plots' }, plots.map((plot) => plot.element)),
        section('Members', members.element),
        h('div', { class: 'columns' },
          section('Who waits for whom', waiting),
          h('div', { class: 'stack wide' },
            section('Logs of members', logs.element),
            section('Memory tiers of this member', tiers.element))),
      ],
      update() {
        if (store.frame) {
          showFacts(figures, store);
          members.setRows(store.frame.members);
          tiers.setRows(store.frame.memory.tiers);
          logs.setRows(store.frame.members.filter((member) => member.log));
          alerts.update(alertsOf(store.frame, store.limits));
          plots.forEach((plot) => plot.update());
        }
      },
      close() {
        clearInterval(timer);
        members.close();
        tiers.close();
        logs.close();
        plots.forEach((plot) => plot.close());
      },
    };
  },
};
