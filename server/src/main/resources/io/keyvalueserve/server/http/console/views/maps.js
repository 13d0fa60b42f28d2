// A tenant's own maps.

import { head } from '../lib/parts.js';
import { mapsPanel } from '../panels/maps.js';

export default {
  id: 'maps',
  title: 'Maps',
  icon: 'maps',
  roles: ['tenant'],
  render({ me }) {
    return {
      element: [
        head('Maps', 'Open one to look at its keys and values.'),
        mapsPanel(me.tenant, (map) => `#/maps/${encodeURIComponent(map)}`),
      ],
    };
  },
};
