// The last so many values of a figure, oldest first. Takes no new memory when it is full.

export class Series {
  #values;
  #times;
  #next = 0;
  #length = 0;

  constructor(capacity) {
    this.#values = new Float64Array(capacity);
    this.#times = new Float64Array(capacity);
  }

  get length() {
    return this.#length;
  }

  push(time, value) {
    this.#values[this.#next] = value;
    this.#times[this.#next] = time;
    this.#next = (this.#next + 1) % this.#values.length;
    this.#length = Math.min(this.#length + 1, this.#values.length);
  }

  #index(i) {
    return (this.#next - this.#length + i + this.#values.length) % this.#values.length;
  }

  value(i) {
    return this.#values[this.#index(i)];
  }

  time(i) {
    return this.#times[this.#index(i)];
  }

  last() {
    return this.#length === 0 ? NaN : this.value(this.#length - 1);
  }

  max() {
    let most = 0;
    for (let i = 0; i < this.#length; i++) {
      most = Math.max(most, this.value(i));
    }
    return most;
  }
}

/** Values that are all known, oldest first; `times` are in milliseconds. */
export class KnownSeries {
  constructor(times, values) {
    this.times = times;
    this.values = values;
  }

  get length() {
    return this.values.length;
  }

  value(i) {
    return this.values[i];
  }

  time(i) {
    return this.times[i];
  }

  last() {
    return this.values.length === 0 ? NaN : this.values[this.values.length - 1];
  }

  max() {
    return this.values.reduce((most, value) => Math.max(most, value), 0);
  }

  mean() {
    return this.values.length === 0 ? 0 : this.values.reduce((sum, value) => sum + value, 0) / this.values.length;
  }
}

/** Several named figures that are taken together, made when they are first met. */
export class History {
  #series = new Map();

  constructor(capacity) {
    this.capacity = capacity;
  }

  push(time, figures) {
    for (const [name, value] of Object.entries(figures)) {
      this.of(name).push(time, value);
    }
  }

  of(name) {
    let series = this.#series.get(name);
    if (!series) {
      series = new Series(this.capacity);
      this.#series.set(name, series);
    }
    return series;
  }
}
