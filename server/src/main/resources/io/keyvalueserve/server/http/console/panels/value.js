// The value of a key: shown as text, JSON or hexadecimal, changed, given an end, and removed. A change names the value that
// was read (If-Match), so that it never replaces another one unseen.

import { request, errorOf, part, send } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { h, replace, setAttribute } from '../lib/dom.js';
import { asHex, asJson, asLines, asText, keyLabel, toBase64Url } from '../lib/encoding.js';
import { bytes, millis } from '../lib/format.js';
import { announce, button, copyButton } from '../lib/parts.js';

const MOST_SHOWN = 256 * 1024;
const LINES = 14;
const DURATION = /^[0-9]{1,9}(ms|s|m|h|d)$/;
const COLLECTIONS = { hash: 'A hash of Redis clients', list: 'A list of Redis clients', set: 'A set of Redis clients', zset: 'A sorted set of Redis clients' };
const GONE = 'This key is gone: deleted, or its time was up.';
const CHANGED = 'The entry was changed or removed since it was read here. Nothing was done. Choose its key again to see what it is now.';

/** The address of an entry. Browsers take `.` and `..` for steps in a path, however they are written. */
function address(path, entry, parameters = {}) {
  const isStep = entry.key === '.' || entry.key === '..';
  const key = isStep ? toBase64Url(new TextEncoder().encode(entry.key)) : entry.key;
  const query = new URLSearchParams({
    ...(isStep || entry.encoding === 'base64url' ? { encoding: 'base64url' } : {}), ...parameters,
  });
  return `${path}/${part(key)}${query.size > 0 ? `?${query}` : ''}`;
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

/** Sends a change that is made only if the entry is as it was read. */
async function change(method, to, tag, sent) {
  try {
    await request(method, to, { ...(sent ? { bytes: sent } : {}), headers: tag ? { 'If-Match': tag } : {} });
  } catch (e) {
    throw e.status === 412 ? new Error(CHANGED) : e;
  }
}

/**
 * The pane that shows an entry of a map.
 *
 * `path` is the address of the map's entries; `onRemoved` is told which entry is gone.
 */
export class ValuePane {
  constructor(path, onRemoved) {
    this.path = path;
    this.onRemoved = onRemoved;
    this.asked = 0;
    this.element = h('section', { class: 'card value-pane', 'aria-label': 'Value' },
      h('p', { class: 'empty' }, 'Choose a key to see its value.'));
  }

  /** Reads an entry and shows it. Of several that are asked for, the last is shown. */
  async show(entry) {
    const own = ++this.asked;
    let content;
    try {
      content = await this.#read(entry);
    } catch (e) {
      content = h('p', { class: 'error', role: 'alert' }, e.message);
    }
    if (own === this.asked) {
      replace(this.element, content);
    }
  }

  async #read(entry) {
    const response = await send('GET', address(this.path, entry));
    if (response.status === 404) {
      return h('p', { class: 'empty' }, GONE);
    }
    const title = h('h2', { tabindex: '-1' }, keyLabel(entry));
    if (!response.ok) {
      const error = await errorOf(response);
      if (error.code !== 'wrong_type') {
        throw error;
      }
      return [h('header', { class: 'value-head' }, title), h('p', { class: 'lead' }, `${COLLECTIONS[entry.kind] ?? 'An object of a Hazelcast client'}: it is not shown here.`),
        h('div', { class: 'actions' }, this.#removeButton(entry, null))];
    }
    const data = new Uint8Array(await response.arrayBuffer());
    const left = response.headers.get('Kvs-Ttl-Millis');
    const tag = response.headers.get('ETag');
    const forms = tabs(valueForms(data));
    const text = data.length > MOST_SHOWN ? null : asText(data);
    const lines = text === null ? null : asLines(text);
    return [
      h('header', { class: 'value-head' }, title,
        h('p', { class: 'faint' },
          [bytes(data.length), left === null ? 'no end' : `ends in ${millis(Number(left))}`].join(' · ')),
        data.length > MOST_SHOWN ? h('p', { class: 'faint' }, `The first ${bytes(MOST_SHOWN)} are shown.`) : null),
      h('div', { class: 'toolbar' }, forms.list, copyButton(forms.text)),
      forms.area,
      h('div', { class: 'actions' },
        lines ? button('Edit', () => this.#edit(entry, tag, lines)) : h('span', { class: 'faint' }, 'Only text can be edited here.'),
        button('Time to live', () => this.#limit(entry, tag, data)),
        this.#removeButton(entry, tag)),
    ];
  }

  #edit(entry, tag, lines) {
    this.#ask({
      title: `Edit ${keyLabel(entry)}`,
      intro: 'The time to live stays as it is. The value is written as bytes, as Redis clients do: '
        + 'a Hazelcast client that put a string, a number or JSON there gets bytes from then on.',
      fields: [{ name: 'value', label: 'Value', lines: LINES, value: lines.shown }],
      action: 'Save',
    }, entry, 'Saved', ({ value }) =>
      change('PUT', address(this.path, entry, { ttl: 'keep' }), tag, new TextEncoder().encode(lines.back(value))));
  }

  /** Writes the bytes that were read again, with another end. */
  #limit(entry, tag, data) {
    this.#ask({
      title: `Time to live of ${keyLabel(entry)}`,
      fields: [{ name: 'ttl', label: 'From now', placeholder: 'no end', hint: 'Such as 30s, 15m, 12h or 7d; nothing for no end.' }],
      action: 'Set',
    }, entry, 'Time to live set', ({ ttl }) => {
      const typed = ttl.trim();
      if (typed !== '' && !DURATION.test(typed)) {
        throw new Error(`'${typed}' is no time; write such as 30s, 15m, 12h or 7d, or nothing for no end`);
      }
      return change('PUT', address(this.path, entry, typed === '' ? {} : { ttl: typed }), tag, data);
    });
  }

  #removeButton(entry, tag) {
    return button('Delete', () => askFor({
      title: `Delete ${keyLabel(entry)}?`,
      intro: 'The entry and its value are removed for all clients. Nothing brings them back.',
      action: 'Delete', danger: true,
      submit: async () => {
        await change('DELETE', address(this.path, entry), tag);
        this.asked++;
        replace(this.element, h('p', { class: 'empty', tabindex: '-1' }, `${keyLabel(entry)} was deleted.`));
        announce('Deleted');
        this.onRemoved(entry);
      },
    }), 'danger-text');
  }

  /** Asks, does it, and shows the entry as it is then. */
  #ask(question, entry, done, submit) {
    askFor({
      ...question,
      submit: async (typed) => {
        await submit(typed);
        await this.show(entry);
        announce(done);
      },
    }).addEventListener('close', () => this.element.querySelector('h2')?.focus());
  }
}
