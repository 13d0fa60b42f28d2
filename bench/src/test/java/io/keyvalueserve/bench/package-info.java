/** Evidence that the bench measures what it says. */
@NullMarked
package io.keyvalueserve.bench;

import org.jspecify.annotations.NullMarked;
