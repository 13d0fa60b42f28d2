package io.keyvalueserve.maps.query;

/** The hashes of keys that an index had at one moment, by partition and order. Immutable. */
final class FoundHashes {}
