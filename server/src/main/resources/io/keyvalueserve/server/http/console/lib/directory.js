// Which tenants there are and what they may use: asked for now and then, and after each change.

import { get, part } from './api.js';

const EVERY = 30_000;

/** Keeps the store's `states` and `limits` fresh, for as long as it is not closed. */
export class Directory {
  constructor(store) {
    this.store = store;
    this.timer = setInterval(() => this.#quietly(), EVERY);
    this.#quietly();
  }

  close() {
    clearInterval(this.timer);
  }

  async #quietly() {
    try {
      await this.refresh();
    } catch {
      // The stream tells that the server is away; the next time will do.
    }
  }

  /** Asks now. */
  async refresh() {
    const { store } = this;
    if (store.me.role === 'operator') {
      const [{ tenants }, { quotas }] = await Promise.all([get('/tenants'), get('/quotas')]);
      tenants.forEach((tenant) => store.states.set(tenant.tenant, tenant.state));
      quotas.forEach((quota) => store.limits.set(quota.tenant, quota.limits));
    } else {
      const quota = await get(`/tenants/${part(store.me.tenant)}/quota`);
      store.limits = new Map([[quota.tenant, quota.limits]]);
    }
    store.changed();
  }
}
