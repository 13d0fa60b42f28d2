package io.keyvalueserve.lua;

/** A function of the host that scripts call, as {@code redis.call}. */
@FunctionalInterface
public interface HostFunction {
  /**
   * Carries out a call. Called on the thread of the run.
   *
   * @param context makes values, and errors
   * @param arguments the arguments; the array is the function's own
   * @return the results
   * @throws LuaError to raise an error in the script
   */
  LuaValue[] call(CallContext context, LuaValue[] arguments);
}
