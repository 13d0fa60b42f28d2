// How to connect, in the words of each client.

const PLACEHOLDER = 'YOUR_ACCESS_KEY';

/** Programs for Redis clients and Hazelcast clients, as {language, client, install, code}. */
export function snippets({ tenant, host, respPort, clusterName, clientPort, key }) {
  const secret = key ?? PLACEHOLDER;
  return {
    redis: redis(tenant, host, respPort, secret),
    hazelcast: hazelcast(tenant, `${host}:${clientPort}`, host, clientPort, clusterName, secret),
  };
}

function redis(tenant, host, port, key) {
  return [
    {
      language: 'Python', client: 'redis-py', install: 'pip install redis',
      code: `import redis

client = redis.Redis(host="${host}", port=${port},
                     username="${tenant}", password="${key}")
client.set("user:1", "ada")
print(client.get("user:1"))`,
    },
    {
      language: 'Java', client: 'Jedis', install: 'redis.clients:jedis',
      code: `var config = DefaultJedisClientConfig.builder()
    .user("${tenant}").password("${key}").build();
try (var jedis = new Jedis(new HostAndPort("${host}", ${port}), config)) {
  jedis.set("user:1", "ada");
  System.out.println(jedis.get("user:1"));
}`,
    },
    {
      language: 'Node.js', client: 'ioredis', install: 'npm install ioredis',
      code: `import Redis from 'ioredis';

const client = new Redis({
  host: '${host}', port: ${port},
  username: '${tenant}', password: '${key}',
});
await client.set('user:1', 'ada');
console.log(await client.get('user:1'));
client.disconnect();`,
    },
    {
      language: 'Go', client: 'go-redis', install: 'go get github.com/redis/go-redis/v9',
      code: `client := redis.NewClient(&redis.Options{
	Addr:     "${host}:${port}",
	Username: "${tenant}",
	Password: "${key}",
})
err := client.Set(ctx, "user:1", "ada", 0).Err()
name, err := client.Get(ctx, "user:1").Result()`,
    },
    {
      language: '.NET', client: 'StackExchange.Redis', install: 'dotnet add package StackExchange.Redis',
      code: `var options = new ConfigurationOptions
{
    EndPoints = { { "${host}", ${port} } },
    User = "${tenant}",
    Password = "${key}",
};
using var connection = await ConnectionMultiplexer.ConnectAsync(options);
var database = connection.GetDatabase();
await database.StringSetAsync("user:1", "ada");
Console.WriteLine(await database.StringGetAsync("user:1"));`,
    },
    {
      language: 'Rust', client: 'redis', install: 'cargo add redis',
      code: `use redis::Commands;

let client = redis::Client::open("redis://${tenant}:${key}@${host}:${port}/")?;
let mut connection = client.get_connection()?;
let _: () = connection.set("user:1", "ada")?;
let name: String = connection.get("user:1")?;`,
    },
  ];
}

function hazelcast(tenant, address, host, port, cluster, key) {
  return [
    {
      language: 'Java', client: 'hazelcast', install: 'com.hazelcast:hazelcast:5.7.0',
      code: `var config = new ClientConfig().setClusterName("${cluster}");
config.getNetworkConfig().addAddress("${address}");
config.getSecurityConfig().setCredentials(
    new UsernamePasswordCredentials("${tenant}", "${key}"));
var client = HazelcastClient.newHazelcastClient(config);
client.getMap("default").put("user:1", "ada");`,
    },
    {
      language: 'Python', client: 'hazelcast-python-client', install: 'pip install hazelcast-python-client',
      code: `import hazelcast

client = hazelcast.HazelcastClient(
    cluster_name="${cluster}", cluster_members=["${address}"],
    creds_username="${tenant}", creds_password="${key}")
people = client.get_map("default").blocking()
people.put("user:1", "ada")`,
    },
    {
      language: 'Node.js', client: 'hazelcast-client', install: 'npm install hazelcast-client',
      code: `const { Client } = require('hazelcast-client');

const client = await Client.newHazelcastClient({
  clusterName: '${cluster}',
  network: { clusterMembers: ['${address}'] },
  security: { usernamePassword: { username: '${tenant}', password: '${key}' } },
});
const people = await client.getMap('default');
await people.put('user:1', 'ada');`,
    },
    {
      language: 'Go', client: 'hazelcast-go-client', install: 'go get github.com/hazelcast/hazelcast-go-client',
      code: `config := hazelcast.Config{}
config.Cluster.Name = "${cluster}"
config.Cluster.Network.SetAddresses("${address}")
config.Cluster.Security.Credentials.Username = "${tenant}"
config.Cluster.Security.Credentials.Password = "${key}"
client, err := hazelcast.StartNewClientWithConfig(ctx, config)
people, err := client.GetMap(ctx, "default")
err = people.Set(ctx, "user:1", "ada")`,
    },
    {
      language: 'C#', client: 'Hazelcast.Net', install: 'dotnet add package Hazelcast.Net',
      code: `var options = new HazelcastOptionsBuilder().With(o =>
{
    o.ClusterName = "${cluster}";
    o.Networking.Addresses.Add("${address}");
    o.Authentication.ConfigureUsernamePasswordCredentials("${tenant}", "${key}");
}).Build();
await using var client = await HazelcastClientFactory.StartNewClientAsync(options);
await using var people = await client.GetMapAsync<string, string>("default");
await people.SetAsync("user:1", "ada");`,
    },
    {
      language: 'C++', client: 'hazelcast-cpp-client', install: 'vcpkg install hazelcast-cpp-client',
      code: `hazelcast::client::client_config config;
config.set_cluster_name("${cluster}");
config.get_network_config().add_address({"${host}", ${port}});
config.set_credentials(
    std::make_shared<hazelcast::client::security::username_password_credentials>(
        "${tenant}", "${key}"));
auto client = hazelcast::new_hazelcast_client(std::move(config)).get();
auto people = client.get_map("default").get();
people->put<std::string, std::string>("user:1", "ada").get();`,
    },
  ];
}
