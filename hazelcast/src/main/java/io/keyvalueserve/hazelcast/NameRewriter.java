package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import io.keyvalueserve.hazelcast.Structure.Placement;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Puts the grid's names in the place of the tenant's in a message, frame by frame and without
 * decoding the rest. A message is a linked list of frames: the first holds all fields of fixed
 * size, then each string has one of its own (open binary client protocol, section "message
 * structure"). A test holds this against every codec of the {@link MessageTable}.
 */
final class NameRewriter {
  private final ObjectNames names;
  private final GrantedMaps granted;

  NameRewriter(ObjectNames names, GrantedMaps granted) {
    this.names = names;
    this.granted = granted;
  }

  /** The name that a message begins with. */
  static String nameIn(ClientMessage message) {
    return text(following(message.getStartFrame()));
  }

  /**
   * The name is the first string.
   *
   * @param said what {@link #nameIn} has read already; null for not yet
   */
  void rewriteName(ClientMessage message, Placement placement, @Nullable String said) {
    Frame start = message.getStartFrame();
    Frame _ = rewriteNext(start, placement, said == null ? text(following(start)) : said);
  }

  /**
   * The first string is a name, the second the service that keeps the object. The name may be that
   * of another's map.
   *
   * @param destroys whether the object is to go, which is for its owner alone
   * @throws RefusedException if tenants have no such service, or nothing is granted
   */
  void rewriteNameAndService(ClientMessage message, boolean destroys) {
    Frame start = message.getStartFrame();
    String said = text(following(start));
    Structure structure = structureOf(following(following(start)));
    if (!granted.isForeign(said)) {
      rewriteNext(start, structure.placement(), said);
    } else if (destroys || !granted.mayName(said, structure)) {
      throw granted.noGrant(said);
    }
  }

  /**
   * A list of names, each with its service: {@code BEGIN (name service)* END}. A client sends all
   * it knows when it connects anew; what is not granted any more is left out.
   */
  void rewriteNamesAndServices(ClientMessage message) {
    Frame before = following(message.getStartFrame());
    while (!following(before).isEndFrame()) {
      Frame name = following(before);
      Frame service = following(name);
      Structure structure = structureOf(service);
      String said = text(name);
      if (!granted.isForeign(said)) {
        rewriteNext(before, structure.placement(), said);
        before = service;
      } else if (granted.mayName(said, structure)) {
        before = service;
      } else {
        before.next = service.next;
      }
    }
  }

  /**
   * A list of names of maps: {@code BEGIN name* END}. Of others' maps those are left out that may
   * not be read as a whole.
   */
  void rewriteMapNames(ClientMessage message) {
    Frame before = following(message.getStartFrame());
    while (!following(before).isEndFrame()) {
      Frame name = following(before);
      String said = text(name);
      if (!granted.isForeign(said)) {
        before = rewriteNext(before, Placement.BY_KEY, said);
      } else if (granted.mayReadAll(said)) {
        before = name;
      } else {
        before.next = name.next;
      }
    }
  }

  private static Structure structureOf(Frame service) {
    String name = text(service);
    return Structure.ofService(name)
        .orElseThrow(
            () ->
                new MessageRefusedException(
                    "objects of the service '" + name + "' are not open to tenants"));
  }

  private Frame rewriteNext(Frame before, Placement placement, String said) {
    Frame name = following(before);
    byte[] gridName = names.toGrid(said, placement).getBytes(StandardCharsets.UTF_8);
    Frame rewritten = new Frame(gridName, name.flags);
    rewritten.next = name.next;
    before.next = rewritten;
    return rewritten;
  }

  private static Frame following(Frame frame) {
    Frame next = frame.next;
    if (next == null) {
      throw new MessageRefusedException("the message ends before its name");
    }
    return next;
  }

  private static String text(Frame frame) {
    return new String(frame.content, StandardCharsets.UTF_8);
  }
}
