@NullMarked
package io.keyvalueserve.grid.turn;

import org.jspecify.annotations.NullMarked;
