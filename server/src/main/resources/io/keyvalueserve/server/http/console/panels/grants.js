// What a tenant lets others do with its maps, and what others let it do.

import { call, get, part } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { h } from '../lib/dom.js';
import { time } from '../lib/format.js';
import { button, loaded, sectionWith } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

function scope(grant) {
  if (grant.key !== undefined) {
    return ['key ', h('code', null, grant.key)];
  }
  return grant.prefix !== undefined ? ['keys from ', h('code', null, grant.prefix)] : 'the whole map';
}

const until = (grant) => (grant.expiresAt ? time(grant.expiresAt) : 'no end');

/** `href` makes the address of a map that was granted, if it can be opened here. */
export function grantsPanel(tenant, href) {
  const path = (map) => `/tenants/${part(tenant)}/maps/${part(map)}/grants`;
  const list = loaded(async () => {
    const { given, received } = await get(`/tenants/${part(tenant)}/grants`);
    return h('div', { class: 'stack' },
      h('h3', null, 'Given'),
      plainTable('Grants given',
        [{ title: 'Map' }, { title: 'To' }, { title: 'Rights' }, { title: 'On', wrap: true }, { title: 'Until' }, { title: '' }],
        given.map((grant) => [
          grant.map, grant.to, grant.rights.join(', '), scope(grant), until(grant),
          button('Revoke', () => revoke(grant), 'quiet danger-text'),
        ]), 'No other tenant has a right on these maps.'),
      h('h3', null, 'Received'),
      plainTable('Grants received',
        [{ title: 'Map' }, { title: 'Rights' }, { title: 'On', wrap: true }, { title: 'Until' }],
        received.map((grant) => [href ? h('a', { href: href(grant.map) }, grant.map) : grant.map, grant.rights.join(', '), scope(grant), until(grant)]),
        'No other tenant has given a right.'));
  });
  const revoke = (grant) => askFor({
    title: `Revoke the grant to ${grant.to}?`,
    intro: `${grant.to} loses ${grant.rights.join(', ')} on ${grant.map}, in open sessions too.`,
    action: 'Revoke', danger: true,
    async submit() {
      await call('DELETE', `${path(grant.map.slice(grant.map.indexOf('/') + 1))}/${part(grant.id)}`);
      list.again();
    },
  });
  const create = button('Grant', () => askFor({
    title: 'Let another tenant in',
    fields: [
      { name: 'map', label: 'Map', required: true, value: 'default' },
      { name: 'to', label: 'To tenant', required: true },
      { name: 'rights', label: 'Rights', value: 'read', hint: 'read, write, lock, admin or several of them, with commas' },
      { name: 'kind', label: 'On', options: [['map', 'the whole map'], ['prefix', 'keys that begin with'], ['key', 'one key']] },
      { name: 'text', label: 'Prefix or key', hint: 'Not for the whole map.' },
    ],
    action: 'Grant',
    async submit({ map, to, rights, kind, text }) {
      const body = { to: to.trim(), rights };
      if (kind !== 'map') {
        body[kind] = text;
      }
      await call('POST', path(map.trim()), body);
      list.again();
    },
  }));
  return sectionWith('Grants', create, list.element);
}
