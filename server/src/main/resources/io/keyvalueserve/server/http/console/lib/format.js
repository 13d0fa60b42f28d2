// Figures for people. All take a number, or nothing for "not known".

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const NONE = '–';
const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });
const exactCents = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const clock = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric', month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
});

function isKnown(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

/** 12,345 or 1.23 or 4.56 M. */
export function count(value) {
  if (!isKnown(value)) {
    return NONE;
  }
  const size = Math.abs(value);
  if (size >= 1e9) {
    return fine.format(value / 1e9) + ' G';
  }
  if (size >= 1e6) {
    return fine.format(value / 1e6) + ' M';
  }
  return size < 10 && !Number.isInteger(value) ? fine.format(value) : whole.format(value);
}

/** 1 member, 2 members. */
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** 1.5 MiB. */
export function bytes(value) {
  if (!isKnown(value)) {
    return NONE;
  }
  let unit = 0;
  let rest = value;
  while (Math.abs(rest) >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  return (unit === 0 ? whole.format(rest) : fine.format(rest)) + ' ' + UNITS[unit];
}

/** An exact decimal amount of money to cents: 12.35, or "under 0.01" for what would round to nothing. */
export function cents(text) {
  const value = Number(text);
  if (value !== 0 && Math.abs(value) < 0.005) {
    return value > 0 ? 'under 0.01' : 'over -0.01';
  }
  return exactCents.format(value);
}

export function rate(value) {
  return count(value) + '/s';
}

export function byteRate(value) {
  return bytes(value) + '/s';
}

export function millis(value) {
  return isKnown(value) ? (value >= 1000 ? fine.format(value / 1000) + ' s' : fine.format(value) + ' ms') : NONE;
}

/** 0.873 as 87 %. */
export function percent(part) {
  return isKnown(part) ? (part > 0 && part < 0.01 ? '<1' : whole.format(part * 100)) + ' %' : NONE;
}

export function time(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? NONE : clock.format(date);
}

const FACTORS = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };
const BINARY_FACTORS = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/**
 * What a person typed for an amount, as a whole number: 10k, 1.5m; with `binary`, k is 1024.
 * Null for nothing or "none". Throws what to say if it is no amount.
 */
export function amount(text, binary) {
  const typed = text.trim().toLowerCase().replace(/[\s,]/g, '');
  if (typed === '' || typed === 'none' || typed === 'unlimited') {
    return null;
  }
  const match = /^([0-9]+(?:\.[0-9]+)?)([kmgt]?)(?:i?b)?$/.exec(typed);
  if (!match) {
    throw new Error(`'${text}' is no amount; write such as 250, 10k or 1.5m, or nothing for no limit`);
  }
  const factors = binary ? BINARY_FACTORS : FACTORS;
  return Math.round(Number(match[1]) * (factors[match[2]] ?? 1));
}

/** An amount as a person would type it, without loss. */
export function typedAmount(value, binary) {
  if (!isKnown(value)) {
    return '';
  }
  const factors = binary ? BINARY_FACTORS : FACTORS;
  const unit = ['t', 'g', 'm', 'k'].find((name) => value >= factors[name] && value % factors[name] === 0);
  return unit ? value / factors[unit] + unit : String(value);
}
