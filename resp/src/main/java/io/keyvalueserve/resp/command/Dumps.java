package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueOperation;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.rdb.Crc64;
import io.keyvalueserve.engine.rdb.Rdb;
import io.keyvalueserve.engine.rdb.RdbCollectionReader;
import io.keyvalueserve.engine.rdb.RdbCollectionWriter;
import io.keyvalueserve.engine.rdb.RdbException;
import io.keyvalueserve.engine.rdb.RdbReader;
import io.keyvalueserve.engine.rdb.RdbRefusedException;
import io.keyvalueserve.engine.rdb.RdbWriter;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** DUMP and RESTORE: values in the format of Redis' files. */
final class Dumps {
  static final List<Command> ALL = List.of(new Dump(), new Restore());

  /** The bytes that are checked or decompressed in a step. */
  private static final int PART_BYTES = 16 << 10;

  private Dumps() {}

  private static final class Dump implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("dump", 2, Group.GENERIC, "key", "Returns a value in the format of RESTORE.")
            .with(Flag.READONLY)
            .keys(1, 1, 1)
            .since("2.6.0")
            .complexity("O(N) where N is the length of the value");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      Dumping dumping = new Dumping(request.argument(1), context.nowMillis());
      return KeyedPlan.one(
          dumping.command(),
          outcome -> {
            try {
              dumping.take(outcome);
              return Computation.finish(dumping);
            } catch (CommandException e) {
              return e.reply();
            }
          });
    }

    @Override
    public Computation computation(Request request, PlanContext context) {
      return new Dumping(request.argument(1), context.nowMillis());
    }
  }

  /** Reads a value, writes it, and checks the bytes some at a time. */
  private static final class Dumping implements Computation {
    private final byte[] key;
    private final long nowMillis;
    private @Nullable RdbWriter writer;
    private @Nullable RdbCollectionWriter collection;
    private int packedBytes;
    private boolean isMissing;
    private long crc;
    private int checked;

    Dumping(byte[] key, long nowMillis) {
      this.key = key;
      this.nowMillis = nowMillis;
    }

    KeyCommand command() {
      return new KeyCommand.Operate(key, new ValueOperation.Export());
    }

    @Override
    public Step step() {
      RdbWriter dump = writer;
      if (dump == null && !isMissing) {
        return new Step.Ask(command());
      }
      if (collection != null && dump != null) {
        return write(collection, dump);
      }
      if (isMissing || dump == null) {
        return new Step.Done(Reply.Null.NULL);
      }
      int to = Math.min(checked + PART_BYTES, dump.written());
      crc = Crc64.update(crc, dump.array(), checked, to);
      checked = to;
      if (checked < dump.written()) {
        return Step.More.MORE;
      }
      dump.checksum(crc);
      return new Step.Done(new Reply.Bulk(dump.array(), 0, dump.written()));
    }

    private Step write(RdbCollectionWriter elements, RdbWriter dump) {
      try {
        if (elements.run(PART_BYTES)) {
          dump.version();
          isMissing = elements.isEmpty(); // all of its fields have expired
          collection = null;
        }
        return Step.More.MORE;
      } catch (RdbRefusedException e) {
        throw new CommandException("ERR " + e.getMessage());
      } catch (CorruptCollectionException e) {
        throw damaged(e);
      }
    }

    private static CommandException damaged(CorruptCollectionException why) {
      return new CommandException(
          Errors.of(
              new Outcome.Failure(
                  Outcome.Failure.Kind.INTERNAL,
                  "the bytes of this collection are damaged (" + why.getMessage() + ")")));
    }

    @Override
    public void take(Outcome outcome) {
      switch (outcome) {
        case Outcome.Missing _ -> isMissing = true;
        case Outcome.Entry entry -> {
          RdbWriter dump = new RdbWriter(entry.value().length);
          dump.type(Rdb.STRING);
          dump.string(entry.value());
          dump.version();
          writer = dump;
        }
        case Outcome.Elements elements -> begin(elements.elements());
        case Outcome.Rejected rejected -> throw new CommandException(Errors.of(rejected));
        default -> throw Rendering.unexpected(outcome);
      }
    }

    /** Begins with a collection, see {@link ValueOperation.Export}. */
    private void begin(List<Element> elements) {
      if (elements.size() != 2
          || !(elements.get(0) instanceof Element.Whole(long code))
          || !(elements.get(1) instanceof Element.Text(byte[] packed))) {
        throw new IllegalStateException("a collection was exported in another form");
      }
      CollectionType type = CollectionType.ofCode((int) code);
      if (type == null) {
        throw new IllegalStateException("a collection of an unknown type was exported");
      }
      RdbWriter dump = new RdbWriter(packed.length);
      try {
        collection = new RdbCollectionWriter(dump, type, packed, nowMillis);
      } catch (CorruptCollectionException e) {
        throw damaged(e);
      }
      packedBytes = packed.length;
      writer = dump;
    }

    @Override
    public long heldBytes() {
      return writer == null ? 0 : writer.array().length + packedBytes;
    }
  }

  private static final class Restore implements KeyedCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "restore",
                -4,
                Group.GENERIC,
                "key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]",
                "Writes a value that is in the format of DUMP.")
            .with(Flag.WRITE, Flag.DENYOOM, Flag.DANGEROUS)
            .keys(1, 1, 1)
            .since("2.6.0")
            .complexity("O(N) where N is the length of the value");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public KeyedPlan plan(Request request, PlanContext context) {
      Restoring restoring = new Restoring(request, context);
      Computation.Step step = restoring.step();
      while (step == Computation.Step.More.MORE) {
        step = restoring.step();
      }
      if (!(step instanceof Computation.Step.Ask ask)) {
        throw new IllegalStateException("a value is written before it is answered for");
      }
      return KeyedPlan.one(
          ask.command(),
          outcome -> {
            restoring.take(outcome);
            return restoring.reply();
          });
    }

    @Override
    public Computation computation(Request request, PlanContext context) {
      return new Restoring(request, context);
    }
  }

  /** The options of RESTORE; the idle time and the frequency are read, and not kept. */
  private record Options(boolean replace, boolean absolute) {
    private static final int MOST_FREQUENCY = 255;

    static Options of(Request request) {
      boolean replace = false;
      boolean absolute = false;
      boolean idle = false;
      boolean frequent = false;
      for (int i = 4; i < request.count(); i++) {
        boolean more = i + 1 < request.count();
        if (request.is(i, "REPLACE")) {
          replace = true;
        } else if (request.is(i, "ABSTTL")) {
          absolute = true;
        } else if (request.is(i, "IDLETIME") && more && !frequent) {
          idle = true;
          if (Parsing.integer(request, ++i) < 0) {
            throw new CommandException("ERR Invalid IDLETIME value, must be >= 0");
          }
        } else if (request.is(i, "FREQ") && more && !idle) {
          frequent = true;
          long frequency = Parsing.integer(request, ++i);
          if (frequency < 0 || frequency > MOST_FREQUENCY) {
            throw new CommandException("ERR Invalid FREQ value, must be >= 0 and <= 255");
          }
        } else {
          throw Parsing.syntaxError();
        }
      }
      return new Options(replace, absolute);
    }
  }

  /** Checks and decompresses a value some at a time, and writes it. */
  private static final class Restoring implements Computation {
    private static final Reply.ErrorLine BAD_FORMAT = Reply.error("ERR Bad data format");
    private static final Reply BUSY = Reply.error("BUSYKEY Target key name already exists.");

    private final byte[] key;
    private final byte[] payload;
    private final Options options;
    private final KeyedCommand.PlanContext context;
    private long expireAtMillis = Expiry.NONE;
    private @Nullable RdbReader reader;
    private RdbReader.@Nullable Parts parts;
    private @Nullable RdbCollectionReader collection;
    private long crc;
    private int checked;
    private Reply.@Nullable ErrorLine error;
    private @Nullable Reply reply;

    Restoring(Request request, KeyedCommand.PlanContext context) {
      this.options = Options.of(request);
      this.key = request.argument(1);
      this.payload = request.argument(3);
      this.context = context;
      try {
        expireAtMillis = expireAt(Parsing.integer(request, 2));
      } catch (CommandException e) {
        error = e.reply();
      }
    }

    private long expireAt(long ttl) {
      if (ttl < 0) {
        throw new CommandException("ERR Invalid TTL value, must be >= 0");
      }
      if (ttl == 0) {
        return Expiry.NONE;
      }
      long at = options.absolute() ? ttl : ttl + context.nowMillis();
      return at < 0 ? 1 : at; // beyond 64 bits it has passed, as in Redis
    }

    @Override
    public Step step() {
      Reply known = reply;
      if (known != null) {
        return new Step.Done(known);
      }
      if (error == null) {
        try {
          return read();
        } catch (RdbRefusedException e) {
          error = Reply.error("ERR " + e.getMessage());
        } catch (RdbException e) {
          error = BAD_FORMAT;
        }
      }
      return asIfBusy(error);
    }

    /** Answers an error, unless there is a key that may not be replaced: Redis says that first. */
    private Step asIfBusy(Reply.ErrorLine line) {
      if (options.replace()) {
        throw new CommandException(line);
      }
      return new Step.Ask(new KeyCommand.Probe(key, false));
    }

    private Step read() throws RdbException {
      if (parts == null && collection == null) {
        RdbReader begun = reader == null ? begin() : reader;
        if (begun == null) {
          return asIfBusy(wrongFooter());
        }
        int to = Math.min(checked + PART_BYTES, begun.checkedBytes());
        crc = Crc64.update(crc, payload, checked, to);
        checked = to;
        if (checked < begun.checkedBytes()) {
          return Step.More.MORE;
        }
        if (!begun.hasChecksum(crc)) {
          return asIfBusy(wrongFooter());
        }
        int type = begun.type();
        if (type == Rdb.STRING) {
          parts = begun.string();
        } else {
          collection = new RdbCollectionReader(begun, type, context.mostCollectionBytes());
        }
      }
      WriteCondition condition =
          options.replace() ? WriteCondition.ALWAYS : WriteCondition.IF_ABSENT;
      RdbReader.Parts string = parts;
      if (string != null) {
        return string.run(PART_BYTES)
            ? new Step.Ask(
                new KeyCommand.Write(key, string.string(), expireAtMillis, condition, false))
            : Step.More.MORE;
      }
      RdbCollectionReader elements = Objects.requireNonNull(collection, "a value of some type");
      return elements.run(PART_BYTES)
          ? new Step.Ask(
              new KeyCommand.WriteCollection(
                  key, elements.type(), elements.packed(), expireAtMillis, condition))
          : Step.More.MORE;
    }

    private @Nullable RdbReader begin() {
      try {
        reader = new RdbReader(payload, context.mostValueBytes());
        return reader;
      } catch (RdbException e) {
        return null;
      }
    }

    private Reply.ErrorLine wrongFooter() {
      Reply.ErrorLine line = Reply.error("ERR DUMP payload version or checksum are wrong");
      error = line;
      return line;
    }

    @Override
    public void take(Outcome outcome) {
      Reply.ErrorLine line = error;
      reply =
          switch (outcome) {
            case Outcome.Applied _ -> Reply.OK;
            case Outcome.NotApplied _, Outcome.Info _ -> BUSY;
            case Outcome.Missing _ when line != null -> line;
            case Outcome other -> throw Rendering.unexpected(other);
          };
    }

    Reply reply() {
      Reply known = reply;
      if (known == null) {
        throw new IllegalStateException("a value is answered for before it was written");
      }
      return known;
    }

    @Override
    public long heldBytes() {
      long string = parts == null ? 0 : parts.string().length;
      return collection == null ? string : collection.heldBytes();
    }
  }
}
