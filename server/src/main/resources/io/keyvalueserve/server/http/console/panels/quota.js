// What a tenant may use, what it uses, and, for operators, a form that changes it.

import { call, get, part } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { h, setText } from '../lib/dom.js';
import { amount, typedAmount } from '../lib/format.js';
import { LIMITS } from '../lib/quota.js';
import { button, section, sectionWith } from '../lib/parts.js';
import { partOf } from '../lib/store.js';
import { showBar } from '../lib/table.js';

export function quotaPanel(tenant, store, { change }) {
  const rows = LIMITS.map((limit) => {
    const used = h('td', { class: 'numeric', dataset: { label: 'Used' } });
    const most = h('td', { class: 'numeric', dataset: { label: 'At most' } });
    const bar = h('span', { class: 'bar', 'aria-hidden': 'true' }, h('i'));
    bar.hidden = true;
    return { limit, used, most, bar, row: h('tr', null, h('th', { scope: 'row' }, limit.title), used, most, h('td', null, bar)) };
  });
  const table = h('table', { class: 'quota cards' },
    h('caption', { class: 'unseen' }, 'Quota'),
    h('thead', null, h('tr', null, ['Limit', 'Used', 'At most', 'Part'].map((title, i) =>
      h('th', { scope: 'col', class: i === 1 || i === 2 ? 'numeric' : null }, title)))),
    h('tbody', null, rows.map((each) => each.row)));
  let counted = {};
  const ask = async () => {
    try {
      counted = (await get(`/tenants/${part(tenant)}/quota`)).usage;
      update();
    } catch {
      // The figures of the live stream are there, or the view says why not.
    }
  };
  function update() {
    const limits = store.limits.get(tenant) ?? {};
    const usage = store.tenants.get(tenant) ?? {};
    for (const { limit, used, most, bar } of rows) {
      const value = limit.live ? usage[limit.id] : counted[limit.id];
      setText(used, value === undefined ? '' : limit.format(value));
      setText(most, limits[limit.id] === undefined ? 'no limit' : limit.format(limits[limit.id]));
      showBar(bar, value === undefined ? null : partOf(value, limits[limit.id]));
    }
  }
  ask();
  const edit = () => askFor({
    title: `Quota of ${tenant}`,
    intro: 'Holds over all members together. Write 10k or 1.5m; of bytes, k is 1024. Nothing means no limit.',
    fields: LIMITS.map((limit) => ({
      name: limit.id, label: limit.title, placeholder: 'no limit',
      value: typedAmount(store.limits.get(tenant)?.[limit.id], limit.binary),
    })),
    action: 'Set',
    async submit(typed) {
      const body = Object.fromEntries(LIMITS.map((limit) => [limit.id, amount(typed[limit.id], limit.binary)]));
      const quota = await call('PATCH', `/tenants/${part(tenant)}/quota`, body);
      store.limits.set(tenant, quota.limits);
      store.changed();
      ask();
    },
  });
  const element = change
    ? sectionWith('Quota', button('Change', edit), table)
    : section('Quota', table);
  return { element, update };
}
