// The limits of a quota: their names, their units, and what is used of them.

import { byteRate, bytes, count, millis, rate } from './format.js';

/** {id, title, format, binary (k is 1024), live (a figure of live frames shows its use)}. */
export const LIMITS = [
  { id: 'operationsPerSecond', title: 'Operations a second', format: rate, live: true },
  { id: 'bytesInPerSecond', title: 'Bytes in a second', format: byteRate, binary: true, live: true },
  { id: 'bytesOutPerSecond', title: 'Bytes out a second', format: byteRate, binary: true, live: true },
  { id: 'memoryBytes', title: 'Memory', format: bytes, binary: true, live: true },
  { id: 'entries', title: 'Entries', format: count, live: true },
  { id: 'connections', title: 'Connections', format: count, live: true },
  { id: 'maps', title: 'Maps', format: count },
  { id: 'locks', title: 'Locks', format: count },
  { id: 'valueBytes', title: 'Size of a value', format: bytes, binary: true },
  { id: 'burstMillis', title: 'Burst', format: millis },
];
