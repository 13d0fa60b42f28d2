package io.keyvalueserve.resp.command;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The commands of Redis 7 that are no strings, keys or connections: this server may lack them. */
final class RedisCommands {
  private static final String LISTS =
      "blmove blmpop blpop brpop brpoplpush lindex linsert llen lmove lmpop lpop lpos lpush lpushx"
          + " lrange lrem lset ltrim rpop rpoplpush rpush rpushx sort sort_ro";
  private static final String HASHES =
      "hdel hexists hexpire hexpireat hexpiretime hget hgetall hincrby hincrbyfloat hkeys hlen hmget"
          + " hmset hpersist hpexpire hpexpireat hpexpiretime hpttl hrandfield hscan hset hsetnx"
          + " hstrlen httl hvals";
  private static final String SETS =
      "sadd scard sdiff sdiffstore sinter sintercard sinterstore sismember smembers smismember smove"
          + " spop srandmember srem sscan sunion sunionstore";
  private static final String SORTED_SETS =
      "bzmpop bzpopmax bzpopmin geoadd geodist geohash geopos georadius georadius_ro"
          + " georadiusbymember georadiusbymember_ro geosearch geosearchstore zadd zcard zcount zdiff"
          + " zdiffstore zincrby zinter zintercard zinterstore zlexcount zmpop zmscore zpopmax"
          + " zpopmin zrandmember zrange zrangebylex zrangebyscore zrangestore zrank zrem"
          + " zremrangebylex zremrangebyrank zremrangebyscore zrevrange zrevrangebylex"
          + " zrevrangebyscore zrevrank zscan zscore zunion zunionstore";
  private static final String STREAMS =
      "xack xadd xautoclaim xclaim xdel xgroup xinfo xlen xpending xrange xread xreadgroup xrevrange"
          + " xsetid xtrim";
  private static final String BITS =
      "bitcount bitfield bitfield_ro bitop bitpos getbit pfadd pfcount pfdebug pfmerge pfselftest"
          + " setbit";
  private static final String MESSAGES =
      "psubscribe publish pubsub punsubscribe spublish ssubscribe subscribe sunsubscribe unsubscribe";
  private static final String TRANSACTIONS =
      "discard eval eval_ro evalsha evalsha_ro exec fcall fcall_ro function multi script unwatch"
          + " watch";
  private static final String OTHERS =
      "acl asking bgrewriteaof bgsave cluster copy debug dump failover flushall flushdb lastsave"
          + " latency lcs lolwut memory migrate module monitor move object psync readonly readwrite"
          + " replconf replicaof restore role save shutdown slaveof slowlog swapdb sync wait waitaof";

  private static final Set<String> NAMES =
      Stream.of(LISTS, HASHES, SETS, SORTED_SETS, STREAMS, BITS, MESSAGES, TRANSACTIONS, OTHERS)
          .flatMap(names -> Stream.of(names.split(" ", -1)))
          .collect(Collectors.toUnmodifiableSet());

  private RedisCommands() {}

  /** Returns whether Redis has a command of this name. */
  static boolean has(String name) {
    return NAMES.contains(name.toLowerCase(Locale.ROOT));
  }
}
