// Databases whose tables are behind maps.

import { call, get, part } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { h } from '../lib/dom.js';
import { announce, button, head, loaded } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

const PATH = '/stores';
const pathOf = (store) => `${PATH}/${part(store)}`;

function edit(changed, store) {
  askFor({
    title: store ? `Change ${store.name}` : 'Create a store',
    intro: 'A database whose tables can be put behind maps. Its password is kept encrypted, and never shown.',
    fields: [
      ...(store ? [] : [{ name: 'name', label: 'Name', required: true, hint: 'Small letters, digits and dashes.' }]),
      { name: 'jdbcUrl', label: 'Address', required: true, value: store?.jdbcUrl, placeholder: 'jdbc:postgresql://host:5432/database' },
      { name: 'user', label: 'User', value: store?.user },
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password',
        hint: store?.hasPassword ? 'Leave it empty to keep the one there is.' : '' },
      { name: 'poolSize', label: 'Connections', value: String(store?.poolSize ?? 10), hint: 'The most of each member for each tenant.' },
      { name: 'timeout', label: 'Timeout', value: store?.timeout ?? '5s' },
    ],
    action: store ? 'Change' : 'Create',
    async submit({ name, jdbcUrl, user, password, poolSize, timeout }) {
      const body = { jdbcUrl: jdbcUrl.trim(), poolSize: Number(poolSize), timeout: timeout.trim() };
      if (user.trim()) {
        body.user = user.trim();
      }
      if (password) {
        body.password = password;
      }
      await call('PUT', pathOf(store?.name ?? name.trim()), body);
      changed();
    },
  });
}

function remove(store, changed) {
  askFor({
    title: `Delete ${store.name}?`,
    intro: 'The database stays as it is. A store that is behind a map cannot be deleted.',
    action: 'Delete', danger: true,
    async submit() {
      await call('DELETE', pathOf(store.name));
      changed();
    },
  });
}

function putBehind(changed, store) {
  askFor({
    title: `A table of ${store.name}`,
    intro: 'All clients of the map use the table through it. More can be set with kvs map configure.',
    fields: [
      { name: 'tenant', label: 'Tenant', required: true },
      { name: 'map', label: 'Map', required: true, value: 'default', hint: 'It need not exist yet.' },
      { name: 'table', label: 'Table', required: true, placeholder: 'public.orders' },
      { name: 'mode', label: 'Writes', value: 'read-through', options: [
        ['read-through', 'stay in memory (read-through)'],
        ['write-through', 'wait for the table (write-through)'],
        ['write-behind', 'follow to the table (write-behind)']] },
      { name: 'keyColumn', label: 'Key column', value: 'id' },
      { name: 'format', label: 'Values', value: 'value', options: [
        ['value', 'the column "value"'], ['json', 'JSON objects of all other columns']] },
    ],
    action: 'Put it behind the map',
    async submit({ tenant, map, table, mode, keyColumn, format }) {
      await call('PUT', `/tenants/${part(tenant.trim())}/maps/${part(map.trim())}`,
        { store: { name: store.name, table: table.trim(), mode, keyColumn: keyColumn.trim(), format } });
      changed();
    },
  });
}

export default {
  id: 'stores',
  title: 'Stores',
  icon: 'maps',
  roles: ['operator'],
  render() {
    const note = h('p', { role: 'status' });
    const check = async (store) => {
      note.textContent = `Asking ${store.name} …`;
      note.className = 'empty';
      try {
        const found = await call('POST', `${pathOf(store.name)}/check`, {});
        note.textContent = `${store.name}: ${found.product} ${found.version} answers in ${found.millis} ms.`;
      } catch (e) {
        note.textContent = `${store.name}: ${e.message}`;
        note.className = 'error';
      }
      announce(note.textContent);
    };
    const list = loaded(async () => {
      const { stores } = await get(PATH);
      return plainTable('Stores',
        [{ title: 'Name' }, { title: 'Address', wrap: true }, { title: 'User' }, { title: 'Connections', numeric: true },
          { title: 'Timeout' }, { title: 'Behind', wrap: true }, { title: '' }],
        stores.map((each) => [
          each.name, each.jdbcUrl, each.user ?? '–', String(each.poolSize), each.timeout,
          each.maps.length === 0 ? '–' : each.maps.join(', '),
          [button('Check', () => check(each), 'quiet'), button('Table', () => putBehind(list.again, each), 'quiet'),
            button('Change', () => edit(list.again, each), 'quiet'),
            button('Delete', () => remove(each, list.again), 'quiet danger-text')],
        ]), 'No stores yet.');
    });
    return {
      element: [
        head('Stores', 'Databases whose tables are behind maps.', button('Create a store', () => edit(list.again), 'primary')),
        h('section', { class: 'card' }, note, list.element),
      ],
    };
  },
};
