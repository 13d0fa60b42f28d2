// What a tenant shares, for itself.

import { head } from '../lib/parts.js';
import { grantsPanel } from '../panels/grants.js';

export default {
  id: 'grants',
  title: 'Sharing',
  icon: 'grants',
  roles: ['tenant'],
  render({ me }) {
    return { element: [head('Sharing', 'Let other tenants read or change your maps, down to a single key, or use your channels.'), grantsPanel(me.tenant, (map) => `#/maps/${encodeURIComponent(map)}`)] };
  },
};
