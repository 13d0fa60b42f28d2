// The text of statements: where each begins and ends, and where a person is in it.

const WORD = /[\p{L}\p{N}_]/u;
const TAG = /^\$(?:[A-Za-z_][A-Za-z0-9_]*)?\$/;

/** Where what begins at `at` ends: a string, a quoted name or a comment; `at` if it is none of these. */
function skip(text, at) {
  const c = text[at];
  const two = text.slice(at, at + 2);
  if (two === '--') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (two === '/*') {
    return skipComment(text, at);
  }
  if (c === "'" || c === '"' || c === '`') {
    return skipQuoted(text, at);
  }
  const tag = c === '$' ? TAG.exec(text.slice(at, at + 65))?.[0] : undefined;
  if (tag) {
    const end = text.indexOf(tag, at + tag.length);
    return end < 0 ? text.length : end + tag.length;
  }
  return at;
}

function skipComment(text, from) {
  let depth = 0;
  let at = from;
  do {
    const two = text.slice(at, at + 2);
    depth += two === '/*' ? 1 : two === '*/' ? -1 : 0;
    at += two === '/*' || two === '*/' ? 2 : 1;
  } while (depth > 0 && at < text.length);
  return at;
}

function skipQuoted(text, from) {
  const quote = text[from];
  const hasEscapes = quote === "'" && /[eE]/.test(text[from - 1] ?? '') && !WORD.test(text[from - 2] ?? '');
  let at = from + 1;
  while (at < text.length) {
    if (text[at] === quote && text[at + 1] === quote) {
      at += 2;
    } else if (text[at] === quote) {
      return at + 1;
    } else {
      at += hasEscapes && text[at] === '\\' ? 2 : 1;
    }
  }
  return text.length;
}

/** The statements of a text as {text, start}: between semicolons, without the space around them. */
export function statementsOf(text) {
  const found = [];
  let start = 0;
  let isEmpty = true;
  const take = (end) => {
    if (!isEmpty) {
      const raw = text.slice(start, end);
      const lead = raw.length - raw.trimStart().length;
      found.push({ text: raw.trim(), start: start + lead, end });
    }
    start = end + 1;
    isEmpty = true;
  };
  for (let at = 0; at < text.length;) {
    const next = skip(text, at);
    if (next > at) {
      isEmpty = isEmpty && (text[at] === '-' || text[at] === '/');
      at = next;
    } else {
      if (text[at] === ';') {
        take(at);
      } else if (text[at].trim() !== '') {
        isEmpty = false;
      }
      at++;
    }
  }
  take(text.length);
  return found;
}

/** The statement that the cursor is in, or right behind; null if the text has none. */
export function statementAt(text, cursor) {
  const all = statementsOf(text);
  return all.find((each) => cursor <= each.end + 1) ?? all.at(-1) ?? null;
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED = new Set(('all and any array as between both by case cast check column create cross current_date '
  + 'current_time current_timestamp date day default delete distinct drop else end except exists explain false fetch '
  + 'filter for from full group grouping having hour in inner insert intersect interval into is join lateral leading '
  + 'left like limit minute month natural not null of offset on one or order outer over partition primary range right '
  + 'row rows second select set show similar some sum table then time timestamp to trailing true union unique unnest '
  + 'update user using value values when where window with year').split(' '));

/** A name as a statement has it: in quotes if it needs them. */
export function quotedName(name) {
  return PLAIN.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`;
}
