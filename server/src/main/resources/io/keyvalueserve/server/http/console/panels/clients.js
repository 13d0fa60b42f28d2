// The Redis and Hazelcast clients that a tenant has connected.

import { get, part } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { count, time } from '../lib/format.js';
import { button, loaded, sectionWith } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

const DOORS = { resp: 'Redis', hazelcast: 'Hazelcast' };

/** With `members`, for operators, also says which member each is connected to. */
export function clientsPanel(tenant, { members = false } = {}) {
  const list = loaded(async () => {
    const { clients, total, silent } = await get(`/tenants/${part(tenant)}/clients`);
    return [
      silent.length > 0 ? h('p', { class: 'error' }, `No answer from ${silent.join(', ')}: clients there are missing.`) : null,
      clients.length < total ? h('p', { class: 'faint' }, `${count(clients.length)} of ${count(total)} are shown.`) : null,
      plainTable('Clients',
        [{ title: 'Address' }, { title: 'Door' }, { title: 'Name', wrap: true }, { title: 'Library' }, { title: 'Map' },
          { title: 'Connected' }, { title: 'Last command' }, ...(members ? [{ title: 'Member' }] : [])],
        clients.map((client) => [
          h('code', null, client.address), DOORS[client.door] ?? client.door, client.name, client.library, client.map ?? '',
          h('time', { datetime: client.since }, time(client.since)), client.lastCommand ?? '',
          ...(members ? [h('code', null, client.member)] : []),
        ]), 'No Redis or Hazelcast client is connected.'),
    ];
  });
  return sectionWith('Clients', button('Refresh', list.again), list.element);
}
