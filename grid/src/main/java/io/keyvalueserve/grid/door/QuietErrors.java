package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.protocol.ClientExceptionFactory;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientProtocolErrorCodes;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.exception.ErrorHolder;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.logging.LoggingService;
import io.keyvalueserve.grid.hd.RefusedException;
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
      told.add(quiet(holder));
    }
    return ErrorsCodec.encode(told);
  }

  /** Our own exceptions are none that clients know: they are told of their parent. */
  private static ErrorHolder quiet(ErrorHolder error) {
    return RefusedException.isOne(error.getClassName())
        ? new ErrorHolder(
            ClientProtocolErrorCodes.HAZELCAST,
            HazelcastException.class.getName(),
            error.getMessage(),
            List.of())
        : new ErrorHolder(
            error.getErrorCode(), error.getClassName(), error.getMessage(), List.of());
  }
}
