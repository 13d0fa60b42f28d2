/** Measures what tenants make this member keep on its Java heap. */
@NullMarked
package io.keyvalueserve.grid.kept;

import org.jspecify.annotations.NullMarked;
