export { checkConfiguration, type KubeSchedulerConfiguration } from './config/configuration.ts';
export { profilesOf } from './config/profiles.ts';
export type { ClusterEvent } from './framework/cluster-event.ts';
export type { Cluster, ClusterObjects } from './framework/cluster.ts';
export { plugin, type AnyPlugin, type Plugin } from './framework/plugin.ts';
export type { SchedulerApi, SchedulerEvent } from './framework/scheduler-api.ts';
export { runKubeScheduler } from './command.ts';
export { Scheduler, type SchedulerOptions } from './scheduler.ts';
export * from './start-scheduler.ts';
