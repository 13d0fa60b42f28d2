// One tenant, as an operator sees it.

import { call, part } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { h, replace, setText } from '../lib/dom.js';
import { count, millis, rate } from '../lib/format.js';
import { button, fact, head, loaded, section, stateBadge } from '../lib/parts.js';
import { usagePlots } from '../lib/plots.js';
import { auditTable } from '../panels/audit.js';
import { billPanel } from '../panels/bill.js';
import { clientsPanel } from '../panels/clients.js';
import { grantsPanel } from '../panels/grants.js';
import { hibernationPanel } from '../panels/hibernation.js';
import { historyPanel } from '../panels/history.js';
import { keysPanel } from '../panels/keys.js';
import { mapsPanel } from '../panels/maps.js';
import { quotaPanel } from '../panels/quota.js';
import { snapshotsPanel } from '../panels/snapshots.js';

const EVENTS = '15';

function lifeButtons(tenant, directory, place, state) {
  const path = `/tenants/${part(tenant)}`;
  const after = (done) => async () => {
    await done();
    await directory.refresh();
  };
  const suspend = button('Suspend', () => askFor({
    title: `Suspend ${tenant}?`,
    intro: 'All its sessions end at once and nobody comes in as it until it is resumed. Its data stays.',
    action: 'Suspend', danger: true, typed: tenant,
    submit: after(() => call('POST', `${path}/suspend`)),
  }));
  const resume = button('Resume', () => askFor({
    title: `Resume ${tenant}?`, intro: 'Its keys are valid again.', action: 'Resume',
    submit: after(() => call('POST', `${path}/resume`)),
  }), 'primary');
  const remove = button('Delete', () => askFor({
    title: `Delete ${tenant} with all its data?`,
    intro: 'Its maps, its keys and its grants are destroyed on every member. Nothing brings them back.',
    action: 'Delete for good', danger: true, typed: tenant,
    async submit() {
      await call('DELETE', path);
      await directory.refresh();
      location.hash = '#/tenants';
    },
  }), 'danger-text');
  replace(place, state ? stateBadge(state) : null, state === 'suspended' ? resume : suspend, remove);
}

export default {
  id: 'tenant',
  title: 'Tenant',
  parent: 'tenants',
  roles: ['operator'],
  render({ store, directory }, tenant) {
    const actions = h('div', { class: 'actions' });
    let shownState = null;
    const limit = (name) => store.limits.get(tenant)?.[name] ?? null;
    const plots = usagePlots(store.history(tenant), limit);
    const history = historyPanel(tenant, limit);
    const snapshots = snapshotsPanel(tenant);
    const quota = quotaPanel(tenant, store, { change: true });
    const facts = {
      operations: fact('Operations'), entries: fact('Entries', 'each counted once'),
      connections: fact('Connections'), throttled: fact('Throttled'), wait: fact('Longest wait', 'last 10 to 20 s'),
    };
    const missing = h('p', { class: 'error', role: 'alert' });
    lifeButtons(tenant, directory, actions, null);
    return {
      title: tenant,
      element: [
        h('nav', { class: 'crumbs', 'aria-label': 'Breadcrumb' }, h('a', { href: '#/tenants' }, 'Tenants')),
        head(tenant, null, actions),
        missing,
        h('dl', { class: 'facts' }, Object.values(facts).map((each) => each.element)),
        plots.element,
        history.element,
        h('div', { class: 'columns' }, quota.element, keysPanel(tenant)),
        h('div', { class: 'columns' }, mapsPanel(tenant), grantsPanel(tenant)),
        hibernationPanel(tenant),
        snapshots.element,
        clientsPanel(tenant, { members: true }),
        billPanel(tenant, { change: true }),
        section('Latest changes', loaded(() => auditTable({ tenant, limit: EVENTS })).element),
      ],
      update() {
        const usage = store.tenants.get(tenant);
        const isMissing = store.frame && !usage && !store.watch(tenant);
        setText(missing, isMissing ? `There is no tenant ${tenant}.` : '');
        if (usage) {
          setText(facts.operations.value, rate(usage.operationsPerSecond));
          setText(facts.entries.value, count(usage.entries));
          setText(facts.connections.value, count(usage.connections));
          setText(facts.throttled.value, rate(usage.throttledPerSecond));
          setText(facts.wait.value, millis(usage.longestWaitMillis));
        }
        const state = store.states.get(tenant) ?? null;
        if (state !== shownState) {
          shownState = state;
          lifeButtons(tenant, directory, actions, state);
        }
        quota.update();
        plots.update();
      },
      close() {
        plots.close();
        history.close();
        snapshots.close();
      },
    };
  },
};
