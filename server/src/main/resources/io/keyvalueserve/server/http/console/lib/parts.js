// Small parts that several views have.

import { h, replace, setText } from './dom.js';

const COPIED_FOR = 2_000;

/** Tells screen readers something. */
export function announce(text) {
  setText(document.getElementById('announcer'), text);
}

/** A button that puts a text on the clipboard and says so. */
export function copyButton(text, label = 'Copy') {
  const button = h('button', { type: 'button', class: 'quiet' }, label);
  button.addEventListener('click', async () => {
    const done = await copy(text());
    setText(button, done ? 'Copied' : 'Select and copy it');
    announce(done ? 'Copied' : 'Copying is not allowed here');
    setTimeout(() => setText(button, label), COPIED_FOR);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // not over plain HTTP from afar
  }
}

export function badge(text, tone) {
  return h('span', { class: `badge ${tone ?? ''}` }, text);
}

const STATES = { active: 'good', suspended: 'warn', deleting: 'bad' };

export function stateBadge(state) {
  return badge(state, STATES[state]);
}

/** A figure with its name. */
export function fact(label, hint) {
  const value = h('dd', null, '–');
  const note = h('dd', { class: 'note' }, hint ?? '');
  return { element: h('div', { class: 'fact' }, h('dt', null, label), value, note), value, note };
}

/** The head of a view: the one h1 of the page, and what can be done. */
export function head(title, intro, ...actions) {
  return h('header', { class: 'head' },
    h('div', null, h('h1', { tabindex: '-1' }, title), intro ? h('p', { class: 'intro' }, intro) : null),
    h('div', { class: 'actions' }, actions));
}

export function section(title, ...children) {
  return h('section', { class: 'card' }, h('header', null, h('h2', null, title)), children);
}

/** A section with something to do beside its title. */
export function sectionWith(title, action, ...children) {
  return h('section', { class: 'card' }, h('header', null, h('h2', null, title), action), children);
}

export function button(label, onClick, kind) {
  return h('button', { type: 'button', class: kind, on: { click: onClick } }, label);
}

/**
 * A place that is filled by asking the server: `load` returns what is put there. What it throws is
 * shown in its place, with a way to try again. While it is asked, at first and again, the place is
 * busy; of several that are asked for, the last is shown.
 */
export function loaded(load) {
  const place = h('div', { class: 'place' }, h('p', { class: 'empty' }, 'Loading …'));
  let asked = 0;
  const fill = async () => {
    const own = ++asked;
    place.setAttribute('aria-busy', 'true');
    let content;
    try {
      content = await load();
    } catch (e) {
      content = [h('p', { class: 'error', role: 'alert' }, e.message), button('Try again', fill)];
    }
    if (own === asked) {
      replace(place, content);
      place.removeAttribute('aria-busy');
    }
  };
  fill();
  return { element: place, again: fill };
}
