package io.keyvalueserve.bench;

/** A protocol that says some of what another one does in its own way. */
abstract class WrappedWire implements Wire {
  final Wire wire;

  WrappedWire(Wire wire) {
    this.wire = wire;
  }

  @Override
  public byte[] greeting() {
    return wire.greeting();
  }

  @Override
  public int greeted(byte[] in, int from, int to) {
    return wire.greeted(in, from, to);
  }

  @Override
  public int longestRequest() {
    return wire.longestRequest();
  }

  @Override
  public int longestReply() {
    return wire.longestReply();
  }

  @Override
  public int put(byte[] out, int at, int key, boolean read, long sequence) {
    return wire.put(out, at, key, read, sequence);
  }
}
