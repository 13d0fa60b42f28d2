/** Values, and expressions over the values of a row. */
@NullMarked
package io.keyvalueserve.sql.expr;

import org.jspecify.annotations.NullMarked;
