/** Operators that carry out plans, row by row, in bounded memory. */
@NullMarked
package io.keyvalueserve.sql.run;

import org.jspecify.annotations.NullMarked;
