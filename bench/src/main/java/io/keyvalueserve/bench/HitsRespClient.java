package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A tenant's Redis client. */
final class HitsRespClient implements HitsClient {
  private final RespConnection connection;
  private final byte[] value;

  /**
   * Connects.
   *
   * @param database of a server without tenants, 0 if it has some
   * @param login words of AUTH
   */
  HitsRespClient(int port, int database, int valueBytes, String... login) {
    value = Load.text(valueBytes).getBytes(StandardCharsets.ISO_8859_1);
    try {
      List<String> words = new ArrayList<>(List.of("AUTH"));
      words.addAll(List.of(login));
      connection = RespConnection.open(port, words);
      if (database > 0) {
        require(connection.call("SELECT", Integer.toString(database)));
      }
    } catch (IOException e) {
      throw new BenchException("the server cannot be reached", e);
    }
  }

  @Override
  public int ask(int[] keys) {
    try {
      for (int key : keys) {
        connection.add("GET", Load.key(key));
      }
      connection.send();
      int missing = 0;
      for (int key : keys) {
        RespReply reply = connection.read();
        if (reply instanceof RespReply.Nil) {
          missing++;
          connection.begin(3);
          connection.word("SET");
          connection.word(Load.key(key));
          connection.word(value);
        } else if (!(reply instanceof RespReply.Bytes)) {
          throw new BenchException(RespWire.ANSWERED + reply);
        }
      }
      connection.send();
      for (int i = 0; i < missing; i++) {
        require(connection.read());
      }
      return keys.length - missing;
    } catch (IOException e) {
      throw new BenchException("the server ended a connection", e);
    }
  }

  private static void require(RespReply reply) {
    if (!(reply instanceof RespReply.Line)) {
      throw new BenchException(RespWire.ANSWERED + reply);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
