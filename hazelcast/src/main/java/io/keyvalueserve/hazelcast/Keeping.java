package io.keyvalueserve.hazelcast;

/**
 * Says what a request makes a member keep on its Java heap after it was answered. A test goes
 * through all types that are open to tenants.
 */
enum Keeping {
  /** It adds elements: it counts until the member measures them. */
  ELEMENTS,
  /** It changes an object whose size does not depend on the request: the name counts. */
  NAME,
  /** It makes an object known to all members. */
  OBJECT,
  /** It begins a transaction, which counts until it ends. */
  TRANSACTION,
  /** It is part of a transaction, whose log grows. */
  TRANSACTION_RECORD,
  /** It takes a lock, whose key counts until the member counts the locks. */
  LOCK,
  /** It adds a listener, which counts until it is removed. */
  LISTENER,
  /** It replaces what the member knows of the client. */
  STATISTICS,
  /** It registers schemas, of which {@link TenantSchemas} keeps a bounded number. */
  SCHEMA,
  /** It keeps nothing on the heap: entries of maps are outside it, and the rest only asks. */
  NOTHING
}
