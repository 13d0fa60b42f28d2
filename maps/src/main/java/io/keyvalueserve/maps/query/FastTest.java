package io.keyvalueserve.maps.query;

/** A condition compiled for the bytes of records. Thread-safe. */
@FunctionalInterface
interface FastTest {
  /** Cannot tell anything. */
  FastTest UNSURE = (record, scratch) -> Scalar.UNSURE;

  /**
   * Tests a readable record.
   *
   * @return one of the answers of {@link Scalar}
   */
  int test(long record, Scratch scratch);

  /** The memory that tests use while they work. Owned by one thread. */
  final class Scratch {
    final FastRow row = new FastRow();
    final JsonReader json = new JsonReader();
    final ObjectScalar object = new ObjectScalar();
  }
}
