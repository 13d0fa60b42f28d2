/** Evidence for Lua: conformance, bounds, hostile scripts, fuzz. */
@NullMarked
package io.keyvalueserve.lua;

import org.jspecify.annotations.NullMarked;
