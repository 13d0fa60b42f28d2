// What operators keep for one tenant alone: maps with memory, and members.

import { call, get, part } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { h } from '../lib/dom.js';
import { amount, bytes, time, typedAmount } from '../lib/format.js';
import { button, loaded, sectionWith } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

const PATH = '/reservations';

const what = (reservation) => reservation.map ?? `member ${reservation.address ?? reservation.member}`;

function reserveMap(changed, reservation) {
  askFor({
    title: reservation ? `Memory for ${reservation.map}` : 'Reserve a map',
    intro: 'Its memory is never taken for others, and nobody but its owner can be let in. It is charged for.',
    fields: [
      ...(reservation ? [] : [
        { name: 'tenant', label: 'Tenant', required: true },
        { name: 'map', label: 'Map', required: true, value: 'default', hint: 'It need not exist yet.' },
      ]),
      { name: 'memory', label: 'Memory', required: true, value: typedAmount(reservation?.memoryBytes, true), placeholder: '512m',
        hint: 'Of its entries, without backups: such as 512m or 2g.' },
    ],
    action: 'Reserve',
    async submit({ tenant, map, memory }) {
      const memoryBytes = amount(memory, true);
      if (memoryBytes === null) {
        throw new Error('Memory: write how much, such as 512m');
      }
      await call('POST', PATH, { map: reservation?.map ?? `${tenant.trim()}/${map.trim()}`, memoryBytes });
      changed();
    },
  });
}

function reserveMember(changed, members) {
  askFor({
    title: 'Reserve a member',
    intro: 'Its doors let in the clients of one tenant alone; sessions of others end, and who comes is sent to other members.',
    fields: [
      { name: 'member', label: 'Member', options: members.map((each) => [each.address, each.address]) },
      { name: 'tenant', label: 'For tenant', required: true },
    ],
    action: 'Reserve', danger: true,
    async submit({ member, tenant }) {
      await call('POST', PATH, { member, tenant: tenant.trim() });
      changed();
    },
  });
}

function release(reservation, changed) {
  askFor({
    title: `Release ${what(reservation)}?`,
    intro: `${reservation.tenant} shares it with everybody again, and is no longer charged for having it alone.`,
    action: 'Release', danger: true,
    async submit() {
      await call('DELETE', `${PATH}/${part(reservation.id)}`);
      changed();
    },
  });
}

/** All reservations, with what operators do about them. */
export function reservationsPanel() {
  let members = [];
  const list = loaded(async () => {
    const [{ reservations, memory }, cluster] = await Promise.all([get(PATH), get('/cluster')]);
    members = cluster.members;
    return h('div', { class: 'stack' },
      h('p', { class: 'lead' }, `${bytes(memory.reservedBytes)} are reserved, ${bytes(memory.leftBytes)} can be: of all members together, each entry counted once.`),
      plainTable('Reserved',
        [{ title: 'What' }, { title: 'For' }, { title: 'Memory', numeric: true }, { title: 'Since' }, { title: 'By', wrap: true }, { title: '' }],
        reservations.map((each) => [
          what(each), each.tenant, bytes(each.memoryBytes), time(each.createdAt), each.by,
          [each.map ? button('Resize', () => reserveMap(list.again, each), 'quiet') : null,
            button('Release', () => release(each, list.again), 'quiet danger-text')],
        ]), 'Nothing is reserved.'));
  });
  const actions = h('div', { class: 'actions' },
    button('Reserve a map', () => reserveMap(list.again)),
    button('Reserve a member', () => reserveMember(list.again, members)));
  return sectionWith('Reserved', actions, list.element);
}
