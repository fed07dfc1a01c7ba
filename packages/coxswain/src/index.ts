export { startCluster } from './cluster.ts';
export type { Cluster, ClusterOptions, ForkOptions } from './cluster.ts';
export type { ClusterSnapshot } from './cluster-storage.ts';
