export { startCluster } from './cluster.ts';
export type { Cluster, ClusterOptions } from './cluster.ts';
export { recorder } from './trace/recorder.ts';
export type { RecordedStep, Recorder } from './trace/recorder.ts';
