// What the tenant used and owes.

import { head } from '../lib/parts.js';
import { billPanel } from '../panels/bill.js';

export default {
  id: 'bill',
  title: 'Bill',
  icon: 'bill',
  roles: ['tenant'],
  render({ me }) {
    return {
      element: [head('Bill', 'What was used in a month, and what it costs.'), billPanel(me.tenant)],
    };
  },
};
