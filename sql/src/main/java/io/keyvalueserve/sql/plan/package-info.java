/** Plans of statements: what Calcite validates and rearranges becomes operators. */
@NullMarked
package io.keyvalueserve.sql.plan;

import org.jspecify.annotations.NullMarked;
