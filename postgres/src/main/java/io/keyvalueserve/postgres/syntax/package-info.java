/** The words of SQL statements, as PostgreSQL has them. */
@NullMarked
package io.keyvalueserve.postgres.syntax;

import org.jspecify.annotations.NullMarked;
