package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.regex.Pattern;

/** Tells errors from other answers, as far as the beginning of what came shows it. */
final class HostileAnswers {
  private static final Pattern HTTP_ERROR = Pattern.compile("(?:^|\n)HTTP/1.1 [45]\\d\\d ");

  private HostileAnswers() {}

  static boolean isError(HostileDoor door, byte[] answer) {
    return switch (door) {
      case RESP -> answer[0] == '-' || new String(answer, ISO_8859_1).contains("\r\n-");
      case HAZELCAST -> hasException(answer);
      case HTTP -> HTTP_ERROR.matcher(new String(answer, ISO_8859_1)).find();
      case MEMBER -> false;
    };
  }

  private static boolean hasException(byte[] answer) {
    ByteBuffer in = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
    int head = ClientMessage.SIZE_OF_FRAME_LENGTH_AND_FLAGS;
    for (int at = 0; at + head + Integer.BYTES <= answer.length; ) {
      int length = in.getInt(at);
      boolean begins = (in.getShort(at + Integer.BYTES) & ClientMessage.BEGIN_FRAGMENT_FLAG) != 0;
      if (begins && in.getInt(at + head) == ErrorsCodec.EXCEPTION_MESSAGE_TYPE) {
        return true;
      }
      if (length < head || length > answer.length - at) {
        return false;
      }
      at += length;
    }
    return false;
  }
}
