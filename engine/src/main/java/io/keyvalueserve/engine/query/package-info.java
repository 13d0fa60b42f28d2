/**
 * The port for queries: conditions on entries, scans of tables, and the catalogue of a tenant's
 * tables.
 *
 * <p>A {@link io.keyvalueserve.engine.query.Condition} is data. An engine compiles it for its own
 * form of entries. Nothing here knows SQL or the predicates of a client.
 */
@NullMarked
package io.keyvalueserve.engine.query;

import org.jspecify.annotations.NullMarked;
