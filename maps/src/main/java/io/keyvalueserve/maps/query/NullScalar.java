package io.keyvalueserve.maps.query;

/** Tells attributes that are null or not there. Thread-safe. */
final class NullScalar extends Scalar {
  @Override
  int ofNull() {
    return YES;
  }

  @Override
  int ofWhole(long value, int type) {
    return NO;
  }

  @Override
  int ofFraction(double value, int type) {
    return NO;
  }

  @Override
  int ofBoolean(boolean value) {
    return NO;
  }

  @Override
  int ofText(long address, int length) {
    return NO;
  }

  @Override
  int ofText(byte[] bytes, int from, int to) {
    return NO;
  }

  @Override
  int ofOther() {
    return NO;
  }
}
