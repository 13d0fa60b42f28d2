// Whether a tenant is in memory, and, for operators, when it leaves it.

import { call, get, part } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { h } from '../lib/dom.js';
import { bytes, count, time } from '../lib/format.js';
import { badge, button, loaded, sectionWith } from '../lib/parts.js';

const TONES = { awake: 'good', hibernated: '' };
const AFTER = 'A time without use, such as 12h or 30d; never; or default, for what the members are set to.';

function lines(state) {
  const all = [h('p', null, badge(state.state, TONES[state.state] ?? 'warn'),
    state.after === 'never' ? ' It stays in memory.' : ` It leaves memory when nobody has used it for ${state.after}.`)];
  if (state.storedBytes !== undefined) {
    all.push(h('p', { class: 'faint' },
      `${count(state.entries)} entries, ${bytes(state.storedBytes)} in ${state.repository}, since ${time(state.since)}`));
  }
  if (state.stays) {
    all.push(h('p', { class: 'faint' }, `It stays for now: ${state.stays}`));
  }
  if (state.error) {
    all.push(h('p', { class: 'error', role: 'alert' }, state.error));
  }
  return all;
}

export function hibernationPanel(tenant) {
  const path = `/tenants/${part(tenant)}`;
  const place = loaded(async () => lines(await get(`${path}/hibernation`)));
  const after = (done) => async (typed) => {
    try {
      await done(typed);
    } finally {
      place.again();
    }
  };
  const actions = h('div', { class: 'actions' },
    button('Hibernate', () => askFor({
      title: `Hibernate ${tenant}?`,
      intro: 'Its data leaves memory now, into the repository of snapshots. Its first request brings it back.',
      action: 'Hibernate',
      submit: after(() => call('POST', `${path}/hibernate`)),
    })),
    button('Wake', () => askFor({
      title: `Wake ${tenant}?`, intro: 'All of its data is brought back into memory.', action: 'Wake',
      submit: after(() => call('POST', `${path}/wake`)),
    })),
    button('Set the time', () => askFor({
      title: `When does ${tenant} leave memory?`,
      fields: [{ name: 'after', label: 'After', required: true, hint: AFTER }],
      action: 'Set',
      submit: after(({ after: typed }) => call('PUT', `${path}/hibernation`, { after: typed.trim() })),
    })));
  return sectionWith('Memory', actions, place.element);
}
