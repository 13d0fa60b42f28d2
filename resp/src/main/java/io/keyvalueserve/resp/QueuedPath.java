package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.fairness.Slice;
import io.keyvalueserve.resp.command.ChannelCommands;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Computation;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.command.KeyedCommand;
import io.keyvalueserve.resp.command.KeyedPlan;
import io.keyvalueserve.resp.command.ListingCommand;
import io.keyvalueserve.resp.command.ListingPlan;
import io.keyvalueserve.resp.command.NotedCommand;
import io.keyvalueserve.resp.command.SessionCommand;
import io.keyvalueserve.resp.command.SpaceCommand;
import io.keyvalueserve.resp.command.Transactions;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.watch.TenantDesk;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The way of requests that may have to wait, one connection's: they are queued and carried out one
 * after the other, in the order they came.
 *
 * <p>A {@link KeyedCommand} whose map can do it at once is done at once. From one on that has to
 * wait, consecutive ones go to the engine together, as one {@link Batch}; while that, or a command
 * that runs alone, is under way, nothing else is begun. On the connection's event loop only.
 */
final class QueuedPath {
  private static final int MOST_BATCH_COMMANDS = 1024;
  private static final int FIRST_BATCH_COMMANDS = 128;
  private static final long MOST_BATCH_BYTES = 8L * 1024 * 1024;

  /** Replies of a batch that are longer make the next one smaller. */
  private static final long LARGE_REPLY_BYTES = 1024 * 1024;

  private final RespSession session;
  private final SessionHost host;
  private final RespClient client;
  private final ReplyLane lane;
  private final ReplyWriter writer;
  private final LargeRoom room;
  private final Slice slice;
  private final RequestQueue queue = new RequestQueue();
  private int batchCommands = FIRST_BATCH_COMMANDS;
  private boolean busy;

  /** The command that was begun last, if the session may run it. */
  private @Nullable Command present;

  /** The number of requests that are under way, while it is busy. */
  private int underWay;

  /** The room of the requests that are under way. */
  private long heldBytes;

  /** A batch that is complete, but not all of whose replies are written. */
  private @Nullable Batch answering;

  /** The request that is under way, if that is done in parts. */
  private @Nullable PartedRequest inParts;

  /** The time at which the request or batch under way was begun, if it is timed. */
  private long begunNanos;

  /** The request that is under way and timed, if it was begun alone. */
  private @Nullable Request timed;

  QueuedPath(
      RespSession session,
      SessionHost host,
      RespClient client,
      ReplyLane lane,
      LargeRoom room,
      Slice slice) {
    this.session = session;
    this.host = host;
    this.client = client;
    this.lane = lane;
    this.writer = lane.writer();
    this.room = room;
    this.slice = slice;
  }

  RequestQueue queue() {
    return queue;
  }

  /** Gives back what requests hold that will never be answered. */
  void discard() {
    queue.clear();
    if (inParts != null) {
      inParts.discard();
    }
  }

  /** Returns whether no request waits or is under way. */
  boolean isIdle() {
    return !busy && queue.isEmpty();
  }

  /**
   * Returns the number of requests that wait or are under way. Their replies are not written, or
   * not whole.
   */
  int unanswered() {
    Batch batch = answering;
    if (!busy) {
      return queue.size();
    }
    return queue.size() + (batch == null ? underWay : batch.unanswered());
  }

  /**
   * Goes on as far as possible: until there is nothing to do, or something to wait for, or the
   * slice is over.
   */
  void run() {
    goOnAnswering();
    goOnInParts();
    while (!slice.isOver() && mayBegin() && session.mayServeNext()) {
      Request request = queue.poll();
      heldBytes += request.heldBytes();
      present = null;
      client.beginReply();
      boolean isTimed = client.leastSlowNanos() != TenantDesk.NEVER;
      begunNanos = isTimed ? host.nanoTime() : 0;
      timed = isTimed ? request : null;
      if (!isRefusedByPause(request)) {
        beginAndNote(request);
      }
      if (!busy) {
        took();
      }
      worked(present, request.count(), request.sizeBytes());
      request.discard();
      goOnAnswering();
      goOnInParts();
      if (!busy) {
        giveRoomBack();
      }
    }
    if (!busy) {
      client.endReply();
      wakeAfterPause();
    }
  }

  // ---- pauses

  /**
   * Returns whether the next request has to wait, as its tenant has paused its clients. While large
   * values are among what waits, nothing waits for a pause: all tenants share the memory of large
   * values. Requests are refused then when their turn comes.
   */
  boolean isPaused() {
    return !client.mayGoDirect()
        && !queue.isEmpty()
        && queue.heldBytes() == 0
        && client.pauseNanos(queue.peek()) > 0;
  }

