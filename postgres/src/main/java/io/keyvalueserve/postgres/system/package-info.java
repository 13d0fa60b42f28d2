/**
 * The system catalogues: what clients and tools of PostgreSQL ask about tables, columns, indexes
 * and types, in {@code pg_catalog} and {@code information_schema}.
 *
 * <p>Such queries use much of PostgreSQL's own dialect, on little data. A small interpreter answers
 * them: it parses a query, binds its names and types, and goes through rows that are made of the
 * tenant's {@link io.keyvalueserve.engine.query.QueryCatalog}. The steps and the memory of a query
 * are bounded. Only what the tenant can name is in the rows.
 */
@NullMarked
package io.keyvalueserve.postgres.system;

import org.jspecify.annotations.NullMarked;
