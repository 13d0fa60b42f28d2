// A plot of figures over the last minutes: one line, or two, on a canvas, with words beside it.

import { h, setAttribute, setText } from './dom.js';
import { announce } from './parts.js';

const WORDS_EVERY = 10_000;
const SHORTEST = 30;
const LONGEST = 120;
const LEFT = 6;
const TOP = 8;
const BOTTOM = 18;

/** The next round figure at or above a value: 1, 2 or 5 times a power of ten. */
export function roundUp(value) {
  if (!(value > 0)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * power >= value * (1 - 1e-9));
  return step * power;
}

/** Likewise for bytes: a power of two, or one and a half of it. */
export function roundUpBinary(value) {
  if (!(value > 1)) {
    return 1;
  }
  const power = 2 ** Math.floor(Math.log2(value));
  return [1, 1.5, 2].map((each) => each * power).find((each) => each >= value * (1 - 1e-9));
}

/**
 * A card with a title, the figure now, and a plot of it.
 * `lines` are {name, series}, the first in the accent colour; `format` makes text of a figure;
 * `limit` is a figure that is drawn as a line if it is near enough to be seen. The plot begins with
 * half a minute and grows to two. With `span` it shows a time that is over: that returns
 * {from, to} in milliseconds, {first, last} as labels of the ends, `words` for the time, and
 * `moment(time)` as text. Then the arrow keys go from figure to figure.
 */
export class Plot {
  constructor({ title, lines, format, binary = false, limit = () => null, span = null }) {
    this.span = span;
    this.lines = lines;
    this.format = format;
    this.roundUp = binary ? roundUpBinary : roundUp;
    this.limit = limit;
    this.windowSeconds = SHORTEST;
    this.title = title;
    this.canvas = h('canvas', { role: 'img', tabindex: span ? '0' : null, class: 'plot-canvas', 'aria-label': `${title}: no figures yet` });
    this.now = h('span', { class: 'plot-now' }, '–');
    this.legend = lines.length > 1
      ? h('ul', { class: 'legend' }, lines.map((line, i) => h('li', { class: `line-${i}` }, line.name)))
      : null;
    this.element = h('section', { class: 'card plot', 'aria-label': span ? `${title} over time` : title },
      h('header', null, h('h2', null, title), this.now),
      this.canvas,
      this.legend);
    this.pointer = null;
    this.canvas.addEventListener('pointermove', (e) => this.#point(e.offsetX));
    this.canvas.addEventListener('pointerleave', () => this.#point(null));
    if (span) {
      this.canvas.addEventListener('keydown', (e) => this.#step(e));
      this.canvas.addEventListener('blur', () => this.#point(null));
    }
    this.resizes = new ResizeObserver(() => this.draw());
    this.resizes.observe(this.canvas);
    this.themes = matchMedia('(prefers-color-scheme: dark)');
    this.redraw = () => this.draw();
    this.themes.addEventListener('change', this.redraw);
    document.addEventListener('kvs-theme', this.redraw);
    this.wordsAt = -Infinity;
  }

  close() {
    this.resizes.disconnect();
    this.themes.removeEventListener('change', this.redraw);
    document.removeEventListener('kvs-theme', this.redraw);
  }

  #point(x) {
    this.pointer = x;
    this.draw();
  }

  /** The arrow keys, Home and End choose a figure; screen readers are told it. */
  #step(event) {
    const series = this.lines[0].series;
    const to = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (to === undefined || series.length === 0 || !this.frame) {
      return;
    }
    event.preventDefault();
    const from = this.pointer === null ? series.length : this.#nearest(this.frame.x);
    const chosen = Math.min(series.length - 1, Math.max(0, from + to));
    this.#point(this.frame.x(series.time(chosen)));
    announce(`${this.span().moment(series.time(chosen))}: ${this.#figuresAt(chosen)}`);
  }

  #figuresAt(i) {
    return this.lines.filter((line) => i < line.series.length)
      .map(({ name, series }) => `${name ? `${name} ` : ''}${this.format(series.value(i))}`).join(' · ');
  }

  /** Takes in what the series have now. */
  update() {
    if (this.span) {
      const most = Math.max(...this.lines.map((line) => line.series.max()));
      setText(this.now, this.lines[0].series.length === 0 ? '–' : `at most ${this.format(most)}`);
      setAttribute(this.canvas, 'aria-label', this.words());
      this.draw();
      return;
    }
    const values = this.lines.map((line) => line.series.last());
    setText(this.now, Number.isNaN(values[0]) ? '–' : values.map(this.format).join(' · '));
    if (!Number.isNaN(values[0]) && performance.now() - this.wordsAt > WORDS_EVERY) {
      this.wordsAt = performance.now();
      setAttribute(this.canvas, 'aria-label', this.words());
    }
    this.draw();
  }

  /** The plot in words. */
  words() {
    if (this.span) {
      const past = this.lines.map(({ name, series }) =>
        `${name ?? this.title}: at most ${this.format(series.max())}, on average ${this.format(series.mean())}`);
      return `${past.join('; ')}, ${this.span().words}`;
    }
    const each = this.lines.map(({ name, series }) =>
      `${name ?? this.title}: now ${this.format(series.last())}, at most ${this.format(series.max())}`);
    return `${each.join('; ')}, in the last ${this.windowSeconds} seconds`;
  }

  draw() {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (width === 0 || document.hidden) {
      return;
    }
    const scale = devicePixelRatio || 1;
    const [pixelWidth, pixelHeight] = [Math.round(width * scale), Math.round(height * scale)];
    if (this.canvas.width !== pixelWidth || this.canvas.height !== pixelHeight) {
      this.canvas.width = pixelWidth;
      this.canvas.height = pixelHeight;
    }
    const style = getComputedStyle(this.canvas);
    const paint = this.canvas.getContext('2d');
    paint.setTransform(scale, 0, 0, scale, 0, 0);
    paint.clearRect(0, 0, width, height);
    paint.font = `11px ${style.fontFamily}`;
    const first = this.lines[0].series;
    const past = this.span?.();
    const end = past ? past.to : first.length > 0 ? first.time(first.length - 1) : 0;
    const seen = first.length > 0 ? (end - first.time(0)) / 1000 : 0;
    this.windowSeconds = past
      ? (past.to - past.from) / 1000
      : Math.min(LONGEST, Math.max(SHORTEST, Math.ceil(seen / 10) * 10));
    const most = Math.max(...this.lines.map((line) => line.series.max()));
    const limit = this.limit();
    const top = this.roundUp(limit !== null && limit <= most * 2 ? Math.max(most, limit) : most);
    const frame = {
      x: (time) => LEFT + (width - 2 * LEFT) * (1 - (end - time) / (this.windowSeconds * 1000)),
      y: (value) => TOP + (height - TOP - BOTTOM) * (1 - value / top),
      width, height, top, end, style, past,
    };
    this.frame = frame;
    this.#grid(paint, frame);
    if (limit !== null && limit <= top) {
      this.#level(paint, frame, limit);
    }
    for (let i = this.lines.length - 1; i >= 0; i--) {
      this.#line(paint, frame, this.lines[i].series, i);
    }
    if (this.pointer !== null) {
      this.#cross(paint, frame);
    }
  }

  #grid(paint, { width, height, y, top, style, past }) {
    paint.lineWidth = 1;
    paint.strokeStyle = style.getPropertyValue('--plot-grid');
    paint.fillStyle = style.getPropertyValue('--ink-faint');
    paint.textBaseline = 'bottom';
    for (const value of [0, top / 2, top]) {
      const at = Math.round(y(value)) + 0.5;
      paint.beginPath();
      paint.moveTo(LEFT, at);
      paint.lineTo(width - LEFT, at);
      paint.stroke();
    }
    paint.textAlign = 'left';
    paint.textBaseline = 'top';
    paint.fillText(this.format(top), LEFT, y(top) + 3);
    paint.textBaseline = 'alphabetic';
    paint.fillText(past ? past.first : `${this.windowSeconds} s ago`, LEFT, height - 4);
    paint.textAlign = 'right';
    paint.fillText(past ? past.last : 'now', width - LEFT, height - 4);
  }

