package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

import java.util.Arrays;

/** The library {@code coroutine}. */
final class CoroutineLib {
  static final LuaTable TABLE =
      new Library(0x700)
          .add("create", (run, args) -> one(create(run, args)))
          .add("resume", CoroutineLib::resume)
          .add("running", CoroutineLib::running)
          .add("status", CoroutineLib::status)
          .add("wrap", CoroutineLib::wrap)
          .add("yield", CoroutineLib::yieldValues)
          .protect();

  private CoroutineLib() {}

  private static LuaCoroutine create(Run run, Args args) {
    if (!(args.at(1) instanceof LuaClosure c)) {
      throw args.error(1, "Lua function expected");
    }
    run.budget.countCoroutine();
    run.budget.allocate(LuaCoroutine.BYTES);
    return new LuaCoroutine(run.budget.nextId(), c);
  }

  private static LuaCoroutine coroutine(Args args) {
    if (args.at(1) instanceof LuaCoroutine c) {
      return c;
    }
    throw args.error(1, "coroutine expected");
  }

  private static LuaValue[] resume(Run run, Args args) {
    LuaCoroutine co = coroutine(args);
    if (co.status != LuaCoroutine.Status.SUSPENDED) {
      return failed(run.string("cannot resume " + shown(run, co) + " coroutine"));
    }
    Run.Mark mark = run.mark();
    try {
      LuaValue[] results = run.resume(co, Arrays.copyOfRange(args.values, 1, args.values.length));
      LuaValue[] all = new LuaValue[results.length + 1];
      all[0] = LuaBoolean.TRUE;
      System.arraycopy(results, 0, all, 1, results.length);
      return all;
    } catch (LuaError e) {
      run.unwind(mark);
      return failed(e.value());
    }
  }

  private static String shown(Run run, LuaCoroutine co) {
    return co == run.current ? "running" : co == run.main ? "normal" : co.status.text;
  }

  private static LuaValue[] failed(LuaValue value) {
    return new LuaValue[] {LuaBoolean.FALSE, value};
  }

  private static LuaValue[] wrap(Run run, Args args) {
    LuaCoroutine co = create(run, args);
    // The function refers to the coroutine in a way that the tracer follows.
    Cell cell = new Cell(co);
    run.budget.allocate(LuaClosure.BYTES + Cell.BYTES);
    return one(
        new NativeFunction(
            run.budget.nextId(), (r, a) -> resumeWrapped(r, (LuaCoroutine) cell.value, a), cell));
  }

  private static LuaValue[] resumeWrapped(Run run, LuaCoroutine co, Args args) {
    if (co.status != LuaCoroutine.Status.SUSPENDED) {
      throw run.error("cannot resume " + shown(run, co) + " coroutine");
    }
    Run.Mark mark = run.mark();
    try {
      return run.resume(co, args.values);
    } catch (LuaError e) {
      run.unwind(mark);
      if (e.value() instanceof LuaString s) {
        throw run.thrown(BaseLib.at(run, run.where(1), s));
      }
      throw e;
    }
  }

  private static LuaValue[] running(Run run, Args args) {
    return one(run.current == run.main ? LuaNil.NIL : run.current);
  }

  private static LuaValue[] status(Run run, Args args) {
    return one(LuaString.constant(shown(run, coroutine(args))));
  }

  private static LuaValue[] yieldValues(Run run, Args args) {
    if (!run.mayYield()) {
      throw run.errorWithoutPlace("attempt to yield across metamethod/C-call boundary");
    }
    return run.leaveCoroutine(args.values);
  }
}
