export { startCluster } from './cluster/cluster.ts';
export type { Cluster, ClusterOptions, ForkOptions } from './cluster/cluster.ts';
export type { ClusterSnapshot } from './storage/cluster-storage.ts';
