/** The kvs command line. */
@NullMarked
package io.keyvalueserve.server.cli;

import org.jspecify.annotations.NullMarked;
