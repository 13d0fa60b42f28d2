package io.keyvalueserve.lua;

/** The arguments of a call of a native function, and how to read them. Numbered from 1. */
final class Args {
  static final LuaValue[] NONE = new LuaValue[0];

  final Run run;
  final LuaValue[] values;

  Args(Run run, LuaValue[] values) {
    this.run = run;
    this.values = values;
  }

  int count() {
    return values.length;
  }

  boolean has(int n) {
    return n <= values.length;
  }

  /** Returns an argument; nil if there is none. */
  LuaValue at(int n) {
    return n <= values.length ? values[n - 1] : LuaNil.NIL;
  }

  LuaValue any(int n) {
    if (n > values.length) {
      throw error(n, "value expected");
    }
    return values[n - 1];
  }

  LuaError error(int n, String message) {
    return run.argumentError(n, message);
  }

  LuaError typeError(int n, String expected) {
    String got = n > values.length ? "no value" : values[n - 1].typeName();
    return error(n, expected + " expected, got " + got);
  }

  LuaTable table(int n) {
    if (at(n) instanceof LuaTable t) {
      return t;
    }
    throw typeError(n, "table");
  }

  LuaFunction function(int n) {
    if (at(n) instanceof LuaFunction f) {
      return f;
    }
    throw typeError(n, "function");
  }

  LuaString string(int n) {
    LuaValue v = at(n);
    if (v instanceof LuaString s) {
      return s;
    }
    if (v instanceof LuaNumber x) {
      return run.numberToString(x);
    }
    throw typeError(n, "string");
  }

  double number(int n) {
    LuaValue v = at(n);
    if (v instanceof LuaNumber x) {
      return x.value;
    }
    if (v instanceof LuaString s) {
      double d = Numbers.parse(s.bytes);
      if (!Double.isNaN(d) || Numbers.isNan(s.bytes)) {
        return d;
      }
    }
    throw typeError(n, "number");
  }

  double number(int n, double otherwise) {
    return at(n).isNil() ? otherwise : number(n);
  }

  /** Returns a number without its fraction, within the range of a C int or long. */
  long integer(int n) {
    return Numbers.toInteger(number(n));
  }

  long integer(int n, long otherwise) {
    return at(n).isNil() ? otherwise : integer(n);
  }
}
