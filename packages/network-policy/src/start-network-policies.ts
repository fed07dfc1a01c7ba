import {
  aborted,
  deepEqual,
  BoundedFrequencyRunner,
  PendingCauses,
  runStep,
  scopeOf,
  systemClock,
  systemRandom,
  type Clock,
  type KubeObject,
  type Labels,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { InformerFactory, type KubeClient } from '@coxswain/client';
import type { PolicyTable } from './nftables/nft-table.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NetworkPolicyObject } from './plan/compiled-policy.ts';
import { planPolicies } from './plan/plan-policies.ts';
import { policyPodOf, type PodObject, type PolicyPod } from './plan/policy-pod.ts';

/** What changes in this time is loaded together. */
export const restMs = 50;
const retryMs = 1_000;
/** How long rules may be gone when somebody else has removed them and nothing changes. */
const checkMs = 30_000;
/** So long a pod waits for rules that can't be loaded, before somebody is told. */
const protectMsMax = 20_000;

export interface StartNetworkPoliciesOptions {
  readonly client: KubeClient;
  /** Its pods are protected. */
  readonly nodeName: string;
  readonly table: PolicyTable;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Shared with other components of the process, and started by whoever made it; own ones when absent. */
  readonly informers?: InformerFactory;
  readonly onError?: (error: unknown) => void;
}

export interface RunningNetworkPolicies {
  /** Resolves when the rules are in effect for the first time. */
  readonly synced: Promise<void>;
  /**
   * Resolves when the policies protect this pod at the addresses that it was just given. Containers that start
   * after it are never reachable by those who may not reach them.
   * @throws Error when that could not be done in time
   */
  protect(pod: Pod, addresses: readonly string[]): Promise<void>;
  /** Resolves when the rules follow from what is known now. */
  settled(): Promise<void>;
  /** Resolves when everything has stopped after the signal. The rules stay in effect for pods that go on. */
  readonly stopped: Promise<void>;
  /** Takes the rules away, for who has ended the pods. */
  remove(): Promise<void>;
}

const resources = {
  policies: { group: 'networking.k8s.io', version: 'v1', resource: 'networkpolicies' },
  pods: { group: '', version: 'v1', resource: 'pods' },
  namespaces: { group: '', version: 'v1', resource: 'namespaces' },
} as const;

/** Keeps the packet filter of a node in step with policies, pods and namespaces. */
export function startNetworkPolicies(options: StartNetworkPoliciesOptions): RunningNetworkPolicies {
  const { client, signal, observer, nodeName, table } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = options.onError ?? (() => {});
  const factory = options.informers ?? new InformerFactory({ client, clock, random, observer, onError });
  const policies = factory.informer<NetworkPolicyObject>(resources.policies);
  const podInformer = factory.informer<PodObject>(resources.pods);
  const namespaceInformer = factory.informer<KubeObject>(resources.namespaces);
  const pods = new Map<string, PolicyPod>();
  const namespaces = new Map<string, Labels>();
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
    const inputs = { nodeName, policies: policies.lister.list(), pods: pods.values(), namespaces };
    await table.load(planPolicies(inputs));
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
  const changed = () => {
    causes.note(nodeName);
    sync.request();
  };
  policies.addHandler({
    added: changed,
    deleted: changed,
    updated: (before, after) => {
      if (before.metadata.generation !== after.metadata.generation) changed();
    },
  });
  /** Answers whether that is news. */
  const know = (pod: PodObject, addresses?: readonly string[]): boolean => {
    const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
    const before = pods.get(key);
    // What was told early is not in the status yet.
    const early = before?.uid === pod.metadata.uid && !pod.status?.podIP ? before?.addresses : undefined;
    const after = policyPodOf(pod, addresses ?? early);
    if (deepEqual(before, after)) return false;
    if (after === undefined) pods.delete(key);
    else pods.set(key, after);
    return true;
  };
  const podChanged = (pod: PodObject): void => {
    if (know(pod)) changed();
  };
  podInformer.addHandler({
    added: podChanged,
    updated: (_before, pod) => podChanged(pod),
    deleted({ metadata: { namespace, name, uid } }) {
      const key = `${namespace}/${name}`;
      if (pods.get(key)?.uid === uid && pods.delete(key)) changed();
    },
  });
  const knowNamespace = ({ metadata: { name = '', labels = {} } }: KubeObject): void => {
    if (deepEqual(namespaces.get(name), labels)) return;
    namespaces.set(name, labels);
    changed();
  };
  namespaceInformer.addHandler({
    added: knowNamespace,
    updated: (_before, after) => knowNamespace(after),
    deleted({ metadata: { name = '' } }) {
      if (namespaces.delete(name)) changed();
    },
  });
  if (options.informers === undefined) factory.start(signal);
  const filled = Promise.all([policies.synced, podInformer.synced, namespaceInformer.synced]);
  const synced = filled.then(() => {
    const done = sync.done();
    void sync.open();
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
      const isNews = know(pod as PodObject, addresses);
      // Others may come to know it later: nobody is kept from it.
      if (policies.lister.list(pod.metadata?.namespace).length === 0) {
        if (isNews) changed();
        return;
      }
      const late = clock.sleep(protectMsMax, signal).then(() => {
        throw new Error(`network policies are not in effect: ${lastError}`);
      });
      // Aborted, or not waited for any more.
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