  #level(paint, { y, width, style }, limit) {
    paint.save();
    paint.setLineDash([4, 4]);
    paint.strokeStyle = style.getPropertyValue('--bad');
    paint.beginPath();
    paint.moveTo(LEFT, y(limit));
    paint.lineTo(width - LEFT, y(limit));
    paint.stroke();
    paint.restore();
  }

  #line(paint, { x, y, style }, series, index) {
    if (series.length === 0) {
      return;
    }
    paint.beginPath();
    let begun = false;
    let from = 0;
    for (let i = 0; i < series.length; i++) {
      const at = x(series.time(i));
      if (at < LEFT - 20) {
        continue;
      }
      if (begun) {
        paint.lineTo(at, y(series.value(i)));
      } else {
        from = at;
        paint.moveTo(at, y(series.value(i)));
        begun = true;
      }
    }
    paint.strokeStyle = style.getPropertyValue(index === 0 ? '--accent' : '--ink-soft');
    paint.lineWidth = index === 0 ? 1.75 : 1.25;
    paint.lineJoin = 'round';
    paint.setLineDash([[], [3, 3], [1, 4]][index] ?? []);
    paint.stroke();
    paint.setLineDash([]);
    if (index === 0) {
      paint.lineTo(x(series.time(series.length - 1)), y(0));
      paint.lineTo(from, y(0));
      paint.closePath();
      paint.fillStyle = style.getPropertyValue('--plot-fill');
      paint.fill();
      paint.fillStyle = style.getPropertyValue('--accent');
      paint.beginPath();
      paint.arc(x(series.time(series.length - 1)), y(series.last()), 2.5, 0, 2 * Math.PI);
      paint.fill();
    }
  }

  /** The figure that is nearest to the pointer; -1 if there is none. */
  #nearest(x) {
    const series = this.lines[0].series;
    let nearest = -1;
    for (let i = 0; i < series.length; i++) {
      if (nearest < 0 || Math.abs(x(series.time(i)) - this.pointer) < Math.abs(x(series.time(nearest)) - this.pointer)) {
        nearest = i;
      }
    }
    return nearest;
  }

  #cross(paint, { x, y, width, height, style, past }) {
    const series = this.lines[0].series;
    const nearest = this.#nearest(x);
    if (nearest < 0) {
      return;
    }
    const at = x(series.time(nearest));
    paint.strokeStyle = style.getPropertyValue('--ink-faint');
    paint.lineWidth = 1;
    paint.beginPath();
    paint.moveTo(at, TOP);
    paint.lineTo(at, height - BOTTOM);
    paint.stroke();
    paint.fillStyle = style.getPropertyValue('--accent');
    paint.beginPath();
    paint.arc(at, y(series.value(nearest)), 3, 0, 2 * Math.PI);
    paint.fill();
    const figures = this.lines
      .filter((line) => nearest < line.series.length)
      .map((line) => this.format(line.series.value(nearest))).join(' · ');
    const text = past ? `${past.moment(series.time(nearest))}  ${figures}` : figures;
    paint.fillStyle = style.getPropertyValue('--ink');
    paint.textAlign = at > width / 2 ? 'right' : 'left';
    paint.textBaseline = 'top';
    paint.fillText(text, at + (at > width / 2 ? -8 : 8), TOP + 2);
  }
}
