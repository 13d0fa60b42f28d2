@NullMarked
package io.keyvalueserve.postgres.types;

import org.jspecify.annotations.NullMarked;
