package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyvalueserve.bench.ListTransaction.Append;
import io.keyvalueserve.bench.ListTransaction.Read;
import io.keyvalueserve.bench.ListTransaction.Step;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A Redis client at one member: blocks, watched keys, scripts, and single commands. */
final class RespTransactionClient extends TransactionClient {
  /** Errors that say that nothing was done. After all others something may have been. */
  private static final Set<String> NOT_DONE =
      Set.of(
          "CLUSTERDOWN",
          "LOADING",
          "OOM",
          "MISCONF",
          "READONLY",
          "NOAUTH",
          "WRONGPASS",
          "EXECABORT",
          "QUOTA");

  /** Reads a list where there is no element to add. Each list comes back as a text. */
  private static final String SCRIPT =
      """
      local out = {}
      for i = 1, #KEYS do
        local key, element = KEYS[i], ARGV[i]
        local list = string.sub(key, 1, 1) == 'l'
        out[i] = ''
        if element == '' and list then
          for _, each in ipairs(redis.call('LRANGE', key, 0, -1)) do out[i] = out[i] .. each .. ',' end
        elseif element == '' then
          out[i] = redis.call('GET', key) or ''
        elseif list then
          redis.call('RPUSH', key, element)
        else
          redis.call('SET', key, (redis.call('GET', key) or '') .. element .. ',')
        end
      end
      return out
      """;

  /** The ways of a transaction. */
  private enum Way {
    /** A block is sent at once. */
    MULTI(35),

    /** Keys are watched and read; then a block writes what follows from them. */
    WATCH(25),

    /** A script reads and writes. */
    EVAL(20),

    /** One command without a block. */
    SINGLE(12),

    /** A block that has to fail, and to leave nothing. */
    ROLLBACK(8);

    final int weight;

    Way(int weight) {
      this.weight = weight;
    }
  }

  /** The server has answered by an error. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final String kind;

    Refused(RespReply.Failure failure) {
      super(failure.text());
      kind = failure.kind();
    }
  }

  private final InetSocketAddress address;
  private final String tenant;
  private final String key;
  private final String map;
  private @Nullable RespConnection connection;

  /** True if something was sent that may take effect. */
  private boolean sent;

  /** The steps of a transaction that takes effect, as far as they are known already. */
  private List<Step> doubtful = List.of();

  /**
   * @param member its number, from 1
   * @param key the tenant's access key
   */
  RespTransactionClient(
      int member, InetSocketAddress address, String tenant, String key, String map) {
    super("Redis", member);
    this.address = address;
    this.tenant = tenant;
    this.key = key;
    this.map = map;
  }

  @Override
  boolean hasLists() {
    return true;
  }

  @Override
  Answer perform(List<Step> plan, SplittableRandom random) {
    Way way = draw(random);
    List<Step> steps =
        switch (way) {
          case SINGLE -> plan.subList(0, 1);
          case WATCH -> readThenAppend(Map.of(), additions(plan));
          default -> plan;
        };
    return perform(way, steps, plan);
  }

  /** Reads keys in one block, or one after the other. */
  Answer read(List<String> keys) {
    List<Step> steps = new ArrayList<>();
    keys.forEach(each -> steps.add(new Read(each, List.of())));
    return perform(Way.MULTI, steps, steps);
  }

  private static Way draw(SplittableRandom random) {
    int drawn = random.nextInt(100);
    for (Way way : Way.values()) {
      drawn -= way.weight;
      if (drawn < 0) {
        return way;
      }
    }
    return Way.MULTI;
  }

