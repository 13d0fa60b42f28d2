package io.keyvalueserve.store;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;

/**
 * What a fuzzer drives: bytes read as changes to a tree and to a plain set, in a heap that is small
 * enough to run out; both must be the same whenever the program says so, and at its end.
 */
final class ByteTreeProgram {
  private ByteTreeProgram() {}

  /** Runs a program; throws if the tree is not what it should be. */
  static void run(byte[] program) {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(1 << 20), 1)) {
      ByteTree tree = new ByteTree(heap, 0);
      TreeSet<byte[]> shown = new TreeSet<>(Arrays::compareUnsigned);
      TreeSet<byte[]> next = new TreeSet<>(shown);
      for (int at = 0; at + 2 < program.length; at += 3) {
        byte[] key = key(program[at + 1], program[at + 2]);
        try {
          switch (program[at] & 0xF) {
            case 0, 1, 2, 3, 4, 5, 6 -> same(tree.add(key, 0, key.length), next.add(key));
            case 7, 8, 9, 10 -> same(tree.remove(key, 0, key.length), next.remove(key));
            case 11, 12 -> {
              tree.commit();
              shown = new TreeSet<>(next);
            }
            case 13 -> {
              tree.rollback();
              next = new TreeSet<>(shown);
            }
            case 14 -> ByteTreeModelTest.same(heap, tree, shown, new Random(program[at]));
            default -> {
              if (program[at + 1] == 0) {
                tree.clear();
                shown.clear();
                next.clear();
              }
            }
          }
        } catch (OutOfNativeMemoryException e) {
          next = new TreeSet<>(shown);
        }
      }
      ByteTreeModelTest.same(heap, tree, shown, new Random(1));
      tree.close();
      ByteTreeModelTest.assertNothingLeft(heap, tree);
    }
  }

  private static byte[] key(byte shape, byte number) {
    int length = (shape & 3) == 3 ? (shape & 0xFF) * 32 : (shape & 0x1F);
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) (shape >> 6));
    if (length > 0) {
      key[length - 1] = number;
    }
    return key;
  }

  private static void same(boolean is, boolean expected) {
    if (is != expected) {
      throw new AssertionError("is=" + is + " expected=" + expected);
    }
  }
}
