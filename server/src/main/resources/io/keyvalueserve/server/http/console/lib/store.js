// What the live stream has told: the latest frame, and the last minutes of its figures.

import { follow } from './stream.js';
import { History } from './series.js';
import { part } from './api.js';

const KEPT = 150;
const HIDDEN_FOR = 30_000;
const PLOTTED = ['operationsPerSecond', 'bytesInPerSecond', 'bytesOutPerSecond', 'memoryBytes', 'waitedMillisPerSecond'];
const SUMMED = [...PLOTTED, 'connections'];

/** How long requests take; 0 where nothing was asked. Of several these cannot be summed. */
function latencyOf({ latency }) {
  return { p50Millis: latency?.p50Millis ?? 0, p99Millis: latency?.p99Millis ?? 0 };
}

/** Live figures of the cluster, or of one tenant. Those who listen are told of each frame. */
export class LiveStore {
  constructor(me) {
    this.me = me;
    this.frame = null;
    this.state = 'connecting';
    this.error = null;
    this.totals = new History(KEPT);
    this.cluster = new History(KEPT);
    this.tenants = new Map();
    this.histories = new Map();
    this.listeners = new Set();
    this.limits = new Map();
    this.states = new Map();
    this.onVisibility = () => this.#followWhileSeen();
    document.addEventListener('visibilitychange', this.onVisibility);
    this.#follow();
  }

  close() {
    document.removeEventListener('visibilitychange', this.onVisibility);
    clearTimeout(this.hiding);
    this.stream?.close();
    this.listeners.clear();
  }

  #follow() {
    const path = this.me.role === 'operator' ? '/live' : `/tenants/${part(this.me.tenant)}/live`;
    this.stream = follow(path, {
      event: (frame) => this.take(frame),
      state: (state, error) => this.#enter(state, error),
    });
  }

  /** A tab that nobody sees lets go of its stream after a while: a browser has few for a server. */
  #followWhileSeen() {
    clearTimeout(this.hiding);
    if (document.hidden) {
      this.hiding = setTimeout(() => {
        this.stream.close();
        this.stream = null;
      }, HIDDEN_FOR);
    } else if (this.stream === null) {
      this.#follow();
    }
  }

  /** Calls back for each frame and each change of state; returns how to stop that. */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  history(tenant) {
    let history = this.histories.get(tenant);
    if (!history) {
      history = new History(KEPT);
      this.histories.set(tenant, history);
    }
    return history;
  }

  #enter(state, error) {
    if (this.state !== state || error) {
      this.state = state;
      this.error = error;
      this.#tell();
    }
  }

  take(frame) {
    this.frame = frame;
    const time = Date.parse(frame.at);
    const tenants = frame.tenants ?? (frame.tenant ? [frame.tenant] : []);
    const totals = Object.fromEntries(SUMMED.map((name) => [name, 0]));
    this.tenants = new Map(tenants.map((usage) => [usage.tenant, usage]));
    for (const usage of tenants) {
      const figures = latencyOf(usage);
      PLOTTED.forEach((name) => (figures[name] = usage[name]));
      SUMMED.forEach((name) => (totals[name] += usage[name]));
      this.history(usage.tenant).push(time, figures);
    }
    for (const [name, history] of this.histories) {
      // One that was never met may be about to be: a page has it open already.
      if (!this.tenants.has(name) && history.of(PLOTTED[0]).length > 0) {
        this.histories.delete(name);
      }
    }
    this.totals.push(time, totals);
    if (frame.memory) {
      this.cluster.push(time, { usedBytes: frame.memory.usedBytes, ...latencyOf(frame) });
    }
    this.#tell();
  }

  /** Tells those who listen that something other than the frame is new. */
  changed() {
    this.#tell();
  }

  #tell() {
    this.listeners.forEach((listener) => listener(this));
  }
}

/** Which part of a limit is used; null if there is none. */
export function partOf(used, limit) {
  return limit === undefined || limit === null ? null : limit === 0 ? (used > 0 ? 1 : 0) : used / limit;
}
