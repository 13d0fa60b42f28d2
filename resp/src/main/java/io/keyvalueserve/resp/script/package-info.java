/**
 * Scripts of Redis clients: kept for each tenant, and run as transactions.
 *
 * <p>Read in this order: {@link io.keyvalueserve.resp.script.ScriptService} (finds, compiles and
 * runs), {@code ScriptCode} (a compiled script with its flags), {@code ScriptRun} (the body of the
 * transaction), {@code RedisLibrary} (the functions of the table {@code redis}), {@code Conversion}
 * (replies to values of Lua and back), {@code ScriptPool} (whose turn it is among long scripts).
 */
@NullMarked
package io.keyvalueserve.resp.script;

import org.jspecify.annotations.NullMarked;
