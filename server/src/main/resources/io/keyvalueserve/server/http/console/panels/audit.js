// Events of the audit trails.

import { get } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { time } from '../lib/format.js';
import { plainTable } from '../lib/table.js';

/** The newest events that a question finds; `query` has the parameters of `/api/v1/audit`. */
export async function auditTable(query) {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  const { events, silent } = await get(`/audit?${asked}`);
  return [
    silent.length > 0
      ? h('p', { class: 'error' }, `No answer from ${silent.join(', ')}: events may be missing.`)
      : null,
    plainTable('Events',
      [{ title: 'Time' }, { title: 'What' }, { title: 'Who' }, { title: 'Tenant' }, { title: 'Object' }, { title: 'Detail', wrap: true }],
      events.map((event) => [
        h('time', { datetime: event.time }, time(event.time)), event.kind, event.actor,
        event.tenant ? h('a', { href: `#/tenants/${encodeURIComponent(event.tenant)}` }, event.tenant) : '',
        event.object ?? '', [event.detail ?? '', event.count > 1 ? ` (${event.count} times)` : ''],
      ]), 'No such event.'),
  ];
}
