// What etcd's own Go client does, against any server of its API: exit status 0 when all of it works.
//
//	go mod tidy && go run . http://127.0.0.1:2379
//
// The server must be new, and authentication off.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.etcd.io/etcd/client/v3/leasing"
	"go.etcd.io/etcd/client/v3/mirror"
	"go.etcd.io/etcd/client/v3/namespace"
	"go.etcd.io/etcd/client/v3/ordering"
	epb "go.etcd.io/etcd/server/v3/etcdserver/api/v3election/v3electionpb"
	lpb "go.etcd.io/etcd/server/v3/etcdserver/api/v3lock/v3lockpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
)

var cli *clientv3.Client
var ctx = context.Background()
var failed, passed int

func check(name string, f func() error) {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("panic %v", r)
			}
		}()
		done <- f()
	}()
	var err error
	select {
	case err = <-done:
	case <-time.After(20 * time.Second):
		err = fmt.Errorf("timed out")
	}
	if err != nil {
		failed++
		fmt.Printf("FAILED %s: %v\n", name, err)
		return
	}
	passed++
	fmt.Printf("ok %s\n", name)
}
func want(cond bool, format string, a ...any) error {
	if cond {
		return nil
	}
	return fmt.Errorf(format, a...)
}
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ep := os.Args[1]
	var err error
	cli, err = clientv3.New(clientv3.Config{Endpoints: []string{ep}, DialTimeout: 5 * time.Second})
	must(err)
	check("put get delete", func() error {
		_, err := cli.Put(ctx, "a", "1")
		must(err)
		p, err := cli.Put(ctx, "a", "2", clientv3.WithPrevKV())
		must(err)
		g, err := cli.Get(ctx, "a")
		must(err)
		d, err := cli.Delete(ctx, "a", clientv3.WithPrevKV())
		must(err)
		return want(string(p.PrevKv.Value) == "1" && string(g.Kvs[0].Value) == "2" && d.Deleted == 1 && string(d.PrevKvs[0].Value) == "2", "%v %v %v", p, g, d)
	})
	check("txn with all compares", func() error {
		_, err := cli.Put(ctx, "t", "5")
		must(err)
		r, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.Value("t"), "=", "5"), clientv3.Compare(clientv3.Version("t"), ">", 0), clientv3.Compare(clientv3.CreateRevision("t"), "!=", 0), clientv3.Compare(clientv3.ModRevision("t"), ">", 1), clientv3.Compare(clientv3.LeaseValue("t"), "=", 0)).Then(clientv3.OpPut("t", "6"), clientv3.OpTxn(nil, []clientv3.Op{clientv3.OpGet("t")}, nil)).Commit()
		must(err)
		return want(r.Succeeded && len(r.Responses) == 2, "%v", r)
	})
	check("pages by WithFromKey and limits", func() error {
		for i := 0; i < 25; i++ {
			_, err := cli.Put(ctx, fmt.Sprintf("p/%02d", i), "v")
			must(err)
		}
		g, err := cli.Get(ctx, "p/", clientv3.WithPrefix(), clientv3.WithLimit(10))
		must(err)
		c, err := cli.Get(ctx, "p/", clientv3.WithPrefix(), clientv3.WithCountOnly())
		must(err)
		l, err := cli.Get(ctx, "p/", clientv3.WithLastCreate()...)
		must(err)
		f, err := cli.Get(ctx, "p/", clientv3.WithFirstRev()...)
		must(err)
		return want(len(g.Kvs) == 10 && g.More && g.Count == 25 && c.Count == 25 && string(l.Kvs[0].Key) == "p/24" && string(f.Kvs[0].Key) == "p/00", "%v", g)
	})
	check("watch with prevKV, filters, created notice", func() error {
		wctx, cancel := context.WithCancel(ctx)
		defer cancel()
		w := cli.Watch(wctx, "w/", clientv3.WithPrefix(), clientv3.WithPrevKV(), clientv3.WithCreatedNotify(), clientv3.WithFilterDelete())
		first := <-w
		cli.Put(ctx, "w/1", "a")
		cli.Delete(ctx, "w/1")
		cli.Put(ctx, "w/1", "b")
		cli.Put(ctx, "w/1", "c")
		var got []string
		for len(got) < 3 {
			r := <-w
			for _, e := range r.Events {
				pv := ""
				if e.PrevKv != nil {
					pv = string(e.PrevKv.Value)
				}
				got = append(got, e.Type.String()+string(e.Kv.Value)+pv)
			}
		}
		return want(first.Created && strings.Join(got, " ") == "PUTa PUTb PUTcb", "%v", got)
	})
	check("watch from a revision, and progress", func() error {
		r, err := cli.Put(ctx, "h/1", "a")
		must(err)
		cli.Put(ctx, "h/2", "b")
		wctx, cancel := context.WithCancel(ctx)
		defer cancel()
		w := cli.Watch(wctx, "h/", clientv3.WithPrefix(), clientv3.WithRev(r.Header.Revision))
		n := 0
		for n < 2 {
			n += len((<-w).Events)
		}
		must(cli.RequestProgress(wctx))
		p := <-w
		return want(p.IsProgressNotify() && p.Header.Revision >= r.Header.Revision+1, "%v", p)
	})
	check("watch fragments of a large revision", func() error {
		var ops []clientv3.Op
		big := strings.Repeat("x", 11000)
		var rev int64
		for k := 0; k < 100; k++ {
			ops = append(ops, clientv3.OpPut(fmt.Sprintf("frag/%d", k), big))
		}
		for k := 0; k < 6; k++ {
			r, err := cli.Txn(ctx).Then(ops...).Commit()
			must(err)
			if k == 0 {
				rev = r.Header.Revision
			}
		}
		wctx, cancel := context.WithCancel(ctx)
		defer cancel()
		w := cli.Watch(wctx, "frag/", clientv3.WithPrefix(), clientv3.WithRev(rev), clientv3.WithFragment(), clientv3.WithPrevKV())
		n := 0
		for n < 600 {
			r := <-w
			must(r.Err())
			n += len(r.Events)
		}
		return want(n == 600, "%d", n)
	})
	check("watch of a compacted revision", func() error {
		r, err := cli.Put(ctx, "c", "1")
		must(err)
		cli.Put(ctx, "c", "2")
		_, err = cli.Compact(ctx, r.Header.Revision, clientv3.WithCompactPhysical())
		must(err)
		w := <-cli.Watch(ctx, "c", clientv3.WithRev(2))
		_, gerr := cli.Get(ctx, "c", clientv3.WithRev(2))
		return want(w.Err() == rpctypes.ErrCompacted && w.CompactRevision == r.Header.Revision && gerr == rpctypes.ErrCompacted, "%v %v %v", w.Err(), w.CompactRevision, gerr)
	})
	check("future revision, too many operations, duplicate key", func() error {
		_, e1 := cli.Get(ctx, "a", clientv3.WithRev(1<<40))
		_, e2 := cli.Txn(ctx).Then(clientv3.OpPut("d", "1"), clientv3.OpPut("d", "2")).Commit()
		_, e3 := cli.Put(ctx, "", "x")
		return want(e1 == rpctypes.ErrFutureRev && e2 == rpctypes.ErrDuplicateKey && e3 == rpctypes.ErrEmptyKey, "%v %v %v", e1, e2, e3)
	})
	check("leases: keep alive, time to live, expiry event", func() error {
		l, err := cli.Grant(ctx, 2)
		must(err)
		_, err = cli.Put(ctx, "leased", "x", clientv3.WithLease(l.ID))
		must(err)
		ka, err := cli.KeepAlive(ctx, l.ID)
		must(err)
		<-ka
		t, err := cli.TimeToLive(ctx, l.ID, clientv3.WithAttachedKeys())
		must(err)
		all, err := cli.Leases(ctx)
		must(err)
		l2, err := cli.Grant(ctx, 2)
		must(err)
		_, err = cli.Put(ctx, "short", "x", clientv3.WithLease(l2.ID))
		must(err)
		w := cli.Watch(ctx, "short")
		e := <-w
		g, err := cli.Get(ctx, "leased")
		must(err)
		_, err = cli.Revoke(ctx, l.ID)
		must(err)
		g2, err := cli.Get(ctx, "leased")
		must(err)
		_, err = cli.Revoke(ctx, l.ID)
		return want(len(t.Keys) == 1 && len(all.Leases) >= 1 && e.Events[0].Type.String() == "DELETE" && g.Count == 1 && g2.Count == 0 && err == rpctypes.ErrLeaseNotFound, "%v %v %v %v", t, e, g, err)
	})
	check("maintenance: status, hash, defragment, alarms, snapshot", func() error {
		s, err := cli.Status(ctx, ep)
		must(err)
		h, err := cli.HashKV(ctx, ep, 0)
		must(err)
		_, err = cli.Defragment(ctx, ep)
		must(err)
		h2, err := cli.HashKV(ctx, ep, h.Header.Revision)
		must(err)
		al, err := cli.AlarmList(ctx)
		must(err)
		rd, err := cli.SnapshotWithVersion(ctx)
		must(err)
		n, err := io.Copy(io.Discard, rd.Snapshot)
		must(err)
		_, err = cli.MoveLeader(ctx, 77)
		return want(s.Leader == s.Header.MemberId && s.DbSize > 0 && h.Hash == h2.Hash && len(al.Alarms) == 0 && n%512 == 32 && rd.Version == "3.6.0" && err == rpctypes.ErrBadLeaderTransferee, "%v %v %v %v %v", s, h, h2, n, err)
	})
	check("alarm raised by hand refuses puts until it is disarmed", func() error {
		m := pb.NewMaintenanceClient(cli.ActiveConnection())
		_, err := m.Alarm(ctx, &pb.AlarmRequest{Action: pb.AlarmRequest_ACTIVATE, Alarm: pb.AlarmType_NOSPACE})
		must(err)
		_, perr := cli.Put(ctx, "x", "y")
		al, err := cli.AlarmList(ctx)
		must(err)
		d, err := cli.AlarmDisarm(ctx, &clientv3.AlarmMember{})
		must(err)
		_, err = cli.Put(ctx, "x", "y")
		must(err)
		return want(perr == rpctypes.ErrNoSpace && len(al.Alarms) == 1 && len(d.Alarms) == 1, "%v %v %v", perr, al, d)
	})
	check("cluster of one", func() error {
		l, err := cli.MemberList(ctx)
		must(err)
		_, e1 := cli.MemberRemove(ctx, l.Members[0].ID)
		_, e2 := cli.MemberRemove(ctx, 5)
		_, e3 := cli.MemberPromote(ctx, l.Members[0].ID)
		return want(len(l.Members) == 1 && e1 == rpctypes.ErrMemberNotEnoughStarted && e2 == rpctypes.ErrMemberNotFound && e3 == rpctypes.ErrMemberNotLearner, "%v %v %v", e1, e2, e3)
	})
	check("mutex between sessions", func() error {
		n := 0
		var wg sync.WaitGroup
		for i := 0; i < 5; i++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				s, err := concurrency.NewSession(cli, concurrency.WithTTL(5))
				must(err)
				defer s.Close()
				m := concurrency.NewMutex(s, "/lock/m")
				must(m.Lock(ctx))
				v := n
				time.Sleep(5 * time.Millisecond)
				n = v + 1
				must(m.Unlock(ctx))
			}()
		}
		wg.Wait()
		s, _ := concurrency.NewSession(cli)
		defer s.Close()
		s2, _ := concurrency.NewSession(cli)
		defer s2.Close()
		m1, m2 := concurrency.NewMutex(s, "/lock/t"), concurrency.NewMutex(s2, "/lock/t")
		must(m1.TryLock(ctx))
		return want(n == 5 && m2.TryLock(ctx) == concurrency.ErrLocked, "%d", n)
	})
	check("election: campaign, proclaim, observe, resign", func() error {
		s1, _ := concurrency.NewSession(cli)
		defer s1.Close()
		s2, _ := concurrency.NewSession(cli)
		defer s2.Close()
		e1, e2 := concurrency.NewElection(s1, "/el"), concurrency.NewElection(s2, "/el")
		octx, cancel := context.WithCancel(ctx)
		defer cancel()
		must(e1.Campaign(ctx, "one"))
		o := e1.Observe(octx)
		a := string((<-o).Kvs[0].Value)
		must(e1.Proclaim(ctx, "uno"))
		b := string((<-o).Kvs[0].Value)
		done := make(chan error, 1)
		go func() { done <- e2.Campaign(ctx, "two") }()
		time.Sleep(50 * time.Millisecond)
		must(e1.Resign(ctx))
		must(<-done)
		l, err := e2.Leader(ctx)
		must(err)
		return want(a == "one" && b == "uno" && string(l.Kvs[0].Value) == "two", "%v %v %v", a, b, l)
	})
	check("STM", func() error {
		_, err := cli.Put(ctx, "stm", "0")
		must(err)
		var wg sync.WaitGroup
		for i := 0; i < 8; i++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				_, err := concurrency.NewSTM(cli, func(s concurrency.STM) error {
					var v int
					fmt.Sscan(s.Get("stm"), &v)
					s.Put("stm", fmt.Sprint(v+1))
					return nil
				})
				must(err)
			}()
		}
		wg.Wait()
		g, err := cli.Get(ctx, "stm")
		must(err)
		return want(string(g.Kvs[0].Value) == "8", "%s", g.Kvs[0].Value)
	})
	check("mirror syncer", func() error {
		for i := 0; i < 1500; i++ {
			if i%100 == 0 {
				cli.Put(ctx, fmt.Sprintf("mir/%04d", i), "v")
			}
		}
		sy := mirror.NewSyncer(cli, "mir/", 0)
		rc, ec := sy.SyncBase(ctx)
		n := 0
		for r := range rc {
			n += len(r.Kvs)
		}
		if err := <-ec; err != nil {
			return err
		}
		wctx, cancel := context.WithCancel(ctx)
		defer cancel()
		w := sy.SyncUpdates(wctx)
		cli.Put(ctx, "mir/new", "x")
		r := <-w
		return want(n == 15 && string(r.Events[0].Kv.Key) == "mir/new", "%d %v", n, r)
	})
	check("namespace", func() error {
		kv, wt := namespace.NewKV(cli.KV, "ns/"), namespace.NewWatcher(cli.Watcher, "ns/")
		w := wt.Watch(ctx, "", clientv3.WithPrefix())
		_, err := kv.Put(ctx, "k", "v")
		must(err)
		g, err := cli.Get(ctx, "ns/k")
		must(err)
		r := <-w
		return want(g.Count == 1 && string(r.Events[0].Kv.Key) == "k", "%v", r)
	})
	check("ordering", func() error {
		kv := ordering.NewKV(cli.KV, func(op clientv3.Op, resp clientv3.OpResponse, prev int64) error { return fmt.Errorf("violated") })
		for i := 0; i < 20; i++ {
			_, err := kv.Get(ctx, "a", clientv3.WithSerializable())
			must(err)
			_, err = cli.Put(ctx, "a", "x")
			must(err)
		}
		return nil
	})
	check("leasing", func() error {
		kv, closer, err := leasing.NewKV(cli, "lz/")
		must(err)
		defer closer()
		_, err = kv.Put(ctx, "lk", "1")
		must(err)
		g, err := kv.Get(ctx, "lk")
		must(err)
		g, err = kv.Get(ctx, "lk")
		must(err)
		_, err = cli.Put(ctx, "other", "2")
		must(err)
		return want(string(g.Kvs[0].Value) == "1", "%v", g)
	})
	conn, err := grpc.NewClient(strings.TrimPrefix(ep, "http://"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(err)
	check("gRPC health", func() error {
		h := healthpb.NewHealthClient(conn)
		r, err := h.Check(ctx, &healthpb.HealthCheckRequest{})
		must(err)
		_, e := h.Check(ctx, &healthpb.HealthCheckRequest{Service: "nope"})
		wctx, cancel := context.WithCancel(ctx)
		defer cancel()
		w, err := h.Watch(wctx, &healthpb.HealthCheckRequest{})
		must(err)
		s, err := w.Recv()
		must(err)
		return want(r.Status == 1 && s.Status == 1 && strings.Contains(e.Error(), "NotFound"), "%v %v", r, e)
	})
	check("lock service", func() error {
		l := lpb.NewLockClient(conn)
		a, err := l.Lock(ctx, &lpb.LockRequest{Name: []byte("srv")})
		must(err)
		got := make(chan []byte, 1)
		go func() { b, err := l.Lock(ctx, &lpb.LockRequest{Name: []byte("srv")}); must(err); got <- b.Key }()
		tctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		_, terr := l.Lock(tctx, &lpb.LockRequest{Name: []byte("srv")})
		_, err = l.Unlock(ctx, &lpb.UnlockRequest{Key: a.Key})
		must(err)
		k := <-got
		time.Sleep(50 * time.Millisecond)
		g, err := cli.Get(ctx, "srv/", clientv3.WithPrefix())
		must(err)
		return want(terr != nil && !bytes.Equal(k, a.Key) && g.Count == 1, "%v %v", terr, g)
	})
	check("election service", func() error {
		e := epb.NewElectionClient(conn)
		c, err := e.Campaign(ctx, &epb.CampaignRequest{Name: []byte("se"), Value: []byte("me")})
		must(err)
		o, err := e.Observe(ctx, &epb.LeaderRequest{Name: []byte("se")})
		must(err)
		r, err := o.Recv()
		must(err)
		_, err = e.Proclaim(ctx, &epb.ProclaimRequest{Leader: c.Leader, Value: []byte("I")})
		must(err)
		r2, err := o.Recv()
		must(err)
		l, err := e.Leader(ctx, &epb.LeaderRequest{Name: []byte("se")})
		must(err)
		_, err = e.Resign(ctx, &epb.ResignRequest{Leader: c.Leader})
		must(err)
		_, nerr := e.Leader(ctx, &epb.LeaderRequest{Name: []byte("se")})
		return want(string(r.Kv.Value) == "me" && string(r2.Kv.Value) == "I" && string(l.Kv.Value) == "I" && nerr != nil, "%v %v %v", r, r2, nerr)
	})
	check("auth: users, roles, permissions", func() error {
		_, err := cli.AuthEnable(ctx)
		if err != rpctypes.ErrRootUserNotExist {
			return fmt.Errorf("%v", err)
		}
		_, err = cli.UserAdd(ctx, "root", "pw")
		must(err)
		_, err = cli.RoleAdd(ctx, "root")
		must(err)
		_, err = cli.UserGrantRole(ctx, "root", "root")
		must(err)
		_, err = cli.UserAdd(ctx, "u", "pw")
		must(err)
		_, err = cli.RoleAdd(ctx, "r")
		must(err)
		_, err = cli.RoleGrantPermission(ctx, "r", "mine/", "mine0", clientv3.PermissionType(clientv3.PermReadWrite))
		must(err)
		_, err = cli.UserGrantRole(ctx, "u", "r")
		must(err)
		_, err = cli.AuthEnable(ctx)
		must(err)
		root, err := clientv3.New(clientv3.Config{Endpoints: []string{ep}, Username: "root", Password: "pw"})
		must(err)
		defer func() {
			_, err := root.AuthDisable(ctx)
			must(err)
			root.UserDelete(ctx, "root")
			root.UserDelete(ctx, "u")
			root.RoleDelete(ctx, "r")
			root.RoleDelete(ctx, "root")
			root.Close()
		}()
		_, anon := cli.Put(ctx, "a", "1")
		u, err := clientv3.New(clientv3.Config{Endpoints: []string{ep}, Username: "u", Password: "pw"})
		must(err)
		defer u.Close()
		_, e1 := u.Put(ctx, "mine/1", "x")
		_, e2 := u.Put(ctx, "other", "x")
		_, e3 := u.Get(ctx, "mine/", clientv3.WithPrefix())
		_, e4 := u.UserList(ctx)
		w := <-u.Watch(ctx, "other")
		_, e6 := root.Put(ctx, "other", "x")
		_, e7 := clientv3.New(clientv3.Config{Endpoints: []string{ep}, Username: "u", Password: "no", DialTimeout: time.Second})
		return want(anon == rpctypes.ErrUserEmpty && e1 == nil && e2 == rpctypes.ErrPermissionDenied && e3 == nil && e4 == rpctypes.ErrPermissionDenied && w.Err() != nil && e6 == nil && e7 != nil, "%v | %v | %v | %v | %v | %v | %v | %v", anon, e1, e2, e3, e4, w.Err(), e6, e7)
	})
	check("1,000 watches on one connection", func() error {
		wctx, cancel := context.WithCancel(ctx)
		defer cancel()
		var wg sync.WaitGroup
		for i := 0; i < 1000; i++ {
			w := cli.Watch(wctx, fmt.Sprintf("many/%d", i), clientv3.WithCreatedNotify())
			<-w
			wg.Add(1)
			go func() { defer wg.Done(); <-w }()
		}
		for i := 0; i < 1000; i++ {
			_, err := cli.Put(ctx, fmt.Sprintf("many/%d", i), "x")
			must(err)
		}
		wg.Wait()
		return nil
	})
	fmt.Printf("passed %d failed %d\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
