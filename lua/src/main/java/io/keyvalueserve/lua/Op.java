package io.keyvalueserve.lua;

/**
 * Instructions: the operation in 8 bits, A in 16, B and C in 20 each, both signed. For jumps and
 * long constants B and C are one field. An operand that is negative is the complement of the number
 * of a constant, else it is a register.
 */
final class Op {
  static final int MOVE = 0;
  static final int LOADK = 1;
  static final int LOADNIL = 2;
  static final int LOADBOOL = 3;
  static final int NEWCELL = 4;
  static final int GETCELL = 5;
  static final int SETCELL = 6;
  static final int GETUPVAL = 7;
  static final int SETUPVAL = 8;
  static final int GETGLOBAL = 9;
  static final int SETGLOBAL = 10;
  static final int INDEX = 11;
  static final int INDEXS = 12;
  static final int SETINDEX = 13;
  static final int NEWTABLE = 14;
  static final int SETLIST = 15;
  static final int SELF = 16;
  static final int ADD = 17;
  static final int SUB = 18;
  static final int MUL = 19;
  static final int DIV = 20;
  static final int MOD = 21;
  static final int POW = 22;
  static final int UNM = 23;
  static final int NOT = 24;
  static final int LEN = 25;
  static final int CONCAT = 26;
  static final int JMP = 27;
  static final int JMPT = 28;
  static final int JMPF = 29;
  static final int EQ = 30;
  static final int LT = 31;
  static final int LE = 32;
  static final int CALL = 33;
  static final int TAILCALL = 34;
  static final int RETURN = 35;
  static final int FORPREP = 36;
  static final int FORLOOP = 37;
  static final int TFORCALL = 38;
  static final int TFORLOOP = 39;
  static final int CLOSURE = 40;
  static final int VARARG = 41;

  /** Elements that a table literal stores at a time; C of SETLIST counts the times before. */
  static final int LIST_FLUSH = 50;

  /** The largest number of a constant that an operand can name, and the longest jump. */
  static final int MAX_OPERAND = (1 << 19) - 2;

  private Op() {}

  static long of(int op, int a, int b, int c) {
    return op | (long) a << 8 | (b & 0xFFFFFL) << 24 | (long) c << 44;
  }

  static long ofLong(int op, int a, int bc) {
    return op | (long) a << 8 | (long) bc << 24;
  }

  static int op(long instruction) {
    return (int) instruction & 0xFF;
  }

  static int a(long instruction) {
    return (int) (instruction >>> 8) & 0xFFFF;
  }

  static int b(long instruction) {
    return (int) (instruction << 20 >> 44);
  }

  static int c(long instruction) {
    return (int) (instruction >> 44);
  }

  static int bc(long instruction) {
    return (int) (instruction >> 24);
  }
}
