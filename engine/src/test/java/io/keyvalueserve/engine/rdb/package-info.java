/** Tests of the format of DUMP and RESTORE. */
@NullMarked
package io.keyvalueserve.engine.rdb;

import org.jspecify.annotations.NullMarked;
