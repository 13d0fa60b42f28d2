// The memory of the member that is asked: its tiers and pools, who takes it, what was taken back, and what is
// reserved on all members.

import { get } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { bytes, count, percent, time } from '../lib/format.js';
import { fact, head, loaded, section } from '../lib/parts.js';
import { plainTable, showBar, VirtualTable } from '../lib/table.js';
import { reservationsPanel } from '../panels/reservations.js';

const AGAIN = 10_000;

function share(used, capacity) {
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' }, h('i'));
  showBar(bar, used / Math.max(1, capacity));
  return bar;
}

function facts(memory) {
  const { blocks } = memory;
  return h('dl', { class: 'facts' }, [
    ['Taken', percent(memory.usedBytes / Math.max(1, memory.capacityBytes)), `${bytes(memory.usedBytes)} of ${bytes(memory.capacityBytes)}`],
    ['Resident', bytes(memory.residentBytes), 'costs the machine memory now'],
    ['Within blocks', percent(blocks.internalFragmentation), 'asked for less than given'],
    ['Between blocks', percent(blocks.slabFragmentation), 'of pages that are used in part'],
    ['Refused', count(memory.refusals), 'blocks since the start'],
  ].map(([label, value, hint]) => {
    const one = fact(label, hint);
    one.value.textContent = value;
    return one.element;
  }));
}

function pools(memory) {
  return plainTable('Pools',
    [{ title: 'Tier' }, { title: 'Pool' }, { title: 'Kind' }, { title: 'Taken', numeric: true },
      { title: 'Capacity', numeric: true }, { title: 'Part' }, { title: 'Free in one run', numeric: true }],
    memory.tiers.flatMap((tier) => tier.pools.map((pool) => [
      tier.name, pool.name, [pool.kind, pool.detail ? h('span', { class: 'faint' }, ` ${pool.detail}`) : null],
      bytes(pool.usedBytes), bytes(pool.capacityBytes), share(pool.usedBytes, pool.capacityBytes),
      bytes(pool.largestFreeRunBytes),
    ])), 'There is no pool.');
}

function tenantsTable(memory) {
  const table = new VirtualTable({
    caption: 'Memory by tenant', key: (row) => row.tenant, sortBy: 'bytes', descending: true, fit: true,
    empty: 'No tenant keeps anything here.',
    columns: [
      { id: 'tenant', title: 'Tenant', cell: (row) => row.tenant, href: (row) => `#/tenants/${encodeURIComponent(row.tenant)}` },
      { id: 'bytes', title: 'Memory', numeric: true, sort: (row) => row.bytes, cell: (row) => bytes(row.bytes) },
      { id: 'entries', title: 'Entries', numeric: true, sort: (row) => row.entries, cell: (row) => count(row.entries) },
      { id: 'backups', title: 'Backups', numeric: true, sort: (row) => row.backupEntries, cell: (row) => count(row.backupEntries) },
    ],
  });
  table.setRows(memory.tenants);
  return table.element;
}

function reclaimed(view) {
  return h('div', { class: 'stack' },
    h('p', { class: 'lead' },
      `Begins at ${view.highPercent} % taken and stops at ${view.lowPercent} %. A tenant is inactive after ${view.inactiveAfterSeconds} s. `,
      view.spill
        ? `${bytes(view.spill.usedBytes)} of ${bytes(view.spill.capacityBytes)} on the disk hold ${count(view.spill.values)} values.`
        : 'Values do not leave memory for the disk here.'),
    plainTable('Taken back since the start',
      [{ title: 'Tenant' }, { title: 'Why' }, { title: 'How' }, { title: 'Memory', numeric: true }, { title: 'Records', numeric: true }],
      view.totals.map((total) => [total.tenant, total.reason, total.action, bytes(total.bytes), count(total.records)]),
      'Nothing had to be taken back.'),
    view.held.length > 0
      ? plainTable('Writes that were made to wait meanwhile',
          [{ title: 'Tenant' }, { title: 'Times since the start', numeric: true }],
          view.held.map((held) => [held.tenant, count(held.times)]), '')
      : null,
    view.events.length > 0
      ? plainTable('Latest events',
          [{ title: 'Time' }, { title: 'Tenant' }, { title: 'How' }, { title: 'Why', wrap: true }, { title: 'Memory', numeric: true }, { title: 'Records', numeric: true }],
          view.events.map((event) => [time(event.from), event.tenant, event.action,
            [event.why, event.obstacle ? ` (${event.obstacle})` : ''], bytes(event.bytes), count(event.records)]), '')
      : null);
}

export default {
  id: 'memory',
  title: 'Memory',
  icon: 'memory',
  roles: ['operator'],
  render() {
    const first = loaded(async () => {
      const memory = await get('/memory');
      return h('div', { class: 'stack' }, facts(memory), section('Pools', pools(memory)), section('By tenant', tenantsTable(memory)));
    });
    const second = loaded(async () => reclaimed(await get('/memory/reclaimed')));
    const timer = setInterval(() => {
      if (!first.element.contains(document.activeElement) && !first.element.matches(':hover')) {
        first.again();
      }
      if (!second.element.matches(':hover')) {
        second.again();
      }
    }, AGAIN);
    return {
      element: [
        head('Memory', 'Of the member that serves this page. Each member has its own.'),
        first.element,
        section('Taken back', second.element),
        reservationsPanel(),
      ],
      close: () => clearInterval(timer),
    };
  },
};
