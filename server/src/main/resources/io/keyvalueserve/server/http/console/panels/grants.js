// Shows what a tenant lets others do with its maps and channels, and what others let it do.

import { call, get, part } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { h } from '../lib/dom.js';
import { time } from '../lib/format.js';
import { button, loaded, sectionWith } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

function scope(grant) {
  if (grant.channels !== undefined) {
    return ['channels from ', h('code', null, grant.prefix)];
  }
  if (grant.key !== undefined) {
    return ['key ', h('code', null, grant.key)];
  }
  return grant.prefix !== undefined ? ['keys from ', h('code', null, grant.prefix)] : 'the whole map';
}

const subject = (grant) => grant.map ?? `${grant.channels}//`;

const until = (grant) => (grant.expiresAt ? time(grant.expiresAt) : 'no end');

/** `href` makes the address of a map that was granted, if it can be opened here. */
export function grantsPanel(tenant, href) {
  const path = (map) => `/tenants/${part(tenant)}/maps/${part(map)}/grants`;
  const channels = `/tenants/${part(tenant)}/channels/grants`;
  const list = loaded(async () => {
    const { given, received } = await get(`/tenants/${part(tenant)}/grants`);
    return h('div', { class: 'stack' },
      h('h3', null, 'Given'),
      plainTable('Grants given',
        [{ title: 'Map or channels' }, { title: 'To' }, { title: 'Rights' }, { title: 'On', wrap: true }, { title: 'Until' }, { title: '' }],
        given.map((grant) => [
          subject(grant), grant.to, grant.rights.join(', '), scope(grant), until(grant),
          button('Revoke', () => revoke(grant), 'quiet danger-text'),
        ]), 'No other tenant has a right on these maps and channels.'),
      h('h3', null, 'Received'),
      plainTable('Grants received',
        [{ title: 'Map or channels' }, { title: 'Rights' }, { title: 'On', wrap: true }, { title: 'Until' }],
        received.map((grant) => [href && grant.map ? h('a', { href: href(grant.map) }, grant.map) : subject(grant), grant.rights.join(', '), scope(grant), until(grant)]),
        'No other tenant has given a right.'));
  });
  const revoke = (grant) => askFor({
    title: `Revoke the grant to ${grant.to}?`,
    intro: `${grant.to} loses ${grant.rights.join(', ')} on ${subject(grant)}, in open sessions too.`,
    action: 'Revoke', danger: true,
    async submit() {
      const grants = grant.map ? path(grant.map.slice(grant.map.indexOf('/') + 1)) : channels;
      await call('DELETE', `${grants}/${part(grant.id)}`);
      list.again();
    },
  });
  const create = button('Grant', () => askFor({
    title: 'Let another tenant in',
    fields: [
      { name: 'map', label: 'Map', required: true, value: 'default', hint: 'Not for channels.' },
      { name: 'to', label: 'To tenant', required: true },
      { name: 'rights', label: 'Rights', value: 'read', hint: 'read, write, lock, admin or several of them, with commas; on channels subscribe, publish' },
      { name: 'kind', label: 'On', options: [['map', 'the whole map'], ['prefix', 'keys that begin with'], ['key', 'one key'], ['channels', 'channels that begin with']] },
      { name: 'text', label: 'Prefix, key or channels', hint: 'Not for the whole map.' },
    ],
    action: 'Grant',
    async submit({ map, to, rights, kind, text }) {
      const body = { to: to.trim(), rights };
      if (kind !== 'map') {
        body[kind === 'channels' ? 'prefix' : kind] = text;
      }
      await call('POST', kind === 'channels' ? channels : path(map.trim()), body);
      list.again();
    },
  }));
  return sectionWith('Grants', create, list.element);
}
