// The maps of a tenant, with what is set for them.

import { get, part } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { bytes, count, rate } from '../lib/format.js';
import { loaded, section } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

const marked = (value, isDefault) => (isDefault ? [value, h('span', { class: 'faint' }, ' (default)')] : value);

/** The word for how a map is kept, where it is set, and the consent that it needs. */
function persistence(map) {
  const notes = [
    map.persistenceFrom === 'tenant' ? 'of the tenant' : '',
    map.persistence === 'consented' ? `consent: ${map.consent.state}` : '',
  ].filter((note) => note !== '');
  return [h('span', { title: map.persistenceDoes }, map.persistence), h('span', { class: 'faint' }, notes.length > 0 ? ` (${notes.join(', ')})` : '')];
}

/** Operations in a second; nothing for a map whose size was not asked for. */
const perSecond = (value) => (value === undefined ? '–' : rate(value));

/** `href` makes the address of a map's own page, if it has one. */
export function mapsPanel(tenant, href) {
  const list = loaded(async () => {
    const { maps, silent } = await get(`/tenants/${part(tenant)}/maps`);
    const table = plainTable('Maps',
      [{ title: 'Map' }, { title: 'Entries', numeric: true }, { title: 'Memory', numeric: true },
        { title: 'Reads', numeric: true }, { title: 'Writes', numeric: true }, { title: 'Persistence', wrap: true }, { title: 'Durability' }, { title: 'When memory is short' }, { title: 'Charged to' },
        { title: 'Table behind it', wrap: true }, { title: 'Indexes', numeric: true }],
      maps.map((map) => [
        href ? h('a', { href: href(map.map) }, map.map) : map.map,
        count(map.entries), bytes(map.memoryBytes), perSecond(map.readsPerSecond), perSecond(map.writesPerSecond),
        persistence(map),
        marked(map.durability, map.durabilityIsDefault),
        marked(map.overMemory, map.overMemoryIsDefault),
        marked(map.chargedTo, map.chargedToIsDefault),
        map.store ? `${map.store.name}: ${map.store.table}, ${map.store.mode}` : '–',
        String(map.indexes.length),
      ]), 'No maps yet. One is made by the first write to it.');
    return [
      silent.length > 0 ? h('p', { class: 'error' }, `No answer from ${silent.join(', ')}: entries and memory there are missing.`) : null,
      table,
    ];
  });
  return section('Maps', list.element);
}