  /** Refuses a request that would have to wait for the end of a pause, and cannot. */
  private boolean isRefusedByPause(Request request) {
    if (client.mayGoDirect()
        || request.heldBytes() + queue.heldBytes() == 0
        || client.pauseNanos(request) == 0) {
      return false;
    }
    beginUnresolved(new CommandException(Errors.PAUSED), request);
    return true;
  }

  private void wakeAfterPause() {
    if (!client.mayGoDirect() && !queue.isEmpty()) {
      long nanos = client.pauseNanos(queue.peek());
      if (nanos > 0) {
        session.wakeAfter(nanos);
      }
    }
  }

  // ---- times

  /** Takes note of the request that was begun last and is answered now, if it is timed. */
  private void took() {
    Request request = timed;
    Command command = present;
    timed = null;
    if (request != null && command != null) {
      client.took(command, request, host.nanoTime() - begunNanos);
    }
  }

  private void took(Batch batch) {
    Batch.TimedRequest slowest = batch.slowest();
    if (slowest != null) {
      client.took(slowest.command(), slowest.request(), host.nanoTime() - begunNanos);
    }
  }

  private void worked(@Nullable Command command, int arguments, long bytes) {
    if (slice.isBounded()) {
      slice.worked(WorkSorts.queued(host.commands(), command), arguments, bytes);
    }
  }

  /** Returns whether {@link #run} would do something. */
  boolean mayGoOn() {
    return mayBegin() || mayAnswer() || mayGoOnInParts();
  }

  /**
   * Returns whether a request that is done in parts is under way. {@link #run} then does one part,
   * or as many as fit in a slice.
   */
  boolean isInParts() {
    return inParts != null;
  }

  /**
   * Returns whether no message may be written at present: a part of a reply is written, or a
   * command about channels is under way, whose reply comes first.
   */
  boolean holdsMessages() {
    PartedRequest request = inParts;
    return request != null
        ? request.isAnswering()
        : busy && present != null && present.descriptor().group() == Group.PUBSUB;
  }

  /** Returns whether a reply is written in part. Nothing else may be written then. */
  boolean isWithinReply() {
    PartedRequest request = inParts;
    return request != null && request.isAnswering();
  }

  private boolean mayBegin() {
    return !busy
        && !queue.isEmpty()
        && session.isOpen()
        && !session.isHeldBack()
        && lane.isWritable()
        && !isPaused();
  }

  private boolean mayAnswer() {
    return answering != null && session.isOpen() && lane.isWritable();
  }

  private boolean mayGoOnInParts() {
    PartedRequest request = inParts;
    return request != null && !request.isWaiting() && session.isOpen() && lane.isWritable();
  }

  /**
   * Begins a request, and notes the reply if it was written at once and its command did something
   * uncertain.
   */
  private void beginAndNote(Request request) {
    long before = lane.additions();
    long from = writer.bytesWritten();
    begin(request);
    if (!busy) {
      long _ = lane.note(before, from);
    }
  }

  private void begin(Request request) {
    Command command;
    try {
      command = resolve(request);
      present = command;
    } catch (CommandException e) {
      spoilBlock();
      beginUnresolved(e, request);
      return;
    }
    NotAdmitted why = client.admit(command, request.count(), request.sizeBytes());
    if (why != null) {
      spoilBlock();
      client.ran(command, 1);
      lane.turnAway(why);
      return;
    }
    Block block = client.block();
    if (block != null && !Transactions.isServedInBlock(command)) {
      client.ran(command, 1);
      client.postpone();
      heldBytes -= request.heldBytes();
      Reply reply = block.add(command, request);
      if (reply instanceof Reply.ErrorLine) {
        heldBytes += request.heldBytes();
      }
      writer.write(reply);
      return;
    }
    client.used(command, request.count());
    if (block == null || !Transactions.isEnd(command)) {
      client.show(command, request); // the end of a block is shown behind its commands
    }
    if (client.hasNotices() && NotedCommand.canBe(command)) {
      beginAlone(new NotedCommand(command), request);
      return;
    }
    switch (command) {
      case KeyedCommand keyed -> begin(keyed, request);
      case ListingCommand listing -> begin(listing, request);
      case SpaceCommand asking -> beginAlone(asking, request);
      case SessionCommand instant -> answer(instant, request);
    }
  }

  /** Lets the block, if the client is in one, end without effect. */
  private void spoilBlock() {
    Block block = client.block();
    if (block != null) {
      block.spoil();
    }
  }

