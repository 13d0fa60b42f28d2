// What an operator lets a tenant spend in a month.

import { call, get, part } from '../lib/api.js';
import { askFor } from '../lib/dialog.js';
import { button } from '../lib/parts.js';

const path = (tenant) => `/tenants/${part(tenant)}/spend-cap`;

/** `50, 80, 100` as numbers. Throws what to say if one is none. */
function percents(text) {
  const typed = text.split(/[\s,]+/).filter((each) => each !== '');
  return typed.map((each) => percent(each, 'Warn at'));
}

function percent(text, label) {
  if (!/^[0-9]{1,3}$/.test(text.trim())) {
    throw new Error(`${label}: '${text}' is no percentage; write a whole number from 1 to 100`);
  }
  return Number(text);
}

/** The webhook that was typed. Its secret is never shown, so that what is kept cannot be sent again without it. */
function webhook({ url, secret }, kept) {
  if (url.trim() === '') {
    return null;
  }
  if (secret === '') {
    throw new Error(url.trim() === kept
      ? 'Type the secret of the webhook again: the server does not show it, and keeps a cap as a whole. Or leave the webhook out.'
      : 'A webhook needs a secret of 16 characters or more, which signs what is sent to it.');
  }
  return { url: url.trim(), secret };
}

function edit(tenant, cap, changed) {
  const kept = cap?.webhook?.url;
  askFor({
    title: `Spend cap of ${tenant}`,
    intro: 'What all members together let it spend in a month. It holds at once, in open sessions too.',
    fields: [
      { name: 'cap', label: 'Amount', required: true, value: cap?.cap, hint: 'In the currency of the rate cards, such as 100 or 99.50.' },
      { name: 'action', label: 'Then', value: cap?.action ?? 'refuse',
        options: [['refuse', 'refuse requests until the month ends'], ['throttle', 'throttle: let the money come in evenly over the month']] },
      { name: 'burst', label: 'At once, in percent', value: cap?.action === 'throttle' ? String(cap.burstPercent) : '', placeholder: '10',
        hint: 'What may be spent when the month begins. For throttling only.' },
      { name: 'warn', label: 'Warn at, in percent', value: (cap?.warnPercents ?? [50, 80, 100]).join(', '), hint: 'Several with commas; nothing for no warnings.' },
      { name: 'url', label: 'Webhook', value: kept, placeholder: 'https://…', hint: cap?.webhook?.notCalled ? `Not called: ${cap.webhook.notCalled}.` : 'Gets the warnings. May be empty.' },
      { name: 'secret', label: 'Secret of the webhook', type: 'password', autocomplete: 'new-password' },
    ],
    action: 'Set',
    async submit(typed) {
      const body = {
        cap: typed.cap.trim(), action: typed.action, warnPercents: percents(typed.warn), webhook: webhook(typed, kept),
      };
      if (typed.action === 'throttle' && typed.burst.trim() !== '') {
        body.burstPercent = percent(typed.burst, 'At once');
      }
      await call('PUT', path(tenant), body);
      changed();
    },
  });
}

function clear(tenant, changed) {
  askFor({
    title: `Take the spend cap of ${tenant} off?`,
    intro: 'It may spend without an end from then on. What it spent stays on its bill.',
    action: 'Take off', danger: true,
    async submit() {
      await call('DELETE', path(tenant));
      changed();
    },
  });
}

/** Buttons for operators, of a tenant that has a spend cap or none. `changed` is called when that is another. */
export async function spendCapButtons(tenant, isCapped, changed) {
  if (!isCapped) {
    return [button('Set a spend cap', () => edit(tenant, null, changed))];
  }
  const cap = await get(path(tenant)); // with the webhook, which a bill does not show
  return [button('Change spend cap', () => edit(tenant, cap, changed)),
    button('Take spend cap off', () => clear(tenant, changed), 'danger-text')];
}
