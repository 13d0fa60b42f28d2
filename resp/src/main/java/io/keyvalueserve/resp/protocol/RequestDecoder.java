package io.keyvalueserve.resp.protocol;

import io.keyvalueserve.engine.StagedValue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An incremental reader of requests: arrays of bulk strings, and inline commands.
 *
 * <p>It takes all bytes it is given and holds back only what belongs to an unfinished request, so
 * an idle connection owns no buffer. An argument is copied once, from the network's buffer into its
 * own array. A client that announces a large argument is believed only as far as it has sent:
 * memory grows with what arrives.
 *
 * <p>Where a request is split into reads makes no difference to what comes out. Like Redis, it does
 * not look at the two bytes that follow an argument. One thread at a time.
 */
public final class RequestDecoder {
  /** Takes requests in the order they came. */
  @FunctionalInterface
  public interface Sink {
    /** Takes one. May call {@link RequestDecoder#trust}. */
    void accept(Request request);
  }

  private enum State {
    REQUEST_LINE,
    BULK_LINE,
    BULK_BODY,
    FAILED
  }

  private static final long NOT_A_NUMBER = Long.MIN_VALUE;
  private static final int MOST_DIGITS = 18;
  private static final int FIRST_ARGUMENTS = 16;
  private static final int FIRST_BODY_BYTES = 1024 * 1024;
  private static final int BODY_GROWTH = 16;

  /** Shorter arguments are received in arrays. */
  private static final int FEWEST_STAGED_BYTES = 64 * 1024;

  /** The divisor for staging: when an n-th of an argument has come, room is made for all of it. */
  private static final int STAGED_GROWTH = 64;

  private static final byte[] EMPTY = new byte[0];
  private static final byte[][] NO_ARGUMENTS = new byte[0][];

  private final RequestLimits limits;
  private final Sink sink;
  private final LargeValueRoom room;
  private final Staging staging;
  private boolean trusted;
  private State state = State.REQUEST_LINE;

  /** Bytes to pass over before anything else. */
  private int skip;

  /** The request to hand over when what is to be skipped has come. */
  private @Nullable Request finished;

  /** The beginning of a line whose end has not come. */
  private byte[] line = EMPTY;

  private int lineLength;
  private byte[][] arguments = NO_ARGUMENTS;

  /** The arguments in place of the array, if many were announced. */
  private @Nullable ManyArguments many;

  private int announced;
  private int read;
  private long requestBytes;

  /** The length of the longest argument that was passed over; 0 if none was. */
  private long tooLong;

  private byte[] body = EMPTY;
  private int bodyLength;
  private int bodyRead;
  private long heldBytes;

  /** True if room could be made for the argument. */
  private boolean mayStage;

  /** The room for the argument; no longer its array then. */
  private @Nullable StagedValue stagedBody;

  /** An argument of the request that is staged as a whole. */
  private @Nullable StagedValue staged;

  /** Creates a decoder that has room without end, and receives everything in arrays. */
  public RequestDecoder(RequestLimits limits, Sink sink) {
    this(limits, sink, LargeValueRoom.UNBOUNDED, Staging.NONE);
  }

  /** A decoder at the beginning of a stream, of a client that is not trusted yet. */
  public RequestDecoder(RequestLimits limits, Sink sink, LargeValueRoom room, Staging staging) {
    this.limits = limits;
    this.sink = sink;
    this.room = room;
    this.staging = staging;
  }

  /** Says whether the client has authenticated: until then it may send only small requests. */
  public void trust(boolean isTrusted) {
    this.trusted = isTrusted;
  }

  /**
   * Reads all there is, or a part of it; hands over each request that is complete.
   *
   * @param most how many lines and arguments are read at most: 1 or more; a request that they
   *     complete is handed over
   * @return whether it stopped at that many, so that there may be more
   * @throws ProtocolException if the bytes are no request; the requests before have been handed
   *     over, and nothing that follows will be read
   */
  public boolean decode(ByteBuf in, int most) throws ProtocolException {
    return decode(in, most, false);
  }

