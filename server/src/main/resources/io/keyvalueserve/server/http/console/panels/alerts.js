// The alerts that members have noted, with their times. They are there after a reload, and of times when nobody looked.

import { get } from '../lib/api.js';
import { h, replace } from '../lib/dom.js';
import { time } from '../lib/format.js';
import { badge, section } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

const EVERY = 5_000;
const SHOWN = 200;

const moment = (text) => h('time', { datetime: text }, time(text));

function what(alert) {
  return alert.tenant ? h('a', { href: `#/tenants/${encodeURIComponent(alert.tenant)}` }, alert.title) : alert.title;
}

/** The history of alerts; `onKnown` is called when more is known. */
export class AlertHistory {
  constructor(onKnown) {
    this.onKnown = onKnown;
    this.open = [];
    this.place = h('div', null, h('p', { class: 'empty' }, 'Loading …'));
    this.element = section('History', this.place);
    this.timer = setInterval(() => this.#ask(), EVERY);
    this.#ask();
  }

  close() {
    clearInterval(this.timer);
  }

  async #ask() {
    try {
      const { alerts, silent } = await get(`/alerts?limit=${SHOWN}`);
      this.open = alerts.filter((alert) => !alert.until);
      if (!this.place.contains(document.activeElement)) {
        this.#show(alerts, silent);
      }
      this.onKnown();
    } catch (e) {
      replace(this.place, h('p', { class: 'error', role: 'alert' }, e.message));
    }
  }

  #show(alerts, silent) {
    replace(this.place,
      silent.length > 0 ? h('p', { class: 'error' }, `No answer from ${silent.join(', ')}: what they noted is missing.`) : null,
      plainTable('History of alerts',
        [{ title: 'Since' }, { title: 'Until' }, { title: 'Severity' }, { title: 'What', wrap: true }, { title: 'Noted by' }],
        alerts.map((alert) => [
          moment(alert.since), alert.until ? moment(alert.until) : 'now',
          badge(alert.severity, alert.severity === 'critical' ? 'bad' : 'warn'), what(alert), h('code', null, alert.member),
        ]), 'No alert was noted since the members started.'));
  }

  /** When an alert that the page sees began, as members noted it; null if they have not. Ids about this member lack its address. */
  since(alert, frame) {
    const local = frame?.members?.find((member) => member.local)?.address;
    const noted = this.open.find((each) => each.id === alert.id || each.id === `${alert.id} ${local}`);
    return noted?.since ?? null;
  }
}
