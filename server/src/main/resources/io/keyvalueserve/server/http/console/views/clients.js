// A tenant's own connections.

import { head } from '../lib/parts.js';
import { clientsPanel } from '../panels/clients.js';

export default {
  id: 'clients',
  title: 'Clients',
  icon: 'clients',
  roles: ['tenant'],
  render({ me }) {
    return { element: [head('Clients', 'Who is connected now, on all members.'), clientsPanel(me.tenant)] };
  },
};