  /** Answers a request that is not begun with an error: it counts as others. */
  private void beginUnresolved(CommandException error, Request request) {
    NotAdmitted why = client.admitUnresolved(request.sizeBytes() + request.tooLong());
    client.ranUnresolved();
    if (why == null) {
      writer.write(error.reply());
    } else {
      lane.turnAway(why);
    }
  }

  /**
   * The command that a request names, if the session may run it.
   *
   * @throws CommandException if not
   */
  private Command resolve(Request request) {
    if (request.tooLong() > 0) {
      throw new CommandException(
          Errors.tooLong(request.tooLong(), host.requestLimits().bulkBytes()));
    }
    Command command = host.commands().resolve(request);
    if (!client.isAuthenticated() && !command.descriptor().has(Flag.NO_AUTH)) {
      throw new CommandException(Errors.NO_AUTH);
    }
    if (client.isRestricted() && !ChannelCommands.isServedWhileSubscribed(command)) {
      throw new CommandException(ChannelCommands.refusalWhileSubscribed(command));
    }
    return command;
  }

  private void answer(SessionCommand command, Request request) {
    client.ran(command, 1);
    client.account(); // the command may want to see it
    Reply reply;
    try {
      reply = command.execute(client, request);
    } catch (CommandException e) {
      reply = e.reply();
    } catch (RuntimeException e) {
      reply = lane.defect(e);
    }
    writer.write(reply);
    if (client.endsAfterReply()) {
      session.closeWhenSent();
    }
  }

  private void begin(ListingCommand command, Request request) {
    client.ran(command, 1);
    try {
      ListingPlan plan = command.plan(request);
      beginInParts(new Listing(session, client, plan, host));
    } catch (CommandException e) {
      writer.write(e.reply());
    } catch (RuntimeException e) {
      writer.write(lane.defect(e));
    }
  }

  private void beginAlone(SpaceCommand command, Request request) {
    client.ran(command, 1);
    client.account();
    Awaited<Reply> pending = new Awaited<>(session, session::completed);
    try {
      CompletionStage<Reply> stage = command.execute(client, request);
      busy = true;
      underWay = 1;
      if (pending.await(stage)) {
        finish(pending);
      }
    } catch (CommandException e) {
      writer.write(e.reply());
    } catch (RuntimeException e) {
      busy = false;
      writer.write(lane.failed(e));
    }
  }

  // ---- commands on keys

  private void begin(KeyedCommand command, Request request) {
    if (request.staged() != null && beginLarge(command, request)) {
      return;
    }
    Computation computation = computation(command, request);
    if (computation != null) {
      client.ran(command, 1);
      beginInParts(new LongComputation(session, client, computation));
      return;
    }
    KeyedPlan plan = plan(command, request, host.planContext());
    if (isLongRead(command, plan)) {
      client.ran(command, 1);
      beginInParts(new LongRead(session, client, plan, request, host, writer.speaksResp3()));
      return;
    }
    if (LongRequest.isLong(plan)) {
      client.ran(command, 1);
      beginInParts(new LongRequest(session, client, plan, Batch.Unity.of(command, plan)));
      return;
    }
    Batch.Unity unity = Batch.Unity.of(command, plan);
    List<Outcome> outcomes;
    try {
      outcomes = unity == Batch.Unity.NONE ? doAtOnce(plan) : doAsOne(plan, unity);
    } catch (RuntimeException e) {
      // The engine broke its word never to throw; what it did is not known.
      client.ran(command, 1);
      writer.write(lane.failed(e));
      return;
    }
    if (outcomes.size() == plan.commands().size()) {
      client.ran(command, 1);
      writer.write(render(plan, outcomes));
    } else {
      beginBatch(command, plan, unity, outcomes, request);
    }
  }

  /**
   * Begins a request whose value was received where it is to stay.
   *
   * @return whether it is answered or under way; if not, nothing was done
   */
  private boolean beginLarge(KeyedCommand command, Request request) {
    try {
      LargeWrite large = LargeWrite.of(session, client, command, request, host.planContext());
      if (large == null) {
        return false;
      }
      if (!large.writeAtOnce(writer)) {
        if (!large.prepare()) {
          return false;
        }
        beginInParts(large);
      }
    } catch (CommandException e) {
      return false; // the usual way says it
    } catch (RuntimeException e) {
      // The engine broke its word never to throw; what it did is not known.
      writer.write(lane.failed(e));
    }
    client.ran(command, 1);
    return true;
  }

  /** Returns the way to compute a request step by step; null if it is carried out by its plan. */
  private @Nullable Computation computation(KeyedCommand command, Request request) {
    try {
      return command.computation(request, host.planContext());
    } catch (CommandException e) {
      return null; // the plan says it
    }
  }

