/** The kvs command line. */
@NullMarked
package io.keyvalueserve.cli;

import org.jspecify.annotations.NullMarked;
