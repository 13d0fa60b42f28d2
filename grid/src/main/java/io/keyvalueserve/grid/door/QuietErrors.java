package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.protocol.ClientExceptionFactory;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.exception.ErrorHolder;
import com.hazelcast.logging.LoggingService;
import java.util.ArrayList;
import java.util.List;

/** Tells clients of errors in Hazelcast's own form, but without the member's stack traces. */
final class QuietErrors extends ClientExceptionFactory {
  QuietErrors(ClassLoader classLoader, LoggingService loggingService) {
    super(false, classLoader, loggingService);
  }

  @Override
  public ClientMessage createExceptionMessage(Throwable throwable) {
    List<ErrorHolder> told = new ArrayList<>();
    for (ErrorHolder holder : ErrorsCodec.decode(super.createExceptionMessage(throwable))) {
      told.add(
          new ErrorHolder(
              holder.getErrorCode(), holder.getClassName(), holder.getMessage(), List.of()));
    }
    return ErrorsCodec.encode(told);
  }
}
