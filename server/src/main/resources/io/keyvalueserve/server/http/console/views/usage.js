// What a tenant uses, for itself.

import { h, setText } from '../lib/dom.js';
import { bytes, count, millis, rate } from '../lib/format.js';
import { fact, head } from '../lib/parts.js';
import { usagePlots } from '../lib/plots.js';
import { historyPanel } from '../panels/history.js';
import { quotaPanel } from '../panels/quota.js';

export default {
  id: 'usage',
  title: 'Usage',
  icon: 'usage',
  roles: ['tenant'],
  render({ me, store }) {
    const limit = (name) => store.limits.get(me.tenant)?.[name] ?? null;
    const plots = usagePlots(store.history(me.tenant), limit);
    const history = historyPanel(me.tenant, limit);
    const quota = quotaPanel(me.tenant, store, { change: false });
    const facts = {
      operations: fact('Operations'), memory: fact('Memory', 'each entry counted once'), entries: fact('Entries'),
      connections: fact('Connections'), throttled: fact('Throttled', 'not admitted, over the quota'),
      latency: fact('p99', 'last 10 s'), wait: fact('Longest wait', 'last 10 to 20 s'),
    };
    return {
      element: [
        head('Usage', `What ${me.tenant} uses on all members together.`),
        h('dl', { class: 'facts' }, Object.values(facts).map((each) => each.element)),
        plots.element,
        history.element,
        quota.element,
      ],
      update() {
        const usage = store.tenants.get(me.tenant);
        if (usage) {
          setText(facts.operations.value, rate(usage.operationsPerSecond));
          setText(facts.memory.value, bytes(usage.memoryBytes));
          setText(facts.entries.value, count(usage.entries));
          setText(facts.connections.value, count(usage.connections));
          setText(facts.throttled.value, rate(usage.throttledPerSecond));
          setText(facts.latency.value, millis(usage.latency?.p99Millis));
          setText(facts.wait.value, millis(usage.longestWaitMillis));
        }
        quota.update();
        plots.update();
      },
      close() {
        plots.close();
        history.close();
      },
    };
  },
};
