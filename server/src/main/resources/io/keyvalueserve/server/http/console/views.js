// The views: each is a module with an id, a title, the roles that see it, and a render function
// (context, name) -> { element, title?, update?, close? }. One with a parent is reached from there
// and is not in the navigation. A new view is one more line here.

import alerts from './views/alerts.js';
import audit from './views/audit.js';
import bill from './views/bill.js';
import clients from './views/clients.js';
import connect from './views/connect.js';
import grants from './views/grants.js';
import keys from './views/keys.js';
import map from './views/map.js';
import maps from './views/maps.js';
import memory from './views/memory.js';
import overview from './views/overview.js';
import sql from './views/sql.js';
import stores from './views/stores.js';
import tenant from './views/tenant.js';
import tenants from './views/tenants.js';
import usage from './views/usage.js';

export const VIEWS = [
  overview, tenants, tenant, memory, stores, alerts, audit,
  usage, bill, maps, map, sql, clients, keys, grants, connect,
];

export const viewsOf = (role) => VIEWS.filter((view) => view.roles.includes(role));

/** What an address names: `#/tenants/acme` is the view whose parent is `tenants`, with `acme`. */
export function route(hash, role) {
  const [id, name] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponentOrEmpty);
  const own = viewsOf(role);
  const found = name === undefined
    ? own.find((view) => view.id === id && !view.parent)
    : own.find((view) => view.parent === id);
  return found ? { view: found, name } : { view: own.find((view) => !view.parent), name: undefined };
}

function decodeURIComponentOrEmpty(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
