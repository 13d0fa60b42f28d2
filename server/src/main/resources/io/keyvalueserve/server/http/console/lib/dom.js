// Elements from plain words. Text goes in as text, never as markup.

/**
 * An element. `props` sets attributes; `class`, `on` (event handlers) and `dataset` are as their
 * names say, and true or false puts an attribute in or leaves it out.
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name === 'on') {
      Object.entries(value).forEach(([event, handler]) => element.addEventListener(event, handler));
    } else if (name === 'dataset') {
      Object.assign(element.dataset, value);
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  append(element, children);
  return element;
}

/** Appends elements and texts; nothing for null, undefined and false. */
export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
}

/** Puts new children in the place of all old ones. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Sets a text only if it is another: what has not changed is not laid out again. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Sets an attribute only if it is another. */
export function setAttribute(element, name, value) {
  if (value === null) {
    if (element.hasAttribute(name)) {
      element.removeAttribute(name);
    }
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

const SVG = 'http://www.w3.org/2000/svg';

const ICONS = {
  overview: 'M3 3h6v8H3zM11 3h6v5h-6zM11 10h6v7h-6zM3 13h6v4H3z',
  tenants: 'M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM1.5 17c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 9a2.5 2.5 0 1 0-1-4.8M14.5 12c2.5.3 4 2.2 4 5',
  memory: 'M4 5h12v10H4zM7 5V2.5M10 5V2.5M13 5V2.5M7 17.5V15M10 17.5V15M13 17.5V15',
  audit: 'M5 2.5h7l3.5 3.5v11.5H5zM8 9h5M8 12h5M8 15h3',
  alerts: 'M10 3a5 5 0 0 0-5 5v3.5L3.5 14h13L15 11.5V8a5 5 0 0 0-5-5zM8 16.5a2 2 0 0 0 4 0',
  bill: 'M5 2.5h10v15l-2.500-1.500-2.500 1.500-2.500-1.500L5 17.500zM8 7h4M8 10h4',
  usage: 'M2.5 14.5l4-5 3.5 3 4-6.5 3.5 4',
  keys: 'M7 13a4 4 0 1 1 3.5-5.900H18v3h-2V13h-3v-2.900h-2.5A4 4 0 0 1 7 13z',
  maps: 'M3 5.5C3 4 6 3 10 3s7 1 7 2.5S14 8 10 8 3 7 3 5.5zM3 5.5v9C3 16 6 17 10 17s7-1 7-2.5v-9M3 10c0 1.5 3 2.5 7 2.5s7-1 7-2.5',
  grants: 'M4 10h11M11 5.5L15.5 10 11 14.5M4 4v12',
  sql: 'M3 3.5h14v13H3zM6 8l2.500 2L6 12M10.500 12.500H14',
  clients: 'M3 4h14v9H3zM7 17h6M10 13v4',
  connect: 'M7 6L3 10l4 4M13 6l4 4-4 4M11.5 4l-3 12',
  theme: 'M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14',
  leave: 'M8 3H4v14h4M12 6l4 4-4 4M16 10H8',
};

/** A small picture beside a word that says the same. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name] ?? ICONS.overview);
  svg.append(path);
  return svg;
}
