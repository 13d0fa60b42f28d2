@NullMarked
package io.keyvalueserve.journal.spill;

import org.jspecify.annotations.NullMarked;
