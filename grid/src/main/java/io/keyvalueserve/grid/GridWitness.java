package io.keyvalueserve.grid;

import com.hazelcast.instance.EndpointQualifier;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.grid.catalogue.GridSettings;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.quorum.QuorumState;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A running witness: a lite member of Hazelcast. It votes on who serves, and keeps the voters and
 * who has which partition. It holds no data, has no port for clients, and runs none of the services
 * that members provide to each other.
 *
 * <p>It may be the oldest member, and so Hazelcast's master: then it gives partitions to the others
 * and decides how a cluster begins that comes back. Thread-safe.
 */
public final class GridWitness implements AutoCloseable {
  private final GridMember.Started started;
  private final GridSettings settings;
  private final Questioner questioner;

  private GridWitness(GridMember.Started started) {
    this.started = started;
    this.settings = new GridSettings(started.instance());
    this.questioner = new Questioner(started.node().getNodeEngine());
    MemberForgetting.answer(
        ((GridNodeExtension) started.node().getNodeExtension()).answerers(), started.quorum());
  }

  /**
   * Starts a witness and joins its cluster. Blocks until a majority of the cluster is there.
   *
   * @param config of a member whose role is {@link Role#WITNESS}
   * @param policy nobody is let in; asked for the bounds of connections
   * @param doors sets up connections; nobody passes
   * @throws GridStartException if it cannot start: the message says why and what to do
   */
  public static GridWitness start(
      GridConfig config, TenantPolicy policy, HazelcastDoor.Factory doors) {
    if (config.role() != Role.WITNESS) {
      throw new IllegalArgumentException("role is WITNESS: " + config.role());
    }
    return GridMember.start(config, policy, tenant -> 1, doors, GridWitness::new);
  }

  /** Returns the members of the cluster, the oldest first. */
  public List<MemberInfo> members() {
    return MemberInfo.all(started.instance().getCluster());
  }

  /** Returns the port that members connect to. */
  public int memberPort() {
    return started.portOf(EndpointQualifier.MEMBER);
  }

  /** Returns whether this member is one of a majority, and which voters decide that. */
  public QuorumState quorum() {
    return started.quorum().state();
  }

  /**
   * Returns the same as {@link GridMember#safety}, but is not safe if no member holds data. Blocks.
   */
  public Safety safety() {
    LostQuestion.Answer lost = LostQuestion.ask(questioner, List.of());
    LossesQuestion.Answer gone = LossesQuestion.ask(questioner);
    return new Safety(
        lost.none()
            && gone.none()
            && started.maps().lease().holds()
            && !DataMembers.of(started.node().getNodeEngine()).isEmpty()
            && started.instance().getPartitionService().isClusterSafe(),
        lost.lost(),
        gone.losses());
  }

  /** Returns the small facts that the cluster shares; the members that hold data have them. */
  public GridSettings settings() {
    return settings;
  }

  /** Registers a task like {@link GridMember#whenOutcast}. */
  public void whenOutcast(Runnable task) {
    started.quorum().whenOutcast(task);
  }

  /** Returns the same as {@link GridMember#unheard}. */
  public List<InetSocketAddress> unheard() {
    return started.quorum().unheard();
  }

  @Override
  public void close() {
    started.close();
  }
}
