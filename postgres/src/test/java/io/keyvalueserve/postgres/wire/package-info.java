@NullMarked
package io.keyvalueserve.postgres.wire;

import org.jspecify.annotations.NullMarked;
