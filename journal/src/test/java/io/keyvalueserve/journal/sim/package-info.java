@NullMarked
package io.keyvalueserve.journal.sim;

import org.jspecify.annotations.NullMarked;