  /**
   * Reads what is left of the request that has begun, or all there is if that is less, or a part of
   * it.
   *
   * @param most as in {@link #decode}
   * @return as there
   * @throws ProtocolException as there
   */
  public boolean decodeRest(ByteBuf in, int most) throws ProtocolException {
    return decode(in, most, true);
  }

  private boolean decode(ByteBuf in, int most, boolean restOnly) throws ProtocolException {
    try {
      for (int steps = 0; steps < most || hasRequest(); steps++) {
        if ((restOnly && isAtBoundary()) || !step(in)) {
          return false;
        }
      }
      return true;
    } catch (ProtocolException e) {
      discard();
      throw e;
    }
  }

  /** Drops what has come of a request, and reads no more. Idempotent. */
  public void discard() {
    StagedValue body = stagedBody;
    if (body != null) {
      stagedBody = null;
      body.discard();
    }
    StagedValue argument = staged;
    if (argument != null) {
      staged = null;
      argument.discard();
    }
    Request request = finished;
    if (request != null) {
      finished = null;
      request.discard();
    }
    finishRequest();
    state = State.FAILED;
  }

  /** Returns whether the next byte begins a request, and no part of a request is held back. */
  public boolean isAtBoundary() {
    return state == State.REQUEST_LINE && skip == 0 && lineLength == 0 && finished == null;
  }

  /** Returns whether a request is complete and only has to be handed over. */
  private boolean hasRequest() {
    return finished != null && skip == 0;
  }

  /**
   * Returns about how many bytes of memory the unfinished request takes, announced arguments
   * included.
   */
  public long bufferedBytes() {
    boolean hasBegun = state == State.BULK_LINE || state == State.BULK_BODY;
    Request request = finished;
    return line.length
        + (hasBegun ? requestBytes + Request.argumentOverheadBytes(announced) : 0)
        + (request == null ? 0 : request.sizeBytes());
  }

  private boolean step(ByteBuf in) throws ProtocolException {
    if (state == State.FAILED) {
      in.skipBytes(in.readableBytes());
      return false;
    }
    if (skip > 0) {
      int skipped = Math.min(skip, in.readableBytes());
      in.skipBytes(skipped);
      skip -= skipped;
      if (skip > 0) {
        return false;
      }
    }
    Request request = finished;
    if (request != null) {
      finished = null;
      sink.accept(request);
      return in.isReadable();
    }
    if (!in.isReadable()) {
      return false;
    }
    switch (state) {
      case REQUEST_LINE -> {
        byte first = lineLength > 0 ? line[0] : in.getByte(in.readerIndex());
        if (first == '*') {
          readLine(in, '\r', "too big mbulk count string");
        } else {
          readLine(in, '\n', "too big inline request");
        }
      }
      case BULK_LINE -> readLine(in, '\r', "too big bulk count string");
      case BULK_BODY -> readBody(in);
      case FAILED -> throw new IllegalStateException("a decoder that has failed reads no more");
    }
    return true;
  }

  private void readLine(ByteBuf in, char end, String ruleOfLength) throws ProtocolException {
    int length = in.bytesBefore((byte) end);
    int taken = length < 0 ? in.readableBytes() : length;
    if (lineLength + taken > RequestLimits.LINE_BYTES) {
      throw new ProtocolException(ruleOfLength);
    }
    if (length >= 0 && lineLength == 0) {
      int from = in.readerIndex();
      in.skipBytes(length + 1);
      takeLine(in, from, length);
      return;
    }
    if (lineLength + taken > line.length) {
      line = Arrays.copyOf(line, Math.max(2 * line.length, lineLength + taken));
    }
    in.readBytes(line, lineLength, taken);
    lineLength += taken;
    if (length >= 0) {
      in.skipBytes(1);
      ByteBuf whole = Unpooled.wrappedBuffer(line, 0, lineLength);
      int wholeLength = lineLength;
      line = EMPTY;
      lineLength = 0;
      takeLine(whole, 0, wholeLength);
    }
  }

