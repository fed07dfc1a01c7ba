/** Enforces network policies between simulated pods. */
import { isStatusError, type KubeObject, type Labels } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeClient } from '@coxswain/client';
import type { FlowEnd, FlowJudge } from '@coxswain/simulated-nodes/network/flow.ts';
import { mayPass, type PacketEnd } from '@coxswain/network-policy/judge/may-pass.ts';
import type { NetworkPolicyObject } from '@coxswain/network-policy/plan/compiled-policy.ts';
import { policyPodOf, type PodObject } from '@coxswain/network-policy/plan/policy-pod.ts';

/** Simulated pods connect rarely, so policies are read each time instead of being watched. */
export function policyJudge(client: KubeClient): FlowJudge {
  const pods = client.resource<PodObject>('v1', 'pods');
  /** Labels may have changed since the container started. */
  const asItIs = async ({ metadata }: Pod): Promise<Pod | undefined> =>
    pods
      .namespace(metadata?.namespace ?? '')
      .get(metadata?.name ?? '')
      .catch(unlessMissing(undefined));
  return async (flow) => {
    const policies = await policiesOf(client);
    if (policies.length === 0) return true;
    const [namespaces, sender] = await Promise.all([
      namespaceLabels(client),
      flow.from.pod && asItIs(flow.from.pod),
    ]);
    const from = packetEnd({ ...flow.from, pod: sender ?? flow.from.pod });
    return mayPass({ policies, namespaces }, { ...flow, from, to: packetEnd(flow.to) });
  };
}

const policiesOf = async (client: KubeClient): Promise<readonly NetworkPolicyObject[]> =>
  client
    .resource<NetworkPolicyObject>('networking.k8s.io/v1', 'networkpolicies')
    .list()
    .then(({ items }) => items, unlessMissing([]));

async function namespaceLabels(client: KubeClient): Promise<ReadonlyMap<string, Labels>> {
  const { items } = await client.resource<KubeObject>('v1', 'namespaces').list();
  return new Map(items.map(({ metadata: { name = '', labels = {} } }) => [name, labels]));
}

function packetEnd({ address, pod }: FlowEnd): PacketEnd {
  if (pod?.spec?.hostNetwork) return { address, nodeName: pod.spec.nodeName };
  return { address, pod: pod && policyPodOf(pod as PodObject, [address]) };
}

const unlessMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isStatusError(error, 'NotFound')) return value;
    throw error;
  };
