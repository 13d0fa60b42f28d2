// A tenant's own access keys.

import { head } from '../lib/parts.js';
import { keysPanel } from '../panels/keys.js';

export default {
  id: 'keys',
  title: 'Keys',
  icon: 'keys',
  roles: ['tenant'],
  render({ me }) {
    return { element: [head('Keys', 'Each program should have a key of its own, so that one can be revoked alone.'), keysPanel(me.tenant, me.keyId)] };
  },
};
