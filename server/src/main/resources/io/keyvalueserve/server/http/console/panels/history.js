// What a tenant used in the last minutes to the last month, as plots and as a table.

import { get, part } from '../lib/api.js';
import { h, replace, setText } from '../lib/dom.js';
import { byteRate, bytes, count, rate, time } from '../lib/format.js';
import { sectionWith } from '../lib/parts.js';
import { Plot } from '../lib/plot.js';
import { KnownSeries } from '../lib/series.js';
import { plainTable } from '../lib/table.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MOST_ROWS = 100;

/** The times that can be chosen. `every` is how often they are asked for anew. */
const PERIODS = [
  { title: '15 minutes', length: 15 * MINUTE, step: '10s', every: 10 * SECOND },
  { title: '1 hour', length: HOUR, step: '1m', every: MINUTE },
  { title: '24 hours', length: DAY, step: '5m', every: 5 * MINUTE },
  { title: '7 days', length: 7 * DAY, step: '1h', every: 15 * MINUTE },
  { title: '31 days', length: 31 * DAY, step: '1h', every: 15 * MINUTE },
];

const PLOTS = [
  { title: 'Operations', format: rate, limit: 'operationsPerSecond',
    lines: [['all', 'operationsPerSecond'], ['reads', 'readsPerSecond'], ['writes', 'writesPerSecond']] },
  { title: 'Traffic', format: byteRate, binary: true, lines: [['in', 'bytesInPerSecond'], ['out', 'bytesOutPerSecond']] },
  { title: 'Memory of entries', format: bytes, binary: true, limit: 'memoryBytes', lines: [[null, 'memoryBytes']] },
  { title: 'Entries', format: count, limit: 'entries', lines: [[null, 'entries']] },
  { title: 'Throttled and refused', format: rate, lines: [['throttled', 'throttledPerSecond'], ['refused', 'refusedPerSecond']] },
  { title: 'Connections', format: count, limit: 'connections', lines: [[null, 'connections']] },
];

const NOTHING = new KnownSeries([], []);
const short = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' });

/** The series of an answer: a figure for each step, 0 where nothing was used. */
function seriesOf(history) {
  const step = history.stepSeconds * SECOND;
  const first = Date.parse(history.from);
  const length = Math.max(0, Math.round((Date.parse(history.to) - first) / step));
  // Before members remember anything there is no figure, which is not the same as 0.
  const begin = history.since ? Math.max(0, Math.round((Date.parse(history.since) - first) / step)) : 0;
  const times = [];
  for (let i = begin; i < length; i++) {
    times.push(first + i * step);
  }
  return new Map(history.series.map((name) => {
    const values = new Array(times.length).fill(0);
    for (const point of history.points) {
      const at = Math.round((Date.parse(point.at) - first) / step) - begin;
      if (at >= 0 && at < values.length) {
        values[at] = point[name] ?? 0;
      }
    }
    return [name, new KnownSeries(times, values)];
  }));
}

/** A table of at most so many rows, the latest first. */
function table(history, shown) {
  const lines = shown.flatMap(({ lines, title, format }) =>
    lines.map(([name, id]) => ({ id, format, title: name ? `${title}: ${name}` : title })));
  const rows = history.points.slice(-MOST_ROWS).reverse()
    .map((point) => [h('time', { datetime: point.at }, time(point.at)), ...lines.map(({ id, format }) => format(point[id] ?? 0))]);
  return [
    history.points.length > MOST_ROWS ? h('p', { class: 'faint' }, `The latest ${MOST_ROWS} of ${history.points.length} steps.`) : null,
    plainTable('History', [{ title: 'Since' }, ...lines.map((line) => ({ title: line.title, numeric: true }))], rows,
      'Nothing was used in this time.'),
  ];
}

/** The history of a tenant; `limit` says what a quota limits a figure to. */
export function historyPanel(tenant, limit = () => null) {
  let period = PERIODS[0];
  let answer = null;
  let asked = 0;
  let timer = null;
  const span = () => ({
    from: answer ? Date.parse(answer.from) : 0,
    to: answer ? Date.parse(answer.to) : 1,
    first: answer ? short.format(Date.parse(answer.from)) : '',
    last: answer ? short.format(Date.parse(answer.to)) : '',
    words: `in the last ${period.title}`,
    moment: (at) => short.format(at),
  });
  const plots = PLOTS.map((each) => ({
    ...each,
    ids: each.lines.map(([, id]) => id),
    plot: new Plot({
      title: each.title, format: each.format, binary: each.binary, span,
      limit: () => (each.limit ? limit(each.limit) : null),
      lines: each.lines.map(([name]) => ({ name, series: NOTHING })),
    }),
  }));
  const isKnown = ({ ids }) => answer !== null && ids.every((id) => answer.series.includes(id));
  const select = h('select', { 'aria-label': 'Time that is shown', on: { change: () => choose() } },
    PERIODS.map((each, i) => h('option', { value: String(i) }, each.title)));
  const note = h('p', { class: 'faint' });
  const error = h('p', { class: 'error', role: 'alert' });
  const place = h('div', { class: 'plots' });
  const rows = h('div');
  const details = h('details', { on: { toggle: () => showTable() } }, h('summary', null, 'As a table'), rows);

  function showTable() {
    replace(rows, details.open && answer ? table(answer, plots.filter(isKnown)) : null);
  }

  function show() {
    const series = seriesOf(answer);
    const shown = plots.filter(isKnown);
    shown.forEach(({ plot, ids }) => ids.forEach((id, i) => (plot.lines[i].series = series.get(id))));
    const elements = shown.map(({ plot }) => plot.element);
    if (elements.length !== place.childElementCount || elements.some((each) => !place.contains(each))) {
      place.replaceChildren(...elements);
    }
    shown.forEach(({ plot }) => plot.update());
    setText(note, answer.source === 'ledger'
      ? 'From the ledger. A step is there when it is over and all members have told what was used in it.'
      : `From the members' memory, since ${time(answer.since)}.`);
    setText(error, answer.silent.length > 0 ? `No answer from ${answer.silent.join(', ')}: their part is missing.` : '');
    if (!rows.contains(document.activeElement)) {
      showTable();
    }
  }

  async function ask() {
    const own = ++asked;
    clearTimeout(timer);
    let wait = period.every;
    place.setAttribute('aria-busy', 'true');
    try {
      const from = new Date(Date.now() - period.length).toISOString();
      const got = await get(`/tenants/${part(tenant)}/history?${new URLSearchParams({ from, step: period.step })}`);
      if (own === asked) {
        answer = got;
        show();
      }
    } catch (e) {
      if (own === asked) {
        setText(error, e.message);
        wait = e.code === 'busy' ? SECOND : wait; // a period that was chosen before is still being read
      }
    }
    if (own === asked) {
      place.removeAttribute('aria-busy');
      timer = setTimeout(ask, wait);
    }
  }

  function choose() {
    period = PERIODS[Number(select.value)];
    ask();
  }

  ask();
  return {
    element: sectionWith('History', h('div', { class: 'actions' }, select), note, error, place, details),
    close() {
      asked++;
      clearTimeout(timer);
      plots.forEach(({ plot }) => plot.close());
    },
  };
}
