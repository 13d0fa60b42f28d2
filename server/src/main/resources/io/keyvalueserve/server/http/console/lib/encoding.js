// Bytes as people read them.

const SHOWN_HEX = 16 * 1024;

/** The text of bytes, or null if they are no UTF-8 or hold what cannot be shown. */
export function asText(data) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/**
 * What a text area makes of a text, and back: it knows line feeds only. Null if that would change what
 * nobody touched, as with lines that end in different ways.
 */
export function asLines(text) {
  const shown = text.replaceAll('\r\n', '\n');
  const back = (typed) => (shown === text ? typed : typed.replaceAll('\n', '\r\n'));
  return back(shown) === text && !shown.includes('\r') ? { shown, back } : null;
}

/** JSON with line breaks, or null if it is none. */
export function asJson(text) {
  if (text === null || !/^\s*[[{]/.test(text)) {
    return null;
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** Lines of 16 bytes: where, in hexadecimal, as letters. */
export function asHex(data) {
  const lines = [];
  const end = Math.min(data.length, SHOWN_HEX);
  for (let at = 0; at < end; at += 16) {
    const row = data.subarray(at, Math.min(end, at + 16));
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0'));
    const letters = Array.from(row, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.'));
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.slice(0, 8).join(' ').padEnd(23)}  ${hex.slice(8).join(' ').padEnd(23)}  ${letters.join('')}`);
  }
  if (data.length > end) {
    lines.push(`… ${data.length - end} bytes more`);
  }
  return lines.join('\n');
}

/** Bytes as base64url. */
export function toBase64Url(data) {
  const binary = Array.from(data, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** The bytes of base64url. */
export function ofBase64Url(text) {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** A key of a list as a person reads it: its text, or hexadecimal digits. */
export function keyLabel(entry) {
  return entry.encoding === 'base64url'
    ? `0x${Array.from(ofBase64Url(entry.key), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
    : entry.key;
}
