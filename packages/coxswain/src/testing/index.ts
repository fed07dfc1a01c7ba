/** `coxswain/testing` */

export { createCluster } from './create-cluster.ts';
export type { CreateClusterOptions } from './create-cluster.ts';
export { withCluster } from './with-cluster.ts';
export type { ClusterView, TestClock, TestCluster, TestSnapshot } from './test-cluster.ts';
export type { ActiveFault, Fault, FaultAction, Faults } from './faults/fault-rules.ts';
export type { RecordedRequest, RequestPattern } from './requests/request-log.ts';
export type { EventuallyOptions } from './eventually.ts';
export type { IdleOptions } from './idle/wait-until-idle.ts';
export type { Manifests } from './manifests.ts';
export type { AsUser } from './users.ts';
export type { Duration } from './virtual-clock.ts';
export { matchers } from './matchers/matchers.ts';
export type { MatcherResult, ObjectName } from './matchers/matchers.ts';
export { assertEventuallyHas, assertEventuallyLacks, assertRequested } from './matchers/assertions.ts';
