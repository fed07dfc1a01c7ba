module coxswain.example/etcd/clients

go 1.26

require (
	go.etcd.io/etcd/api/v3 v3.6.8
	go.etcd.io/etcd/client/v3 v3.6.8
	go.etcd.io/etcd/server/v3 v3.6.8
	google.golang.org/grpc v1.71.1
)
