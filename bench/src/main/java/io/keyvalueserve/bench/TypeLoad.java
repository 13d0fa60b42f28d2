package io.keyvalueserve.bench;

import static io.keyvalueserve.bench.TypeData.WIDTH;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A load of one of Redis' types, or of scripts, transactions or channels. */
enum TypeLoad {
  /** Sets a field that is there to another value. */
  HSET(TypeData.HASHES),
  /** Reads a field. */
  HGET(TypeData.HASHES),
  /** LPUSH and RPOP in turns. */
  QUEUE(TypeData.QUEUES),
  /** SADD of a new member and SREM of it in turns. */
  SADD(TypeData.SETS),
  /** Asks for a member that is there. */
  SISMEMBER(TypeData.SETS),
  /** Gives a member of the leaderboard another score. */
  ZADD(TypeData.LEADERBOARD),
  /** Reads ten members from a rank on, with their scores. */
  ZRANGE(TypeData.LEADERBOARD),
  /** Counts. */
  INCR(TypeData.NOTHING),
  /** A transaction of five commands on three keys. */
  MULTI(TypeData.NOTHING),
  /** A script that counts requests of a user, and begins anew each second. */
  LIMITER(TypeData.NOTHING),
  /** SET NX PX, and the script that gives the lock back, in turns. */
  LOCK(TypeData.NOTHING),
  /** A message to all subscribers; an operation is a message that one of them has got. */
  PUBSUB(TypeData.NOTHING),
  /** A push to clients that wait by BLPOP; an operation is an element that one of them has got. */
  BLOCKING(TypeData.NOTHING);

  /** The name that stands for all of them. */
  static final String ALL = "types";

  /** Ranks that ZRANGE reads. */
  private static final int PAGE = 10;

  private static final int LOCKS = 1_000;

  private static final String LIMIT =
      """
      local n = redis.call('INCR', KEYS[1])
      if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
      if n > tonumber(ARGV[2]) then return 0 end
      return 1
      """;

  private static final String RELEASE =
      """
      if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
      return 0
      """;

  private static final String LIMIT_HASH = sha1(LIMIT);
  private static final String RELEASE_HASH = sha1(RELEASE);

  private static final List<String> TRANSACTION =
      List.of("+OK", "+QUEUED", "+QUEUED", "+QUEUED", "+QUEUED", "+QUEUED", "*5\r\n+OK\r\n:");

  private static final TalkWire.Longest LONGEST = new TalkWire.Longest(768, 1024);

  /** The collections that have to be there before. */
  final TypeData data;

  TypeLoad(TypeData data) {
    this.data = data;
  }

