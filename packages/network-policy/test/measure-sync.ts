/** Measures planning and loading 1,000 pods with 100 policies in a separate network namespace. */
import { execFileSync } from 'node:child_process';
import { nftBy } from '@coxswain/nftables';
import { NftTable } from '../src/nftables/nft-table.ts';
import { emptyPlan, tableChanges } from '../src/nftables/table-text.ts';
import type { NetworkPolicyObject } from '../src/plan/compiled-policy.ts';
import { planPolicies } from '../src/plan/plan-policies.ts';
import { policyPodOf, type PolicyPod } from '../src/plan/policy-pod.ts';
import { namespacesNamed, pod, podsNamed, policy, tcp } from './policy-objects.ts';

const podCount = 1_000;
const policyCount = 100;
const namespaces = Array.from({ length: 10 }, (_, index) => `ns${index}`);
const namespaceFor = (index: number): string => namespaces[index % namespaces.length] ?? '';

const podAt = (index: number, labels: Record<string, string>): PolicyPod =>
  policyPodOf(
    pod({
      namespace: namespaceFor(index),
      name: `pod-${index}`,
      labels,
      addresses: [`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`],
      ports: [{ name: 'web', containerPort: 8080, protocol: 'TCP' }],
    }),
  )!;

const pods = new Map(
  Array.from({ length: podCount }, (_, index) => {
    const each = podAt(index, { pod: `app-${index % 50}`, instance: `${index}` });
    return [each.key, each];
  }),
);
const policies: NetworkPolicyObject[] = Array.from({ length: policyCount }, (_, index) =>
  policy(namespaceFor(index), `policy-${index}`, {
    ...podsNamed(`app-${index % 50}`, `app-${(index + 10) % 50}`),
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      {
        from: [namespacesNamed(namespaceFor(index + 1)), podsNamed(`app-${index % 7}`)],
        ports: [tcp('web')],
      },
    ],
    egress: [
      { to: [namespacesNamed(namespaceFor(index + 2))], ports: [{ ...tcp(1000 + index), endPort: 2000 }] },
    ],
  }),
);
const labels = new Map(namespaces.map((ns) => [ns, { ns }]));
const inputs = () => ({ nodeName: 'node', policies, pods: pods.values(), namespaces: labels });

const timed = async (what: string, work: () => unknown): Promise<void> => {
  const startMs = performance.now();
  await work();
  console.log(`${what}: ${(performance.now() - startMs).toFixed(1)} ms`);
};

const netns = `cxnp-${process.pid}-measure`;
execFileSync('ip', ['netns', 'add', netns]);
try {
  const table = new NftTable({ run: nftBy(['ip', 'netns', 'exec', netns, 'nft']) });
  await timed('plan, cold', () => planPolicies(inputs()));
  await timed('plan', () => planPolicies(inputs()));
  const plan = planPolicies(inputs());
  const text = tableChanges('inet t', emptyPlan, plan);
  console.log(`${plan.chains.size} chains, ${plan.lookups.size} sets and maps, ${text.length} bytes`);
  await timed('first load', () => table.load(plan));
  await timed('nothing changed', () => table.load(planPolicies(inputs())));
  const changed = podAt(7, { pod: 'app-1', instance: '7' });
  pods.set(changed.key, changed);
  await timed('a pod has other labels: plan and load', () => table.load(planPolicies(inputs())));
  const added = podAt(podCount, { pod: 'app-2', instance: 'new' });
  pods.set(added.key, added);
  await timed('a pod is added: plan and load', () => table.load(planPolicies(inputs())));
  policies.pop();
  await timed('a policy is removed: plan and load', () => table.load(planPolicies(inputs())));
} finally {
  execFileSync('ip', ['netns', 'delete', netns]);
}
