// What a tenant used and owes in this month.

import { get, part } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { bytes, cents, count } from '../lib/format.js';
import { announce, button, fact, loaded, sectionWith } from '../lib/parts.js';
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
      words(line.measure), line.basis, line.band, count(Number(line.quantity)), count(Number(line.free)),
      `${line.unitPrice} for ${count(Number(line.per))}`, money(line.amount, bill.currency),
    ]), 'Nothing is charged yet in this month.');
}

function usageTable(usage) {
  const rows = usage.flatMap((group) => Object.entries(group.quantities)
    .map(([name, value]) => [group.group || 'of no map', words(name), quantity(name, value)]));
  return plainTable('What was used',
    [{ title: 'Map' }, { title: 'Measure' }, { title: 'Quantity', numeric: true }],
    rows, 'Nothing was used yet in this month. Use is told once a minute.');
}

/** Whether the ledger still has everything that the bill was made of. */
function verifyButton(path, bill, result) {
  return button('Verify', async () => {
    const head = new URLSearchParams({ entries: bill.head.entries, hash: bill.head.hash });
    const answer = await get(`${path}/bill/verify?${head}`).catch((e) => ({ valid: false, difference: e.message }));
    const said = answer.valid
      ? 'The bill is what its ledger says, and nothing in that was changed.'
      : `The bill differs: ${answer.difference}`;
    result.textContent = said;
    announce(said);
  });
}

/** The bill of a tenant for this month so far; with `change`, for an operator who caps what it may spend. */
export function billPanel(tenant, { change = false } = {}) {
  const path = `/tenants/${part(tenant)}`;
  const result = h('p', { class: 'faint' });
  const place = loaded(async () => {
    const [bill, used] = await Promise.all([get(`${path}/bill`), get(`${path}/usage?by=map`)]);
    const capButtons = change ? await spendCapButtons(tenant, Boolean(bill.spendCap), place.again) : null;
    return [
      h('dl', { class: 'facts' },
        figure('So far', money(bill.total, bill.currency), `${bill.month}, ${bill.zone}`),
        forecastFigure(bill),
        figure('Credit', money(bill.credit, bill.currency)),
        capFigure(bill.spendCap)),
      h('p', { class: 'actions' }, verifyButton(path, bill, result), capButtons), result,
      linesTable(bill), usageTable(used.usage),
    ];
  });
  return sectionWith('This month', button('Refresh', place.again), place.element);
}
