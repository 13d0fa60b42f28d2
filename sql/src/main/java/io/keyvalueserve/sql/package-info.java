/**
 * SQL for tenants: statements are parsed, validated and planned by Apache Calcite, and carried out
 * by operators of ours in bounded memory.
 *
 * <p>Doors open a {@link io.keyvalueserve.sql.SqlSession} for each of their connections or
 * requests. Tables come from the {@link io.keyvalueserve.engine.query.QueryCatalog} of an engine.
 */
@NullMarked
package io.keyvalueserve.sql;

import org.jspecify.annotations.NullMarked;