  /** Carries out what the map can do at once: the first ones, up to one that has to wait. */
  private List<Outcome> doAtOnce(KeyedPlan plan) {
    int count = plan.commands().size();
    Outcome[] outcomes = new Outcome[count];
    for (int i = 0; i < count; i++) {
      Outcome outcome = client.direct().execute(plan.commands().get(i));
      if (outcome == null) {
        return Arrays.asList(outcomes).subList(0, i);
      }
      outcomes[i] = outcome;
    }
    return Arrays.asList(outcomes);
  }

  /**
   * Reads all if the map can do that at once, and no transaction comes in between; else nothing.
   */
  private List<Outcome> doAsOne(KeyedPlan plan, Batch.Unity unity) {
    if (unity == Batch.Unity.WRITE) {
      return List.of();
    }
    long stamp = client.direct().stamp();
    List<Outcome> outcomes = doAtOnce(plan);
    return outcomes.size() == plan.commands().size() && client.direct().stamp() == stamp
        ? outcomes
        : List.of();
  }

  private void beginBatch(
      KeyedCommand command,
      KeyedPlan firstPlan,
      Batch.Unity unity,
      List<Outcome> known,
      Request first) {
    Batch batch = new Batch(session, Math.min(queue.size() + 1, batchCommands), known);
    batch.add(firstPlan, first.sizeBytes());
    batch.unity(unity);
    boolean onlyReads = Batch.Unity.reads(firstPlan);
    boolean isTimed = timed != null;
    timed = null;
    if (isTimed) {
      batch.time(command, first);
    }
    KeyedCommand last = command;
    KeyedCommand.PlanContext planning = host.planContext();
    while (batch.unity() != Batch.Unity.WRITE
        && batch.commandCount() < batchCommands
        && batch.requestBytes() < MOST_BATCH_BYTES
        && !queue.isEmpty()
        && !client.skipsOneReply()) {
      Request request = queue.peek();
      if (request.staged() != null || isPaused()) {
        break; // it is begun by itself
      }
      KeyedPlan plan;
      try {
        if (!(resolve(request) instanceof KeyedCommand keyed)
            || computation(keyed, request) != null) {
          break; // it is begun by itself
        }
        last = keyed;
        NotAdmitted why = client.admit(keyed, request.count(), request.sizeBytes());
        if (why == null) {
          plan = plan(keyed, request, planning);
        } else {
          plan = KeyedPlan.answered(Errors.notAdmitted(why));
          client.notServed(why, 0);
        }
        Batch.Unity its = Batch.Unity.of(keyed, plan);
        boolean reads = Batch.Unity.reads(plan);
        boolean isApart =
            its == Batch.Unity.WRITE
                || (its == Batch.Unity.READ && !onlyReads)
                || (batch.unity() == Batch.Unity.READ && !reads);
        if (isLong(keyed, plan) || isApart) {
          client.prepay(); // it is begun next, by itself
          break;
        }
        onlyReads &= reads;
        if (its != Batch.Unity.NONE) {
          batch.unity(its);
        }
        if (why == null) {
          client.used(keyed, request.count());
          client.show(keyed, request);
        }
      } catch (CommandException e) {
        NotAdmitted why = client.admitUnresolved(request.sizeBytes() + request.tooLong());
        if (why == null) {
          plan = KeyedPlan.answered(e.reply());
        } else {
          plan = KeyedPlan.answered(Errors.notAdmitted(why));
          client.notServed(why, 0);
        }
      }
      queue.poll();
      heldBytes += request.heldBytes();
      batch.add(plan, request.sizeBytes());
      if (isTimed) {
        batch.time(last, request);
      }
      worked(last, request.count(), request.sizeBytes());
    }
    client.ran(last, batch.requestCount());
    busy = true;
    underWay = batch.requestCount();
    try {
      if (batch.submit(client.map())) {
        answering = batch;
      }
    } catch (RuntimeException e) {
      // The engine broke its word never to throw; what it did of the batch is not known.
      busy = false;
      Reply error = lane.failed(e);
      for (int i = 0; i < batch.requestCount(); i++) {
        writer.write(error);
      }
    }
  }

  private KeyedPlan plan(KeyedCommand command, Request request, KeyedCommand.PlanContext planning) {
    try {
      KeyedPlan plan = command.plan(request, planning);
      boolean isToBeChecked = client.isGuarded() && !isLong(command, plan);
      Outcome.Failure refusal = isToBeChecked ? refusal(plan) : null;
      return refusal == null ? plan : KeyedPlan.answered(Errors.of(refusal));
    } catch (CommandException e) {
      return KeyedPlan.answered(e.reply());
    } catch (RuntimeException e) {
      return KeyedPlan.answered(lane.defect(e));
    }
  }