  private Answer perform(Way way, List<Step> steps, List<Step> plan) {
    String name = door() + " " + way;
    sent = false;
    doubtful = new ArrayList<>(steps);
    doubtful.removeIf(Read.class::isInstance);
    try {
      RespConnection open = open();
      List<Step> done =
          switch (way) {
            case MULTI -> block(open, steps);
            case WATCH -> watch(open, additions(plan));
            case EVAL -> script(open, steps);
            case SINGLE -> single(open, steps.getFirst());
            case ROLLBACK -> {
              failing(open, steps);
              yield null;
            }
          };
      if (done == null) {
        return new Answer.NotDone(name, way == Way.WATCH ? "a watched key had changed" : "undone");
      }
      return new Answer.Done(name, done);
    } catch (Refused e) {
      if (way == Way.ROLLBACK || way == Way.WATCH) {
        close(); // the next one shall not be watched, nor undone
      }
      return !sent || way == Way.ROLLBACK || NOT_DONE.contains(e.kind)
          ? new Answer.NotDone(name, e.kind)
          : new Answer.Unknown(name, e.kind, doubtful);
    } catch (IOException e) {
      close();
      return sent && way != Way.ROLLBACK
          ? new Answer.Unknown(name, "connection lost", doubtful)
          : new Answer.NotDone(name, "no connection");
    }
  }

  private RespConnection open() throws IOException {
    if (connection == null) {
      RespConnection made = new RespConnection(address, PATIENCE_MILLIS);
      connection = made;
      if (made.call("AUTH", tenant + "/" + map, key) instanceof RespReply.Failure failure) {
        throw new IOException(failure.text());
      }
    }
    return connection;
  }

  private List<Step> block(RespConnection open, List<Step> steps) throws IOException, Refused {
    open.add("MULTI");
    steps.forEach(step -> open.add(command(step)));
    RespReply.Array replies = exec(open, steps.size());
    if (replies == null) {
      throw new BenchException("EXEC was answered by nil, and no key was watched");
    }
    return completed(steps, replies);
  }

  /**
   * Sends a block, and returns the answers of its commands; null if a watched key had changed.
   *
   * @param size how many commands it has
   */
  private RespReply.@Nullable Array exec(RespConnection open, int size)
      throws IOException, Refused {
    open.add("EXEC");
    sent = true;
    open.send();
    RespReply begun = open.read();
    int queued = 0;
    for (int i = 0; i < size; i++) {
      queued += open.read() instanceof RespReply.Line(String text) && text.equals("QUEUED") ? 1 : 0;
    }
    boolean isWhole = queued == size;
    RespReply end = open.read();
    if (begun instanceof RespReply.Failure failure) {
      throw new Refused(failure);
    }
    return switch (end) {
      case RespReply.Failure failure -> throw new Refused(failure);
      case RespReply.Nil _ -> null;
      case RespReply.Array array when isWhole && array.elements().size() == size -> array;
      default -> throw new BenchException("EXEC was answered by " + end);
    };
  }

  /** Reads all keys, and adds to some of them, if none of them has changed meanwhile. */
  private @Nullable List<Step> watch(RespConnection open, Map<String, List<Long>> additions)
      throws IOException, Refused {
    List<String> watch = new ArrayList<>(List.of("WATCH"));
    watch.addAll(additions.keySet());
    require(open.call(watch.toArray(String[]::new)));
    additions.keySet().forEach(each -> open.add(command(new Read(each, List.of()))));
    open.send();
    Map<String, List<Long>> found = new LinkedHashMap<>();
    RespReply.@Nullable Failure failure = null;
    for (String each : additions.keySet()) {
      RespReply reply = open.read();
      if (reply instanceof RespReply.Failure refused) {
        failure = refused;
      } else {
        found.put(each, elements(each, reply));
      }
    }
    if (failure != null) {
      throw new Refused(failure);
    }
    open.add("MULTI");
    int size = 0;
    for (Map.Entry<String, List<Long>> each : additions.entrySet()) {
      if (each.getValue().isEmpty()) {
        continue;
      }
      if (isList(each.getKey())) {
        List<String> push = new ArrayList<>(List.of("RPUSH", each.getKey()));
        each.getValue().forEach(element -> push.add(Long.toString(element)));
        open.add(push.toArray(String[]::new));
      } else {
        String before = longer("", found.getOrDefault(each.getKey(), List.of()));
        open.add("SET", each.getKey(), longer(before, each.getValue()));
      }
      size++;
    }
    if (size == 0) {
      open.add("EXISTS", additions.keySet().iterator().next());
      size++;
    }
    doubtful = readThenAppend(found, additions);
    RespReply.Array replies = exec(open, size);
    if (replies == null) {
      return null;
    }
    for (RespReply reply : replies.elements()) {
      require(reply);
    }
    return doubtful;
  }

