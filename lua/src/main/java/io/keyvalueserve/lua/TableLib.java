package io.keyvalueserve.lua;

import static io.keyvalueserve.lua.BaseLib.one;

/** The library {@code table}. */
final class TableLib {
  static final LuaTable TABLE =
      new Library(0x400)
          .add("concat", TableLib::concat)
          .add("foreach", TableLib::forEach)
          .add("foreachi", TableLib::forEachIndex)
          .add("getn", (run, args) -> one(LuaNumber.of((long) args.table(1).length())))
          .add("insert", TableLib::insert)
          .add("maxn", TableLib::maxn)
          .add("remove", TableLib::remove)
          .add("setn", TableLib::setn)
          .add("sort", TableLib::sort)
          .protect();

  private TableLib() {}

  private static LuaValue[] concat(Run run, Args args) {
    LuaTable t = args.table(1);
    LuaString separator = args.at(2).isNil() ? LuaString.EMPTY : args.string(2);
    int from = (int) args.integer(3, 1);
    int to = args.at(4).isNil() ? t.length() : (int) args.integer(4);
    Buffer out = new Buffer(run.budget);
    for (long i = from; i <= to; i++) {
      run.budget.step(1);
      LuaValue v = t.get((int) i);
      if (v instanceof LuaString s) {
        out.add(s);
      } else if (v instanceof LuaNumber n) {
        out.add(run.format(n.value));
      } else {
        throw run.error(
            "invalid value (" + v.typeName() + ") at index " + i + " in table for 'concat'");
      }
      if (i < to) {
        out.add(separator);
      }
    }
    return one(out.finish());
  }

  private static LuaValue[] forEach(Run run, Args args) {
    LuaTable t = args.table(1);
    LuaFunction f = args.function(2);
    LuaValue key = LuaNil.NIL;
    while (true) {
      int slot = t.next(key);
      if (slot == -2) {
        throw run.errorWithoutPlace("invalid key to 'next'");
      }
      if (slot < 0) {
        return Args.NONE;
      }
      key = t.keyAt(slot);
      LuaValue result = run.callOne(f, key, t.valueAt(slot));
      if (!result.isNil()) {
        return one(result);
      }
    }
  }

  private static LuaValue[] forEachIndex(Run run, Args args) {
    LuaTable t = args.table(1);
    LuaFunction f = args.function(2);
    int n = t.length();
    for (int i = 1; i <= n; i++) {
      LuaValue result = run.callOne(f, LuaNumber.of((long) i), t.get(i));
      if (!result.isNil()) {
        return one(result);
      }
    }
    return Args.NONE;
  }

  private static LuaValue[] insert(Run run, Args args) {
    LuaTable t = args.table(1);
    int end = t.length() + 1;
    switch (args.count()) {
      case 2 -> t.set(end, args.at(2));
      case 3 -> {
        int at = (int) args.integer(2);
        if (at > end) {
          end = at;
        }
        for (int i = end; i > at; i--) {
          run.budget.step(1);
          t.set(i, t.get(i - 1));
        }
        t.set(at, args.at(3));
      }
      default -> throw run.error("wrong number of arguments to 'insert'");
    }
    return Args.NONE;
  }

  private static LuaValue[] remove(Run run, Args args) {
    LuaTable t = args.table(1);
    int end = t.length();
    int at = (int) args.integer(2, end);
    if (at < 1 || at > end) {
      return Args.NONE;
    }
    LuaValue removed = t.get(at);
    for (int i = at; i < end; i++) {
      run.budget.step(1);
      t.set(i, t.get(i + 1));
    }
    t.set(end, LuaNil.NIL);
    return one(removed);
  }

  private static LuaValue[] maxn(Run run, Args args) {
    LuaTable t = args.table(1);
    double most = 0;
    for (int slot = t.nextSlot(0); slot >= 0; slot = t.nextSlot(slot + 1)) {
      run.budget.step(1);
      if (t.keyAt(slot) instanceof LuaNumber n && n.value > most) {
        most = n.value;
      }
    }
    return one(LuaNumber.of(most));
  }

  private static LuaValue[] setn(Run run, Args args) {
    args.table(1);
    throw run.error("'setn' is obsolete");
  }

  // ---- sort ------------------------------------------------------------------------------------

  private static LuaValue[] sort(Run run, Args args) {
    LuaTable t = args.table(1);
    int n = t.length();
    LuaValue order = args.at(2);
    if (!order.isNil()) {
      args.function(2);
    }
    t.checkWritable();
    run.budget.allocate(Tracer.ARRAY_BYTES + 8L * n);
    run.budget.step(n >> 2);
    LuaValue[] a = new LuaValue[n];
    for (int i = 0; i < n; i++) {
      a[i] = t.get(i + 1);
    }
    run.pin(a);
    new Sorter(run, a, order).sort(0, n - 1);
    run.unpin();
    run.budget.step(n >> 2);
    for (int i = 0; i < n; i++) {
      t.set(i + 1, a[i]);
    }
    return Args.NONE;
  }

  /** Quicksort as in Lua 5.1, which finds some orders that are none. The array is a copy. */
  private record Sorter(Run run, LuaValue[] a, LuaValue order) {
    private boolean less(LuaValue x, LuaValue y) {
      run.budget.step(1);
      return order.isNil() ? run.lessThan(x, y) : run.callOne(order, x, y).truthy();
    }

    private void swap(int i, int j) {
      LuaValue v = a[i];
      a[i] = a[j];
      a[j] = v;
    }

    void sort(int from, int to) {
      int low = from;
      int high = to;
      while (low < high) {
        if (less(a[high], a[low])) {
          swap(low, high);
        }
        if (high - low == 1) {
          return;
        }
        int middle = (low + high) >>> 1;
        if (less(a[middle], a[low])) {
          swap(middle, low);
        } else if (less(a[high], a[middle])) {
          swap(middle, high);
        }
        if (high - low == 2) {
          return;
        }
        LuaValue pivot = a[middle];
        swap(middle, high - 1);
        int i = partition(low, high, pivot);
        if (i - low < high - i) {
          sort(low, i - 1);
          low = i + 1;
        } else {
          sort(i + 1, high);
          high = i - 1;
        }
      }
    }

    private int partition(int low, int high, LuaValue pivot) {
      int i = low;
      int j = high - 1;
      while (true) {
        while (less(a[++i], pivot)) {
          if (i >= high) {
            throw run.error("invalid order function for sorting");
          }
        }
        while (less(pivot, a[--j])) {
          if (j <= low) {
            throw run.error("invalid order function for sorting");
          }
        }
        if (j < i) {
          break;
        }
        swap(i, j);
      }
      swap(high - 1, i);
      return i;
    }
  }
}
