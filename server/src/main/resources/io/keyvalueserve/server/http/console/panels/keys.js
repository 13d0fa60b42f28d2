// The access keys of a tenant.

import { call, get, part } from '../lib/api.js';
import { askFor, showKeyOnce } from '../lib/dialog.js';
import { h } from '../lib/dom.js';
import { time } from '../lib/format.js';
import { badge, button, loaded, sectionWith } from '../lib/parts.js';
import { setFreshKey } from '../lib/session.js';
import { plainTable } from '../lib/table.js';

/** `own` is the id of the key that was signed in with. */
export function keysPanel(tenant, own) {
  const path = `/tenants/${part(tenant)}/keys`;
  const list = loaded(async () => {
    const { keys } = await get(path);
    return plainTable('Access keys',
      [{ title: 'Key' }, { title: 'Label' }, { title: 'Made' }, { title: '' }],
      keys.map((key) => [
        h('code', null, key.id), key.label || h('span', { class: 'faint' }, 'no label'), time(key.createdAt),
        key.id === own ? badge('signed in with it') : button('Revoke', () => revoke(key), 'quiet danger-text'),
      ]),
      'No key is left: nobody can come in as this tenant. Create one.');
  });
  const revoke = (key) => askFor({
    title: `Revoke key ${key.id}?`,
    intro: 'Sessions that came in with it end at once, on every member. It cannot be made valid again.',
    action: 'Revoke', danger: true, typed: key.id,
    async submit() {
      await call('DELETE', `${path}/${part(key.id)}`);
      list.again();
    },
  });
  const create = button('Create a key', () => {
    let made = null;
    askFor({
      title: 'Create an access key',
      fields: [{ name: 'label', label: 'Label', hint: 'What it is for, such as the name of a program. May be empty.' }],
      action: 'Create',
      async submit({ label }) {
        made = await call('POST', path, { label: label.trim() });
        setFreshKey(tenant, made.key);
        list.again();
      },
    }).addEventListener('close', () => {
      if (made) {
        showKeyOnce(tenant, made.key, create);
      }
    });
  });
  return sectionWith('Access keys', create, list.element);
}
