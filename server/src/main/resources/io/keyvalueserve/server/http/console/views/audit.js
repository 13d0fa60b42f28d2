// Who changed what, who came in, and who was turned away.

import { h, replace } from '../lib/dom.js';
import { field } from '../lib/dialog.js';
import { head, loaded } from '../lib/parts.js';
import { auditTable } from '../panels/audit.js';

export default {
  id: 'audit',
  title: 'Audit',
  icon: 'audit',
  roles: ['operator'],
  render() {
    const place = h('div', { class: 'card' });
    const form = h('form', { class: 'toolbar', role: 'search' },
      field({ name: 'trail', label: 'Trail', value: 'changes', options: [['changes', 'Changes'], ['access', 'Access']] }),
      field({ name: 'tenant', label: 'Tenant' }),
      field({ name: 'actor', label: 'Who' }),
      field({ name: 'object', label: 'Object' }),
      field({ name: 'limit', label: 'At most', value: '100', options: [['50', '50'], ['100', '100'], ['500', '500']] }),
      h('button', { type: 'submit' }, 'Show'));
    const show = () => {
      const query = Object.fromEntries(new FormData(form));
      replace(place, loaded(() => auditTable(query)).element);
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      show();
    });
    show();
    return { element: [head('Audit', 'The newest events of all members.'), form, place] };
  },
};
