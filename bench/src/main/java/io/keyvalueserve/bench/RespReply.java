package io.keyvalueserve.bench;

import java.util.List;

/** What a server answers over Redis' protocol (RESP2). */
sealed interface RespReply {
  /** A line, as OK. */
  record Line(String text) implements RespReply {}

  /** An error; its first word says which. */
  record Failure(String text) implements RespReply {
    /** The word that says which kind of error it is. */
    String kind() {
      int end = text.indexOf(' ');
      return end < 0 ? text : text.substring(0, end);
    }
  }

  /** An integer. */
  record Number(long value) implements RespReply {}

  /** A string of bytes. */
  record Bytes(byte[] value) implements RespReply {}

  /** Nothing is there. */
  record Nil() implements RespReply {}

  /** Several. */
  record Array(List<RespReply> elements) implements RespReply {}
}
