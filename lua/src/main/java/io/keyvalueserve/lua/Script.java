package io.keyvalueserve.lua;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script that is compiled. Never changes; any number of threads may run it at once. */
public final class Script {
  private final Proto proto;

  Script(Proto proto) {
    this.proto = proto;
  }

  private LuaValue[] run(Run run) {
    try {
      return run.start(new LuaClosure(run.budget.nextId(), proto, new Cell[0]));
    } catch (LuaError e) {
      throw run.noted(e);
    }
  }

  /**
   * Runs the script on this thread. Nothing is left of a run but its results.
   *
   * @param environment what the host gives
   * @param budget the bounds, for this run only
   * @return the values that the script returns
   * @throws LuaError if the script ends with an error
   * @throws BudgetExceeded if a bound is reached, or the run is killed
   */
  public LuaValue[] run(Environment environment, Budget budget) {
    return run(environment.globals(budget), null, 0, budget);
  }

  /**
   * Runs the script as {@link #run(Environment, Budget)} does, with keys and arguments of its own.
   *
   * @param host what {@link CallContext#host} returns to the functions of the host
   * @param seed what {@code math.random} begins with
   */
  public LuaValue[] run(
      Environment environment,
      List<byte[]> keys,
      List<byte[]> arguments,
      Object host,
      int seed,
      Budget budget) {
    return run(environment.globals(budget, keys, arguments), host, seed, budget);
  }

  private LuaValue[] run(LuaTable globals, @Nullable Object host, int seed, Budget budget) {
    try {
      budget.held(0);
      Run run = new Run(budget, globals, host);
      run.random.seed(seed);
      return run(run);
    } catch (StackOverflowError e) {
      // Not expected, as nesting is bounded; but a thread may have a very small stack.
      throw new BudgetExceeded(BudgetExceeded.Bound.DEPTH);
    } finally {
      budget.traceWith(() -> 0);
    }
  }

  /** Returns about how many bytes of memory the code takes. */
  public long codeBytes() {
    return proto.allBytes();
  }
}
