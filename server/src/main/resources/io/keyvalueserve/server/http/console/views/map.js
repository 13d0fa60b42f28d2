// The keys and values of a map.

import { get, part } from '../lib/api.js';
import { h, replace } from '../lib/dom.js';
import { keyLabel } from '../lib/encoding.js';
import { button, head } from '../lib/parts.js';
import { ValuePane } from '../panels/value.js';

const PAGE = 100;
const MOST_KEYS = 2_000;

/** `map` is the name of a map of the tenant's own, or `owner/map` of one that was granted. */
function entriesPath(tenant, map) {
  const slash = map.indexOf('/');
  const [owner, name] = slash < 0 ? [tenant, map] : [map.slice(0, slash), map.slice(slash + 1)];
  return `/tenants/${part(owner)}/maps/${part(name)}/entries`;
}

export default {
  id: 'map',
  title: 'Map',
  parent: 'maps',
  roles: ['tenant'],
  render({ me }, map) {
    const path = entriesPath(me.tenant, map);
    const list = h('ul', { class: 'keys' });
    const note = h('p', { class: 'empty', role: 'status' });
    const choices = new Map();
    const value = new ValuePane(path, (entry) => {
      choices.get(entry)?.parentElement.remove();
      choices.delete(entry);
    });
    const more = button('More keys', () => load(), 'wide');
    more.hidden = true; // until it is known that there are more
    let cursor = null;
    let prefix = '';
    let asked = 0;

    const choose = (entry, chosen) => {
      list.querySelectorAll('[aria-current]').forEach((each) => each.removeAttribute('aria-current'));
      chosen.setAttribute('aria-current', 'true');
      value.show(entry);
    };

    async function load() {
      const own = ++asked;
      const query = new URLSearchParams({ limit: PAGE, ...(prefix ? { prefix } : {}), ...(cursor ? { cursor } : {}) });
      more.disabled = true;
      try {
        const page = await get(`${path}?${query}`);
        if (own !== asked) {
          return;
        }
        for (const entry of page.entries) {
          const choice = h('button', { type: 'button', on: { click: () => choose(entry, choice) } }, keyLabel(entry));
          choices.set(entry, choice);
          list.append(h('li', null, choice));
        }
        cursor = page.cursor ?? null;
        const full = list.children.length >= MOST_KEYS;
        more.hidden = cursor === null || full;
        const none = list.children.length === 0 && cursor === null;
        replace(note, none ? (prefix ? 'No key begins so.' : 'This map has no entries.') : full ? `${MOST_KEYS} keys are shown. Narrow them down by a prefix.` : '');
      } catch (e) {
        if (own !== asked) {
          return;
        }
        more.hidden = true;
        replace(note, h('p', { class: 'error', role: 'alert' }, e.message));
      }
      more.disabled = false;
    }

    const input = h('input', { type: 'search', name: 'prefix', 'aria-label': 'Keys that begin with', placeholder: 'Keys that begin with …', autocomplete: 'off', spellcheck: 'false' });
    const form = h('form', { class: 'toolbar', role: 'search' }, h('span', { class: 'search' }, input), h('button', { type: 'submit' }, 'Find'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      prefix = input.value;
      cursor = null;
      more.hidden = true;
      choices.clear();
      replace(list);
      replace(note);
      load();
    });
    load();
    return {
      title: map,
      element: [
        h('nav', { class: 'crumbs', 'aria-label': 'Breadcrumb' }, h('a', { href: '#/maps' }, 'Maps')),
        head(map, null, button('Refresh', () => form.requestSubmit())),
        h('div', { class: 'browser' },
          h('section', { class: 'card key-pane', 'aria-label': 'Keys' }, form, list, note, more),
          value.element),
      ],
    };
  },
};
