/** The configuration of a server: one file, the flags over it, and every mistake told at once. */
@NullMarked
package io.keyvalueserve.server.config;

import org.jspecify.annotations.NullMarked;
