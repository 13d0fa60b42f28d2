package io.keyvalueserve.bench;

import java.util.List;

/** What a server answers over Redis' protocol (RESP2). */
sealed interface RespReply {
  /** A line, as OK. */
  record Line(String text) implements RespReply {}

  /** An error. */
  record Failure(String text) implements RespReply {
    /** Which: its first word; where that says nothing, what follows up to a colon too. */
    String kind() {
      int end = text.indexOf(text.startsWith("ERR ") ? ':' : ' ');
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
