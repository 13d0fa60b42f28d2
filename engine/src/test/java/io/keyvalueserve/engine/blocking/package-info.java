/** Tests of the format of DUMP and RESTORE. */
@NullMarked
package io.keyvalueserve.engine.blocking;

import org.jspecify.annotations.NullMarked;
