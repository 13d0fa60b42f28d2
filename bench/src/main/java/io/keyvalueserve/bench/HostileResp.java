package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Inputs for the door for Redis clients. */
final class HostileResp implements HostileGrammar {
  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("PING"),
          List.of("SET", "KEY", "VALUE"),
          List.of("SET", "KEY", "VALUE", "EX", "NUMBER"),
          List.of("GET", "KEY"),
          List.of("GETRANGE", "KEY", "NUMBER", "NUMBER"),
          List.of("SETRANGE", "KEY", "NUMBER", "VALUE"),
          List.of("APPEND", "KEY", "VALUE"),
          List.of("MSET", "KEY", "VALUE", "KEY", "VALUE"),
          List.of("MGET", "KEY", "KEY", "NAME"),
          List.of("INCRBY", "KEY", "NUMBER"),
          List.of("INCRBYFLOAT", "KEY", "NUMBER"),
          List.of("EXPIRE", "KEY", "NUMBER"),
          List.of("PEXPIREAT", "KEY", "NUMBER"),
          List.of("SCAN", "NUMBER", "MATCH", "PATTERN", "COUNT", "NUMBER"),
          List.of("KEYS", "PATTERN"),
          List.of("SELECT", "NAME"),
          List.of("RENAME", "KEY", "NAME"),
          List.of("COPY", "NAME", "KEY", "DB", "NAME"),
          List.of("DEL", "KEY", "NAME"),
          List.of("CLIENT", "SETNAME", "VALUE"),
          List.of("CLIENT", "LIST"),
          List.of("CLIENT", "KILL", "ID", "NUMBER"),
          List.of("CONFIG", "GET", "*"),
          List.of("COMMAND", "DOCS"),
          List.of("INFO"),
          List.of("DBSIZE"),
          List.of("RANDOMKEY"),
          List.of("HELLO", "NUMBER", "AUTH", "NAME", "VALUE"),
          List.of("AUTH", "NAME", "VALUE"),
          List.of("EVAL", "VALUE", "NUMBER"),
          List.of("SUBSCRIBE", "NAME"),
          List.of("MULTI"),
          List.of("EXEC"),
          List.of("DEBUG", "SLEEP", "1"),
          List.of("MONITOR"),
          List.of("FLUSHALL"),
          List.of("DUMP", "NAME"),
          List.of("OBJECT", "ENCODING", "NAME"));

  private static final List<String> PATTERNS =
      List.of("*", "[^", "\\", "*a*a*a*a*a*b", "[a-", "?????", "*[a-z]*[a-z]*[a-z]*!", "h[ll");

  private final byte[] login;
  private final List<String> others;

  /**
   * @param login the words of a tenant's AUTH
   * @param others names by which the other tenant's data might be reached
   */
  HostileResp(List<String> login, List<String> others) {
    List<byte[]> words = new ArrayList<>();
    words.add("AUTH".getBytes(ISO_8859_1));
    login.forEach(word -> words.add(word.getBytes(ISO_8859_1)));
    this.login = encode(words, Integer.toString(words.size()), -1, "");
    this.others = List.copyOf(others);
  }

  @Override
  public HostileDoor door() {
    return HostileDoor.RESP;
  }

  @Override
  public byte[] login() {
    return login.clone();
  }

  @Override
  public HostileInput draw(HostileDice dice, boolean known) {
    List<String> command = dice.pick(COMMANDS);
    List<byte[]> words = new ArrayList<>();
    command.forEach(word -> words.add(word(word, dice)));
    String count = Integer.toString(words.size());
    String name = command.getFirst();
    return switch (dice.below(9)) {
      case 0, 1 -> new HostileInput(name + "/valid", encode(words, count, -1, ""));
      case 2 ->
          new HostileInput(name + "/count", encode(words, Integer.toString(dice.edge()), -1, ""));
      case 3 ->
          new HostileInput(
              name + "/length",
              encode(words, count, dice.below(words.size()), Integer.toString(dice.edge())));
      case 4 -> new HostileInput(name + "/bytes", dice.flipped(encode(words, count, -1, "")));
      case 5 -> new HostileInput(name + "/inline", inline(words, dice));
      case 6 -> new HostileInput(name + "/many-words", many(words, dice));
      case 7 -> new HostileInput("array/nested", nested(dice));
      default ->
          new HostileInput(
              name + "/digits", encode(words, count, 0, "0".repeat(dice.below(70_000)) + "1"));
    };
  }

  private byte[] word(String word, HostileDice dice) {
    return switch (word) {
      case "KEY" -> ("k" + dice.below(50)).getBytes(ISO_8859_1);
      case "VALUE" -> dice.bytes(dice.chance(0.05) ? dice.below(200_000) : dice.below(200));
      case "NUMBER" -> Long.toString(dice.edgeLong()).getBytes(ISO_8859_1);
      case "PATTERN" -> dice.pick(PATTERNS).getBytes(ISO_8859_1);
      case "NAME" -> (dice.chance(0.7) ? dice.pick(others) : dice.text(300)).getBytes(ISO_8859_1);
      default -> word.getBytes(ISO_8859_1);
    };
  }

  private static byte[] many(List<byte[]> words, HostileDice dice) {
    List<byte[]> all = new ArrayList<>(words);
    for (int left = dice.below(5_000); left > 0; left--) {
      all.add(words.getLast().length > 64 ? new byte[] {'x'} : words.getLast());
    }
    return encode(all, Integer.toString(all.size()), -1, "");
  }

  private static byte[] inline(List<byte[]> words, HostileDice dice) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] word : words) {
      out.writeBytes(word);
      out.write(dice.chance(0.1) ? '"' : ' ');
    }
    if (dice.chance(0.2)) {
      out.writeBytes(" ".repeat(dice.below(100_000)).getBytes(ISO_8859_1));
    }
    out.writeBytes("\r\n".getBytes(ISO_8859_1));
    return out.toByteArray();
  }

  private static byte[] nested(HostileDice dice) {
    String head = "*" + Math.max(1, dice.below(3)) + "\r\n";
    return head.repeat(1 + dice.below(20 * dice.force().depth())).getBytes(ISO_8859_1);
  }

  /** Encodes a command; the word of an index has another length than it says. */
  private static byte[] encode(List<byte[]> words, String count, int wrong, String length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("*" + count + "\r\n").getBytes(ISO_8859_1));
    for (int i = 0; i < words.size(); i++) {
      String said = i == wrong ? length : Integer.toString(words.get(i).length);
      out.writeBytes(("$" + said + "\r\n").getBytes(ISO_8859_1));
      out.writeBytes(words.get(i));
      out.writeBytes("\r\n".getBytes(ISO_8859_1));
    }
    return out.toByteArray();
  }
}
