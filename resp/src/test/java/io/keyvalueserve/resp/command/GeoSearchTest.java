package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.resp.geo.GeoPosition;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Searches without a server: how many steps they take, and of which moment they are. */
class GeoSearchTest {
  private static final int MEMBERS = 20_000;

  private int steps;

  @Test
  void looksAtALargeSetInManySteps() {
    List<Element> members = members();
    GeoSearch search = search("GEOSEARCH k FROMLONLAT 0 0 BYRADIUS 30000 km ASC");
    Reply.Array reply = (Reply.Array) finish(search, new Outcome.Elements(members));
    assertThat(reply.elements()).hasSize(MEMBERS);
    assertThat(steps).isGreaterThan(MEMBERS / 256);
    assertThat(search.heldBytes()).isGreaterThan(MEMBERS * 32L);
    GeoSearch few = search("GEOSEARCH k FROMLONLAT 0 0 BYRADIUS 30000 km DESC COUNT 3");
    assertThat(((Reply.Array) finish(few, new Outcome.Elements(members))).elements()).hasSize(3);
    GeoSearch any = search("GEOSEARCH k FROMLONLAT 0 0 BYRADIUS 30000 km COUNT 3 ANY");
    assertThat(((Reply.Array) finish(any, new Outcome.Elements(members))).elements()).hasSize(3);
    assertThat(steps).isLessThan(MEMBERS / 256);
  }

  /** The member moves away between both reads: it is searched around where it is then. */
  @Test
  void beginsAnewIfTheMemberHasMoved() {
    double here = new GeoPosition(10, 10).score();
    double there = new GeoPosition(-20, -20).score();
    GeoSearch search = search("GEOSEARCH k FROMMEMBER m BYRADIUS 1 km");
    List<Element> after =
        List.of(
            new Element.Real(there),
            text("m"),
            new Element.Real(there),
            text("n"),
            new Element.Real(here));
    Reply reply =
        finish(
            search,
            new Outcome.Elements(List.of(new Element.Real(here))),
            new Outcome.Elements(after),
            new Outcome.Elements(after));
    assertThat(((Reply.Array) reply).elements()).hasSize(1);
  }

  @Test
  void answersNothingIfTheSetIsGoneMeanwhile() {
    Reply reply =
        finish(
            search("GEOSEARCH k FROMMEMBER m BYRADIUS 1 km"),
            new Outcome.Elements(List.of(new Element.Real(1))),
            Outcome.Missing.MISSING);
    assertThat(((Reply.Array) reply).elements()).isEmpty();
  }

  private Reply finish(GeoSearch search, Outcome... outcomes) {
    steps = 0;
    int taken = 0;
    while (true) {
      steps++;
      switch (search.step()) {
        case Computation.Step.More _ -> {}
        case Computation.Step.Ask ask -> {
          assertThat(ask.command()).isInstanceOf(KeyCommand.OnCollection.class);
          search.take(outcomes[taken++]);
        }
        case Computation.Step.Done done -> {
          assertThat(taken).isEqualTo(outcomes.length);
          return done.reply();
        }
      }
    }
  }

  private static GeoSearch search(String text) {
    String[] words = text.split(" ", -1);
    byte[][] arguments = new byte[words.length][];
    for (int i = 0; i < words.length; i++) {
      arguments[i] = words[i].getBytes(US_ASCII);
    }
    return new GeoSearch(
        GeoQuery.of(new Request(arguments), GeoQuery.Form.SEARCH, 1, false), 1 << 20);
  }

  private static List<Element> members() {
    Random random = new Random(1);
    List<Element> members = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      members.add(text("m" + i));
      members.add(
          new Element.Real(
              new GeoPosition(360 * random.nextDouble() - 180, 160 * random.nextDouble() - 80)
                  .score()));
    }
    return members;
  }

  private static Element text(String member) {
    return new Element.Text(member.getBytes(US_ASCII));
  }
}
