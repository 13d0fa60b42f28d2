// Uses frameworks that were written for Redis; prints what came of each, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
)

const patience = 30 * time.Second

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// plain uses the client itself: a pipeline, a transaction with a watched key, a subscription, a lock, a script.
func plain(ctx context.Context, client *redis.Client) any {
	piped := must(client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.Set(ctx, "greeting", "hello", time.Minute)
		pipe.Incr(ctx, "visits")
		pipe.ZAdd(ctx, "scores", redis.Z{Score: 7, Member: "ada"}, redis.Z{Score: 9, Member: "bob"})
		return nil
	}))
	check(client.Watch(ctx, func(tx *redis.Tx) error {
		visits := must(tx.Get(ctx, "visits").Int())
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			pipe.Set(ctx, "visits", visits*10, 0)
			return nil
		})
		return err
	}, "visits"))
	news := client.Subscribe(ctx, "news")
	defer news.Close()
	must(news.Receive(ctx))
	heard := must(client.Publish(ctx, "news", "rain").Result())
	said := must(news.ReceiveMessage(ctx)).Payload
	top := must(client.ZRevRange(ctx, "scores", 0, 0).Result())
	sum := must(redis.NewScript("return redis.call('INCRBY', KEYS[1], ARGV[1])").Run(ctx, client, []string{"visits"}, 5).Int())
	held := must(client.SetNX(ctx, "lock", "me", time.Minute).Result())
	other := must(client.SetNX(ctx, "lock", "you", time.Minute).Result())
	return []any{held, other, len(piped), heard, said, top[0], sum}
}

func limiter(ctx context.Context, client *redis.Client) any {
	limit := redis_rate.NewLimiter(client)
	var allowed []int
	for i := 0; i < 4; i++ {
		allowed = append(allowed, must(limit.Allow(ctx, "user", redis_rate.PerMinute(3))).Allowed)
	}
	return allowed
}

func main() {
	options := must(redis.ParseURL(os.Args[1]))
	client := redis.NewClient(options)
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	report := map[string]any{}
	for name, use := range map[string]func() any{
		"go-redis":   func() any { return plain(ctx, client) },
		"redis_rate": func() any { return limiter(ctx, client) },
	} {
		report[name] = attempt(use)
	}
	check(json.NewEncoder(os.Stdout).Encode(report))
}

func attempt(use func() any) (result any) {
	defer func() {
		if failure := recover(); failure != nil {
			result = fmt.Sprint("failed: ", failure)
		}
	}()
	return use()
}
