// The maps of a tenant, with what is set for them.

import { get, part } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { loaded, section } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

const marked = (value, isDefault) => (isDefault ? [value, h('span', { class: 'faint' }, ' (default)')] : value);

/** `href` makes the address of a map's own page, if it has one. */
export function mapsPanel(tenant, href) {
  const list = loaded(async () => {
    const { maps } = await get(`/tenants/${part(tenant)}/maps`);
    return plainTable('Maps',
      [{ title: 'Map' }, { title: 'Durability' }, { title: 'When memory is short' }, { title: 'Charged to' },
        { title: 'Indexes', numeric: true }],
      maps.map((map) => [
        href ? h('a', { href: href(map.map) }, map.map) : map.map,
        marked(map.durability, map.durabilityIsDefault),
        marked(map.overMemory, map.overMemoryIsDefault),
        marked(map.chargedTo, map.chargedToIsDefault),
        String(map.indexes.length),
      ]), 'No maps yet. One is made by the first write to it.');
  });
  return section('Maps', list.element);
}
