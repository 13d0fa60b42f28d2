// Signing in: an operator's key, or an access key of a tenant.

import { call } from '../lib/api.js';
import { h, replace } from '../lib/dom.js';
import { field } from '../lib/dialog.js';
import { forget, remember } from '../lib/session.js';

/** The page of whoever has not signed in; `done` gets who it is. */
export function signIn(done, reason) {
  const error = h('p', { class: 'error', role: 'alert' }, reason ?? '');
  const button = h('button', { type: 'submit', class: 'primary wide' }, 'Sign in');
  const form = h('form', { class: 'card signin' },
    h('div', { class: 'brand large' }, h('span', { class: 'mark', 'aria-hidden': 'true' }, 'K'), 'KeyValueServe'),
    h('h1', null, 'Sign in'),
    field({
      name: 'key', label: 'Key', type: 'password', required: true, autocomplete: 'current-password',
      hint: 'The operator key, from the file operator.key of a member, or an access key of a tenant.',
    }),
    h('label', { class: 'check' },
      h('input', { type: 'checkbox', name: 'keep', checked: true }), 'Stay signed in for this tab'),
    error, button);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const key = data.get('key').trim();
    if (key === '') {
      replace(error, 'Enter a key.');
      return;
    }
    button.disabled = true;
    replace(error);
    remember(key, data.get('keep') !== null);
    try {
      done(await call('GET', '/me'));
    } catch (e) {
      forget();
      replace(error, e.status === 401 ? 'This key is not valid here.' : e.message);
      button.disabled = false;
      form.elements.key.focus();
    }
  });
  return h('main', { id: 'main', class: 'center', tabindex: '-1' }, form);
}
