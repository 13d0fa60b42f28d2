package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import io.keyvalueserve.grid.door.Structure.Placement;
import java.nio.charset.StandardCharsets;

/**
 * Puts the grid's names in the place of the tenant's in a message, frame by frame and without
 * decoding the rest. A message is a linked list of frames: the first holds all fields of fixed
 * size, then each string has one of its own (open binary client protocol, section "message
 * structure"). A test holds this against every codec of the {@link MessageTable}.
 */
final class NameRewriter {
  private final ObjectNames names;

  NameRewriter(ObjectNames names) {
    this.names = names;
  }

  /** The name is the first string. */
  void rewriteName(ClientMessage message, Placement placement) {
    rewriteNext(message.getStartFrame(), placement);
  }

  /**
   * The first string is a name, the second the service that keeps the object.
   *
   * @throws RefusedException if tenants have no such service
   */
  void rewriteNameAndService(ClientMessage message) {
    Frame start = message.getStartFrame();
    rewriteNext(start, placementOf(following(following(start))));
  }

  /** A list of names, each with its service: {@code BEGIN (name service)* END}. */
  void rewriteNamesAndServices(ClientMessage message) {
    Frame before = following(message.getStartFrame());
    while (!following(before).isEndFrame()) {
      Frame service = following(following(before));
      rewriteNext(before, placementOf(service));
      before = service;
    }
  }

  /** A list of names of maps: {@code BEGIN name* END}. */
  void rewriteMapNames(ClientMessage message) {
    Frame before = following(message.getStartFrame());
    while (!following(before).isEndFrame()) {
      before = rewriteNext(before, Placement.BY_KEY);
    }
  }

  private static Placement placementOf(Frame service) {
    String name = text(service);
    return Structure.ofService(name)
        .orElseThrow(
            () ->
                new RefusedException(
                    "objects of the service '" + name + "' are not open to tenants"))
        .placement();
  }

  private Frame rewriteNext(Frame before, Placement placement) {
    Frame said = following(before);
    byte[] gridName = names.toGrid(text(said), placement).getBytes(StandardCharsets.UTF_8);
    Frame rewritten = new Frame(gridName, said.flags);
    rewritten.next = said.next;
    before.next = rewritten;
    return rewritten;
  }

  private static Frame following(Frame frame) {
    Frame next = frame.next;
    if (next == null) {
      throw new RefusedException("the message ends before its name");
    }
    return next;
  }

  private static String text(Frame frame) {
    return new String(frame.content, StandardCharsets.UTF_8);
  }
}