  /** Returns whether a request is begun by itself, and done in parts. */
  private static boolean isLong(KeyedCommand command, KeyedPlan plan) {
    return LongRequest.isLong(plan) || isLongRead(command, plan);
  }

  private static boolean isLongRead(KeyedCommand command, KeyedPlan plan) {
    return command.readsItsArguments() && plan.commands().size() > LongRead.FEW;
  }

  /** Requests on several keys are refused as a whole. */
  private Outcome.@Nullable Failure refusal(KeyedPlan plan) {
    for (KeyCommand command : plan.commands()) {
      Outcome.Failure refusal = client.map().refusal(command);
      if (refusal != null) {
        client.refused(refusal.message());
        return refusal;
      }
    }
    return null;
  }

  void completed(Batch batch) {
    PartedRequest request = inParts;
    if (request != null) {
      request.completed(batch);
    } else if (busy) {
      answering = batch;
    }
  }

  // ---- requests that are done in parts

  private void beginInParts(PartedRequest request) {
    inParts = request;
    busy = true;
    underWay = 1;
  }

  /** Does parts as long as the slice lasts; if it has no end, one, so that others have a turn. */
  private void goOnInParts() {
    while (mayGoOnInParts()) {
      PartedRequest request = inParts;
      if (request == null) {
        return;
      }
      long before = writer.bytesWritten();
      long gathered = request.gatheredBytes();
      int count = step(request);
      hold(request.gatheredBytes() - gathered);
      if (request.isAnswered()) {
        request.discard();
        inParts = null;
        busy = false;
        giveRoomBack();
        took();
      }
      worked(present, count, writer.bytesWritten() - before);
      if (slice.isOver() || !slice.isBounded()) {
        return;
      }
    }
  }

  /** Counts bytes gathered for a reply as memory for large values. */
  private void hold(long bytes) {
    if (bytes > 0) {
      heldBytes += bytes;
      room.force(bytes);
    }
  }

  private int step(PartedRequest request) {
    try {
      return request.step(writer);
    } catch (RuntimeException e) {
      if (request.isAnswering()) {
        throw e; // the connection cannot be made good
      }
      // The engine broke its word never to throw; what it did is not known.
      request.answer(lane.failed(e), writer);
      return 1;
    }
  }

  void completed(Awaited<Reply> pending) {
    if (busy) {
      finish(pending);
    }
  }

  /**
   * Writes replies of the batch that is complete, as many as the client has room for: those of a
   * large batch of large values would else be in memory twice.
   */
  private void goOnAnswering() {
    Batch batch = answering;
    if (batch == null) {
      return;
    }
    while (mayAnswer() && batch.hasMoreReplies() && !slice.isOver()) {
      long before = writer.bytesWritten();
      KeyedPlan plan = batch.nextPlan();
      writer.write(render(plan, batch.nextOutcomes(plan)));
      long written = writer.bytesWritten() - before;
      batch.answered(written);
      worked(null, plan.commands().size(), written);
    }
    if (!session.isOpen() || !batch.hasMoreReplies()) {
      answering = null;
      busy = false;
      giveRoomBack();
      took(batch);
      adaptBatches(batch);
    }
  }

  /** Begins small, grows while batches are full, and shrinks when values turn out to be large. */
  private void adaptBatches(Batch batch) {
    if (batch.replyBytes() > LARGE_REPLY_BYTES) {
      batchCommands = Math.max(1, batchCommands / 4);
    } else if (batch.commandCount() >= batchCommands) {
      batchCommands = Math.min(MOST_BATCH_COMMANDS, batchCommands * 2);
    }
  }

  private Reply render(KeyedPlan plan, List<Outcome> outcomes) {
    try {
      return plan.renderer().render(outcomes);
    } catch (RuntimeException e) {
      return lane.defect(e);
    }
  }

  private void finish(Awaited<Reply> pending) {
    busy = false;
    giveRoomBack();
    if (client.takeHasWaited()) {
      timed = null; // its time says nothing of the member
      session.restartArrivals();
    }
    if (session.isOpen()) {
      Reply reply = pending.value();
      if (reply instanceof Reply.Array array && LongRequest.isLong(reply)) {
        beginInParts(new LongRequest(session, client, array));
      } else {
        writer.write(reply == null ? lane.failed(pending.failure()) : reply);
        took();
      }
    }
  }

  private void giveRoomBack() {
    long bytes = heldBytes;
    heldBytes = 0;
    room.requestDone(bytes);
  }
}
