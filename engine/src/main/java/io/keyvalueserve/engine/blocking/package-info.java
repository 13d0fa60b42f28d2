/**
 * Waiting for elements: who waits at which key, and whose turn it is. Knows no commands and no
 * network.
 */
@NullMarked
package io.keyvalueserve.engine.blocking;

import org.jspecify.annotations.NullMarked;