  private List<Step> script(RespConnection open, List<Step> steps) throws IOException, Refused {
    open.begin(3 + 2 * steps.size());
    open.word("EVAL");
    open.word(SCRIPT);
    open.word(Integer.toString(steps.size()));
    steps.forEach(step -> open.word(step.key()));
    steps.forEach(
        step -> open.word(step instanceof Append append ? Long.toString(append.element()) : ""));
    sent = true;
    open.send();
    RespReply reply = require(open.read());
    if (!(reply instanceof RespReply.Array array) || array.elements().size() != steps.size()) {
      throw new BenchException("EVAL was answered by " + reply);
    }
    return completed(steps, array);
  }

  private List<Step> single(RespConnection open, Step step) throws IOException, Refused {
    sent = true;
    RespReply reply = require(open.call(command(step)));
    return completed(List.of(step), new RespReply.Array(List.of(reply)));
  }

  /**
   * Sends a block with a command that has to fail. The whole block fails with it. Nobody may see
   * anything of it, whatever becomes of the answer.
   */
  private void failing(RespConnection open, List<Step> steps) throws IOException, Refused {
    require(open.call("KVS.MULTI", "ROLLBACK"));
    open.add("MULTI");
    steps.forEach(step -> open.add(command(step)));
    String broken = steps.getFirst().key();
    open.add("RPUSH", broken, "0");
    open.add("APPEND", broken, "0"); // one of the two is of another type, whatever is there
    try {
      if (exec(open, steps.size() + 2) != null) {
        throw new BenchException("a block was carried out though one of its commands has to fail");
      }
    } catch (Refused e) {
      if (!e.kind.equals("WRONGTYPE") && !String.valueOf(e.getMessage()).contains("WRONGTYPE")) {
        throw e;
      }
    }
    require(open.call("KVS.MULTI", "KEEP"));
  }

  private static RespReply require(RespReply reply) throws Refused {
    if (reply instanceof RespReply.Failure failure) {
      throw new Refused(failure);
    }
    return reply;
  }

  private static String[] command(Step step) {
    boolean list = isList(step.key());
    return switch (step) {
      case Append(String key, long element) ->
          list
              ? new String[] {"RPUSH", key, Long.toString(element)}
              : new String[] {"APPEND", key, text(element)};
      case Read(String key, List<Long> _) ->
          list ? new String[] {"LRANGE", key, "0", "-1"} : new String[] {"GET", key};
    };
  }

  private static List<Step> completed(List<Step> steps, RespReply.Array replies) throws Refused {
    List<Step> completed = new ArrayList<>(steps.size());
    for (int i = 0; i < steps.size(); i++) {
      RespReply reply = require(replies.elements().get(i));
      completed.add(
          steps.get(i) instanceof Read(String key, List<Long> _)
              ? new Read(key, elements(key, reply))
              : steps.get(i));
    }
    return completed;
  }

  private static List<Long> elements(String key, RespReply reply) {
    return switch (reply) {
      case RespReply.Nil _ -> List.of();
      case RespReply.Bytes(byte[] value) -> elements(new String(value, ISO_8859_1));
      case RespReply.Array(List<RespReply> each) -> {
        StringBuilder text = new StringBuilder();
        for (RespReply one : each) {
          if (one instanceof RespReply.Bytes(byte[] value)) {
            text.append(new String(value, ISO_8859_1)).append(',');
          }
        }
        yield elements(text.toString());
      }
      default -> throw new BenchException("a read of " + key + " was answered by " + reply);
    };
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
