package io.keyvalueserve.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in byte arrays, in the byte order of the machine, as {@link Memory} reads them. */
public final class Bytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private Bytes() {}

  /** The long at any index. */
  public static long getLong(byte[] bytes, int index) {
    return (long) LONG.get(bytes, index);
  }

  /** The int at any index. */
  public static int getInt(byte[] bytes, int index) {
    return (int) INT.get(bytes, index);
  }
}
