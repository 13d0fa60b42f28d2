// The keys and values of a map.

import { errorOf, get, part, send } from '../lib/api.js';
import { h, replace, setAttribute } from '../lib/dom.js';
import { asHex, asJson, asText, keyLabel } from '../lib/encoding.js';
import { bytes, millis } from '../lib/format.js';
import { button, copyButton, head } from '../lib/parts.js';

const PAGE = 100;
const MOST_KEYS = 2_000;
const MOST_SHOWN = 256 * 1024;

function entriesPath(tenant, map) {
  return `/tenants/${part(tenant)}/maps/${part(map)}/entries`;
}

/** The value of a key as text, JSON and hexadecimal, whichever of them it has. */
function valueForms(data) {
  const shown = data.subarray(0, MOST_SHOWN);
  const text = asText(shown);
  const json = data.length > MOST_SHOWN ? null : asJson(text);
  return [['Text', text], ['JSON', json], ['Hex', asHex(shown)]];
}

function tabs(forms) {
  const id = `value-${Math.random().toString(36).slice(2)}`;
  const first = forms.find(([name, text]) => name === 'JSON' && text !== null) ?? forms.find(([, text]) => text !== null);
  const area = h('pre', { class: 'value', id, role: 'tabpanel', tabindex: '0' });
  const buttons = forms.map(([name, text]) =>
    h('button', { type: 'button', role: 'tab', 'aria-controls': id, disabled: text === null, on: { click: () => choose(name) } }, name));
  const choose = (name) => {
    buttons.forEach((each) => {
      const chosen = each.textContent === name;
      setAttribute(each, 'aria-selected', String(chosen));
      each.tabIndex = chosen ? 0 : -1;
    });
    setAttribute(area, 'aria-label', `Value as ${name}`);
    area.textContent = forms.find(([each]) => each === name)[1];
  };
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Show the value as' }, buttons);
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const usable = buttons.filter((each) => !each.disabled);
    if (step && usable.length > 0) {
      const next = usable[(usable.indexOf(document.activeElement) + step + usable.length) % usable.length];
      choose(next.textContent);
      next.focus();
    }
  });
  choose(first[0]);
  return { list, area, text: () => area.textContent };
}

async function showValue(place, path, entry) {
  const query = entry.encoding === 'base64url' ? '?encoding=base64url' : '';
  const response = await send('GET', `${path}/${part(entry.key)}${query}`);
  if (response.status === 404) {
    replace(place, h('p', { class: 'empty' }, 'This key is gone: deleted, or its time was up.'));
    return;
  }
  if (!response.ok) {
    throw await errorOf(response);
  }
  const data = new Uint8Array(await response.arrayBuffer());
  const left = response.headers.get('Kvs-Ttl-Millis');
  const ttl = left === null || Number(left) < 0 ? 'no end' : `ends in ${millis(Number(left))}`;
  const type = response.headers.get('Content-Type');
  const forms = tabs(valueForms(data));
  replace(place,
    h('header', { class: 'value-head' },
      h('h2', null, keyLabel(entry)),
      h('p', { class: 'faint' }, [bytes(data.length), ttl, type].filter(Boolean).join(' · ')),
      data.length > MOST_SHOWN ? h('p', { class: 'faint' }, `The first ${bytes(MOST_SHOWN)} are shown.`) : null),
    h('div', { class: 'toolbar' }, forms.list, copyButton(forms.text)),
    forms.area);
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
    const value = h('section', { class: 'card value-pane', 'aria-label': 'Value' },
      h('p', { class: 'empty' }, 'Choose a key to see its value.'));
    const more = button('More keys', () => load(), 'wide');
    more.hidden = true; // until it is known that there are more
    let cursor = null;
    let prefix = '';
    let asked = 0;

    const fail = (place, error) => replace(place, h('p', { class: 'error', role: 'alert' }, error.message));

    const choose = async (entry, chosen) => {
      list.querySelectorAll('[aria-current]').forEach((each) => each.removeAttribute('aria-current'));
      chosen.setAttribute('aria-current', 'true');
      try {
        await showValue(value, path, entry);
      } catch (e) {
        fail(value, e);
      }
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
        fail(note, e);
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
          value),
      ],
    };
  },
};
