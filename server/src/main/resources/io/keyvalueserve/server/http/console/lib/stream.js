// Server-sent events, read with fetch: EventSource cannot send the key in a header.

import { errorOf, send } from './api.js';

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;

/** Splits what comes in into the data of events (WHATWG HTML, section 9.2.6, as far as is sent). */
export class EventParser {
  #rest = '';

  /** The data of the events that are complete with this text. */
  push(text) {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop();
    return blocks
      .map((block) => block.split('\n').filter((line) => line.startsWith('data:')))
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n'));
  }
}

/**
 * Follows a stream until it is closed, and connects again when it breaks off.
 * `on.event` has each event's JSON, `on.state` 'live', 'lost' or an error that is final.
 */
export function follow(path, on) {
  const ending = new AbortController();
  run(path, on, ending.signal).catch((e) => {
    if (!ending.signal.aborted) {
      on.state('lost', e);
    }
  });
  return { close: () => ending.abort() };
}

async function run(path, on, signal) {
  let pause = FIRST_PAUSE;
  while (!signal.aborted) {
    try {
      const response = await send('GET', path, { signal });
      if (response.status === 401 || response.status === 403 || response.status === 404) {
        on.state('refused', await errorOf(response));
        return;
      }
      if (!response.ok) {
        throw await errorOf(response);
      }
      await read(response.body, on, () => (pause = FIRST_PAUSE));
      on.state('lost', null);
    } catch (e) {
      if (signal.aborted) {
        return;
      }
      on.state('lost', e);
    }
    await wait(pause, signal);
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  }
}

async function read(body, on, isGood) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    for (const data of parser.push(value)) {
      isGood();
      on.state('live', null);
      on.event(JSON.parse(data));
    }
  }
}

function wait(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
