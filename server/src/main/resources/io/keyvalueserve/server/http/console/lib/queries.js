// Statements that a person has saved or run, kept by this browser for each tenant. Nothing with an access key in it is.

const KEPT = 50;
const KEY = /kvs_[A-Za-z0-9]{6,}/;

const place = (tenant) => `kvs.sql.${tenant}`;

/** The saved queries and the history of a tenant. */
export class QueryBook {
  constructor(tenant) {
    this.tenant = tenant;
    const kept = read(tenant);
    this.saved = kept.saved ?? [];
    this.history = kept.history ?? [];
  }

  /** Puts a statement that was run on top of the history. */
  ran(sql) {
    if (KEY.test(sql)) {
      return;
    }
    this.history = [sql, ...this.history.filter((each) => each !== sql)].slice(0, KEPT);
    this.#write();
  }

  /** Saves a statement under a name, in the place of one that had it. */
  save(name, sql) {
    if (KEY.test(sql)) {
      throw new Error('This statement has an access key in it: it is not kept.');
    }
    this.saved = [...this.saved.filter((each) => each.name !== name), { name, sql }]
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    this.#write();
  }

  remove(name) {
    this.saved = this.saved.filter((each) => each.name !== name);
    this.#write();
  }

  clearHistory() {
    this.history = [];
    this.#write();
  }

  #write() {
    try {
      localStorage.setItem(place(this.tenant), JSON.stringify({ saved: this.saved, history: this.history }));
    } catch {
      // Then they are kept for this page alone.
    }
  }
}

function read(tenant) {
  try {
    return JSON.parse(localStorage.getItem(place(tenant))) ?? {};
  } catch {
    return {};
  }
}
