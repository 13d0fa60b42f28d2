package io.keyvalueserve.resp.protocol;

import io.keyvalueserve.engine.LentValue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;

/** A lent value as a buffer for the network: what the last one releases it gives back. */
final class LentBytes {
  private LentBytes() {}

  static ByteBuf of(LentValue value, ByteBufAllocator allocator) {
    ByteBuffer bytes = value.bytes();
    return PlatformDependent.hasUnsafe()
        ? new ByAddress(value, allocator, bytes)
        : new ByBuffer(value, allocator, bytes);
  }

  /** The buffer for transports that want an address. It needs a Netty that can read addresses. */
  private static final class ByAddress extends UnpooledUnsafeDirectByteBuf {
    private final LentValue value;

    ByAddress(LentValue value, ByteBufAllocator allocator, ByteBuffer bytes) {
      super(allocator, bytes, bytes.remaining());
      this.value = value;
    }

    @Override
    protected void deallocate() {
      super.deallocate();
      value.giveBack();
    }
  }

  private static final class ByBuffer extends UnpooledDirectByteBuf {
    private final LentValue value;

    ByBuffer(LentValue value, ByteBufAllocator allocator, ByteBuffer bytes) {
      super(allocator, bytes, bytes.remaining());
      this.value = value;
    }

    @Override
    protected void deallocate() {
      super.deallocate();
      value.giveBack();
    }
  }
}
