/** PostgreSQL's types, and their values as text and in binary form. */
@NullMarked
package io.keyvalueserve.postgres.types;

import org.jspecify.annotations.NullMarked;
