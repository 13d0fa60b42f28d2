// A field for statements, with the numbers of its lines, and a mark at a place that is wrong.

import { h, replace, setText } from '../lib/dom.js';

const WORD = /^(?:"[^"]*"?|'[^']*'?|[\p{L}\p{N}_$]+|\S)/u;
const LEAST_LINES = 6;

/** The field. `onRun` is called for Ctrl-Enter, or Command-Enter. */
export class Editor {
  constructor(label, onRun) {
    this.area = h('textarea', {
      id: 'statement', name: 'statement', 'aria-label': label, 'aria-describedby': 'statement-keys', wrap: 'off',
      spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off', rows: LEAST_LINES,
    });
    this.numbers = h('pre', { class: 'line-numbers', 'aria-hidden': 'true' });
    this.marks = h('pre', { class: 'marks', 'aria-hidden': 'true' });
    this.element = h('div', { class: 'editor' },
      this.numbers, h('div', { class: 'editor-text' }, this.marks, this.area));
    this.area.addEventListener('input', () => {
      this.mark(-1);
      this.#number();
    });
    this.area.addEventListener('scroll', () => this.#follow(), { passive: true });
    this.area.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        onRun();
      }
    });
    this.#number();
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.mark(-1);
    this.#number();
  }

  get cursor() {
    return this.area.selectionStart;
  }

  /** What is selected, as {text, start}; null for nothing. */
  get selection() {
    const { selectionStart: start, selectionEnd: end } = this.area;
    return end > start ? { text: this.text.slice(start, end), start } : null;
  }

  /** Puts a text in the place of what is selected. */
  insert(text) {
    const { selectionStart: start, selectionEnd: end } = this.area;
    const before = this.text.slice(0, start);
    const gapBefore = before === '' || /[\s.(]$/.test(before) ? '' : ' ';
    const gapAfter = /^[\p{L}\p{N}_"]/u.test(this.text.slice(end)) ? ' ' : '';
    this.area.setRangeText(gapBefore + text + gapAfter, start, end, 'end');
    this.area.focus();
    this.#number();
  }

  /** Marks the word at a place, and puts the cursor there; none for a negative place. */
  mark(at) {
    if (at < 0) {
      replace(this.marks);
      return;
    }
    const place = Math.min(at, this.text.length);
    const word = WORD.exec(this.text.slice(place))?.[0] ?? ' ';
    replace(this.marks, this.text.slice(0, place), h('mark', null, word), `${this.text.slice(place + word.length)}\n`);
    this.area.focus();
    this.area.setSelectionRange(place, place);
    this.#follow();
  }

  #number() {
    const lines = Math.max(1, this.text.split('\n').length);
    setText(this.numbers, Array.from({ length: lines }, (_, i) => i + 1).join('\n'));
    this.area.rows = Math.min(20, Math.max(LEAST_LINES, lines + 1));
    this.#follow();
  }

  #follow() {
    this.numbers.scrollTop = this.area.scrollTop;
    this.marks.scrollTop = this.area.scrollTop;
    this.marks.scrollLeft = this.area.scrollLeft;
  }
}
