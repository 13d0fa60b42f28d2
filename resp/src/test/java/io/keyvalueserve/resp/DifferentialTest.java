package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyvalueserve.engine.rdb.Crc64;
import io.keyvalueserve.engine.rdb.Rdb;
import io.keyvalueserve.engine.rdb.RdbException;
import io.keyvalueserve.engine.rdb.RdbReader;
import io.keyvalueserve.engine.rdb.RdbWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a client cannot tell this door from Redis. Method: random commands, good and bad, on few
 * keys, sent in pipelines to both; the replies must be the same bytes. Only what depends on the
 * moment or on an order that Redis leaves open is made alike first. The seed is in the message.
 */
@ParameterizedClass
@EnumSource(Way.class)
class DifferentialTest {
  private static final int COMMANDS = 30_000;
  private static final int CHANNEL_COMMANDS = 5_000;
  private static final int COMMANDS_ON_BYTES = 10_000;
  private static final int MOST_PIPELINED = 20;
  private static final int CARDINALITY_BYTES = 8;
  private static final int MOST_VALUE_BYTES = 64 << 20;
  private static final int MOST_SHOWN = 100_000;
  private static final Pattern INTEGER = Pattern.compile(":(-?\\d+)\r\n");
  private static final long NEAR_MILLIS = 30_000;
  private static final long LONGEST_SECONDS =
      Long.MAX_VALUE / 1000; // too long for seconds from now
  private static final long LONGEST_MILLIS = 9_223_370_000_000_000_000L;
  private static final int APART_COUNT = 16_381; // a prime: more than one run draws
  private static final int APART_STEP = 6_247;

  private static final List<String> KEYS =
      List.of("a", "b", "c", "d", "e", "", "k\u0000\u00ff\r\n");

  private static Process redis;
  private static int redisPort;

  private final Way way;
  private final Random random = new Random();
  private TestMember member;
  private long apart;

  DifferentialTest(Way way) {
    this.way = way;
  }

