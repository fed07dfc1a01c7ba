import { detach } from '@coxswain/apimachinery/detach.ts';
import {
  aborted,
  BoundedFrequencyRunner,
  PendingCauses,
  runStep,
  scopeOf,
  systemClock,
  systemRandom,
  type Clock,
  type KubeObject,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { InformerFactory, type KubeClient } from '@coxswain/client';
import type { PolicyTable } from './nftables/nft-table.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NetworkPolicyObject } from './plan/compiled-policy.ts';
import { planPolicies } from './plan/plan-policies.ts';
import { KnownPods } from './plan/known-pods.ts';
import type { PodObject } from './plan/policy-pod.ts';

/** Changes within this interval are loaded together. */
export const restMs = 50;
const retryMs = 1_000;
/** How long rules may be missing after another program has removed them, if nothing else changes. */
const checkMs = 30_000;
/** How long a pod waits for rules that cannot be loaded before an error is reported. */
const protectMsMax = 20_000;

export interface StartNetworkPoliciesOptions {
  readonly client: KubeClient;
  /** The node whose pods are protected. */
  readonly nodeName: string;
  readonly table: PolicyTable;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Shared with other components of the process, and started by the caller. Own informers if unset. */
  readonly informers?: InformerFactory;
  readonly onError?: (error: unknown) => void;
}

export interface RunningNetworkPolicies {
  /** Resolves when the rules are in effect for the first time. */
  readonly synced: Promise<void>;
  /**
   * Resolves when policies protect this pod at its new addresses. Containers started afterwards are never reachable by
   * clients that are not allowed to reach them.
   * @throws Error if that was not possible in time
   */
  protect(pod: Pod, addresses: readonly string[]): Promise<void>;
  /** Resolves when the rules reflect everything that is known now. */
  settled(): Promise<void>;
  /** Resolves when everything has stopped after the signal. The rules stay in effect for pods that keep running. */
  readonly stopped: Promise<void>;
  /** Removes the rules, for a caller that has ended the pods. */
  remove(): Promise<void>;
}

const resources = {
  policies: { group: 'networking.k8s.io', version: 'v1', resource: 'networkpolicies' },
  pods: { group: '', version: 'v1', resource: 'pods' },
  namespaces: { group: '', version: 'v1', resource: 'namespaces' },
} as const;

/** Keeps the packet filter of a node in sync with policies, pods and namespaces. */
export function startNetworkPolicies(options: StartNetworkPoliciesOptions): RunningNetworkPolicies {
  const { client, signal, observer, nodeName, table } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = options.onError ?? (() => {});
  const factory = options.informers ?? new InformerFactory({ client, clock, random, observer, onError });
  const policies = factory.informer<NetworkPolicyObject>(resources.policies);
  const podInformer = factory.informer<PodObject>(resources.pods);
  const namespaceInformer = factory.informer<KubeObject>(resources.namespaces);
  const known = new KnownPods();
  let isCheckDue = false;
  let lastError = 'it takes too long';
  const causes = new PendingCauses(observer);
  const undertaken = () =>
    observer &&
    scopeOf(observer, () => ({
      kind: 'proxy',
      component: `network-policy/${nodeName}`,
      name: nodeName,
      causes: causes.take(nodeName),
    }));
  async function syncPolicyRules() {
    if (isCheckDue) await table.check();
    isCheckDue = false;
    const { pods, namespaces } = known;
    await table.load(planPolicies({ nodeName, policies: policies.lister.list(), pods, namespaces }));
  }
  const sync = new BoundedFrequencyRunner({
    clock,
    restMs,
    retryMs,
    onError(error) {
      lastError = messageOf(error);
      onError(error);
    },
    job: () => runStep(undertaken(), 'sync', syncPolicyRules),
  });
  const changed = (isNews = true) => {
    if (!isNews) return;
    causes.note(nodeName);
    sync.request();
  };
  policies.addHandler({
    added: () => changed(),
    deleted: () => changed(),
    updated: (before, after) => changed(before.metadata.generation !== after.metadata.generation),
  });
  podInformer.addHandler({
    added: (pod) => changed(known.note(pod)),
    updated: (_before, pod) => changed(known.note(pod)),
    deleted: (pod) => changed(known.forget(pod)),
  });
  namespaceInformer.addHandler({
    added: (namespace) => changed(known.noteNamespace(namespace)),
    updated: (_before, namespace) => changed(known.noteNamespace(namespace)),
    deleted: (namespace) => changed(known.forgetNamespace(namespace)),
  });
  if (options.informers === undefined) factory.start(signal);
  const filled = Promise.all([policies.synced, podInformer.synced, namespaceInformer.synced]);
  const synced = filled.then(() => {
    const done = sync.done();
    detach(sync.open());
    return done;
  });
  const checking = every(checkMs, clock, signal, () => {
    isCheckDue = true;
    sync.request();
  });
  const stopped = Promise.all([aborted(signal), checking])
    .then(() => sync.close())
    .then(() => (options.informers === undefined ? factory.stopped() : undefined));
  return {
    synced,
    settled: () => sync.done(),
    async protect(pod, addresses) {
      const isNews = known.note(pod as PodObject, addresses);
      // Other pods may learn of it later, which blocks nobody.
      if (policies.lister.list(pod.metadata?.namespace).length === 0) return changed(isNews);
      const late = clock.sleep(protectMsMax, signal).then(() => {
        throw new Error(`network policies are not in effect: ${lastError}`);
      });
      // Aborted, or no longer awaited.
      late.catch(() => {});
      await Promise.race([sync.done(), late]);
    },
    stopped,
    remove: () => table.remove(),
  };
}

async function every(ms: number, clock: Clock, signal: AbortSignal, act: () => void): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(ms, signal).then(act, () => undefined);
  }
}
