// What a tenant used and owes in a month.

import { get, part } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { bytes, cents, count } from '../lib/format.js';
import { announce, button, fact, loaded, sectionWith } from '../lib/parts.js';
import { monthName, monthOf, monthsBetween, startOfMonth } from '../lib/months.js';
import { plainTable } from '../lib/table.js';
import { spendCapButtons } from './spending.js';

const SECOND_MARK = /Seconds$/;

/** An amount to cents; the exact one shows when the pointer rests on it. */
function money(text, currency) {
  return h('data', { value: text, title: `exactly ${text} ${currency}` }, `${cents(text)} ${currency}`);
}

/** A figure, as text or as an element. */
function figure(label, value, hint) {
  const shown = fact(label, hint);
  shown.value.replaceChildren(value);
  return shown.element;
}

/** What the month will cost if it goes on as until now, with a warning if that is above the cap. */
function forecastFigure(bill) {
  const { total, basis } = bill.forecast;
  const isAbove = bill.spendCap && Number(total) > Number(bill.spendCap.cap);
  return figure('Forecast', money(total, bill.currency),
    isAbove ? `Above the spend cap of ${cents(bill.spendCap.cap)} ${bill.currency}. ${basis}` : basis);
}

/** What a measure's quantity is for people: bytes, byte-seconds, a number. */
function quantity(name, text) {
  const value = Number(text);
  const amount = /bytes?/i.test(name) ? bytes(value) : count(value);
  return SECOND_MARK.test(name) ? `${amount} s` : amount;
}

/** `residentByteSeconds` as "resident byte seconds". */
function words(name) {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** What may still be spent, and what happens then. */
function capFigure(cap) {
  if (!cap) {
    return figure('Spend cap', 'none', 'Operators can set one.');
  }
  const then = cap.action === 'throttle' ? 'then requests are throttled' : 'then requests are refused';
  return figure('Spend cap', money(cap.cap, cap.currency),
    cap.admits ? `${cents(cap.left)} left, ${then}` : `reached: requests are ${cap.action === 'throttle' ? 'throttled' : 'refused'}`);
}

function linesTable(bill) {
  return plainTable('What is charged',
    [{ title: 'Measure' }, { title: 'Basis' }, { title: 'Hours' }, { title: 'Quantity', numeric: true },
      { title: 'Free', numeric: true }, { title: 'Price', numeric: true }, { title: 'Amount', numeric: true }],
    bill.lines.map((line) => [
      line.persistence === 'default' ? words(line.measure) : `${words(line.measure)}, ${line.persistence}`, line.basis, line.band, count(Number(line.quantity)), count(Number(line.free)),
      `${line.unitPrice} for ${count(Number(line.per))}`, money(line.amount, bill.currency),
    ]), 'Nothing is charged in this month.');
}

function usageTable(usage) {
  const rows = usage.flatMap((group) => Object.entries(group.quantities)
    .map(([name, value]) => [group.group || 'of no map', words(name), quantity(name, value)]));
  return plainTable('What was used',
    [{ title: 'Map' }, { title: 'Measure' }, { title: 'Quantity', numeric: true }],
    rows, 'Nothing was used in this month. Use is told once a minute.');
}

/** Whether the ledger still has everything that the bill was made of. */
function verifyButton(path, bill, result) {
  return button('Verify', async () => {
    const head = new URLSearchParams({ month: bill.month, entries: bill.head.entries, hash: bill.head.hash });
    const answer = await get(`${path}/bill/verify?${head}`).catch((e) => ({ valid: false, difference: e.message }));
    const said = answer.valid
      ? 'The bill is what its ledger says, and nothing in that was changed.'
      : `The bill differs: ${answer.difference}`;
    result.textContent = said;
    announce(said);
  });
}

/** The figures at the top of a bill; of a month that has ended there is no forecast. */
function figures(bill, isRunning) {
  return h('dl', { class: 'facts' },
    figure(isRunning ? 'So far' : 'Total', money(bill.total, bill.currency), `${bill.month}, ${bill.zone}`),
    isRunning ? forecastFigure(bill) : null,
    figure('Credit', money(bill.credit, bill.currency)),
    isRunning ? capFigure(bill.spendCap) : figure('Invoice', h('code', null, bill.id), 'its number'));
}

/** The months that can be chosen: from the one in which the tenant was made to the running one, that first. */
function offer(select, createdAt, bill) {
  const months = monthsBetween(monthOf(createdAt, bill.zone), bill.month);
  select.replaceChildren(...months.map((month) => h('option', { value: month }, monthName(month))));
  select.value = bill.month;
}

/** The bill of a tenant by month, the running month first; with `change`, for an operator who caps what it may spend. */
export function billPanel(tenant, { change = false } = {}) {
  const path = `/tenants/${part(tenant)}`;
  const result = h('p', { class: 'faint' });
  const select = h('select', { 'aria-label': 'Month of the bill', on: { change: () => place.again() } });
  let running = null;
  const place = loaded(async () => {
    const isRunning = running === null || select.value === running;
    const [bill, { createdAt }] = await Promise.all([
      get(isRunning ? `${path}/bill` : `${path}/bill?month=${part(select.value)}`), get(path),
    ]);
    if (isRunning && bill.month !== running) {
      running = bill.month;
      offer(select, createdAt, bill);
    }
    const span = { from: startOfMonth(bill.month, 0, bill.zone) };
    if (!isRunning) {
      span.to = startOfMonth(bill.month, 1, bill.zone);
    }
    const [used, capButtons] = await Promise.all([
      get(`${path}/usage?${new URLSearchParams({ by: 'map', ...span })}`),
      change && isRunning ? spendCapButtons(tenant, Boolean(bill.spendCap), place.again) : null,
    ]);
    result.replaceChildren();
    return [
      figures(bill, isRunning),
      h('p', { class: 'actions' }, verifyButton(path, bill, result), capButtons), result,
      linesTable(bill), usageTable(used.usage),
    ];
  });
  return sectionWith('Bill', h('div', { class: 'actions' }, select, button('Refresh', place.again)), place.element);
}
