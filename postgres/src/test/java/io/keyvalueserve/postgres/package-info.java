@NullMarked
package io.keyvalueserve.postgres;

import org.jspecify.annotations.NullMarked;
