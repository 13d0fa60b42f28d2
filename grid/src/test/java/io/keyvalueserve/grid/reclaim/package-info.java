@NullMarked
package io.keyvalueserve.grid.reclaim;

import org.jspecify.annotations.NullMarked;
