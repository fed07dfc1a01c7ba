export { startCluster } from './cluster.ts';
export type { Cluster, ClusterOptions, ForkOptions } from './cluster.ts';
export type { ClusterSnapshot } from './cluster-storage.ts';
export { recorder } from './trace/recorder.ts';
export type { RecordedStep, Recorder } from './trace/recorder.ts';
