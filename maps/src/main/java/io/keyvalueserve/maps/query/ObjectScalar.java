package io.keyvalueserve.maps.query;

import io.keyvalueserve.memory.Memory;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes the object of an attribute. To be reused; one thread. */
final class ObjectScalar extends Scalar {
  private @Nullable Object value;

  /** Returns the object of the last attribute that was taken. */
  @Nullable Object value() {
    return value;
  }

  private int made(@Nullable Object object) {
    value = object;
    return YES;
  }

  @Override
  int ofNull() {
    return made(null);
  }

  @Override
  int ofWhole(long number, int type) {
    return made(
        switch (type) {
          case BYTE -> (Object) (byte) number;
          case SHORT -> (Object) (short) number;
          case INT -> (Object) (int) number;
          default -> (Object) number;
        });
  }

  @Override
  int ofFraction(double number, int type) {
    return made(type == FLOAT ? (Object) (float) number : (Object) number);
  }

  @Override
  int ofBoolean(boolean flag) {
    return made(flag);
  }

  @Override
  int ofText(long address, int length) {
    byte[] bytes = new byte[length];
    Memory.copy(address, bytes, 0, length);
    return made(new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  int ofText(byte[] bytes, int from, int to) {
    return made(new String(bytes, from, to - from, StandardCharsets.UTF_8));
  }

  @Override
  int ofOther() {
    return UNSURE;
  }
}
