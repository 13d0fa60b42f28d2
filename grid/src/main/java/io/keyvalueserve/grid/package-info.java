@NullMarked
package io.keyvalueserve.grid;

import org.jspecify.annotations.NullMarked;
