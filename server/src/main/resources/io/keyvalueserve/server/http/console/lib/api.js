// The server's API. The key goes in a header.

import { currentKey } from './session.js';

const BASE = 'api/v1';

/** An answer that says no. `status` 0: there was none. */
export class ApiError extends Error {
  constructor(status, code, message, field) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

let onUnauthorized = () => {};

/** Says what is done when the key is no longer good. */
export function whenUnauthorized(handler) {
  onUnauthorized = handler;
}

/** A part of a path. */
export const part = encodeURIComponent;

function headers(more) {
  const key = currentKey();
  return { ...(key ? { Authorization: `Bearer ${key}` } : {}), ...more };
}

/**
 * Sends a request and returns the response, whatever it is. Throws an ApiError if there is none. The body
 * is `options.bytes` as they are, or `options.body` as JSON.
 */
export async function send(method, path, options = {}) {
  const init = {
    method,
    headers: headers(options.headers),
    cache: 'no-store',
    credentials: 'omit',
    signal: options.signal,
  };
  if (options.bytes) {
    init.headers['Content-Type'] = 'application/octet-stream';
    init.body = options.bytes;
  } else if (method !== 'GET') {
    init.headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(options.body ?? {});
  }
  try {
    return await fetch(`${BASE}${path}`, init);
  } catch (e) {
    if (e.name === 'AbortError') {
      throw e;
    }
    throw new ApiError(0, 'unreachable', 'The server cannot be reached. Is it running?');
  }
}

/** What a response that says no says. */
export async function errorOf(response) {
  let error = {};
  try {
    error = (await response.json()).error ?? {};
  } catch {
    // Not from this API: the status has to do.
  }
  return new ApiError(
    response.status,
    error.code ?? `http_${response.status}`,
    error.message ?? `The server answered ${response.status}.`,
    error.field,
  );
}

/** Sends a request and returns the response. Throws an ApiError for one that says no. */
export async function request(method, path, options) {
  const response = await send(method, path, options);
  if (!response.ok) {
    const error = await errorOf(response);
    if (response.status === 401) {
      onUnauthorized(error);
    }
    throw error;
  }
  return response;
}

/** Sends a request and returns the JSON of the answer. Throws an ApiError for one that says no. */
export async function call(method, path, body, signal) {
  return (await request(method, path, { body, signal })).json();
}

export const get = (path, signal) => call('GET', path, undefined, signal);

/** Whether this server lets this machine in without a key. */
export async function isOpen() {
  const response = await fetch('./', { headers: { Accept: 'application/json' }, cache: 'no-store' });
  return response.ok && (await response.json()).keyNeeded === false;
}
