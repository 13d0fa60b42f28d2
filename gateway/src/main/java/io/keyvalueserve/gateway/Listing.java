package io.keyvalueserve.gateway;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.KeyMap.ScanPage;
import io.keyvalueserve.gateway.command.CommandException;
import io.keyvalueserve.gateway.command.ListingPlan;
import io.keyvalueserve.gateway.protocol.Reply;
import io.keyvalueserve.gateway.protocol.ReplyWriter;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A request that lists keys. They are read where they are as long as the map can, some with each
 * part, else asked of the engine page by page; when all are known, they are written.
 */
final class Listing implements PartedRequest {
  /** So many keys are looked at with each part. */
  private static final int PART = 128;

  /** So many are asked of the engine together. */
  private static final int PAGE = 1000;

  private final RespSession session;
  private final RespClient client;
  private final ListingPlan plan;
  private final long mostBytes;
  private final EncodedKeys keys;
  private long cursor;
  private long left;
  private boolean isListed;
  private boolean isWaiting;

  /** At how many keys the engine was asked to look. */
  private int asked;

  private @Nullable Awaited<ScanPage> arrived;
  private boolean isAnswering;
  private boolean isAnswered;

  Listing(RespSession session, RespClient client, ListingPlan plan, SessionHost host) {
    this.session = session;
    this.client = client;
    this.plan = plan;
    this.mostBytes = host.config().output().mostPendingBytes();
    this.keys = new EncodedKeys(plan.match(), host.replyChunks());
    this.cursor = plan.cursor();
    this.left = plan.count();
  }

  @Override
  public boolean isWaiting() {
    return isWaiting;
  }

  @Override
  public boolean isAnswered() {
    return isAnswered;
  }

  @Override
  public boolean isAnswering() {
    return isAnswering;
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
    if (!isAnswering) {
      begin(writer);
    }
    isAnswered = !keys.writeNext(writer);
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
        return took(next, keys.looked());
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
    read.keys().forEach(key -> keys.key(key, 0, key.length));
    return took(read.cursor(), asked); // a page has only those that match
  }

  /** Goes on behind what has just come, for which so many keys were looked at. */
  private int took(long next, int looked) {
    keys.keep();
    if (keys.bytes() > mostBytes) {
      throw new CommandException("ERR there are too many keys for one reply: use SCAN");
    }
    cursor = next;
    left -= looked;
    isListed = next == 0 || left <= 0;
    return 1 + looked;
  }

  private void begin(ReplyWriter writer) {
    isAnswering = true;
    int _ = writer.mark();
    if (plan.tellsCursor()) {
      writer.array(2);
      writer.write(Reply.bulk(Long.toString(cursor)));
    }
    writer.array(keys.count());
  }

  @Override
  public void answer(Reply reply, ReplyWriter writer) {
    writer.write(reply);
    isAnswered = true;
  }
}
