export type { KubeSchedulerConfiguration } from './config/configuration.ts';
export type { PluginFactory } from './config/default-plugins.ts';
export { readConfiguration } from './config/load-configuration.ts';
export { usableConfiguration } from './usable-configuration.ts';
export { profilesOf } from './config/profiles.ts';
export type { NodeVictims } from './cache/victims.ts';
export type { Extender, FilterResult, VictimsByNode } from './framework/extender.ts';
export type { ClusterEvent } from './framework/cluster-event.ts';
export type { Cluster, ClusterObjects } from './framework/cluster.ts';
export { plugin, type AnyPlugin, type Plugin } from './framework/plugin.ts';
export {
  pluginFactory,
  withPlugins,
  type CandidateNode,
  type SchedulerPlugin,
} from './config/scheduler-plugin.ts';
export type { SchedulerApi, SchedulerEvent } from './framework/scheduler-api.ts';
export { runKubeScheduler } from './command.ts';
export { Scheduler, type SchedulerOptions } from './scheduler.ts';
export * from './start-scheduler.ts';
export { explainPlacement } from './explain-placement.ts';
export type { NodeExplanation, PlacementExplanation, Refusal, RefusalFact } from './explain-placement.ts';
