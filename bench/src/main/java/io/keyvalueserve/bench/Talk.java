package io.keyvalueserve.bench;

import java.util.List;

/** The requests of one connection to a Redis server, and how their answers have to begin. */
interface Talk {
  /**
   * Writes a request, which may be several commands.
   *
   * @param number that the load drew
   * @param sequence how many requests the connection has sent before
   */
  void ask(RespWords to, int number, long sequence);

  /**
   * Returns how the replies to a request begin, in their order.
   *
   * @param sequence that of the request
   */
  List<String> answers(long sequence);
}
