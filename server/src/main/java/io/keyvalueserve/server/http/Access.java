package io.keyvalueserve.server.http;

/** The callers that may use a {@link Route}. */
enum Access {
  /** Everybody, without a key. */
  OPEN,

  /** Operators, and programs that collect metrics. */
  SCRAPER,

  /** Operators alone. */
  OPERATOR,

  /** Operators, and the tenant that the path names. */
  TENANT_ITSELF,

  /** The tenant that the path names alone: no operator acts for it. */
  TENANT_ALONE,

  /** Operators and every tenant; a tenant's answer is about the tenant alone. */
  EVERY_TENANT,

  /** Tenants alone; grants of the tenant that the path names decide the rest. */
  ENTRIES
}
