@NullMarked
package io.keyvalueserve.postgres.system;

import org.jspecify.annotations.NullMarked;
