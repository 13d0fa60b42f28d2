// A table of very many rows that has only those in the document that can be seen. Rows are sorted,
// filtered, and changed in place: a cell is touched only if what it shows is another.

import { h, setAttribute, setText } from './dom.js';

const MORE = 6;

/** Screens on which the style shows each row as a card: the same width as in style.css. */
const NARROW = matchMedia('(max-width: 560px)');

/** The heights of a card's parts, as in style.css: its first cell with the space around, and a line of two more cells. */
const CARD_HEAD = 52;
const CARD_LINE = 44;

/**
 * `columns` are {id, title, cell(row) -> text, sort(row) -> number or text, numeric, href(row),
 * bar(row) -> 0 to 1 or null, tone(row) -> class or '', note}; `key` names a row. A column with `bar` shows
 * one under its text, with `tone` its text has that colour; `note` stands beside its title. Without
 * `sortBy` rows stay in their order until a column is chosen.
 */
export class VirtualTable {
  constructor({ caption, columns, key, sortBy, descending = false, rowHeight = 40, empty, fit = false }) {
    Object.assign(this, { columns, key, sortBy, descending, empty });
    this.lineHeight = rowHeight;
    this.rows = [];
    this.shown = [];
    this.filter = () => true;
    this.slots = [];
    this.heads = columns.map((column) => this.#head(column));
    this.above = h('tr', { class: 'spacer', 'aria-hidden': 'true' }, h('td', { colspan: columns.length }));
    this.below = h('tr', { class: 'spacer', 'aria-hidden': 'true' }, h('td', { colspan: columns.length }));
    this.body = h('tbody', null, this.above, this.below);
    this.table = h('table', { class: 'virtual' },
      h('caption', { class: 'unseen' }, caption),
      h('thead', null, h('tr', null, this.heads)),
      this.body);
    this.nothing = h('p', { class: 'empty' });
    this.element = h('div', {
      class: fit ? 'scroller fit' : 'scroller', tabindex: '0', role: 'region', 'aria-label': caption,
    }, this.table, this.nothing);
    this.element.addEventListener('scroll', () => this.#later(), { passive: true });
    this.resizes = new ResizeObserver(() => this.#later());
    this.resizes.observe(this.element);
    this.#showOrder();
  }

  close() {
    this.resizes.disconnect();
  }

  /** The height of a row: of a line, or of a card. All rows have the same. */
  get rowHeight() {
    return NARROW.matches ? CARD_HEAD + CARD_LINE * Math.ceil((this.columns.length - 1) / 2) : this.lineHeight;
  }

  #head(column) {
    const button = h('button', { type: 'button', on: { click: () => this.sort(column.id) } },
      column.title, column.note ? h('span', { class: 'type' }, column.note) : null, h('span', { class: 'arrow', 'aria-hidden': 'true' }));
    return h('th', { scope: 'col', class: column.numeric ? 'numeric' : null }, button);
  }

  /** Sorts by a column; by the same one again, the other way round. */
  sort(id) {
    this.descending = this.sortBy === id ? !this.descending : this.columns.find((c) => c.id === id).numeric === true;
    this.sortBy = id;
    this.#showOrder();
    this.#arrange();
    this.render();
  }

  #showOrder() {
    this.columns.forEach((column, i) => {
      const own = column.id === this.sortBy;
      setAttribute(this.heads[i], 'aria-sort', own ? (this.descending ? 'descending' : 'ascending') : null);
    });
  }

  setFilter(filter) {
    this.filter = filter;
    this.element.scrollTop = 0;
    this.#arrange();
    this.render();
  }

  /** Takes new rows. While somebody points at the table or is in it, they stay where they are. */
  setRows(rows) {
    const busy = this.body.matches(':hover') || this.body.contains(document.activeElement);
    this.rows = rows;
    if (busy && this.shown.length > 0) {
      this.#takeValues();
    } else {
      this.#arrange();
    }
    this.render();
  }

  #takeValues() {
    const byKey = new Map(this.rows.map((row) => [this.key(row), row]));
    this.shown = this.shown.map((row) => byKey.get(this.key(row))).filter((row) => row !== undefined);
    const known = new Set(this.shown.map(this.key));
    this.shown.push(...this.rows.filter((row) => !known.has(this.key(row)) && this.filter(row)));
  }

