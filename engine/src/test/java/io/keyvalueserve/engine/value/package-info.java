/** Tests of what commands do to the bytes of a value. */
@NullMarked
package io.keyvalueserve.engine.value;

import org.jspecify.annotations.NullMarked;
