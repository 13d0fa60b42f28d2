// The scenario of ../README.md, told by the Hazelcast client for Go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"sync"
	"time"

	hazelcast "github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/aggregate"
	"github.com/hazelcast/hazelcast-go-client/logger"
	"github.com/hazelcast/hazelcast-go-client/predicate"
	"github.com/hazelcast/hazelcast-go-client/types"
)

const (
	name     = "orders"
	patience = 15 * time.Second
)

// verdicts holds what became of each operation on one structure: "ok", or what went wrong.
type verdicts struct {
	Operations map[string]string
}

// expect judges one call: v.expect("get", "x")(orders.Get(ctx, "a")).
func (v *verdicts) expect(operation string, want any) func(any, error) {
	return func(got any, err error) {
		switch {
		case err != nil:
			v.Operations[operation] = err.Error()
		case !same(want, got):
			v.Operations[operation] = fmt.Sprintf("expected %#v, got %#v", want, got)
		default:
			v.Operations[operation] = "ok"
		}
	}
}

// run judges one call whose answer says nothing.
func (v *verdicts) run(operation string) func(error) {
	return func(err error) { v.expect(operation, nil)(nil, err) }
}

func (v *verdicts) eventually(operation string, want any, call func() (any, error)) {
	deadline := time.Now().Add(patience)
	got, err := call()
	for err == nil && !same(want, got) && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
		got, err = call()
	}
	v.expect(operation, want)(got, err)
}

func same(a, b any) bool {
	return text(a) == text(b)
}

func text(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}

// ear notes what listeners hear; the client's goroutines write it.
type ear struct {
	sync.Mutex
	heard []string
}

func (e *ear) note(format string, values ...any) {
	e.Lock()
	defer e.Unlock()
	e.heard = append(e.heard, fmt.Sprintf(format, values...))
}

// all returns what was heard, sorted, each thing once.
func (e *ear) all() (any, error) {
	e.Lock()
	defer e.Unlock()
	once := map[string]bool{}
	found := []any{}
	for _, item := range e.heard {
		if !once[item] {
			once[item] = true
			found = append(found, item)
		}
	}
	return sorted(found, nil)
}

func sorted(values []any, err error) (any, error) {
	found := []string{}
	for _, value := range values {
		found = append(found, fmt.Sprint(value))
	}
	sort.Strings(found)
	return found, err
}

func pairs(entries []types.Entry, err error) (any, error) {
	found := []any{}
	for _, entry := range entries {
		found = append(found, fmt.Sprintf("%v=%v", entry.Key, entry.Value))
	}
	return sorted(found, err)
}

func asList(values []any, err error) (any, error) {
	return append([]any{}, values...), err
}

// structure is one data structure's part of the scenario.
type structure struct {
	content func() (any, error)
	write   func()
}

type marker func(string) string

func nothing() (any, error) { return []string{}, nil }

