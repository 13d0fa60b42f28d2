package io.keyvalueserve.bench;

import java.util.List;

/** The collections that loads of Redis' types read and change. */
enum TypeData {
  /** Nothing is there before. */
  NOTHING("", 0),
  /** Hashes of 100 fields; field and value have 16 B each. */
  HASHES("hash of 100 fields", 32),
  /** Lists that are queues; an element has 16 B. */
  QUEUES("list", 16),
  /** Sets of 1,000 members of 16 B. */
  SETS("set of 1,000", 16),
  /** One sorted set; a member has 16 B and a score of 8 B. */
  LEADERBOARD("sorted set", 24);

  /** The fields of a hash. */
  static final int FIELDS = 100;

  /** The members of a set. */
  static final int MEMBERS = 1_000;

  /** How many queues there are. */
  static final int LISTS = 16;

  /** The bytes of names, elements and values. */
  static final int WIDTH = 16;

  /** The name of the sorted set. */
  static final String BOARD = "leaderboard";

  /** The elements of a command that fills. */
  static final int STEP = 100;

  private static final int SCORES = 1_000_000_000;
  private static final int FEWEST = 2 * STEP;
  private static final TalkWire.Longest LONGEST = new TalkWire.Longest(64 * (STEP + 1), 64);

  /** The name that results give to an element's home. */
  final String title;

  /** The bytes of an element that a client has given. */
  final int payload;

  TypeData(String title, int payload) {
    this.title = title;
    this.payload = payload;
  }

  /** Returns how many elements there are: a multiple of {@link #STEP}. */
  int elements(TypePlan plan) {
    return switch (this) {
      case NOTHING -> 0;
      case LEADERBOARD -> Math.max(FEWEST, plan.leaderboard() / STEP * STEP);
      default -> Math.max(FEWEST, plan.entries() / STEP * STEP);
    };
  }

  /**
   * Writes elements, {@link #STEP} a command.
   *
   * @param from the number of the first, and so is the other a multiple of a step
   * @param to the number after the last
   */
  void fill(Contender server, int from, int to) {
    Talk talk =
        new Talk() {
          @Override
          public void ask(RespWords words, int number, long sequence) {
            write(words, from / STEP + number);
          }

          @Override
          public List<String> answers(long sequence) {
            return List.of(TypeData.this == QUEUES ? ":" : ":" + STEP + "\r\n");
          }
        };
    Wire wire = new TalkWire(server.wire(), List.of(), LONGEST, _ -> talk);
    RawLoad.fill(server.with(wire), (to - from) / STEP);
  }

  private void write(RespWords to, int step) {
    int first = step * STEP;
    boolean pairs = this == HASHES || this == LEADERBOARD;
    to.command(2 + (pairs ? 2 : 1) * STEP);
    switch (this) {
      case HASHES -> hash(to.word("HSET"), first);
      case QUEUES -> queue(to.word("LPUSH"), step);
      case SETS -> set(to.word("SADD"), first);
      case LEADERBOARD -> to.word("ZADD").word(BOARD);
      case NOTHING -> throw new IllegalStateException("there is nothing to write");
    }
    for (int i = first; i < first + STEP; i++) {
      switch (this) {
        case HASHES -> field(to, i).word("", i, WIDTH);
        case LEADERBOARD -> to.word(score(i, 0)).word("player:", i, WIDTH);
        case SETS -> to.word("member:", i, WIDTH);
        default -> to.word("job:", i, WIDTH);
      }
    }
  }

  /** Adds the name of an element's hash. */
  static RespWords hash(RespWords to, int element) {
    return to.word("hash:", element / FIELDS, WIDTH);
  }

  /** Adds the name of an element's field. */
  static RespWords field(RespWords to, int element) {
    return to.word("field:", element % FIELDS, WIDTH);
  }

  /** Adds the name of a member's set. */
  static RespWords set(RespWords to, int element) {
    return to.word("set:", element / MEMBERS, WIDTH);
  }

  /** Adds the name of a queue; they take turns. */
  static RespWords queue(RespWords to, long turn) {
    return to.word("queue:", turn % LISTS, WIDTH);
  }

  /** Returns a player's score: another one with each version, without an order. */
  static long score(int player, long version) {
    long mixed = (player + 1L) * 0x9E3779B97F4A7C15L + version * 0xBF58476D1CE4E5B9L;
    return Math.floorMod(mixed ^ (mixed >>> 29), SCORES);
  }
}
