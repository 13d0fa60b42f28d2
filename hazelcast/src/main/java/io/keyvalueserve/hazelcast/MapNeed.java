package io.keyvalueserve.hazelcast;

import io.keyvalueserve.tenancy.grant.Rights;

/**
 * The grants that a request on another tenant's map needs.
 *
 * @param on which keys
 * @param rights all of them, on each of the keys
 */
record MapNeed(On on, Rights rights) {
  /** The keys that a request may be about. The name comes first in a message. */
  enum On {
    /** None: it ends something of the client's own. */
    NOTHING,
    /** All. */
    MAP,
    /** The second part of the message. */
    KEY,
    /** The third part; the second is an entry processor. */
    KEY_OF_PROCESSOR,
    /** Those of a list: {@code BEGIN key* END}. */
    KEYS,
    /** Those of a list that comes after an entry processor. */
    KEYS_OF_PROCESSOR,
    /** Those of entries: {@code BEGIN (key value)* END}. */
    ENTRIES,
    /** Any, of which the client is then told what it may know: events of entries. */
    EVENTS,
    /** All, of which the client is told as long as it may know all: invalidations. */
    ALL_EVENTS
  }
}
