// The console: signs in, keeps the live stream, and shows the view that the address names.

import { get, isOpen, whenUnauthorized } from './lib/api.js';
import { alertsOf } from './lib/alerts.js';
import { Directory } from './lib/directory.js';
import { h, icon, replace, setAttribute, setText } from './lib/dom.js';
import { announce } from './lib/parts.js';
import { currentKey, forget } from './lib/session.js';
import { LiveStore } from './lib/store.js';
import { applyTheme, themeButton } from './theme.js';
import { route, viewsOf } from './views.js';
import { signIn } from './views/signin.js';

const app = document.getElementById('app');
let shown = null;

function showSignIn(reason) {
  shown?.close();
  shown = null;
  document.title = 'Sign in · KeyValueServe';
  replace(app, signIn(start, reason));
  app.querySelector('input').focus();
}

function start(me) {
  shown?.close();
  shown = new Console(me);
  shown.show(false);
}

/** What somebody who has signed in sees. */
class Console {
  constructor(me) {
    this.me = me;
    this.store = new LiveStore(me);
    this.directory = new Directory(this.store);
    this.main = h('main', { id: 'main', tabindex: '-1' });
    this.links = viewsOf(me.role).filter((view) => !view.parent).map((view) => this.#link(view));
    this.state = h('p', { class: 'stream-state', role: 'status' });
    this.known = new Set();
    replace(app, h('div', { class: 'shell' },
      h('header', { class: 'side' },
        h('a', { class: 'brand', href: '#/' }, h('span', { class: 'mark', 'aria-hidden': 'true' }, 'K'), 'KeyValueServe'),
        h('nav', { 'aria-label': 'Views' }, h('ul', null, this.links.map((link) => h('li', null, link.element)))),
        h('div', { class: 'side-end' },
          this.state,
          h('p', { class: 'who' }, me.role === 'operator' ? 'Operator' : me.tenant),
          themeButton(),
          h('button', { type: 'button', class: 'nav-button', on: { click: () => leave() } }, icon('leave'), h('span', null, 'Sign out')))),
      this.main));
    this.onHash = () => this.show(true);
    addEventListener('hashchange', this.onHash);
    this.stop = this.store.listen(() => this.#update());
  }

  #link(view) {
    const badge = h('span', { class: 'nav-badge' });
    badge.hidden = true;
    return { view, badge, element: h('a', { href: `#/${view.id}` }, icon(view.icon), h('span', null, view.title), badge) };
  }

  close() {
    removeEventListener('hashchange', this.onHash);
    this.stop();
    this.view?.close?.();
    this.directory.close();
    this.store.close();
  }

  /** Shows the view of the address; `moved` if somebody went there. */
  show(moved) {
    const { view, name } = route(location.hash, this.me.role);
    this.view?.close?.();
    this.view = view.render({ me: this.me, store: this.store, directory: this.directory }, name);
    replace(this.main, h('div', { class: 'view', dataset: { view: view.id } }, this.view.element));
    document.title = `${this.view.title ?? view.title} · KeyValueServe`;
    for (const link of this.links) {
      const current = link.view.id === view.id || link.view.id === view.parent;
      setAttribute(link.element, 'aria-current', current ? 'page' : null);
    }
    scrollTo(0, 0);
    this.view.update?.();
    if (moved) {
      this.main.querySelector('h1')?.focus({ preventScroll: true });
    }
  }

  #update() {
    const { state, error, frame } = this.store;
    if (state === 'refused' && error?.status === 401) {
      showSignIn('Your key is no longer valid.');
      forget();
      return;
    }
    setText(this.state, { live: 'Live', connecting: 'Connecting …', lost: 'Connection lost, trying again', refused: error?.message ?? 'Refused' }[state]);
    setAttribute(this.state, 'data-state', state);
    if (frame && this.me.role === 'operator') {
      this.#showAlerts(alertsOf(frame, this.store.limits));
    }
    this.view?.update?.();
  }

  #showAlerts(alerts) {
    const link = this.links.find((each) => each.view.id === 'alerts');
    link.badge.hidden = alerts.length === 0;
    setText(link.badge, String(alerts.length));
    const fresh = alerts.filter((alert) => !this.known.has(alert.id));
    this.known = new Set(alerts.map((alert) => alert.id));
    if (fresh.length > 0) {
      announce(fresh.length > 3 ? `${fresh.length} new alerts` : fresh.map((alert) => alert.title).join('. '));
    }
  }
}

function leave() {
  forget();
  history.replaceState(null, '', location.pathname);
  showSignIn();
}

async function begin() {
  applyTheme();
  whenUnauthorized(() => {
    if (shown) {
      forget();
      showSignIn('Your key is no longer valid.');
    }
  });
  try {
    if (currentKey() || (await isOpen())) {
      start(await get('/me'));
      return;
    }
    showSignIn();
  } catch (e) {
    forget();
    showSignIn(e.status === 401 ? '' : e.message);
  }
}

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault(); // the address is for views
  document.getElementById('main')?.focus();
});
begin();
