// All tenants, with what they use of what they may.

import { call, get, part } from '../lib/api.js';
import { askFor, showKeyOnce } from '../lib/dialog.js';
import { h, setText } from '../lib/dom.js';
import { bytes, byteRate, count, millis, rate } from '../lib/format.js';
import { button, head } from '../lib/parts.js';
import { setFreshKey } from '../lib/session.js';
import { partOf } from '../lib/store.js';
import { filterField, VirtualTable } from '../lib/table.js';

const ASK_AFTER = 250;
const MOST_FOUND = 100;

function columns(store) {
  const limit = (row, name) => store.limits.get(row.tenant)?.[name];
  const used = (id, title, format) => ({
    id, title, numeric: true, sort: (row) => row[id], cell: (row) => format(row[id]),
    bar: (row) => partOf(row[id], limit(row, id)),
  });
  return [
    { id: 'tenant', title: 'Tenant', cell: (row) => row.tenant, href: (row) => `#/tenants/${encodeURIComponent(row.tenant)}` },
    {
      id: 'state', title: 'State', cell: (row) => store.states.get(row.tenant) ?? '',
      tone: (row) => `badge ${{ active: 'good', suspended: 'warn', deleting: 'bad' }[store.states.get(row.tenant)] ?? ''}`,
    },
    used('operationsPerSecond', 'Operations', rate),
    used('bytesInPerSecond', 'In', byteRate),
    used('bytesOutPerSecond', 'Out', byteRate),
    used('memoryBytes', 'Memory', bytes),
    used('entries', 'Entries', count),
    used('connections', 'Connections', count),
    {
      id: 'waitedMillisPerSecond', title: 'Waits', numeric: true, sort: (row) => row.waitedMillisPerSecond,
      cell: (row) => `${millis(row.waitedMillisPerSecond)}/s`,
    },
    {
      id: 'throttledPerSecond', title: 'Throttled', numeric: true, sort: (row) => row.throttledPerSecond,
      cell: (row) => rate(row.throttledPerSecond), tone: (row) => (row.throttledPerSecond > 0 ? 'warn' : ''),
    },
  ];
}

function createTenant(directory, opener) {
  let made = null;
  const dialog = askFor({
    title: 'Create a tenant',
    intro: 'It gets a key space of its own and one access key, which is shown once.',
    fields: [{
      name: 'name', label: 'Name', required: true,
      hint: '1 to 63 lower-case letters, digits and hyphens, such as acme.',
    }],
    action: 'Create',
    async submit({ name }) {
      made = await call('POST', '/tenants', { name: name.trim() });
      setFreshKey(made.tenant, made.key);
      directory.refresh().catch(() => {});
    },
  });
  dialog.addEventListener('close', () => {
    if (made) {
      showKeyOnce(made.tenant, made.key, opener);
    }
  });
}

/** Tenants that the frames have not, as there are too many: asked for by the beginning of their names. */
class Found {
  constructor(store, onFound) {
    Object.assign(this, { store, onFound, rows: [], prefix: '' });
  }

  ask(text) {
    clearTimeout(this.timer);
    this.prefix = text;
    this.rows = [];
    if (/^[a-z0-9-]{1,63}$/.test(text) && this.store.tenants.size < this.store.tenantCount) {
      this.timer = setTimeout(() => this.#fetch(text), ASK_AFTER);
    }
  }

  async #fetch(prefix) {
    try {
      const { quotas } = await get(`/quotas?limit=${MOST_FOUND}&prefix=${part(prefix)}`);
      if (prefix === this.prefix) {
        quotas.forEach((quota) => this.store.limits.set(quota.tenant, quota.limits));
        this.rows = quotas.map(({ tenant, usage }) => ({ tenant, waitedMillisPerSecond: 0, throttledPerSecond: 0, ...usage }));
        this.onFound();
      }
    } catch {
      // The stream tells that the server is away; the next letter asks again.
    }
  }

  /** The rows of a frame, and those that were found besides. */
  addTo(rows) {
    const more = this.rows.filter((row) => !this.store.tenants.has(row.tenant));
    return more.length === 0 ? rows : [...rows, ...more];
  }

  close() {
    clearTimeout(this.timer);
  }
}

export default {
  id: 'tenants',
  title: 'Tenants',
  icon: 'tenants',
  roles: ['operator'],
  render({ store, directory }) {
    const table = new VirtualTable({
      caption: 'Tenants', key: (row) => row.tenant, sortBy: 'operationsPerSecond', descending: true,
      columns: columns(store), empty: 'There are no tenants yet. Create the first one.',
    });
    const total = h('p', { class: 'count', 'aria-live': 'off' });
    const create = button('Create a tenant', () => createTenant(directory, create), 'primary');
    const found = new Found(store, () => shown());
    const shown = () => {
      const rows = store.frame ? found.addTo(store.frame.tenants) : [];
      table.setRows(rows);
      setText(total, table.rows.length < store.tenantCount
        ? `${count(table.shown.length)} of ${count(store.tenantCount)}: those that use most, and those whose names begin with the filter`
        : `${count(table.shown.length)} of ${count(store.tenantCount)}`);
    };
    const search = filterField('Filter by name or state', (text) => {
      table.setFilter((row) => row.tenant.includes(text) || (store.states.get(row.tenant) ?? '').startsWith(text));
      found.ask(text);
    });
    return {
      element: [
        head('Tenants', 'Usage is on all members together; a bar shows what is used of a limit.', create),
        h('div', { class: 'toolbar' }, search, total),
        h('div', { class: 'card bare' }, table.element),
      ],
      update() {
        if (store.frame) {
          shown();
        }
      },
      close() {
        found.close();
        table.close();
      },
    };
  },
};
