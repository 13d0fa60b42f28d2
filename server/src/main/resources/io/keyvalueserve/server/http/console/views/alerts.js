// What needs to be looked at.

import { alertsOf } from '../lib/alerts.js';
import { h, setAttribute, setText } from '../lib/dom.js';
import { time } from '../lib/format.js';
import { head } from '../lib/parts.js';
import { AlertHistory } from '../panels/alerts.js';

const MOST = 200;

/** A list of alerts that is changed in place; more than `most` are only counted. */
export function alertList(most, whenNone) {
  const list = h('ul', { class: 'alerts' });
  const more = h('p', { class: 'more' }, h('a', { href: '#/alerts' }));
  const none = h('p', { class: 'empty' }, whenNone ?? '');
  const items = new Map();
  more.hidden = true;
  none.hidden = whenNone === undefined;
  const item = (alert) => {
    const title = h('a', { href: alert.href });
    const detail = h('span');
    const since = h('time', { class: 'faint' });
    return { element: h('li', null, title, detail, since), title, detail, since };
  };
  return {
    element: h('div', { class: 'alert-box' }, list, more, none),
    update(alerts) {
      const shown = alerts.slice(0, most);
      const wanted = new Set(shown.map((alert) => alert.id));
      for (const [id, { element }] of items) {
        if (!wanted.has(id)) {
          element.remove();
          items.delete(id);
        }
      }
      let place = 0;
      for (const alert of shown) {
        if (!items.has(alert.id)) {
          items.set(alert.id, item(alert));
        }
        const { element, title, detail, since } = items.get(alert.id);
        if (list.children[place] !== element) {
          list.insertBefore(element, list.children[place] ?? null);
        }
        place++;
        setAttribute(element, 'class', alert.tone);
        setText(title, alert.title);
        setText(detail, alert.detail);
        setAttribute(since, 'datetime', alert.since ?? null);
        setText(since, alert.since ? `since ${time(alert.since)}` : '');
      }
      more.hidden = alerts.length <= most;
      setText(more.firstChild, `${alerts.length - most} more`);
      none.hidden = whenNone === undefined || alerts.length > 0;
    },
  };
}

export default {
  id: 'alerts',
  title: 'Alerts',
  icon: 'alerts',
  roles: ['operator'],
  render({ store }) {
    const list = alertList(MOST, 'All is well: nothing needs to be looked at.');
    const update = () => list.update(alertsOf(store.frame, store.limits)
      .map((alert) => ({ ...alert, since: history.since(alert, store.frame) })));
    const history = new AlertHistory(update);
    return {
      element: [
        head('Alerts', 'What this member sees now, and what the members have noted.'),
        list.element,
        history.element,
      ],
      update,
      close: () => history.close(),
    };
  },
};
