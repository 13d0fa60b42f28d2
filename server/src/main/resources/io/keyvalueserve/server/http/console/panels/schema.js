// The tables that a tenant can name, with their columns: a click puts a name into the statement.

import { h } from '../lib/dom.js';
import { loaded } from '../lib/parts.js';
import { rowsOf } from '../lib/sql.js';
import { quotedName } from '../lib/statements.js';

const COLUMNS = 'SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns '
  + 'ORDER BY table_schema, table_name, ordinal_position';
const MOST_TABLES = 300;

function tablesOf(rows) {
  const tables = new Map();
  for (const [schema, table, column, type] of rows) {
    const name = schema === 'public' ? quotedName(table) : `${quotedName(schema)}.${quotedName(table)}`;
    const columns = tables.get(name) ?? [];
    columns.push({ name: column, type });
    tables.set(name, columns);
  }
  return tables;
}

const pick = (label, text, insert) =>
  h('button', { type: 'button', title: `Insert ${text}`, on: { click: () => insert(text) } }, label);

/** `insert` takes a name. `again` of what is returned asks for the tables anew. */
export function schemaPanel(tenant, insert) {
  const list = loaded(async () => {
    const tables = tablesOf(await rowsOf(tenant, COLUMNS));
    if (tables.size === 0) {
      return h('p', { class: 'empty' }, 'No tables yet. A map is one when it has entries, or by CREATE MAPPING.');
    }
    return [
      h('ul', { class: 'schema' }, [...tables].slice(0, MOST_TABLES).map(([name, columns]) =>
        h('li', null, h('details', null,
          h('summary', null, h('code', null, name)),
          h('ul', null,
            h('li', null, pick(h('span', null, 'whole table'), name, insert)),
            columns.map((column) => h('li', null,
              pick([h('code', null, column.name), h('span', { class: 'faint' }, column.type)], quotedName(column.name), insert)))))))),
      tables.size > MOST_TABLES ? h('p', { class: 'hint' }, `The first ${MOST_TABLES} of ${tables.size} tables are shown.`) : null,
    ];
  });
  return {
    element: h('section', { class: 'card schema-pane', 'aria-label': 'Tables' },
      h('header', null, h('h2', null, 'Tables')), list.element),
    again: list.again,
  };
}