func openMap(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	orders, err := client.GetMap(ctx, name)
	if err != nil {
		return nil, err
	}
	content := func() (any, error) { return pairs(orders.GetEntrySet(ctx)) }
	write := func() {
		isB := predicate.SQL("this = '" + m("b") + "'")
		isKeyA := predicate.SQL("__key = 'a'")
		v.expect("put", nil)(orders.Put(ctx, "a", m("a")))
		v.expect("put replaces", m("a"))(orders.Put(ctx, "a", m("a")))
		v.expect("get", m("a"))(orders.Get(ctx, "a"))
		v.run("putAll")(orders.PutAll(ctx, types.NewEntry("b", m("b")), types.NewEntry("c", m("c"))))
		v.expect("getAll", []string{"a=" + m("a"), "b=" + m("b")})(pairs(orders.GetAll(ctx, "a", "b")))
		v.expect("containsKey", true)(orders.ContainsKey(ctx, "b"))
		v.expect("containsValue", true)(orders.ContainsValue(ctx, m("b")))
		v.expect("putIfAbsent", m("b"))(orders.PutIfAbsent(ctx, "b", "other"))
		v.expect("replace", m("c"))(orders.Replace(ctx, "c", m("c")))
		v.expect("replaceIfSame", true)(orders.ReplaceIfSame(ctx, "c", m("c"), m("c")))
		v.run("set")(orders.Set(ctx, "d", m("d")))
		v.expect("remove", m("d"))(orders.Remove(ctx, "d"))
		v.expect("keySet", []string{"a", "b", "c"})(sorted(orders.GetKeySet(ctx)))
		v.expect("values", []string{m("a"), m("b"), m("c")})(sorted(orders.GetValues(ctx)))
		v.expect("entrySet", []string{"a=" + m("a"), "b=" + m("b"), "c=" + m("c")})(content())
		v.expect("size", 3)(orders.Size(ctx))
		v.expect("isEmpty", false)(orders.IsEmpty(ctx))
		v.run("addIndex")(orders.AddIndex(ctx, types.IndexConfig{Type: types.IndexTypeHash, Attributes: []string{"this"}}))
		v.expect("entrySet by predicate", []string{"b=" + m("b")})(pairs(orders.GetEntrySetWithPredicate(ctx, isB)))
		v.expect("keySet by predicate", []string{"b"})(sorted(orders.GetKeySetWithPredicate(ctx, isB)))
		v.expect("values by predicate", []string{m("a")})(sorted(orders.GetValuesWithPredicate(ctx, isKeyA)))
		v.expect("aggregate", 3)(orders.Aggregate(ctx, aggregate.CountAll()))
		v.expect("sql", []string{m("b")})(sorted(readSQL(ctx, client)))
		view, err := orders.GetEntryView(ctx, "a")
		if err == nil {
			v.expect("entryView", m("a"))(view.Value, nil)
		} else {
			v.run("entryView")(err)
		}
		v.expect("put with ttl", nil)(orders.PutWithTTL(ctx, "t", m("t"), time.Second))
		v.eventually("ttl passes", nil, func() (any, error) { return orders.Get(ctx, "t") })
		holder := orders.NewLockContext(ctx)
		v.run("lock")(orders.Lock(holder, "a"))
		v.expect("isLocked", true)(orders.IsLocked(ctx, "a"))
		v.run("unlock")(orders.Unlock(holder, "a"))
		v.expect("tryLock", true)(orders.TryLock(holder, "a"))
		v.run("forceUnlock")(orders.ForceUnlock(ctx, "a"))
		v.expect("isLocked after unlock", false)(orders.IsLocked(ctx, "a"))
		heard := &ear{}
		added := func(e *hazelcast.EntryNotified) { heard.note("%s %v=%v", e.MapName, e.Key, e.Value) }
		listener, err := orders.AddListener(ctx, hazelcast.MapListener{EntryAdded: added}, true)
		v.run("addEntryListener")(err)
		v.expect("put to be heard", nil)(orders.Put(ctx, "e", m("e")))
		v.eventually("entry event", []string{name + " e=" + m("e")}, heard.all)
		v.run("removeEntryListener")(orders.RemoveListener(ctx, listener))
	}
	return &structure{content, write}, nil
}

func openQueue(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	queue, err := client.GetQueue(ctx, name)
	if err != nil {
		return nil, err
	}
	write := func() {
		heard := &ear{}
		listener, err := queue.AddItemListener(ctx, true, func(e *hazelcast.QueueItemNotified) {
			heard.note("%s %v %v", e.QueueName, e.EventType == hazelcast.ItemAdded, e.Value)
		})
		v.run("addItemListener")(err)
		v.expect("offer", true)(queue.Add(ctx, m("1")))
		v.run("put")(queue.Put(ctx, m("2")))
		v.expect("addAll", true)(queue.AddAll(ctx, m("3")))
		v.expect("size", 3)(queue.Size(ctx))
		v.expect("peek", m("1"))(queue.Peek(ctx))
		v.eventually("item event", added(m, "1", "2", "3"), heard.all)
		v.run("removeListener")(queue.RemoveListener(ctx, listener))
		v.expect("poll", m("1"))(queue.Poll(ctx))
		v.expect("take", m("2"))(queue.Take(ctx))
		v.expect("contains", true)(queue.Contains(ctx, m("3")))
	}
	return &structure{func() (any, error) { return asList(queue.GetAll(ctx)) }, write}, nil
}

// added is what an ear holds after items were added to the structure and nothing else happened.
func added(m marker, items ...string) []string {
	found := []string{}
	for _, item := range items {
		found = append(found, name+" true "+m(item))
	}
	return found
}

