/**
 * Functions on the bytes of one value: bits, bit fields and HyperLogLog sketches. They are pure
 * functions over byte arrays, which know nothing of keys and engines.
 */
@NullMarked
package io.keyvalueserve.engine.value;

import org.jspecify.annotations.NullMarked;