  #arrange() {
    const column = this.columns.find((each) => each.id === this.sortBy);
    const turn = this.descending ? -1 : 1;
    const worth = column?.sort ?? ((row) => column?.cell(row));
    this.shown = this.rows.filter(this.filter);
    if (column) {
      this.shown.sort((a, b) => turn * compare(worth(a), worth(b)) || compare(this.key(a), this.key(b)));
    }
  }

  #later() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.render();
    });
  }

  /** Puts into the document what can be seen. */
  render() {
    const height = this.element.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - MORE);
    const wanted = Math.min(this.shown.length - first, Math.ceil(height / this.rowHeight) + 2 * MORE);
    const count = Math.max(0, wanted);
    this.#makeSlots(count);
    for (let i = 0; i < count; i++) {
      this.#fill(this.slots[i], this.shown[first + i], first + i);
    }
    this.#space(this.above, first);
    this.#space(this.below, this.shown.length - first - count);
    setAttribute(this.table, 'aria-rowcount', this.shown.length + 1);
    const none = this.shown.length === 0;
    this.nothing.hidden = !none;
    setText(this.nothing, none ? (this.rows.length === 0 ? this.empty : 'Nothing matches the filter.') : '');
  }

  #space(row, rows) {
    const height = `${rows * this.rowHeight}px`;
    row.hidden = rows === 0;
    if (row.firstChild.style.height !== height) {
      row.firstChild.style.height = height;
    }
  }

  #makeSlots(count) {
    while (this.slots.length > count) {
      this.slots.pop().row.remove();
    }
    while (this.slots.length < count) {
      const slot = this.#slot();
      this.slots.push(slot);
      this.below.before(slot.row);
    }
  }

  #slot() {
    const cells = this.columns.map((column, i) => {
      const text = column.href ? h('a') : h('span');
      const bar = column.bar ? h('span', { class: 'bar', 'aria-hidden': 'true' }, h('i')) : null;
      const cell = h(i === 0 ? 'th' : 'td',
        { scope: i === 0 ? 'row' : null, class: column.numeric ? 'numeric' : null, dataset: { label: column.title } }, text, bar);
      return { cell, text, bar };
    });
    return { row: h('tr', null, cells.map((each) => each.cell)), cells };
  }

  #fill(slot, row, index) {
    setAttribute(slot.row, 'aria-rowindex', index + 2);
    this.columns.forEach((column, i) => {
      const { text, bar } = slot.cells[i];
      setText(text, column.cell(row));
      if (column.href) {
        setAttribute(text, 'href', column.href(row));
      }
      if (column.tone) {
        setAttribute(text, 'class', column.tone(row) || null);
      }
      if (bar) {
        showBar(bar, column.bar(row));
      }
    });
  }
}

/** Shows which part of a whole is used; null for no whole. */
export function showBar(bar, part) {
  bar.hidden = part === null;
  if (part !== null) {
    const scale = `scaleX(${Math.min(1, Math.max(0, part)).toFixed(3)})`;
    if (bar.firstChild.style.transform !== scale) {
      bar.firstChild.style.transform = scale;
    }
    setAttribute(bar, 'class', part >= 0.9 ? 'bar full' : 'bar');
  }
}

function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') {
    return a - b;
  }
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

const kind = (column) => (column.numeric || column.title === '' ? 'numeric' : column.wrap ? 'wrap' : null);

/** A table of few rows: `columns` are {title, numeric, wrap}, `rows` arrays of texts and elements. */
export function plainTable(caption, columns, rows, empty) {
  if (rows.length === 0) {
    return h('p', { class: 'empty' }, empty);
  }
  return h('div', { class: 'scroller flat', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', { class: 'cards' },
      h('caption', { class: 'unseen' }, caption),
      h('thead', null, h('tr', null, columns.map((column) =>
        h('th', { scope: 'col', class: kind(column) },
          column.title || h('span', { class: 'unseen' }, 'Actions'))))),
      h('tbody', null, rows.map((row) => h('tr', null, row.map((cell, i) =>
        h(i === 0 ? 'th' : 'td',
          { scope: i === 0 ? 'row' : null, class: kind(columns[i]), dataset: { label: columns[i].title } }, cell)))))));
}

/** A field that filters by text. */
export function filterField(label, onText) {
  const input = h('input', {
    type: 'search', placeholder: label, 'aria-label': label, autocomplete: 'off', spellcheck: 'false',
  });
  input.addEventListener('input', () => onText(input.value.trim().toLowerCase()));
  return h('span', { class: 'search' }, input);
}