func openTopic(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	topic, err := client.GetTopic(ctx, name)
	if err != nil {
		return nil, err
	}
	write := func() {
		heard := &ear{}
		listener, err := topic.AddMessageListener(ctx, func(e *hazelcast.MessagePublished) {
			heard.note("%s %v", e.TopicName, e.Value)
		})
		v.run("addMessageListener")(err)
		v.run("publish")(topic.Publish(ctx, m("hello")))
		v.run("publishAll")(topic.PublishAll(ctx, m("later")))
		v.eventually("messages", []string{name + " " + m("hello"), name + " " + m("later")}, heard.all)
		v.run("removeListener")(topic.RemoveListener(ctx, listener))
	}
	return &structure{nothing, write}, nil
}

func openSet(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	items, err := client.GetSet(ctx, name)
	if err != nil {
		return nil, err
	}
	write := func() {
		heard := &ear{}
		listener, err := items.AddItemListener(ctx, true, func(e *hazelcast.SetItemNotified) {
			heard.note("%s %v %v", e.SetName, e.EventType == hazelcast.ItemAdded, e.Value)
		})
		v.run("addItemListener")(err)
		v.expect("add", true)(items.Add(ctx, m("1")))
		v.expect("add again", false)(items.Add(ctx, m("1")))
		v.expect("addAll", true)(items.AddAll(ctx, m("2"), m("3")))
		v.eventually("item event", added(m, "1", "2", "3"), heard.all)
		v.run("removeListener")(items.RemoveListener(ctx, listener))
		v.expect("remove", true)(items.Remove(ctx, m("3")))
		v.expect("contains", true)(items.Contains(ctx, m("2")))
		v.expect("size", 2)(items.Size(ctx))
	}
	return &structure{func() (any, error) { return sorted(items.GetAll(ctx)) }, write}, nil
}

func openList(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	items, err := client.GetList(ctx, name)
	if err != nil {
		return nil, err
	}
	write := func() {
		heard := &ear{}
		listener, err := items.AddListener(ctx, true, func(e *hazelcast.ListItemNotified) {
			heard.note("%s %v %v", e.ListName, e.EventType == hazelcast.ItemAdded, e.Value)
		})
		v.run("addItemListener")(err)
		v.expect("add", true)(items.Add(ctx, m("1")))
		v.expect("addAll", true)(items.AddAll(ctx, m("2"), m("3")))
		v.eventually("item event", added(m, "1", "2", "3"), heard.all)
		v.run("removeListener")(items.RemoveListener(ctx, listener))
		v.expect("get", m("2"))(items.Get(ctx, 1))
		v.expect("set", m("2"))(items.Set(ctx, 1, m("2")))
		v.expect("indexOf", 1)(items.IndexOf(ctx, m("2")))
		v.expect("subList", []string{m("1"), m("2")})(items.SubList(ctx, 0, 2))
		v.expect("removeAt", m("3"))(items.RemoveAt(ctx, 2))
		v.expect("size", 2)(items.Size(ctx))
	}
	return &structure{func() (any, error) { return asList(items.GetAll(ctx)) }, write}, nil
}

func openMultiMap(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	orders, err := client.GetMultiMap(ctx, name)
	if err != nil {
		return nil, err
	}
	write := func() {
		v.expect("put", true)(orders.Put(ctx, "a", m("1")))
		v.expect("put a second value", true)(orders.Put(ctx, "a", m("2")))
		v.expect("get", []string{m("1"), m("2")})(sorted(orders.Get(ctx, "a")))
		v.expect("put another key", true)(orders.Put(ctx, "b", m("3")))
		v.expect("remove", []string{m("3")})(orders.Remove(ctx, "b"))
		v.expect("valueCount", 2)(orders.ValueCount(ctx, "a"))
		v.expect("keySet", []string{"a"})(orders.GetKeySet(ctx))
		v.expect("size", 2)(orders.Size(ctx))
		holder := orders.NewLockContext(ctx)
		v.run("lock")(orders.Lock(holder, "a"))
		v.expect("isLocked", true)(orders.IsLocked(ctx, "a"))
		v.run("unlock")(orders.Unlock(holder, "a"))
	}
	return &structure{func() (any, error) { return pairs(orders.GetEntrySet(ctx)) }, write}, nil
}

