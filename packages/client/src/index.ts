/**
 * A client for any cluster: typed resources, informers, queues, leader election, events.
 * @module @coxswain/client
 */

export * from './transport.ts';
export * from './cache/informer-factory.ts';
export * from './cache/informer.ts';
export * from './cache/object-key.ts';
export * from './cache/reflector.ts';
export * from './cache/store.ts';
export * from './queue/expectations.ts';
export * from './queue/failure-back-off.ts';
export * from './queue/work-queue.ts';
export * from './queue/workers.ts';
export * from './rest/answer.ts';
export * from './rest/back-off.ts';
export type * from './rest/body-format.ts';
export * from './rest/rate-limiter.ts';
export * from './rest/request-path.ts';
export * from './rest/rest-client.ts';
export * from './rest/warnings.ts';
export * from './rest/watch-stream.ts';
export * from './resource/kube-client.ts';
export * from './resource/resource-client.ts';
export * from './discovery/discovered.ts';
export * from './discovery/discovery-client.ts';
export * from './discovery/rest-mapper.ts';
export * from './events/event-correlator.ts';
export * from './events/event-object.ts';
export * from './events/event-recorder.ts';
export * from './kind/custom-kind.ts';
export * from './kind/draft.ts';
export * from './kind/kind-ref.ts';
export * from './kind/schema-type.ts';
export * from './leader-election.ts';
export * from './kubeconfig/check-usable.ts';
export * from './kubeconfig/kubeconfig.ts';
export * from './kubeconfig/resolve.ts';
