// What a statement has returned: rows in a grid, a plan as a tree, how many rows were written, or what was wrong.

import { h, replace, setText } from '../lib/dom.js';
import { count, counted, millis } from '../lib/format.js';
import { announce } from '../lib/parts.js';
import { failureOf, isNumber, run } from '../lib/sql.js';
import { VirtualTable } from '../lib/table.js';

/** More rows than this are for a download: the browser would keep them all. */
const MOST_ROWS = 10_000;
const SHOW_EVERY = 200;
const PLAN = 'QUERY PLAN';

/** Lines that are indented as a tree: each is {text, children}. */
export function treeOf(lines) {
  const root = { indent: -1, children: [] };
  const open = [root];
  for (const line of lines) {
    const text = line.trim().replace(/^->\s*/, '');
    if (text === '') {
      continue;
    }
    const indent = line.length - line.trimStart().length;
    while (open.at(-1).indent >= indent) {
      open.pop();
    }
    const node = { indent, text, children: [] };
    open.at(-1).children.push(node);
    open.push(node);
  }
  return root.children;
}

const branch = (nodes) => h('ul', null, nodes.map((node) =>
  h('li', null, h('code', null, node.text), node.children.length > 0 ? branch(node.children) : null)));

function grid(columns) {
  return new VirtualTable({
    caption: 'Rows',
    columns: columns.map((column, i) => ({
      id: `c${i}`, title: column.name, note: column.type.toLowerCase().replaceAll('_', ' '), numeric: isNumber(column),
      cell: (row) => (row.cells[i].isNull ? 'NULL' : row.cells[i].text),
      sort: (row) => (row.cells[i].isNull ? '' : isNumber(column) ? Number(row.cells[i].text) : row.cells[i].text),
      tone: (row) => (row.cells[i].isNull ? 'faint' : ''),
    })),
    key: (row) => row.number,
    rowHeight: 34,
    empty: 'No rows.',
  });
}

/** The pane of results. `onMark` is told at which place of the statement it is wrong. */
export class ResultsPane {
  constructor(tenant, onMark) {
    this.tenant = tenant;
    this.onMark = onMark;
    this.status = h('p', { class: 'faint', role: 'status' }, 'Nothing was run yet.');
    this.body = h('div', { class: 'result' });
    this.table = null;
    this.element = h('section', { class: 'card results', 'aria-label': 'Result' },
      h('header', null, h('h2', null, 'Result'), this.status), this.body);
  }

  /** Runs a statement and shows what comes. Never throws. */
  async run(sql, signal) {
    const begun = performance.now();
    const rows = [];
    let columns = [];
    let shownAt = 0;
    let updated = null;
    this.#clear();
    setText(this.status, 'Running …');
    const show = () => {
      shownAt = performance.now();
      this.table?.setRows(rows);
      setText(this.status, `${counted(rows.length, 'row')} so far`);
    };
    try {
      const isAll = await run(this.tenant, sql, {
        columns: (all) => {
          columns = all;
          if (!(all.length === 1 && all[0].name === PLAN)) {
            this.table = grid(all);
            replace(this.body, this.table.element);
          }
        },
        row: (cells) => {
          rows.push({ number: rows.length, cells });
          if (performance.now() - shownAt > SHOW_EVERY) {
            show();
          }
          return rows.length < MOST_ROWS;
        },
        updated: (number) => {
          updated = number;
        },
      }, signal);
      this.#end(rows, columns, updated, isAll, millis(performance.now() - begun));
    } catch (e) {
      this.#fail(e, rows, signal);
    }
  }

  #end(rows, columns, updated, isAll, time) {
    const amount = updated !== null
      ? (updated === 0 ? 'Done' : `${counted(updated, 'row')} written`)
      : isAll ? counted(rows.length, 'row') : `The first ${count(rows.length)} rows`;
    if (this.table) {
      this.table.setRows(rows);
    } else if (columns.length > 0) {
      replace(this.body, h('div', { class: 'plan', tabindex: '0', role: 'region', 'aria-label': 'Plan' },
        branch(treeOf(rows.map((row) => row.cells[0].text)))));
    }
    const text = `${amount} in ${time}${isAll ? '' : '; a download has all of them'}`;
    setText(this.status, text);
    announce(text);
  }

  #fail(e, rows, signal) {
    const isEnded = signal.aborted || e.code === 'sql_57014';
    const failure = failureOf(e);
    setText(this.status, isEnded ? `Ended after ${counted(rows.length, 'row')}` : 'Failed');
    this.table?.setRows(rows);
    if (!signal.aborted) {
      this.body.prepend(h('p', { class: 'error', role: 'alert' },
        failure.message, failure.state ? h('span', { class: 'faint' }, ` SQLSTATE ${failure.state}`) : null));
    }
    if (failure.position >= 0) {
      this.onMark(failure.position);
    }
  }

  #clear() {
    this.close();
    replace(this.body);
  }

  close() {
    this.table?.close();
    this.table = null;
  }
}
