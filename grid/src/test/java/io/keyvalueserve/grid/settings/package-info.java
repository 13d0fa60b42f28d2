@NullMarked
package io.keyvalueserve.grid.settings;

import org.jspecify.annotations.NullMarked;
