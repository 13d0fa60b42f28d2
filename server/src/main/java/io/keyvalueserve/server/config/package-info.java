/** How a server is set up: one file, the flags over it, and every mistake told at once. */
@NullMarked
package io.keyvalueserve.server.config;

import org.jspecify.annotations.NullMarked;
