// The key that was signed in with. It is kept by the tab, or by the page alone, and put in no URL.

const KEY = 'kvs.key';
let key = read();
let fresh = null;

function read() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function currentKey() {
  return key;
}

/** Remembers a key; with `keep` through reloads of this tab. */
export function remember(newKey, keep) {
  key = newKey;
  try {
    if (keep && newKey) {
      sessionStorage.setItem(KEY, newKey);
    } else {
      sessionStorage.removeItem(KEY);
    }
  } catch {
    // The browser keeps nothing for this page: the page itself does.
  }
}

export function forget() {
  remember(null, false);
  fresh = null;
}

/** A key that was just made, for the snippets; forgotten when the page is left. */
export function setFreshKey(tenant, newKey) {
  fresh = { tenant, key: newKey };
}

export function freshKey(tenant) {
  return fresh?.tenant === tenant ? fresh.key : null;
}