  @BeforeAll
  static void startRedis(@TempDir Path directory) throws IOException {
    Path binary = Path.of("/usr/bin/redis-server");
    assumeTrue(
        Files.isExecutable(binary),
        "SKIPPED: /usr/bin/redis-server is not installed; nothing to compare with");
    try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
      redisPort = free.getLocalPort();
    }
    redis =
        new ProcessBuilder(
                binary.toString(),
                "--port",
                Integer.toString(redisPort),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                directory.toString(),
                "--proto-max-bulk-len",
                "64mb")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Awaitility.await()
        .ignoreExceptions()
        .until(
            () -> {
              try (WireClient client = new WireClient(redisPort)) {
                return client.call("PING").equals("+PONG\r\n");
              }
            });
  }

  @BeforeEach
  void start() throws IOException {
    member = TestMember.startDev(way, config -> config);
  }

  @AfterEach
  void stop() {
    member.close();
  }

  @AfterAll
  static void stopRedis() {
    if (redis != null) {
      redis.destroy();
    }
  }

  @Test
  void randomCommandsAreAnsweredWithTheSameBytes() throws IOException {
    compare(COMMANDS, "2", this::command);
  }

  @Test
  void randomCommandsOnBytesAreAnsweredWithTheSameBytesInResp3() throws IOException {
    compare(COMMANDS_ON_BYTES, "3", () -> random.nextInt(4) == 0 ? command() : commandOnBytes());
  }

  private void compare(int commands, String protocol, Supplier<String[]> next) throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (WireClient ours = member.connect();
        WireClient theirs = new WireClient(redisPort)) {
      ours.call("HELLO", protocol);
      theirs.call("HELLO", protocol);
      ours.call("FLUSHALL");
      theirs.call("FLUSHALL");
      int sent = 0;
      while (sent < commands) {
        List<String[]> pipeline = new ArrayList<>();
        int length = 1 + random.nextInt(MOST_PIPELINED);
        boolean isBlock = random.nextInt(8) == 0;
        if (isBlock) {
          pipeline.addAll(block(length));
        }
        for (int i = 0; i < length && !isBlock; i++) {
          pipeline.add(next.get());
          if (pipeline.getLast()[0].equals("INCRBYFLOAT")) {
            break; // where the sums differ the key goes, before anybody looks
          }
        }
        for (String[] command : pipeline) {
          byte[] request = WireClient.request(command);
          ours.send(request);
          theirs.send(request);
        }
        boolean isTooLong = false;
        for (String[] command : pipeline) {
          String expected = theirs.reply();
          String actual = withoutLimit(ours.reply());
          isTooLong |= isTooLongHere(command, expected, actual);
          if (isTooLong) {
            continue;
          }
          if (!alike(command, expected, actual)) {
            if (expected.length() > MOST_SHOWN || actual.length() > MOST_SHOWN) {
              throw new AssertionError(
                  "seed=%d command=%s: %d characters begin with %s, but should be %d and begin with %s"
                      .formatted(
                          seed,
                          command[0],
                          actual.length(),
                          actual.substring(0, Math.min(100, actual.length())),
                          expected.length(),
                          expected.substring(0, Math.min(100, expected.length()))));
            }
            assertThat(actual)
                .as("seed=%d command=%s", seed, Arrays.toString(command))
                .isEqualTo(expected);
          } else if (command[0].equals("INCRBYFLOAT") && !actual.equals(expected)) {
            ours.call("DEL", command[1]);
            theirs.call("DEL", command[1]);
          }
        }
        if (isTooLong) { // nothing was changed here
          ours.call("FLUSHALL");
          theirs.call("FLUSHALL");
        }
        sent += length;
      }
    }
  }

  /** The error for a value that is too long names the limit here. */
  private static String withoutLimit(String reply) {
    return reply.length() < MOST_SHOWN && reply.contains("(proto-max-bulk-len)")
        ? reply.replaceAll("(\\(proto-max-bulk-len\\))[^\r]*", "$1")
        : reply;
  }

  /** The replies of a transaction are bounded here. */
  private static boolean isTooLongHere(String[] command, String expected, String actual) {
    return command[0].equals("EXEC")
        && expected.length() > MOST_VALUE_BYTES / 2
        && actual.startsWith("-ERR the replies of a transaction may take 64 MiB at most");
  }

  @Test
  void chosenCommandsAreAnsweredWithTheSameBytes() throws IOException {
    try (WireClient ours = member.connect();
        WireClient theirs = new WireClient(redisPort)) {
      for (String line : CHOSEN.lines().toList()) {
        byte[] request = (line + "\r\n").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        ours.send(request);
        theirs.send(request);
        String expected = theirs.reply();
        String actual = ours.reply();
        if (!alike(line.split(" "), expected, actual)) {
          assertThat(actual).as(line).isEqualTo(expected);
        }
      }
    }
  }

  /**
   * Replies and messages of one command are compared without their order where Redis leaves it
   * open: it keeps patterns and channels in hash tables.
   */
  @Test
  void randomChannelCommandsAreAnsweredWithTheSameBytes() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (WireClient ours = member.connect();
        WireClient theirs = new WireClient(redisPort);
        WireClient ourSpeaker = member.connect();
        WireClient theirSpeaker = new WireClient(redisPort)) {
      for (int i = 0; i < CHANNEL_COMMANDS; i++) {
        if (random.nextInt(50) == 0) {
          String version = one("2", "3", "3");
          assertThat(ours.call("HELLO", version).charAt(0))
              .isEqualTo(theirs.call("HELLO", version).charAt(0));
        }
        boolean isSpoken = random.nextInt(3) == 0;
        String[] command = isSpoken ? publishing() : channelCommand();
        String as = "seed=%d number=%d command=%s".formatted(seed, i, Arrays.toString(command));
        if (isSpoken) {
          assertThat(ourSpeaker.call(command)).as(as).isEqualTo(theirSpeaker.call(command));
        } else {
          ours.send(WireClient.request(command));
          theirs.send(WireClient.request(command));
        }
        String mark = "mark" + i;
        theirs.send(WireClient.request("PING", mark));
        ours.send(WireClient.request("PING", mark));
        List<String> expected = untilMark(theirs, mark, 0);
        List<String> actual = untilMark(ours, mark, expected.size());
        assertThat(actual).as(as).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  /** The replies until one has the mark, and until there are so many. */
  private static List<String> untilMark(WireClient client, String mark, int least)
      throws IOException {
    List<String> replies = new ArrayList<>();
    boolean marked = false;
    while (!marked || replies.size() < least) {
      String reply = client.reply();
      marked |= reply.contains(mark);
      replies.add(reply);
    }
    return replies;
  }

  private String channel() {
    return one("a", "b", "ab", "", "a\r\n\u00ff", "*");
  }

  private String channelPattern() {
    return one("*", "a", "a*", "[ab]", "?", "[^a]*", "\\*", "", "a**b", "[a-", "\\");
  }

  private String[] publishing() {
    return line(one("PUBLISH", "publish", "SPUBLISH"), channel(), value());
  }

  private String[] channelCommand() {
    return switch (random.nextInt(16)) {
      case 0, 1, 2 -> line("SUBSCRIBE", channel(), channel());
      case 3, 4 -> line("PSUBSCRIBE", channelPattern());
      case 5 -> line("SSUBSCRIBE", channel());
      case 6 -> line("UNSUBSCRIBE", channel(), channel(), channel());
      case 7 -> line("PUNSUBSCRIBE", channelPattern(), channelPattern());
      case 8 -> line("SUNSUBSCRIBE", channel());
      case 9 -> line("PUBSUB", one("NUMSUB", "SHARDNUMSUB", "numsub"), channel(), channel());
      case 10 -> line("PUBSUB", "NUMPAT");
      case 11 -> publishing();
      case 12 ->
          random.nextBoolean()
              ? line("RESET")
              : line("PUBSUB", one("CHANNELS", "SHARDCHANNELS"), "nothing*");
      case 13 -> line("GET", "nothing");
      case 14 -> line(one("SUBSCRIBE", "PUBLISH", "PUBSUB", "PSUBSCRIBE", "SPUBLISH"));
      default ->
          random.nextBoolean()
              ? line("PUBSUB", one("NOSUCH", "CHANNELS", "NUMPAT"), "a", "b")
              : line(one("PING", "ECHO", "UNSUBSCRIBE"), "a");
    };
  }

  @Test
  void malformedFramesAreAnsweredWithTheSameBytes() throws IOException {
    List<String> frames =
        List.of(
            "*abc\r\n",
            "*-5\r\nPING\r\n",
            "*0\r\nPING\r\n",
            "*\r\n",
            "* 1\r\n",
            "*1\r\n$\r\n",
            "*1\r\n$-1\r\n",
            "*1\r\n$a\r\n",
            "*1\r\n$01\r\n",
            "*1\r\n:1\r\n",
            "*1\r\n\r\n",
            "*1\r\n$4294967296\r\n",
            "*2147483648\r\n",
            "*1\r\n$4\r\nPING\r\n*1\r\nPING\r\n",
            "PING \"unbalanced\r\n",
            "PING 'x'y\r\n",
            "ECHO \"\\x41\\n\\r\\t\\b\\a\\q\\\\\\\"\"\r\n",
            "ECHO 'it\\'s \\n'\r\n",
            "   \r\n\r\nPING\r\n",
            "echo a\"b\"c\r\n",
            "echo \"\"\r\n");
    for (String frame : frames) {
      try (WireClient ours = member.connect();
          WireClient theirs = new WireClient(redisPort)) {
        String more = frame + "QUIT\r\n";
        ours.send(more);
        theirs.send(more);
        assertThat(untilClosed(ours)).as(frame).isEqualTo(untilClosed(theirs));
      }
    }
  }

  private static List<String> untilClosed(WireClient client) {
    List<String> replies = new ArrayList<>();
    while (true) {
      try {
        replies.add(client.reply());
      } catch (IOException e) {
        return replies;
      }
    }
  }

  // ---- the commands

  private String[] command() {
    return switch (random.nextInt(64)) {
      case 0, 1, 2 -> line("SET", key(), value());
      case 3, 4, 5 -> set();
      case 6, 7 -> line("GET", key());
      case 8 -> line("GETDEL", key());
      case 9, 10 -> getEx();
      case 11 -> line("GETSET", key(), value());
      case 12 -> line("SETNX", key(), value());
      case 13 -> line("SETEX", key(), time(), value());
      case 14 -> line("PSETEX", key(), time(), value());
      case 15 -> many("MGET", 1);
      case 16 -> many("MSET", 2);
      case 17 -> many("MSETNX", 2);
      case 18, 19 -> line("APPEND", key(), value());
      case 20 -> line("STRLEN", key());
      case 21, 22 -> line(random.nextBoolean() ? "GETRANGE" : "SUBSTR", key(), number(), number());
      case 23, 24 -> line("SETRANGE", key(), number(), value());
      case 25, 26 -> line("INCR", key());
      case 27 -> line("DECR", key());
      case 28 -> line("INCRBY", key(), number());
      case 29 -> line("DECRBY", key(), number());
      case 30, 31 -> line("INCRBYFLOAT", key(), decimal());
      case 32 -> many(random.nextBoolean() ? "DEL" : "UNLINK", 1);
      case 33 -> many(random.nextBoolean() ? "EXISTS" : "TOUCH", 1);
      case 34 -> line("TYPE", key());
      case 35 -> line("RENAME", key(), key());
      case 36 -> line("RENAMENX", key(), key());
      case 37 -> copy();
      case 38, 39, 40, 41 -> expire();
      case 42 -> line("TTL", key());
      case 43 -> line("PTTL", key());
      case 44 -> line(random.nextBoolean() ? "EXPIRETIME" : "PEXPIRETIME", key());
      case 45 -> line("PERSIST", key());
      case 46 -> line("KEYS", one("*", "a", "[ab]", "?", "[^a]", "\\a", "k*", "*\r\n", "[a-c]"));
      case 47 -> scan();
      case 48 -> line("DBSIZE");
      case 49 -> line(one("ECHO", "PING", "echo"), value());
      case 50 -> wrong();
      case 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62 -> commandOnBytes();
      default ->
          random.nextInt(20) == 0
              ? line(one("FLUSHDB", "FLUSHALL"), one("SYNC", "ASYNC", "NOW"))
              : line("SELECT", "0");
    };
  }

  private String[] commandOnBytes() {
    return switch (random.nextInt(24)) {
      case 0, 1, 2 -> line("SETBIT", key(), bit(), one("0", "1", "1", "1", "2", "-1", "x"));
      case 3 -> line("GETBIT", key(), bit());
      case 4, 5 -> bitCount();
      case 6, 7 -> bitPos();
      case 8, 9 -> bitOp();
      case 10, 11, 12 -> bitField();
      case 13, 14, 15 -> elements();
      case 16 -> several("PFCOUNT", 1);
      case 17 -> several("PFMERGE", 1);
      case 18 -> line("GET", sketch());
      case 19 -> line("DEL", sketch());
      case 20 -> lcs();
      case 21 -> line("DUMP", key());
      case 22 -> restore();
      default -> inspect();
    };
  }

  private String bit() {
    return switch (random.nextInt(12)) {
      case 0 -> one("-1", "x", "536870912", "9223372036854775807", "1.5", "");
      default -> Integer.toString(random.nextInt(200));
    };
  }

  private String[] bitCount() {
    List<String> arguments = new ArrayList<>(List.of("BITCOUNT", key()));
    range(arguments);
    return arguments.toArray(String[]::new);
  }

  private String[] bitPos() {
    List<String> arguments =
        new ArrayList<>(List.of("BITPOS", key(), one("0", "0", "1", "1", "1", "2", "x")));
    range(arguments);
    return arguments.toArray(String[]::new);
  }

  private void range(List<String> arguments) {
    int count = random.nextInt(5);
    for (int i = 0; i < Math.min(count, 2); i++) {
      arguments.add(number());
    }
    if (count > 2) {
      arguments.add(one("BIT", "BYTE", "bit", "byte", "BITS"));
    }
    if (count > 3 && random.nextInt(4) == 0) {
      arguments.add("more");
    }
  }

  private String[] bitOp() {
    List<String> arguments =
        new ArrayList<>(List.of("BITOP", one("AND", "OR", "XOR", "NOT", "not", "NAND"), key()));
    for (int i = random.nextInt(4); i >= 0; i--) {
      arguments.add(key());
    }
    return arguments.toArray(String[]::new);
  }

  private String[] bitField() {
    List<String> arguments =
        new ArrayList<>(List.of(one("BITFIELD", "BITFIELD", "BITFIELD", "BITFIELD_RO"), key()));
    for (int i = random.nextInt(5); i > 0; i--) {
      switch (random.nextInt(8)) {
        case 0, 1 -> arguments.addAll(List.of("GET", encoding(), place()));
        case 2, 3, 4 -> arguments.addAll(List.of("INCRBY", encoding(), place(), operand()));
        case 5, 6 -> arguments.addAll(List.of("SET", encoding(), place(), operand()));
        default ->
            arguments.addAll(List.of("OVERFLOW", one("WRAP", "SAT", "FAIL", "sat", "fail", "NO")));
      }
    }
    if (random.nextInt(20) == 0) {
      arguments.add(one("GET", "SET", "OVERFLOW", "what"));
    }
    return arguments.toArray(String[]::new);
  }

  private String encoding() {
    return random.nextInt(20) == 0
        ? one("u64", "i65", "u0", "i0", "x8", "u", "", "u8x", "U8")
        : random.nextBoolean() ? "u" + (1 + random.nextInt(63)) : "i" + (1 + random.nextInt(64));
  }

  private String place() {
    return random.nextInt(20) == 0
        ? one("-1", "#-1", "x", "#", "", "536870912", "#536870912")
        : (random.nextInt(3) == 0 ? "#" + random.nextInt(5) : "" + random.nextInt(150));
  }

  /** Redis takes the least integers for great ones where they are to saturate: these are not. */
  private String operand() {
    return switch (random.nextInt(10)) {
      case 0 -> one("9223372036854775807", "-4611686018427387904", "x", "");
      case 1, 2 -> Long.toString(random.nextLong() >> 2);
      default -> Long.toString((random.nextLong() >> 2) >> random.nextInt(62));
    };
  }

  private String sketch() {
    return one("sketch1", "sketch2", "sketch3");
  }

  private String[] elements() {
    List<String> arguments = new ArrayList<>(List.of("PFADD", sketch()));
    int bound = random.nextInt(10) == 0 ? 3_000 : 10;
    for (int i = random.nextInt(bound); i > 0; i--) {
      arguments.add("element " + random.nextInt(100_000) + "x".repeat(random.nextInt(10)));
    }
    return arguments.toArray(String[]::new);
  }

  /** A command on sketches; now and then one of them is something else. */
  private String[] several(String name, int least) {
    List<String> arguments = new ArrayList<>(List.of(name, sketch()));
    for (int i = random.nextInt(4) - 1 + least; i > 0; i--) {
      arguments.add(random.nextInt(10) == 0 ? key() : sketch());
    }
    return arguments.toArray(String[]::new);
  }

  private String[] lcs() {
    List<String> arguments = new ArrayList<>(List.of("LCS", key(), key()));
    for (int i = random.nextInt(4); i > 0; i--) {
      arguments.addAll(
          switch (random.nextInt(5)) {
            case 0 -> List.of("LEN");
            case 1 -> List.of("WITHMATCHLEN");
            case 2 -> List.of("MINMATCHLEN", one("0", "1", "3", "-1", "x"));
            case 3 -> List.of(one("what", "idx", "MINMATCHLEN"));
            default -> List.of("IDX");
          });
    }
    return arguments.toArray(String[]::new);
  }

  private String[] restore() {
    String ttl =
        switch (random.nextInt(6)) {
          case 0 -> time();
          case 1 -> one("-1", "x", "1");
          default -> "0";
        };
    List<String> arguments = new ArrayList<>(List.of("RESTORE", key(), ttl, payload()));
    if (random.nextInt(3) > 0 || ttl.equals("1")) {
      arguments.add("REPLACE");
    }
    if (ttl.equals("1")) {
      arguments.add("ABSTTL");
    }
    for (int i = random.nextInt(8) - 5; i > 0; i--) {
      arguments.addAll(
          switch (random.nextInt(4)) {
            case 0 -> List.of("IDLETIME", one("0", "10", "-1", "x"));
            case 1 -> List.of("FREQ", one("0", "10", "-1", "256", "x"));
            case 2 -> List.of("FREQ");
            default -> List.of("what");
          });
    }
    return arguments.toArray(String[]::new);
  }

  /** A value as DUMP has it, or nearly. */
  private String payload() {
    byte[] value = value().getBytes(ISO_8859_1);
    byte[] dump =
        switch (random.nextInt(6)) {
          case 0 -> packed(value);
          case 1 ->
              sealed(
                  new byte[] {0, (byte) 0xc3, 9, 20, 1, 'a', 'b', (byte) 0xe0, 9, 1, 0, 'c', 'd'});
          case 2 ->
              sealed(
                  random.nextBoolean()
                      ? new byte[] {(byte) 250, 1, 'x'}
                      : new byte[] {0, (byte) 0xc4, 1});
          default -> RdbWriter.dump(value);
        };
    if (random.nextInt(6) == 0) {
      dump[random.nextInt(dump.length)]++;
    }
    return new String(dump, 0, dump.length - (random.nextInt(12) == 0 ? 1 : 0), ISO_8859_1);
  }

  /** A value as LZF has it where nothing can be compressed. */
  private static byte[] packed(byte[] value) {
    RdbWriter writer = new RdbWriter(2 * value.length + 20);
    writer.type(0);
    int runs = (value.length + 31) / 32;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(Arrays.copyOf(writer.array(), writer.written()));
    bytes.write(0xc3);
    RdbWriter lengths = new RdbWriter(20);
    lengths.length(value.length + runs);
    lengths.length(value.length);
    bytes.write(lengths.array(), 0, lengths.written());
    for (int at = 0; at < value.length; at += 32) {
      int count = Math.min(32, value.length - at);
      bytes.write(count - 1);
      bytes.write(value, at, count);
    }
    return sealed(bytes.toByteArray());
  }

  /** The bytes with the footer behind them. */
  private static byte[] sealed(byte[] bytes) {
    byte[] sealed = Arrays.copyOf(bytes, bytes.length + Rdb.FOOTER_BYTES);
    sealed[bytes.length] = Rdb.VERSION;
    long crc = Crc64.update(0, sealed, 0, bytes.length + 2);
    ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN).putLong(sealed.length - Long.BYTES, crc);
    return sealed;
  }

  private String[] inspect() {
    return switch (random.nextInt(5)) {
      case 0 -> line("OBJECT", "FREQ", key());
      case 1 -> line("OBJECT", "IDLETIME", key());
      case 2 -> line("MEMORY", "USAGE", key(), "SAMPLES", one("0", "5", "-1", "x"));
      case 3 -> line("OBJECT", one("what", "ENCODING"));
      default -> line("OBJECT", "ENCODING", key());
    };
  }

  private String[] set() {
    List<String> arguments = new ArrayList<>(List.of("SET", key(), value()));
    for (int i = random.nextInt(4); i > 0; i--) {
      arguments.add(one("NX", "XX", "GET", "KEEPTTL", "EX", "PX", "EXAT", "PXAT", "get", "what"));
      if (arguments.getLast().matches("[EP]X(AT)?") && random.nextInt(8) > 0) {
        arguments.add(arguments.getLast().endsWith("AT") ? moment(arguments.getLast()) : time());
      }
    }
    return arguments.toArray(String[]::new);
  }

  private String[] getEx() {
    List<String> arguments = new ArrayList<>(List.of("GETEX", key()));
    for (int i = random.nextInt(3); i > 0; i--) {
      arguments.add(one("PERSIST", "EX", "PX", "EXAT", "PXAT", "NX"));
      if (arguments.getLast().matches("[EP]X(AT)?") && random.nextInt(8) > 0) {
        arguments.add(arguments.getLast().endsWith("AT") ? moment(arguments.getLast()) : time());
      }
    }
    return arguments.toArray(String[]::new);
  }

  private String[] expire() {
    String name = one("EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT");
    List<String> arguments = new ArrayList<>();
    arguments.add(name);
    arguments.add(key());
    arguments.add(name.endsWith("AT") ? moment(name) : time());
    for (int i = random.nextInt(3); i > 0; i--) {
      arguments.add(one("NX", "XX", "GT", "LT", "gt", "what"));
    }
    return arguments.toArray(String[]::new);
  }

  private String[] copy() {
    List<String> arguments = new ArrayList<>(List.of("COPY", key(), key()));
    for (int i = random.nextInt(3); i > 0; i--) {
      switch (random.nextInt(4)) {
        case 0 -> arguments.addAll(List.of("DB", "0"));
        case 1 -> arguments.add("what");
        default -> arguments.add("REPLACE");
      }
    }
    return arguments.toArray(String[]::new);
  }

  /** A scan that ends at once, so that its cursor is 0 on either side. */
  private String[] scan() {
    List<String> arguments =
        new ArrayList<>(List.of("SCAN", one("0", "0", "0", "x", "-1x", "1.5")));
    arguments.addAll(List.of("COUNT", one("1000", "1000", "1000", "0", "-1", "many")));
    switch (random.nextInt(4)) {
      case 0 -> arguments.addAll(List.of("MATCH", one("*", "a", "[ab]")));
      case 1 -> arguments.addAll(List.of("TYPE", one("string", "list", "STRING")));
      case 2 -> arguments.add("MATCH");
      default -> {}
    }
    return arguments.toArray(String[]::new);
  }

  /**
   * A transaction, with or without a watch that holds. Its commands are those whose replies are the
   * same bytes within an array.
   */
  private List<String[]> block(int length) {
    List<String[]> block = new ArrayList<>();
    if (random.nextBoolean()) {
      block.add(line("WATCH", key(), key()));
      if (random.nextBoolean()) {
        block.add(line("SET", key(), value()));
      }
    }
    block.add(line("MULTI"));
    for (int i = 0; i < length; i++) {
      block.add(
          switch (random.nextInt(12)) {
            case 0 -> line("SET", key(), value());
            case 1 -> line("INCR", key());
            case 2 -> line("APPEND", key(), value());
            case 3 -> line("MGET", key(), key());
            case 4 -> line("DEL", key(), key());
            case 5 -> line("RENAME", key(), key());
            case 6 -> line("MSETNX", key(), value(), key(), value());
            case 7 -> line("SETRANGE", key(), "3", "abc");
            case 8 -> line("GETDEL", key());
            case 9 -> line("STRLEN", key());
            case 10 -> random.nextInt(6) == 0 ? line("NOSUCH") : line("PING");
            default -> line("GET", key());
          });
    }
    block.add(line(random.nextInt(6) == 0 ? "DISCARD" : "EXEC"));
    return block;
  }

  private String[] wrong() {
    return switch (random.nextInt(9)) {
      case 0 ->
          line(one("GET", "SET", "MGET", "INCRBY", "EXPIRE", "RENAME", "scan", "dbSize", "MSET"));
      case 1 -> line("GET", key(), key());
      case 2 -> line("NOSUCH", key(), "with spaces", "x".repeat(200));
      case 3 -> line("no such", value(), value(), value());
      case 4 -> line("MSET", key(), value(), key());
      case 5 -> line("PING", "a", "b");
      case 6 -> line("CLIENT", one("NOSUCH", "SETNAME", "GETNAME"));
      case 7 -> line("CLIENT", "SETNAME", one("good", "not good", "bad\n", ""));
      default -> line("DBSIZE", "x");
    };
  }

  private String[] many(String name, int width) {
    int count = width * (1 + random.nextInt(4)) + (random.nextInt(10) == 0 ? 1 : 0);
    String[] line = new String[1 + count];
    line[0] = name;
    for (int i = 1; i <= count; i++) {
      line[i] = width == 2 && i % 2 == 0 ? value() : key();
    }
    return line;
  }

  private static String[] line(String... words) {
    return words;
  }

  private String key() {
    return KEYS.get(random.nextInt(KEYS.size()));
  }

  private String value() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> Integer.toString(random.nextInt(2_000) - 1_000);
      case 2 -> one("9223372036854775807", "-9223372036854775808", "9223372036854775800", "0");
      case 3 -> one("", " 1", "1 ", "+1", "01", "-0", "1.0", "\u0000\u00ff\r\n");
      case 4 -> decimal().replace("inf", "x"); // Redis counts on from a stored infinity
      case 5 -> "v".repeat(random.nextInt(40));
      case 6 -> random.nextInt(20) == 0 ? "L".repeat(20_000 + random.nextInt(50_000)) : "short";
      default -> "text " + random.nextInt(100);
    };
  }

  private String number() {
    return switch (random.nextInt(10)) {
      case 0 -> one("9223372036854775807", "-9223372036854775808", "9223372036854775808");
      case 1 -> one("", "x", "1.5", " 1", "+1", "01", "-0", "67108864", "67108860", "600000000");
      default -> Integer.toString(random.nextInt(60) - 20);
    };
  }

  /** Numbers whose sums an 80-bit float holds as exactly as it prints them. */
  private String decimal() {
    return switch (random.nextInt(9)) {
      case 0 ->
          one(
              "x",
              "",
              " 1",
              "1 ",
              "inf",
              "-inf",
              "nan",
              "1e",
              "--1",
              "1,5",
              "1e-5000",
              "1.8e-4951",
              "1.9e-4951");
      case 1 -> one("1e3", "-2E2", "5.", ".5", "+3", "0", "-0");
      case 2 ->
          one(
              "0x1F",
              "-0X.8p3",
              "+0x1p-2",
              "0x",
              "0x1p",
              "0x.",
              "0xg",
              "0x1p99999",
              "0x0p9",
              "0x1p-16446",
              "0x1p-16445");
      default -> (random.nextInt(2_000) - 1_000) / 8.0 + "";
    };
  }

  /** How long from now; of those that are valid none comes twice. */
  private String time() {
    return switch (random.nextInt(10)) {
      case 0 -> one("0", "-1", "-100", "x", "1.5", "");
      case 1 -> one("9223372036854775807", "-9223372036854775808");
      case 2 -> Long.toString((random.nextBoolean() ? LONGEST_SECONDS : LONGEST_MILLIS) - apart());
      default -> Long.toString(10_000_000 + apart());
    };
  }

  /**
   * A number that is far from all it was before. The same time from now is another moment with each
   * millisecond: whether it is later than the expiry that a key has (GT, LT) would then depend on
   * how soon either server comes to it.
   */
  private long apart() {
    apart = (apart + APART_STEP) % APART_COUNT;
    return apart * 100_000;
  }

  private String moment(String unit) {
    boolean millis = unit.toUpperCase(Locale.ROOT).startsWith("P");
    long seconds = 4_000_000_000L + random.nextInt(1_000);
    return switch (random.nextInt(10)) {
      case 0 -> one("0", "-1", "x", "1.5", "9223372036854775807");
      case 1 -> "1000000";
      default -> Long.toString(millis ? seconds * 1000 + random.nextInt(1000) : seconds);
    };
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  // ---- what may differ

  private static boolean alike(String[] command, String expected, String actual) {
    if (expected.equals(actual)) {
      return true;
    }
    return switch (command[0].toUpperCase(Locale.ROOT)) {
      case "TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME" -> near(expected, actual);
      case "DBSIZE" -> integer(actual) < integer(expected); // Redis counts what has just expired
      case "INCRBYFLOAT" -> nearDecimal(expected, actual);
      case "GET" -> withoutCardinality(expected).equals(withoutCardinality(actual));
      case "OBJECT" ->
          command[1].equals("IDLETIME")
              ? expected.startsWith(":") && actual.startsWith(":")
              : command[1].equals("ENCODING") && isForm(expected) && isForm(actual);
      case "MEMORY" -> // Redis finds what has just expired
          expected.startsWith(":")
              && (actual.startsWith(":") || actual.equals("$-1\r\n") || actual.equals("_\r\n"));
      case "DUMP" -> Arrays.equals(dumped(expected), dumped(actual));
      case "APPEND", "SETRANGE" -> // names the limit
          expected.contains("(proto-max-bulk-len)") && actual.startsWith(expected.strip());
      case "KEYS" -> sorted(expected).equals(sorted(actual));
      case "SCAN" ->
          command[1].equals("0")
              ? sorted(expected).equals(sorted(actual))
              : isLastPage(expected) && isLastPage(actual); // with which keys, a hash seed decides
      default -> false;
    };
  }

  /** Redis keeps what it has counted in a sketch; this door leaves a read a read. */
  private static String withoutCardinality(String reply) {
    int at = reply.indexOf("HYLL");
    if (at < 0 || at + 2 * CARDINALITY_BYTES > reply.length()) {
      return reply;
    }
    return reply.substring(0, at + CARDINALITY_BYTES) + reply.substring(at + 2 * CARDINALITY_BYTES);
  }

  /** Returns the value of a dump: Redis compresses it where that makes it shorter. */
  private static byte[] dumped(String reply) {
    try {
      RdbReader reader =
          new RdbReader(
              reply.substring(reply.indexOf('\n') + 1, reply.length() - 2).getBytes(ISO_8859_1),
              MOST_VALUE_BYTES);
      assertThat(reader.type()).isEqualTo(Rdb.STRING);
      RdbReader.Parts string = reader.string();
      assertThat(string.run(MOST_VALUE_BYTES)).isTrue();
      return string.string();
    } catch (RdbException e) {
      throw new AssertionError("no dump: " + reply, e);
    }
  }

  /** Redis tells how a value came to be; this door what it is. */
  private static boolean isForm(String reply) {
    return reply.contains("\r\nint\r\n")
        || reply.contains("\r\nembstr\r\n")
        || reply.contains("\r\nraw\r\n");
  }

  private static boolean isLastPage(String reply) {
    return reply.lines().limit(3).toList().equals(List.of("*2", "$1", "0"));
  }

  private static boolean near(String expected, String actual) {
    Matcher theirs = INTEGER.matcher(expected);
    Matcher ours = INTEGER.matcher(actual);
    return theirs.matches()
        && ours.matches()
        && Math.abs(Long.parseLong(theirs.group(1)) - Long.parseLong(ours.group(1))) < NEAR_MILLIS
        && Long.parseLong(theirs.group(1)) > 0
        && Long.parseLong(ours.group(1)) > 0;
  }

  /** Redis counts with 64 bits of precision, this door exactly. */
  private static boolean nearDecimal(String expected, String actual) {
    if (!expected.startsWith("$") || !actual.startsWith("$")) {
      return false;
    }
    BigDecimal theirs = new BigDecimal(expected.lines().toList().get(1));
    BigDecimal ours = new BigDecimal(actual.lines().toList().get(1));
    return theirs.subtract(ours).abs().compareTo(theirs.abs().scaleByPowerOfTen(-17)) <= 0;
  }

  private static long integer(String reply) {
    Matcher matcher = INTEGER.matcher(reply);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : Long.MAX_VALUE;
  }

  /** Keys come in any order; each is short and begins with its length. */
  private static List<String> sorted(String reply) {
    List<String> parts = new ArrayList<>(List.of(reply.split("(?=\\$\\d+\r\n)")));
    Collections.sort(parts);
    return parts;
  }

  private static final String CHOSEN =
      """
      FLUSHALL
      SETBIT
      SETBIT k 1 1 1
      SETBIT k 536870912 1
      SETBIT k 7 1
      OBJECT ENCODING k
      SET k 12345678901234567890
      OBJECT ENCODING k
      SET k 1234567890123456789
      OBJECT ENCODING k
      SET k aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee
      OBJECT ENCODING k
      SET k aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee
      OBJECT ENCODING k
      OBJECT REFCOUNT k
      OBJECT IDLETIME k
      OBJECT FREQ k
      OBJECT FREQ nothing
      OBJECT ENCODING nothing
      OBJECT REFCOUNT nothing
      OBJECT
      OBJECT what
      OBJECT ENCODING
      MEMORY USAGE nothing
      MEMORY USAGE k SAMPLES
      MEMORY USAGE k SAMPLES -1
      MEMORY what
      BITCOUNT nothing 1
      BITCOUNT nothing x y
      BITCOUNT k 1
      BITCOUNT k x y
      BITCOUNT k 0 -1 what
      BITCOUNT k -1 -2 what
      BITCOUNT k 0 -1 BIT more
      BITPOS k 2
      BITPOS nothing 1 x
      BITPOS nothing 0 x
      BITPOS k 1 0 x what
      BITPOS k 1 0 -1 BIT more
      BITFIELD k
      BITFIELD nothing
      BITFIELD nothing GET u8 0 GET i8 #3
      EXISTS nothing
      BITFIELD nothing OVERFLOW FAIL SET u1 9 2
      GET nothing
      DEL nothing
      BITFIELD_RO k SET u8 0 1
      BITFIELD k GET u8
      BITFIELD k INCRBY i64 #288230376151711744 1
      BITOP NOT k
      BITOP NOT d k s
      BITOP what d k
      BITOP AND d nothing
      EXISTS d
      PFADD k x
      PFCOUNT k
      PFCOUNT nothing k
      PFMERGE d k
      PFMERGE k
      PFADD h
      PFADD h
      PFADD h a b c
      PFADD h a b c
      PFCOUNT h
      PFMERGE h2 h nothing
      PFCOUNT h h2 nothing
      DUMP nothing
      RESTORE k 0 x
      RESTORE k x x
      RESTORE new -1 x
      RESTORE new 0 x what
      RESTORE new 0 x FREQ 1 IDLETIME 1
      LCS k nothing
      LCS k nothing LEN
      LCS k nothing IDX
      LCS k nothing LEN IDX
      LCS k nothing MINMATCHLEN
      SET a ohmytext
      SET b mynewtext
      LCS a b
      LCS a b LEN
      LCS a b IDX
      LCS a b IDX MINMATCHLEN 4
      LCS a b IDX MINMATCHLEN 4 WITHMATCHLEN
      FLUSHALL
      SET k v EX 0
      SET k v EX -1
      SET k v EX 9223372036854775807
      SET k v PX 9223372036854775807
      SET k v EX
      SET k v EX 10 PX 10
      SET k v EX 10 EX 1000000
      SET k v NX XX
      SET k v NX NX
      SET k v KEEPTTL EX 10
      SET k v PERSIST
      TTL k
      SET k v NX GET
      SET k w NX GET
      SET k2 w XX GET
      SET k w XX GET
      GETEX k EX 0
      GETEX nothing EX 0
      GETEX k EXAT 1
      GET k
      SETEX k 0 v
      PSETEX k -5 v
      SETEX k x v
      SET k 10
      EXPIRE k 100 XX LT
      EXPIRE k 100 LT
      EXPIRE k 50 XX LT
      EXPIRE k 500 XX LT
      EXPIRE k 500 XX GT
      EXPIRE k 500 NX GT
      EXPIRE k 500 GT LT
      EXPIRE k 500 what
      EXPIRE k 9223372036854775807
      EXPIRE k 9223372036854775
      EXPIREAT k 9223372036854776
      EXPIREAT k 9223372036854775
      EXPIRETIME k
      EXPIRE k -9223372036854775808
      PEXPIRE k 9223372036854775807
      PEXPIREAT k 9223372036854775807 LT
      PERSIST k
      PEXPIREAT k 9223372036854775807 LT
      PEXPIREAT k 9223372036854775807 GT
      EXPIRE k -1
      EXISTS k
      SET n 9223372036854775807
      INCR n
      DECRBY n -9223372036854775808
      INCRBY n 1
      INCRBYFLOAT n x
      SET f 3.0e3
      INCRBYFLOAT f 200
      INCRBYFLOAT f inf
      INCRBYFLOAT f 0.125
      SETRANGE r 5 x
      GET r
      SETRANGE r -1 x
      SETRANGE r 67108863 xx
      SETRANGE r 67108864 x
      SETRANGE nothing 67108864 ""
      GETRANGE r 0 -1
      GETRANGE r -1 0
      GETRANGE r -3 -1
      GETRANGE r 3 100
      COPY k k
      COPY r r DB 0
      COPY r s
      COPY r s
      COPY r s REPLACE
      RENAME nothing x
      RENAME r r
      RENAMENX r r
      RENAMENX r s
      CLIENT
      CLIENT NOSUCH
      CLIENT SETNAME "a b"
      CLIENT SETNAME ab
      CLIENT GETNAME
      CLIENT GETNAME x
      CLIENT KILL 1.2.3.4:5
      CLIENT KILL ID x
      CLIENT KILL ID 99999999
      CLIENT KILL TYPE what
      CLIENT NO-EVICT what
      CLIENT NO-EVICT ON
      CLIENT LIST TYPE what
      CLIENT LIST ID x
      COMMAND NOSUCH
      COMMAND INFO nosuch
      COMMAND DOCS nosuch
      CONFIG GET save
      CONFIG GET appendonly
      CONFIG GET nosuch
      CONFIG GET
      HELLO x
      HELLO 4
      HELLO 2 what
      SCAN x
      SCAN 0 COUNT
      SCAN 0 COUNT 0
      SCAN 0 COUNT x
      FLUSHALL NOW
      FLUSHALL ASYNC SYNC
      PING a b
      FLUSHALL
      SET a 1
      COPY a b DB REPLACE
      COPY a b DB notanumber
      COPY a b DB
      SCAN -1
      SCAN +0
      SCAN 18446744073709551615
      SCAN 18446744073709551616
      SCAN -18446744073709551616
      SCAN 1x
      SCAN -
      EXPIREAT a 5000000000000000
      TTL a
      EXPIRETIME a
      PEXPIREAT a 9223372036854775807
      TTL a
      SET a 1 PXAT 9223372036854775807
      TTL a
      SET a inf
      INCRBYFLOAT a 1
      INCRBYFLOAT a -inf
      INCRBYFLOAT a x
      SET a -Infinity
      INCRBYFLOAT a 1
      SET a infx
      INCRBYFLOAT a 1
      SET "" v
      KEYS *
      KEYS **
      KEYS ""
      SCAN 0 MATCH **
      AUTH default x
      AUTH default ""
      AUTH x
      AUTH nobody x
      EXEC
      DISCARD
      MULTI x
      MULTI
      MULTI
      WATCH a
      SET a 1
      INCR a
      NOSUCH x
      EXEC
      MULTI
      SET a 5
      INCR a
      APPEND a x
      INCR a
      GET a
      MGET a nothing
      PING
      ECHO hi
      UNWATCH
      EXEC
      GET a
      WATCH a nothing
      SET a 5
      MULTI
      SET a 6
      EXEC
      GET a
      WATCH a
      UNWATCH
      SET a 7
      MULTI
      EXPIRE a 100
      PERSIST a
      TTL a
      RENAME a b
      RENAME nothing c
      COPY b c
      COPY b c
      MSETNX b 1 d 2
      MSETNX d 1 e 2
      DEL b c
      EXEC
      WATCH
      MULTI
      GET
      DISCARD
      MULTI
      EXEC
      MULTI
      SET a 1
      DISCARD
      EXISTS a
      RESET
      QUIT\
      """;
}
