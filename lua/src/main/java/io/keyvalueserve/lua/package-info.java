/**
 * Lua 5.1 for scripts of tenants that do not trust each other.
 *
 * <p>Read in this order: {@link io.keyvalueserve.lua.Lua} (compiles), {@link
 * io.keyvalueserve.lua.Script} (runs), {@link io.keyvalueserve.lua.Environment} (what the host
 * gives), {@link io.keyvalueserve.lua.Budget} (what a run may use), {@code Parser} (source to
 * tree), {@code Compiler} (tree to code for registers), {@code Run} (carries the code out), {@code
 * Tracer} (how much is alive), and the libraries.
 *
 * <p>A run is on the thread that started it. Calls between Lua functions do not use its stack, and
 * coroutines are plain objects, so neither can exhaust it.
 */
@NullMarked
package io.keyvalueserve.lua;

import org.jspecify.annotations.NullMarked;