func openRingbuffer(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	ring, err := client.GetRingbuffer(ctx, name)
	if err != nil {
		return nil, err
	}
	content := func() (any, error) {
		head, err := ring.HeadSequence(ctx)
		if err != nil {
			return nil, err
		}
		tail, err := ring.TailSequence(ctx)
		found := []any{}
		for sequence := head; err == nil && sequence <= tail; sequence++ {
			var item any
			item, err = ring.ReadOne(ctx, sequence)
			found = append(found, item)
		}
		return found, err
	}
	write := func() {
		v.expect("add", 0)(ring.Add(ctx, m("1"), hazelcast.OverflowPolicyOverwrite))
		v.expect("addAll", 1)(ring.AddAll(ctx, hazelcast.OverflowPolicyOverwrite, m("2")))
		v.expect("readOne", m("1"))(ring.ReadOne(ctx, 0))
		read, err := ring.ReadMany(ctx, 0, 2, 10, nil)
		v.run("readMany")(err)
		if err == nil {
			v.expect("readMany counts", 2)(read.ReadCount(), nil)
			v.expect("readMany reads", m("2"))(read.Get(1))
		}
		v.expect("tailSequence", 1)(ring.TailSequence(ctx))
		v.expect("size", 2)(ring.Size(ctx))
	}
	return &structure{content, write}, nil
}

func openReplicatedMap(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	orders, err := client.GetReplicatedMap(ctx, name)
	if err != nil {
		return nil, err
	}
	write := func() {
		heard := &ear{}
		listener, err := orders.AddEntryListener(ctx, func(e *hazelcast.EntryNotified) {
			heard.note("%s %v %v=%v", e.MapName, e.EventType == hazelcast.EntryAdded, e.Key, e.Value)
		})
		v.run("addEntryListener")(err)
		v.expect("put", nil)(orders.Put(ctx, "a", m("a")))
		v.run("putAll")(orders.PutAll(ctx, types.NewEntry("b", m("b"))))
		v.eventually("entry event", added(m2(m), "a", "b"), heard.all)
		v.run("removeEntryListener")(orders.RemoveEntryListener(ctx, listener))
		v.expect("put to be removed", nil)(orders.Put(ctx, "c", m("c")))
		v.expect("remove", m("c"))(orders.Remove(ctx, "c"))
		v.eventually("get", m("a"), func() (any, error) { return orders.Get(ctx, "a") })
		v.eventually("keySet", []string{"a", "b"}, func() (any, error) { return sorted(orders.GetKeySet(ctx)) })
		v.eventually("containsKey", true, func() (any, error) { return orders.ContainsKey(ctx, "b") })
		v.eventually("size", 2, func() (any, error) { return orders.Size(ctx) })
	}
	return &structure{func() (any, error) { return pairs(orders.GetEntrySet(ctx)) }, write}, nil
}

// m2 marks a whole entry: key=value.
func m2(m marker) marker {
	return func(key string) string { return key + "=" + m(key) }
}

func openPNCounter(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	counter, err := client.GetPNCounter(ctx, name)
	if err != nil {
		return nil, err
	}
	content := func() (any, error) {
		value, err := counter.Get(ctx)
		if err != nil || value == 0 {
			return []string{}, err
		}
		return []string{fmt.Sprint(value)}, nil
	}
	write := func() {
		v.expect("addAndGet", 5)(counter.AddAndGet(ctx, 5))
		v.expect("decrementAndGet", 4)(counter.DecrementAndGet(ctx))
		v.expect("getAndIncrement", 4)(counter.GetAndIncrement(ctx))
		v.expect("get", 5)(counter.Get(ctx))
	}
	return &structure{content, write}, nil
}

func openFlakeID(ctx context.Context, client *hazelcast.Client, m marker, v *verdicts) (*structure, error) {
	ids, err := client.GetFlakeIDGenerator(ctx, name)
	if err != nil {
		return nil, err
	}
	write := func() {
		first, err := ids.NewID(ctx)
		v.run("newId")(err)
		second, err := ids.NewID(ctx)
		v.expect("newId is new", true)(first != second, err)
	}
	return &structure{nothing, write}, nil
}

var scenarios = map[string]func(context.Context, *hazelcast.Client, marker, *verdicts) (*structure, error){
	"map":           openMap,
	"queue":         openQueue,
	"topic":         openTopic,
	"set":           openSet,
	"list":          openList,
	"multimap":      openMultiMap,
	"ringbuffer":    openRingbuffer,
	"replicatedMap": openReplicatedMap,
	"pnCounter":     openPNCounter,
	"flakeId":       openFlakeID,
}

