// Runs statements of a tenant, and reads their results as they come.

import { get, part, request } from './api.js';

const POSITION = / \(at character ([0-9]+)\)/;
const NUMBERS = new Set(['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'DECIMAL', 'REAL', 'DOUBLE']);

/** Names this page among the clients whose statements run. */
const MARK = `console-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;

const path = (tenant) => `/tenants/${part(tenant)}`;

export const isNumber = (column) => NUMBERS.has(column.type);

/** A failure of a statement, with the first wrong character counted from 0, or -1. */
export function failureOf(error) {
  const at = POSITION.exec(error.message);
  const code = String(error.code ?? '');
  return {
    message: error.message.replace(POSITION, ''),
    state: code.startsWith('sql_') ? code.slice(4) : '',
    position: at ? Number(at[1]) - 1 : -1,
  };
}

/**
 * Splits the JSON of a result, as it comes, into its parts: `columns`, each row, and what else there is. No value is read
 * before it is whole, and numbers keep their digits: a row is an array of {text, isNull}.
 */
export class ResultParser {
  #text = '';
  #at = 0;
  #depth = 0;
  #inString = false;
  #start = -1;
  #name = '';
  #isInRows = false;

  /** `on` has `columns(all)`, `row(cells)` and `field(name, value)`. */
  constructor(on) {
    this.on = on;
  }

  push(text) {
    this.#text = this.#text.slice(this.#start < 0 ? this.#at : this.#start) + text;
    this.#at -= this.#start < 0 ? this.#at : this.#start;
    this.#start = this.#start < 0 ? -1 : 0;
    while (this.#at < this.#text.length) {
      this.#step(this.#text[this.#at]);
      this.#at++;
    }
  }

  /** Whether all of the result was there. */
  get isWhole() {
    return this.hasBegun === true && this.#depth === 0;
  }

  #step(c) {
    if (this.#inString) {
      if (c === '\\') {
        this.#at++; // what it stands before is a part of the string, now or with the next text
      } else if (c === '"') {
        this.#inString = false;
        this.#endOfString();
      }
      return;
    }
    if (c === '"') {
      this.#begin();
      this.#inString = true;
    } else if (c === '{' || c === '[') {
      this.#open(c);
    } else if (c === '}' || c === ']') {
      this.#close();
    } else if (c === ',') {
      this.#endOfValue(this.#at);
    } else if (c !== ':' && c.trim() !== '') {
      this.#begin();
    }
  }

  #begin() {
    if (this.#start < 0) {
      this.#start = this.#at;
    }
  }

  #open(c) {
    this.#depth++;
    if (this.#depth === 1) {
      this.hasBegun = true;
    } else if (this.#depth === 2 && c === '[' && this.#name === 'rows') {
      this.#isInRows = true;
      this.#start = -1;
    } else {
      this.#begin();
    }
  }

  #close() {
    if (this.#depth === 1) {
      this.#endOfValue(this.#at);
    }
    this.#depth--;
    if (this.#depth === 1 && this.#isInRows) {
      this.#isInRows = false;
      this.#name = '';
      this.#start = -1;
    } else if (this.#depth === 2 && this.#isInRows) {
      this.on.row(cellsOf(this.#text.slice(this.#start, this.#at + 1)));
      this.#start = -1;
    } else if (this.#depth === 1) {
      this.#endOfValue(this.#at + 1);
    }
  }

  /** A string at the first level is a name if there is none yet. */
  #endOfString() {
    if (this.#depth === 1 && this.#name === '') {
      this.#name = JSON.parse(this.#text.slice(this.#start, this.#at + 1));
      this.#start = -1;
    }
  }

  #endOfValue(end) {
    if (this.#depth !== 1 || this.#start < 0) {
      return;
    }
    const value = JSON.parse(this.#text.slice(this.#start, end));
    if (this.#name === 'columns') {
      this.on.columns(value);
    } else {
      this.on.field(this.#name, value);
    }
    this.#name = '';
    this.#start = -1;
  }
}

const CELL = /"(?:[^"\\]|\\.)*"|[[{]|[^\s,[\]{}]+/gs;

/** The values of a row, which is a JSON array: numbers and documents as they are written. */
function cellsOf(json) {
  const cells = [];
  CELL.lastIndex = 1;
  for (let found = CELL.exec(json); found; found = CELL.exec(json)) {
    const [token] = found;
    if (token === '{' || token === '[') {
      const end = endOfDocument(json, found.index);
      cells.push({ text: json.slice(found.index, end), isNull: false });
      CELL.lastIndex = end;
    } else {
      cells.push({ text: token[0] === '"' ? JSON.parse(token) : token === 'null' ? '' : token, isNull: token === 'null' });
    }
  }
  return cells;
}

function endOfDocument(json, from) {
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    if (json[at] === '"') {
      for (at++; json[at] !== '"'; at++) {
        at += json[at] === '\\' ? 1 : 0;
      }
    } else {
      depth += json[at] === '{' || json[at] === '[' ? 1 : json[at] === '}' || json[at] === ']' ? -1 : 0;
      if (depth === 0) {
        return at + 1;
      }
    }
  }
  return json.length;
}

/**
 * Runs a statement. `on` has `columns(all)`, `row(cells)`, which returns false to end the result, and `updated(count)`.
 * Returns whether all rows were read. Throws an ApiError, also for a failure after the first rows.
 */
export async function run(tenant, sql, on, signal) {
  const response = await request('POST', `${path(tenant)}/sql`, { body: { sql, client: MARK }, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let goesOn = true;
  let failure = null;
  const parser = new ResultParser({
    columns: on.columns,
    row: (cells) => {
      goesOn = goesOn && on.row(cells) !== false;
    },
    field: (name, value) => {
      if (name === 'updated') {
        on.updated(value);
      } else if (name === 'error') {
        failure = Object.assign(new Error(value.message), { code: value.code });
      }
    },
  });
  while (goesOn) {
    const { value, done } = await reader.read();
    if (done) {
      break;
    }
    parser.push(value);
  }
  if (!goesOn) {
    await reader.cancel(); // the server ends the statement
    return false;
  }
  if (failure) {
    throw failure;
  }
  if (!parser.isWhole) {
    throw new Error('The connection broke off: rows are missing.');
  }
  return true;
}

/** The rows of a short query, as arrays of texts. */
export async function rowsOf(tenant, sql, signal) {
  const rows = [];
  await run(tenant, sql, {
    columns: () => {},
    row: (cells) => {
      rows.push(cells.map((cell) => cell.text));
    },
    updated: () => {},
  }, signal);
  return rows;
}

/** Ends the statements of this page that run, and returns how many there were. */
export async function cancel(tenant) {
  const { queries } = await get(`${path(tenant)}/queries`);
  const own = queries.filter((query) => query.client.endsWith(MARK));
  await Promise.all(own.map(async (query) => {
    try {
      await request('DELETE', `${path(tenant)}/queries/${part(query.id)}`);
    } catch (e) {
      if (e.status !== 404) { // it has ended by itself meanwhile
        throw e;
      }
    }
  }));
  return own.length;
}

/** The response with all of a result, in a format; its body is not read yet. */
export function whole(tenant, sql, format) {
  return request('POST', `${path(tenant)}/sql?format=${format}`, { body: { sql, client: MARK } });
}
