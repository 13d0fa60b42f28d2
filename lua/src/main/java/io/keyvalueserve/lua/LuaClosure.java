package io.keyvalueserve.lua;

/** A function of a script, with the variables that it captured. */
final class LuaClosure extends LuaFunction {
  static final int BYTES = 64;

  final Proto proto;
  final Cell[] upvalues;
  int mark;

  LuaClosure(int id, Proto proto, Cell[] upvalues) {
    super(id);
    this.proto = proto;
    this.upvalues = upvalues;
  }

  static long bytes(Proto proto) {
    return BYTES + 8L * proto.captures.length;
  }
}