func runStructures(ctx context.Context, client *hazelcast.Client, tenant, phase string) map[string]any {
	results := map[string]any{}
	for kind, open := range scenarios {
		v := &verdicts{map[string]string{}}
		result := map[string]any{"operations": v.Operations}
		results[kind] = result
		opened, err := open(ctx, client, func(text string) string { return tenant + "-" + text }, v)
		if err != nil {
			result["before"], result["content"] = []string{err.Error()}, []string{err.Error()}
			continue
		}
		result["before"] = orError(opened.content())
		if phase == "write" {
			opened.write()
			result["content"] = orError(opened.content())
		}
	}
	return results
}

func orError(found any, err error) any {
	if err != nil {
		return []string{err.Error()}
	}
	return found
}

func runObjects(ctx context.Context, client *hazelcast.Client, phase string) map[string]any {
	v := &verdicts{map[string]string{}}
	if phase == "write" {
		heard := &ear{}
		listener, err := client.AddDistributedObjectListener(ctx, func(e hazelcast.DistributedObjectNotified) {
			if e.ObjectName != name { // those were made just now, and it may be told of them late
				heard.note("%s %s %s", e.EventType, e.ServiceName, e.ObjectName)
			}
		})
		v.run("addListener")(err)
		scratch, err := client.GetMap(ctx, "scratch")
		v.run("getMap")(err)
		created, destroyed := "CREATED hz:impl:mapService scratch", "DESTROYED hz:impl:mapService scratch"
		v.eventually("created event", []string{created}, heard.all)
		v.run("destroy")(scratch.Destroy(ctx))
		v.eventually("destroyed event", []string{created, destroyed}, heard.all)
		v.run("removeListener")(client.RemoveDistributedObjectListener(ctx, listener))
	}
	listed := []any{}
	objects, err := client.GetDistributedObjectsInfo(ctx)
	for _, object := range objects {
		listed = append(listed, object.ServiceName+" "+object.Name)
	}
	return map[string]any{"listed": orError(sorted(listed, err)), "operations": v.Operations}
}

// readSQL reads a value of the map in SQL.
func readSQL(ctx context.Context, client *hazelcast.Client) ([]any, error) {
	result, err := client.SQL().Execute(ctx, "SELECT this FROM "+name+" WHERE __key = ?", "b")
	if err != nil {
		return nil, err
	}
	defer result.Close()
	iterator, err := result.Iterator()
	if err != nil {
		return nil, err
	}
	values := []any{}
	for iterator.HasNext() {
		row, err := iterator.Next()
		if err != nil {
			return nil, err
		}
		value, err := row.Get(0)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// unknownTask is something for a member to run that no member knows.
type unknownTask struct{}

func (unknownTask) FactoryID() int32 { return 4711 }
func (unknownTask) ClassID() int32   { return 1 }

func runRefusals(ctx context.Context, client *hazelcast.Client) map[string]any {
	outcome := func(answer any, err error) string {
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("answered %v", answer)
	}
	result := map[string]any{}
	orders, err := client.GetMap(ctx, name)
	if err != nil {
		result["entryProcessor"] = "no map: " + err.Error()
		return result
	}
	result["entryProcessor"] = outcome(orders.ExecuteOnKey(ctx, unknownTask{}, "a"))
	return result
}

func run(address, cluster, tenant, phase string) (map[string]any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	config := hazelcast.Config{}
	config.Cluster.Name = cluster
	config.Cluster.Network.SetAddresses(address)
	config.Cluster.ConnectionStrategy.Timeout = types.Duration(20 * time.Second)
	config.Cluster.InvocationTimeout = types.Duration(30 * time.Second)
	config.Logger.Level = logger.ErrorLevel
	if key := os.Getenv("KVS_ACCESS_KEY"); key != "" {
		config.Cluster.Security.Credentials.Username = tenant
		config.Cluster.Security.Credentials.Password = key
	}
	client, err := hazelcast.StartNewClientWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	defer func() { _ = client.Shutdown(context.Background()) }()
	result := map[string]any{"client": "go " + hazelcast.ClientVersion}
	if phase != "refusals" {
		result["structures"] = runStructures(ctx, client, tenant, phase)
		result["objects"] = runObjects(ctx, client, phase)
		return result, nil
	}
	result["refusals"] = runRefusals(ctx, client)
	orders, err := client.GetMap(ctx, name)
	if err != nil {
		return nil, err
	}
	result["alive"], err = orders.Get(ctx, "a")
	return result, err
}

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: probe HOST:PORT CLUSTER TENANT write|again|refusals")
		os.Exit(2)
	}
	result, err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(text(result))
}
