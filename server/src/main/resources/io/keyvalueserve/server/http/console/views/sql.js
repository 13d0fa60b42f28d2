// Statements on a tenant's maps: written, run, explained, kept and downloaded.

import { askFor } from '../lib/dialog.js';
import { h, replace } from '../lib/dom.js';
import { announce, button, head } from '../lib/parts.js';
import { QueryBook } from '../lib/queries.js';
import { cancel, failureOf, whole } from '../lib/sql.js';
import { statementAt } from '../lib/statements.js';
import { Editor } from '../panels/editor.js';
import { ResultsPane } from '../panels/results.js';
import { schemaPanel } from '../panels/schema.js';

const DEFINITION = /^\s*(create|drop)\b/i;
const EXPLAINED = /^\s*explain\b/i;
const PATIENCE = 10_000;
const AGAIN = 300;
const TYPES = { csv: 'text/csv', json: 'application/json' };

/** Drafts by tenant, for as long as the page is open. */
const drafts = new Map();

/** Has the browser save a response: as it comes where the browser can do that, else from what it keeps of it. */
async function save(response, format) {
  const name = `result.${format}`;
  if (window.showSaveFilePicker) {
    const file = await window.showSaveFilePicker({
      suggestedName: name, types: [{ accept: { [TYPES[format]]: [`.${format}`] } }],
    });
    await (await response()).body.pipeTo(await file.createWritable());
    return;
  }
  const address = URL.createObjectURL(await (await response()).blob());
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A statement of a list, on one line; a click puts it into the editor. */
const entry = (label, sql, onClick) =>
  h('button', { type: 'button', title: sql.slice(0, 500), on: { click: onClick } }, label);

export default {
  id: 'sql',
  title: 'SQL',
  icon: 'sql',
  roles: ['tenant'],
  render({ me }) {
    const { tenant } = me;
    const book = new QueryBook(tenant);
    let running = null;
    let start = 0;

    const editor = new Editor('Statement', () => execute());
    editor.text = drafts.get(tenant) ?? book.history[0] ?? '';
    const results = new ResultsPane(tenant, (place) => editor.mark(start + place));
    const schema = schemaPanel(tenant, (name) => editor.insert(name));
    const message = h('p', { class: 'error', role: 'alert' });

    const runButton = button('Run', () => execute(), 'primary');
    const explain = button('Explain', () => execute(true));
    const end = button('Cancel', () => stop(), 'danger-text');
    const saved = h('ul', { class: 'queries' });
    const history = h('ul', { class: 'queries' });
    end.hidden = true;

    /** What is selected, or the statement that the cursor is in. */
    const chosen = () => editor.selection ?? statementAt(editor.text, editor.cursor);

    const load = (sql) => {
      editor.text = sql;
      editor.area.focus();
    };

    const showLists = () => {
      replace(saved, book.saved.map(({ name, sql }) => h('li', null, entry(name, sql, () => load(sql)),
        h('button', { type: 'button', class: 'quiet', 'aria-label': `Remove ${name}`, on: { click: () => {
          book.remove(name);
          showLists();
        } } }, '×'))),
      book.saved.length === 0 ? h('li', { class: 'hint' }, 'None yet.') : null);
      replace(history, book.history.map((sql) => h('li', null,
        entry(sql.replace(/\s+/g, ' ').slice(0, 120), sql, () => load(sql)))),
      book.history.length === 0 ? h('li', { class: 'hint' }, 'None yet.') : null);
    };

    async function execute(isExplained = false) {
      const statement = chosen();
      if (running || !statement) {
        replace(message, statement ? 'A statement runs: end it first.' : 'Write a statement first.');
        return;
      }
      replace(message);
      editor.mark(-1);
      const prefix = isExplained && !EXPLAINED.test(statement.text) ? 'EXPLAIN ' : '';
      start = statement.start - prefix.length;
      running = new AbortController();
      runButton.disabled = explain.disabled = true;
      end.hidden = false;
      if (!isExplained) {
        book.ran(statement.text);
        showLists();
      }
      await results.run(prefix + statement.text, running.signal);
      running = null;
      runButton.disabled = explain.disabled = false;
      end.hidden = true;
      if (DEFINITION.test(statement.text) && !isExplained) {
        schema.again();
      }
    }

    /** Has the server end the statement, which may be on its way there yet; leaves it alone if that does not help. */
    async function stop() {
      const own = running;
      const until = performance.now() + PATIENCE;
      end.disabled = true;
      try {
        let isTold = false;
        while (running === own && performance.now() < until) {
          isTold = isTold || (await cancel(tenant)) > 0;
          await new Promise((resolve) => setTimeout(resolve, AGAIN));
        }
      } catch {
        // The server cannot be asked.
      }
      own?.abort();
      end.disabled = false;
    }

    async function download(format) {
      const statement = chosen();
      if (!statement) {
        replace(message, 'Write a statement first.');
        return;
      }
      replace(message);
      try {
        await save(() => whole(tenant, statement.text, format), format);
        announce('Downloaded');
      } catch (e) {
        if (e.name !== 'AbortError') {
          const failure = failureOf(e);
          replace(message, failure.message);
          if (failure.position >= 0) {
            editor.mark(statement.start + failure.position);
          }
        }
      }
    }

    const keep = () => {
      const statement = chosen();
      if (!statement) {
        replace(message, 'Write a statement first.');
        return;
      }
      askFor({
        title: 'Save this statement', intro: 'This browser keeps it, for this tenant.', action: 'Save',
        fields: [{ name: 'name', label: 'Name', required: true }],
        submit: ({ name }) => {
          book.save(name.trim(), statement.text);
          showLists();
          announce('Saved');
        },
      });
    };

    showLists();
    return {
      element: [
        head('SQL', 'Statements on your maps, and on those that were granted to you.'),
        h('div', { class: 'workbench' },
          schema.element,
          h('div', { class: 'stack wide' },
            h('section', { class: 'card statement-pane', 'aria-label': 'Statement' },
              editor.element,
              h('p', { class: 'hint', id: 'statement-keys' },
                'Ctrl-Enter runs what is selected, or the statement that the cursor is in. A semicolon ends a statement.'),
              h('div', { class: 'actions' }, runButton, explain, end,
                button('Save', keep), button('CSV', () => download('csv')), button('JSON', () => download('json'))),
              message),
            results.element,
            h('div', { class: 'columns' },
              h('section', { class: 'card' }, h('header', null, h('h2', null, 'Saved queries')), saved),
              h('section', { class: 'card' },
                h('header', null, h('h2', null, 'History'), button('Clear', () => {
                  book.clearHistory();
                  showLists();
                }, 'quiet')), history)))),
      ],
      close() {
        drafts.set(tenant, editor.text);
        running?.abort();
        results.close();
      },
    };
  },
};
