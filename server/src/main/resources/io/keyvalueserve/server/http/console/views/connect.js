// How to connect, in the words of each client.

import { get } from '../lib/api.js';
import { h, replace, setAttribute } from '../lib/dom.js';
import { copyButton, head, loaded } from '../lib/parts.js';
import { freshKey } from '../lib/session.js';
import { snippets } from '../lib/snippets.js';

const KINDS = [['redis', 'Redis clients'], ['hazelcast', 'Hazelcast clients']];

function chooser(label, names, onChoose) {
  const buttons = names.map(([id, name]) =>
    h('button', { type: 'button', 'aria-pressed': 'false', on: { click: () => choose(id) } }, name));
  const choose = (id) => {
    buttons.forEach((each, i) => setAttribute(each, 'aria-pressed', String(names[i][0] === id)));
    onChoose(id);
  };
  return { element: h('div', { class: 'tabs', role: 'group', 'aria-label': label }, buttons), choose };
}

function programs(all) {
  const place = h('div', { class: 'stack' });
  const show = (kind) => {
    const code = h('div', { class: 'stack' });
    const languages = chooser('Language', all[kind].map((each) => [each.language, each.language]), (language) => {
      const one = all[kind].find((each) => each.language === language);
      replace(code,
        h('p', { class: 'lead' }, one.client, ' · ', h('code', null, one.install)),
        h('div', { class: 'code' }, h('pre', { tabindex: '0', 'aria-label': `${one.language} program` }, one.code), copyButton(() => one.code)));
    });
    replace(place, languages.element, code);
    languages.choose(all[kind][0].language);
  };
  const kinds = chooser('Kind of client', KINDS, show);
  kinds.choose('redis');
  return h('div', { class: 'stack' }, kinds.element, place);
}

export default {
  id: 'connect',
  title: 'Connect',
  icon: 'connect',
  roles: ['tenant'],
  render({ me }) {
    const key = freshKey(me.tenant);
    const content = loaded(async () => {
      const { resp, hazelcast, postgres } = await get('/endpoints');
      const host = location.hostname;
      return h('div', { class: 'stack' },
        h('dl', { class: 'facts' },
          [['Redis clients', `${host}:${resp.port}`], ['Hazelcast clients', `${host}:${hazelcast.port}`],
            ['Cluster name', hazelcast.clusterName],
            ...(postgres ? [['PostgreSQL clients', `${host}:${postgres.port}`]] : []),
            ['User', me.tenant]].map(([name, value]) =>
            h('div', { class: 'fact' }, h('dt', null, name), h('dd', { class: 'address' }, value)))),
        h('p', { class: 'lead' }, key
          ? 'The key that you have just made is filled in.'
          : ['Put one of your access keys in the place of ', h('code', null, 'YOUR_ACCESS_KEY'), '.'],
        ' Redis clients are in the map default; the user ', h('code', null, `${me.tenant}/stock`), ' is in the map stock.'),
        programs(snippets({
          tenant: me.tenant, host, respPort: resp.port,
          clusterName: hazelcast.clusterName, clientPort: hazelcast.port, key,
        })));
    });
    return { element: [head('Connect', 'Clients that you know, unchanged.'), h('section', { class: 'card', 'aria-label': 'Programs' }, content.element)] };
  },
};
