package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Safety;
import io.keyvalueserve.grid.quorum.QuorumState;
import io.keyvalueserve.grid.restart.Losses;
import io.keyvalueserve.server.ClusterView;

/** The answer of {@code GET /api/v1/cluster}. */
final class ClusterJson {
  private ClusterJson() {}

  /** Asks all members; blocks. */
  static ObjectNode of(ClusterView cluster) {
    ObjectNode body = HttpDoor.object();
    put(body, cluster.safety());
    body.set("quorum", json(cluster.quorum()));
    ArrayNode members = body.putArray("members");
    for (MemberInfo member : cluster.members()) {
      members
          .addObject()
          .put("uuid", member.uuid().toString())
          .put("address", member.address())
          .put("role", member.role().text())
          .put("local", member.local())
          .put("hazelcast", member.version());
    }
    return body;
  }

  /** Puts in whether the cluster has all that it should have. */
  static void put(ObjectNode body, Safety safety) {
    body.put("safe", safety.safe());
    ObjectNode lost = body.putObject("lost").put("count", safety.lost().size());
    ArrayNode partitions = lost.putArray("partitions");
    safety.lost().forEach(partitions::add);
    body.set("losses", json(safety.losses()));
  }

  /** Returns the records that no copy had when the cluster started. */
  static ObjectNode json(Losses losses) {
    ObjectNode body =
        HttpDoor.object().put("records", losses.count()).put("damagedPlaces", losses.places());
    ObjectNode maps = body.putObject("maps");
    losses.records().forEach(maps::put);
    ArrayNode partitions = body.putArray("partitions");
    losses.partitions().forEach(partitions::add);
    return body;
  }

  private static ObjectNode json(QuorumState quorum) {
    ObjectNode body =
        HttpDoor.object()
            .put("serves", quorum.serves())
            .put("split", quorum.consistent() ? "consistent" : "available")
            .put("majority", quorum.majority());
    ArrayNode voters = body.putArray("voters");
    quorum.voters().forEach(voters::add);
    ArrayNode missing = body.putArray("missing");
    quorum.missing().forEach(missing::add);
    return body;
  }
}
