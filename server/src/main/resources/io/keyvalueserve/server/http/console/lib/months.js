// Months as `2030-01`, in the zone of a bill.

const name = new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'long', timeZone: 'UTC' });

/** The most months that are listed. */
const MOST = 240;

/** The name that browsers have for a zone of the server; UTC for one that they do not know. */
function known(zone) {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** What the clocks of a zone show at a time, as if that were UTC: in milliseconds. */
function shown(millis, zone) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: known(zone), hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
  }).formatToParts(millis);
  const of = (type) => Number(parts.find((each) => each.type === type).value);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

const written = (millis) => new Date(millis).toISOString().slice(0, 7);

const begin = (month, more) => Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + more, 1);

/** The month of a time, in a zone. */
export function monthOf(time, zone) {
  return written(shown(Date.parse(time), zone));
}

/** All months from the first to the last, the last first. */
export function monthsBetween(first, last) {
  const months = [];
  for (let back = 0; back < MOST && (back === 0 || months[back - 1] > first); back++) {
    months.push(written(begin(last, -back)));
  }
  return months;
}

/** When a month begins in a zone, or one so many months later: a time of ISO 8601. */
export function startOfMonth(month, more, zone) {
  const wanted = begin(month, more);
  let millis = wanted;
  for (let i = 0; i < 2; i++) { // the second time for a change of the clocks in between
    millis = wanted - (shown(millis, zone) - millis);
  }
  return new Date(millis).toISOString();
}

/** January 2030. */
export function monthName(month) {
  return name.format(begin(month, 0));
}
