// What the live stream has told: the latest frame, and the last minutes of its figures.

import { follow } from './stream.js';
import { History } from './series.js';
import { part } from './api.js';

const KEPT = 150;
const NAME = /^[a-z0-9-]{1,63}$/;
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
    this.tenantCount = 0;
    this.watched = null;
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
    this.stream = follow(this.#path(), {
      event: (frame) => this.take(frame),
      state: (state, error) => this.#enter(state, error),
    });
  }

  #path() {
    if (this.me.role !== 'operator') {
      return `/tenants/${part(this.me.tenant)}/live`;
    }
    return this.watched ? `/live?tenant=${part(this.watched)}` : '/live';
  }

  /**
   * Has a tenant in each frame from now on, if frames do not have all tenants. Returns whether that
   * is new: the next frame tells whether there is such a tenant.
   */
  watch(tenant) {
    const isAll = this.tenantCount <= this.tenants.size;
    if (this.me.role !== 'operator' || isAll || this.watched === tenant || !NAME.test(tenant)) {
      return false;
    }
    this.watched = tenant;
    this.frame = null;
    if (this.stream) {
      this.stream.close();
      this.#follow();
    }
    return true;
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
    this.tenantCount = frame.tenantCount ?? tenants.length;
    Object.assign(totals, frame.totals); // of all tenants, also of those that the frame has not
    for (const usage of tenants) {
      if (usage.state) {
        this.states.set(usage.tenant, usage.state);
        this.limits.set(usage.tenant, usage.limits);
      }
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
