package io.keyvalueserve.grid;

import com.hazelcast.cluster.Member;
import java.util.Locale;

/** The part that a member plays in its cluster. */
public enum Role {
  /** Holds partitions, serves tenants and votes. */
  DATA,

  /** Votes only: a lite member of Hazelcast. */
  WITNESS;

  /** Returns the role of a member. */
  public static Role of(Member member) {
    return member.isLiteMember() ? WITNESS : DATA;
  }

  /** Returns the role as settings and answers name it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
