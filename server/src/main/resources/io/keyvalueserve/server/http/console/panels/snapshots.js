// The snapshots of a tenant, and what members do with them now.

import { call, get, part } from '../lib/api.js';
import { askFor, showKeyOnce } from '../lib/dialog.js';
import { h, replace } from '../lib/dom.js';
import { bytes, count, time } from '../lib/format.js';
import { announce, button, loaded, sectionWith } from '../lib/parts.js';
import { plainTable } from '../lib/table.js';

const POLL_MILLIS = 1_000;
const isActive = (job) => job.state === 'waiting' || job.state === 'running';

function inWords(job) {
  const { entries, ofEntries, chunks, ofChunks } = job.progress;
  if (job.state === 'failed') {
    return `${job.kind} failed: ${job.problem}`;
  }
  if (job.state === 'waiting') {
    return `${job.kind} waits for other jobs.`;
  }
  const what = job.kind === 'verify' || (ofChunks > 0 && entries === 0)
    ? `${count(chunks)} of ${count(ofChunks)} chunks`
    : `${count(entries)}${ofEntries > 0 ? ` of ${count(ofEntries)}` : ''} entries`;
  return `${job.kind} ${job.state === 'done' ? 'is done' : 'goes on'}: ${what}${job.target ? `, as tenant ${job.target}` : ''}.`;
}

/** A panel with `element`, and `close`, which ends its questions. */
export function snapshotsPanel(tenant) {
  const path = `/tenants/${part(tenant)}/snapshots`;
  const note = h('p', { role: 'status', class: 'empty' });
  let timer = null;
  let closed = false;

  const list = loaded(async () => {
    const { repository, snapshots } = await get(path);
    return [
      h('p', { class: 'intro' }, `In ${repository}.`),
      plainTable('Snapshots',
        [{ title: 'Snapshot' }, { title: 'Taken' }, { title: 'Entries', numeric: true }, { title: 'Size', numeric: true }, { title: '' }],
        snapshots.map((each) => [
          h('code', null, each.id),
          each.damage ?? time(each.takenAt),
          each.damage ? '–' : count(each.entries),
          each.damage ? '–' : bytes(each.bytes),
          [button('Verify', () => start(`${path}/${part(each.id)}/verify`, {}), 'quiet'),
            button('Restore', () => restore(each), 'quiet'),
            button('Delete', () => remove(each), 'quiet danger-text')],
        ]), 'No snapshots yet.'),
    ];
  });

  const show = (job) => {
    replace(note, inWords(job));
    note.className = job.state === 'failed' ? 'error' : 'empty';
  };
  const follow = async (id) => {
    try {
      const job = await get(`/snapshot-jobs/${part(id)}`);
      if (closed) {
        return;
      }
      show(job);
      if (isActive(job)) {
        timer = setTimeout(() => follow(id), POLL_MILLIS);
        return;
      }
      announce(note.textContent);
      list.again();
    } catch (e) {
      replace(note, e.message);
      note.className = 'error';
    }
  };
  const begin = async (where, body) => {
    const job = await call('POST', where, body);
    clearTimeout(timer);
    show(job);
    follow(job.id);
    return job;
  };
  const start = async (where, body) => {
    try {
      await begin(where, body);
    } catch (e) {
      replace(note, e.message);
      note.className = 'error';
    }
  };

  const restore = (snapshot) => {
    let made = null;
    askFor({
      title: `Restore ${snapshot.id}`,
      intro: 'Its entries become the maps of a new tenant, which has the quota of this one. kvs snapshot restore can replace the maps of a tenant that exists.',
      fields: [{ name: 'as', label: 'New tenant', required: true, hint: 'Small letters, digits and dashes.' }],
      action: 'Restore',
      async submit({ as }) {
        made = await begin(`${path}/${part(snapshot.id)}/restore`, { as: as.trim() });
      },
    }).addEventListener('close', () => {
      if (made) {
        showKeyOnce(made.target, made.key);
      }
    });
  };
  const remove = (snapshot) => askFor({
    title: `Delete ${snapshot.id}?`,
    intro: 'It cannot be restored afterwards. The other snapshots stay whole.',
    action: 'Delete', danger: true,
    async submit() {
      await call('DELETE', `${path}/${part(snapshot.id)}`);
      list.again();
    },
  });

  return {
    element: sectionWith('Snapshots', button('Create a snapshot', () => start(path, {})), note, list.element),
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
