package io.keyvalueserve.resp;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.GlobMatcher;
import io.keyvalueserve.engine.KeyMap.ScanPage;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.command.ListingPlan;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A request that lists keys. They are read where they are as long as the map can, else asked of the
 * engine page by page.
 */
final class Listing extends GatheringRequest {
  /** The keys looked at in each part. */
  private static final int PART = 128;

  /** The keys asked of the engine at a time. */
  private static final int PAGE = 1000;

  /** The steps of matching that count as much as one key that is looked at. */
  private static final int STEPS_OF_ARGUMENT = 128;

  private final ListingPlan plan;
  private final EncodedKeys keys;
  private long cursor;
  private long left;
  private boolean isListed;
  private boolean isWaiting;

  /** The number of keys that the engine was asked to look at. */
  private int asked;

  private @Nullable Awaited<ScanPage> arrived;

  Listing(SessionLoop session, RespClient client, ListingPlan plan, SessionHost host) {
    super(session, client, host);
    this.plan = plan;
    this.keys = new EncodedKeys(plan.match(), host.replyChunks());
    this.cursor = plan.cursor();
    this.left = plan.count();
  }

  @Override
  public boolean isWaiting() {
    return isWaiting;
  }

  @Override
  public long gatheredBytes() {
    return keys.bytes();
  }

  @Override
  public int step(ReplyWriter writer) {
    if (!isListed) {
      return list();
    }
    writePart(writer);
    return PART;
  }

  private int list() {
    Awaited<ScanPage> page = arrived;
    if (page != null) {
      arrived = null;
      return take(page);
    }
    if (plan.type() == null) {
      keys.begin();
      long next = client.direct().scan(cursor, (int) Math.min(left, PART), keys);
      if (next != DirectMap.NOT_NOW) {
        GlobMatcher matcher = keys.matcher();
        if (matcher.isTooCostly()) {
          throw new CommandException(Errors.tooCostly(matcher));
        }
        int steps = (int) (matcher.steps() / STEPS_OF_ARGUMENT);
        return took(next, keys.looked()) + steps;
      }
    }
    ask();
    return 1;
  }

  private void ask() {
    Awaited<ScanPage> page = new Awaited<>(session, this::arrived);
    isWaiting = true;
    asked = (int) Math.min(left, PAGE);
    if (page.await(plan.page(client.map(), cursor, asked))) {
      isWaiting = false;
      arrived = page;
    }
  }

  private void arrived(Awaited<ScanPage> page) {
    isWaiting = false;
    arrived = page;
    session.resume();
  }

  private int take(Awaited<ScanPage> page) {
    ScanPage read = page.value();
    if (read == null) {
      throw new CompletionException(
          Objects.requireNonNullElseGet(
              page.failure(), () -> new IllegalStateException("a scan without a page")));
    }
    keys.begin();
    read.keys().forEach(key -> keys.add(key, 0, key.length));
    return took(read.cursor(), asked); // a page has only those that match
  }

  /** Goes on behind what has just come, for which so many keys were looked at. */
  private int took(long next, int looked) {
    keys.keep();
    if (isTooLong()) {
      throw new CommandException("ERR there are too many keys for one reply: use SCAN");
    }
    cursor = next;
    left -= looked;
    isListed = next == 0 || left <= 0;
    return 1 + looked;
  }

  @Override
  void writeHead(ReplyWriter writer) {
    if (plan.tellsCursor()) {
      writer.array(2);
      writer.write(Reply.bulk(Long.toString(cursor)));
    }
    writer.array(keys.count());
  }

  @Override
  boolean writeNext(ReplyWriter writer) {
    return keys.writeNext(writer);
  }
}