  private void takeLine(ByteBuf in, int from, int length) throws ProtocolException {
    if (state == State.BULK_LINE) {
      skip = 1;
      takeBulkLine(in, from, length);
    } else if (length > 0 && in.getByte(from) == '*') {
      skip = 1;
      takeArrayLine(in, from, length);
    } else {
      takeInline(in, from, length);
    }
  }

  private void takeArrayLine(ByteBuf in, int from, int length) throws ProtocolException {
    long count = parse(in, from + 1, length - 1);
    if (count == NOT_A_NUMBER || count > limits.arguments()) {
      throw new ProtocolException("invalid multibulk length");
    }
    if (!trusted && count > RequestLimits.UNTRUSTED_ARGUMENTS) {
      throw new ProtocolException("unauthenticated multibulk length");
    }
    if (count > 0) {
      announced = (int) count;
      if (announced > ManyArguments.FEW) {
        many = new ManyArguments(announced);
      } else {
        arguments = new byte[Math.min(announced, FIRST_ARGUMENTS)][];
      }
      read = 0;
      requestBytes = 0;
      heldBytes = 0;
      state = State.BULK_LINE;
    }
  }

  private void takeBulkLine(ByteBuf in, int from, int length) throws ProtocolException {
    if (length == 0 || in.getByte(from) != '$') {
      char got = length == 0 ? '\r' : (char) (in.getByte(from) & 0xff);
      throw new ProtocolException("expected '$', got '" + got + "'");
    }
    long bytes = parse(in, from + 1, length - 1);
    if (bytes < 0 || bytes > Math.max(RequestLimits.PROTOCOL_BULK_BYTES, limits.bulkBytes())) {
      throw new ProtocolException("invalid bulk length");
    }
    if (!trusted && bytes > RequestLimits.UNTRUSTED_BULK_BYTES) {
      throw new ProtocolException("unauthenticated bulk length");
    }
    if (bytes > limits.bulkBytes()) {
      tooLong = Math.max(tooLong, bytes);
      takeBody(1 + (int) bytes, EMPTY); // passed over as it comes
      return;
    }
    requestBytes += bytes;
    if (requestBytes > limits.requestBytes()) {
      throw new ProtocolException("too big request");
    }
    bodyLength = (int) bytes;
    bodyRead = 0;
    body = EMPTY;
    ManyArguments all = many;
    if (all != null && isShort()) {
      all.begin(bodyLength);
      if (bodyLength == 0) {
        endArgument(1);
      } else {
        state = State.BULK_BODY;
      }
    } else if (bodyLength == 0) {
      takeBody(1, EMPTY);
    } else {
      state = State.BULK_BODY;
    }
  }

  private void readBody(ByteBuf in) {
    ManyArguments all = many;
    if (all != null && isShort()) {
      int taken = Math.min(in.readableBytes(), bodyLength - bodyRead);
      all.read(in, taken);
      bodyRead += taken;
      if (bodyRead == bodyLength) {
        endArgument(0);
      }
      return;
    }
    if (stagedBody == null && bodyRead == body.length) {
      if (bodyRead == 0) {
        mayStage =
            bodyLength >= FEWEST_STAGED_BYTES
                && staged == null
                && many == null
                && staging.mayStage(arguments, read, announced);
      }
      if (!stage()) {
        grow(in.readableBytes());
      }
    }
    StagedValue value = stagedBody;
    if (value == null) {
      int taken = Math.min(in.readableBytes(), body.length - bodyRead);
      in.readBytes(body, bodyRead, taken);
      bodyRead += taken;
    } else {
      int taken = Math.min(in.readableBytes(), bodyLength - bodyRead);
      in.readBytes(value.room().slice(bodyRead, taken));
      bodyRead += taken;
    }
    if (bodyRead == bodyLength) {
      takeBody(0, value == null ? body : Request.ELSEWHERE);
    }
  }

