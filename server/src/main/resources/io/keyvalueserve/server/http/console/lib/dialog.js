// Dialogs: a form, a question whose answer must be typed, a key that is shown once.

import { h, replace } from './dom.js';
import { copyButton } from './parts.js';

let made = 0;

/** A field of a form: {name, label, hint, type, value, required, options, placeholder}. With `lines` it has several. */
export function field(spec) {
  const id = `field-${++made}`;
  const shared = {
    id, name: spec.name, required: spec.required, placeholder: spec.placeholder,
    'aria-describedby': spec.hint ? `${id}-hint` : null,
  };
  const input = spec.lines
    ? h('textarea', { ...shared, rows: spec.lines, spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' })
    : spec.options
    ? h('select', shared, spec.options.map(([value, text]) =>
        h('option', { value, selected: value === spec.value }, text)))
    : h('input', {
        ...shared, type: spec.type ?? 'text', value: spec.value, autocomplete: spec.autocomplete ?? 'off',
        spellcheck: 'false', autocapitalize: 'none', pattern: spec.pattern, title: spec.title,
      });
  if (spec.lines) {
    input.value = spec.value; // as a child it would lose a line break that it begins with
  }
  return h('div', { class: 'field' },
    h('label', { for: id }, spec.label),
    input,
    spec.hint ? h('p', { class: 'hint', id: `${id}-hint` }, spec.hint) : null);
}

function open(title, content, opener = document.activeElement) {
  const id = `dialog-${++made}`;
  const dialog = h('dialog', { 'aria-labelledby': id }, h('h2', { id }, title), content);
  document.body.append(dialog);
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener?.focus?.();
  });
  dialog.showModal();
  return dialog;
}

/**
 * Asks for some fields. `submit` gets them by name; what it throws is shown, and asked again.
 * `typed` is a word that has to be typed first.
 */
export function askFor({ title, intro, fields = [], action, danger = false, typed, submit }) {
  const error = h('p', { class: 'error', role: 'alert' });
  const button = h('button', { type: 'submit', class: danger ? 'danger' : 'primary' }, action);
  const confirm = typed
    ? field({ name: 'typed', label: `Type ${typed} to confirm`, required: true })
    : null;
  const form = h('form', { method: 'dialog' },
    intro ? h('p', { class: 'lead' }, intro) : null,
    fields.map(field), confirm, error,
    h('div', { class: 'buttons' },
      h('button', { type: 'button', on: { click: () => dialog.close() } }, 'Cancel'),
      button));
  const check = () => {
    button.disabled = typed !== undefined && confirm.querySelector('input').value !== typed;
  };
  form.addEventListener('input', check);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    replace(error);
    try {
      // Not FormData: that may write line breaks as CR LF.
      await submit(Object.fromEntries([...form.elements].filter((each) => each.name).map((each) => [each.name, each.value])));
      dialog.close();
    } catch (e) {
      replace(error, e.message);
      button.disabled = false;
    }
  });
  check();
  const dialog = open(title, form);
  return dialog;
}

/** Shows an access key, which nobody can show again. */
export function showKeyOnce(tenant, key, opener) {
  const dialog = open(`Access key of ${tenant}`, [
    h('p', { class: 'lead' }, 'Copy it now. The server keeps only a hash of it, and nobody can show it again.'),
    h('div', { class: 'secret' },
      h('code', { tabindex: '0', 'data-secret': true }, key),
      copyButton(() => key, 'Copy key')),
    h('div', { class: 'buttons' },
      h('button', { type: 'button', class: 'primary', on: { click: () => dialog.close() } }, 'I have copied it')),
  ], opener);
  return dialog;
}
