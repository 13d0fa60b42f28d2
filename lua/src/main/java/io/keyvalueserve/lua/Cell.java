package io.keyvalueserve.lua;

/** A local variable that functions capture. Lives in a register; scripts never see it. */
final class Cell extends LuaValue {
  /** Bytes that a cell is charged. */
  static final int BYTES = 48;

  LuaValue value;

  Cell(LuaValue value) {
    this.value = value;
  }

  @Override
  public String typeName() {
    return "cell";
  }
}
