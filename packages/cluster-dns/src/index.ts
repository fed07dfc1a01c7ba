export * from './start-cluster-dns.ts';
export * from './upstream/resolv-conf.ts';