  /** Returns the load of a name. */
  static Optional<TypeLoad> of(String name) {
    return Arrays.stream(values())
        .filter(load -> load.toString().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  /** Returns the name that options and results use. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the mix that shapes name it by. */
  Mix mix() {
    return new Mix(toString(), 0, false);
  }

  /** Returns whether one connection feeds others. */
  boolean isFed() {
    return this == PUBSUB || this == BLOCKING;
  }

  /** Returns below which number the load draws. */
  int numbers(TypePlan plan) {
    int elements = data.elements(plan);
    return switch (data) {
      case NOTHING -> plan.entries();
      case LEADERBOARD -> this == ZRANGE ? elements - PAGE + 1 : elements;
      default -> elements;
    };
  }

  /** Returns how much of redis-server's processor time an operation may take. */
  double goal(int pipeline) {
    return switch (this) {
      case LIMITER, LOCK -> 1.2;
      case PUBSUB -> 1.0;
      default -> pipeline < 16 ? 1.0 : 0.8;
    };
  }

  /**
   * Returns the wire of this load to a server.
   *
   * @param login how the server wants to be greeted
   * @param plan how many elements there are
   * @param run a number that no other run at this server has: connections have names of their own
   */
  Wire wire(Wire login, TypePlan plan, int run) {
    int numbers = numbers(plan);
    List<List<String>> hello =
        switch (this) {
          case LIMITER -> List.of(List.of("SCRIPT", "LOAD", LIMIT));
          case LOCK -> List.of(List.of("SCRIPT", "LOAD", RELEASE));
          default -> List.of();
        };
    return new TalkWire(
        login,
        hello,
        LONGEST,
        connection ->
            new Talk() {
              @Override
              public void ask(RespWords to, int number, long sequence) {
                TypeLoad.this.ask(to, number, sequence, run * 10_000L + connection, numbers);
              }

              @Override
              public List<String> answers(long sequence) {
                return TypeLoad.this.answers(sequence);
              }
            });
  }

  private void ask(RespWords to, int number, long sequence, long connection, int numbers) {
    boolean first = sequence % 2 == 0;
    long turn = sequence / 2;
    switch (this) {
      case HSET -> {
        TypeData.hash(to.command(4).word("HSET"), number);
        TypeData.field(to, number).word("", sequence, WIDTH);
      }
      case HGET -> {
        TypeData.hash(to.command(3).word("HGET"), number);
        TypeData.field(to, number);
      }
      case QUEUE -> {
        TypeData.queue(to.command(first ? 3 : 2).word(first ? "LPUSH" : "RPOP"), turn);
        if (first) {
          to.word("job:", number, WIDTH);
        }
      }
      case SADD -> {
        // a pair has one set, so the number that is drawn for each of both does not choose it
        long element = TypeData.score((int) connection, turn) % numbers;
        TypeData.set(to.command(3).word(first ? "SADD" : "SREM"), (int) element);
        to.word("new:", connection * 100_000 + turn % 100_000, WIDTH);
      }
      case SISMEMBER -> {
        TypeData.set(to.command(3).word("SISMEMBER"), number);
        to.word("member:", number, WIDTH);
      }
      case ZADD -> {
        to.command(4).word("ZADD").word(TypeData.BOARD).word(TypeData.score(number, sequence + 1));
        to.word("player:", number, WIDTH);
      }
      case ZRANGE ->
          to.command(5)
              .word("ZRANGE")
              .word(TypeData.BOARD)
              .word(number)
              .word(number + PAGE - 1L)
              .word("WITHSCORES");
      case INCR -> to.command(2).word("INCR").word("counter:", number, WIDTH);
      case MULTI -> multi(to, number, sequence);
      case LIMITER -> {
        to.command(6).word("EVALSHA").word(LIMIT_HASH).word("1");
        to.word("limit:", number, WIDTH).word("1000").word("100");
      }
      case LOCK -> {
        to.command(first ? 6 : 5);
        if (!first) {
          to.word("EVALSHA").word(RELEASE_HASH).word("1");
        } else {
          to.word("SET");
        }
        to.word("lock:", connection * LOCKS + turn % LOCKS, WIDTH);
        to.word("token:", connection, WIDTH);
        if (first) {
          to.word("NX").word("PX").word("30000");
        }
      }
      case PUBSUB, BLOCKING -> throw new IllegalStateException("fed: " + this);
    }
  }

  private static void multi(RespWords to, int number, long sequence) {
    to.command(1).word("MULTI");
    to.command(3).word("SET").word("order:", number, WIDTH).word("", sequence, WIDTH);
    to.command(4).word("HSET").word("state:", number, WIDTH);
    to.word("status").word("", sequence, WIDTH);
    to.command(2).word("INCR").word("total:", number, WIDTH);
    to.command(2).word("GET").word("order:", number, WIDTH);
    to.command(3).word("HGET").word("state:", number, WIDTH).word("status");
    to.command(1).word("EXEC");
  }

  private List<String> answers(long sequence) {
    boolean first = sequence % 2 == 0;
    return switch (this) {
      case HSET, ZADD -> List.of(":0\r\n");
      case HGET -> List.of("$" + WIDTH + "\r\n");
      case QUEUE -> List.of(first ? ":" : "$" + WIDTH + "\r\n");
      case SADD, SISMEMBER -> List.of(":1\r\n");
      case ZRANGE -> List.of("*" + 2 * PAGE + "\r\n");
      case INCR, LIMITER -> List.of(":");
      case LOCK -> List.of(first ? "+OK\r\n" : ":1\r\n");
      case MULTI -> TRANSACTION;
      case PUBSUB, BLOCKING -> throw new IllegalStateException("fed: " + this);
    };
  }

  private static String sha1(String script) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-1").digest(script.getBytes(ISO_8859_1));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