  /** Makes room for the argument where it may stay, if so much of it has come that it is due. */
  private boolean stage() {
    if (!mayStage || bodyLength > FIRST_BODY_BYTES + (long) STAGED_GROWTH * bodyRead) {
      return false;
    }
    StagedValue value = staging.stage(arguments, announced, bodyLength);
    if (value == null) {
      mayStage = false;
      return false;
    }
    int more = bodyLength - body.length;
    if (!room.take(more)) {
      value.discard();
      return false;
    }
    heldBytes += more;
    value.room().put(body, 0, bodyRead);
    body = EMPTY;
    stagedBody = value;
    return true;
  }

  /**
   * Makes the argument's array longer: by much, if there is room, else by what has come. Whoever
   * gives no room is to see to it that little comes.
   */
  private void grow(int come) {
    int length = (int) Math.min(bodyLength, grown());
    if (bodyLength > LargeValueRoom.LARGE_ARGUMENT_BYTES) {
      if (!room.take(length - body.length)) {
        length = (int) Math.min(bodyLength, (long) body.length + come);
        room.force(length - body.length);
      }
      heldBytes += length - body.length;
    }
    body = Arrays.copyOf(body, length);
  }

  /** Returns the next length of the array. It is no longer than until {@link #stage} is due. */
  private long grown() {
    long most = Math.max(FIRST_BODY_BYTES, (long) body.length * BODY_GROWTH);
    long due = Math.ceilDiv((long) bodyLength - FIRST_BODY_BYTES, STAGED_GROWTH);
    return mayStage && due > body.length ? Math.min(most, due) : most;
  }

  /** Returns the bytes for which the argument that has begun still needs room. */
  public long missingBytes() {
    boolean hasRoom = stagedBody != null || (many != null && isShort());
    return state == State.BULK_BODY && !hasRoom ? bodyLength - body.length : 0;
  }

  /** Returns whether the argument shares an array with others, if there are many. */
  private boolean isShort() {
    return bodyLength <= ManyArguments.MOST_SHORT_BYTES;
  }

  private void takeBody(int alreadyToSkip, byte[] argument) {
    if (many != null) {
      many.add(argument);
    } else {
      if (read == arguments.length) {
        arguments = Arrays.copyOf(arguments, Math.min(announced, 2 * arguments.length));
      }
      arguments[read] = argument;
    }
    if (stagedBody != null) {
      staged = stagedBody;
      stagedBody = null;
    }
    body = EMPTY;
    endArgument(alreadyToSkip);
  }

  private void endArgument(int alreadyToSkip) {
    skip = alreadyToSkip + 2;
    state = State.BULK_LINE;
    read++;
    if (read == announced) {
      finished =
          many == null ? new Request(heldBytes, arguments, staged) : new Request(heldBytes, many);
      finished.setTooLong(tooLong);
      tooLong = 0;
      staged = null;
      heldBytes = 0;
      room.requestCompleted();
      finishRequest();
      state = State.REQUEST_LINE;
    }
  }

  private void takeInline(ByteBuf in, int from, int length) throws ProtocolException {
    byte[] text = new byte[length];
    in.getBytes(from, text);
    List<byte[]> words = InlineArguments.split(text);
    if (words == null) {
      throw new ProtocolException("unbalanced quotes in request");
    }
    if (!words.isEmpty()) {
      finished = new Request(words.toArray(NO_ARGUMENTS));
    }
  }

  private void finishRequest() {
    tooLong = 0;
    arguments = NO_ARGUMENTS;
    many = null;
    body = EMPTY;
    line = EMPTY;
    lineLength = 0;
  }

  /** An integer without a plus, leading zeros or spaces, or {@link #NOT_A_NUMBER}. */
  private static long parse(ByteBuf in, int from, int length) {
    boolean negative = length > 0 && in.getByte(from) == '-';
    int first = negative ? from + 1 : from;
    int digits = negative ? length - 1 : length;
    if (digits == 0 || digits > MOST_DIGITS) {
      return NOT_A_NUMBER;
    }
    if (in.getByte(first) == '0') {
      return length == 1 ? 0 : NOT_A_NUMBER;
    }
    long value = 0;
    for (int i = 0; i < digits; i++) {
      int digit = in.getByte(first + i) - '0';
      if (digit < 0 || digit > 9) {
        return NOT_A_NUMBER;
      }
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  }
}
