// Light or dark: as the system says, until somebody chooses.

import { h, icon } from './lib/dom.js';

const KEY = 'kvs.theme';
const NEXT = { system: 'light', light: 'dark', dark: 'system' };

function chosen() {
  try {
    return localStorage.getItem(KEY) ?? 'system';
  } catch {
    return 'system';
  }
}

function apply(theme) {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  document.dispatchEvent(new Event('kvs-theme'));
}

export function applyTheme() {
  apply(chosen());
}

/** A button that goes from the system's theme to light, to dark, and back. */
export function themeButton() {
  let theme = chosen();
  const name = h('span', null, `Theme: ${theme}`);
  return h('button', {
    type: 'button', class: 'nav-button', on: {
      click() {
        theme = NEXT[theme];
        try {
          localStorage.setItem(KEY, theme);
        } catch {
          // Then it holds for this page alone.
        }
        name.textContent = `Theme: ${theme}`;
        apply(theme);
      },
    },
  }, icon('theme'), name);
}
