/** Who has locked what, and how it is unlocked without whoever has. */
@NullMarked
package io.keyvalueserve.grid.lock;

import org.jspecify.annotations.NullMarked;
