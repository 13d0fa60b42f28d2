/** Tests of snapshots and of their repositories. */
@NullMarked
package io.keyvalueserve.snapshots;

import org.jspecify.annotations.NullMarked;
