package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientExceptionFactory;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientProtocolErrorCodes;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.exception.ErrorHolder;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.logging.LoggingService;
import io.keyvalueserve.maps.QuotaUsedException;
import io.keyvalueserve.maps.RefusedException;
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

  /**
   * Returns the error that says that a client asked for too much, in the form that clients of all
   * languages know.
   */
  static ClientMessage overload(String message) {
    return ErrorsCodec.encode(List.of(overloadError(message)));
  }

  private static ErrorHolder overloadError(String message) {
    return new ErrorHolder(
        ClientProtocolErrorCodes.HAZELCAST_OVERLOAD,
        HazelcastOverloadException.class.getName(),
        message,
        List.of());
  }

  /** Our own exceptions are none that clients know: they are told of their parent. */
  private static ErrorHolder quiet(ErrorHolder error) {
    if (error.getClassName().equals(QuotaUsedException.class.getName())) {
      return overloadError(error.getMessage());
    }
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
