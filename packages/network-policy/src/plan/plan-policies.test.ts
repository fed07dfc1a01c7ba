import { expect, test } from 'vitest';
import type { Labels } from '@coxswain/apimachinery';
import { pod, podsNamed, policy, tcp, udp, type PodSketch } from '../../test/policy-objects.ts';
import { emptyPlan, tableChanges } from '../nftables/table-text.ts';
import type { NetworkPolicyObject } from './compiled-policy.ts';
import { planPolicies } from './plan-policies.ts';
import { policyPodOf } from './policy-pod.ts';

const planned = (
  policies: readonly NetworkPolicyObject[],
  sketches: readonly (Partial<PodSketch> & { name: string; addresses: readonly string[] })[],
  namespaces: ReadonlyMap<string, Labels> = new Map([['x', {}]]),
) =>
  planPolicies({
    nodeName: 'node',
    policies,
    pods: sketches.flatMap((sketch) => policyPodOf(pod({ namespace: 'x', ...sketch })) ?? []),
    namespaces,
  });

type Plan = ReturnType<typeof planned>;

const elementsOf = (plan: Plan, name: string): string[] => [
  ...(plan.lookups.get(name)?.elements.keys() ?? []),
];

/** The addresses of all peers. */
const peersIn = (plan: Plan): string[] =>
  [...plan.lookups].flatMap(([name, { elements }]) => (name.startsWith('pods-') ? [...elements.keys()] : []));

/** The rules of a policy's chain. */
const rulesOf = (plan: Plan, direction: string, name: string): readonly string[] =>
  [...plan.chains].find(([chain]) => chain.startsWith(`${direction}-`) && chain.endsWith(`-x/${name}`))?.[1]
    .rules ?? [];

const ingress = (name: string, ...rules: readonly object[]) =>
  policy('x', name, { podSelector: {}, policyTypes: ['Ingress'], ingress: rules });

const a = { name: 'a', addresses: ['10.0.0.1'] };
const b = { name: 'b', addresses: ['10.0.0.2'] };

test('without policies nothing is looked up, and no chain but those on the hook is there', () => {
  const plan = planned([], [a]);
  expect([...plan.chains.keys()]).toEqual(['egress', 'ingress']);
  expect(elementsOf(plan, 'ingress-pods-v4')).toEqual([]);
});

test('pods that the same policies select share their chain', () => {
  const plan = planned([ingress('deny')], [a, b]);
  const goals = new Set(plan.lookups.get('ingress-pods-v4')?.elements.values());
  expect(goals.size).toBe(1);
  expect(elementsOf(plan, 'itself-v4')).toEqual(['10.0.0.1 . 10.0.0.1', '10.0.0.2 . 10.0.0.2']);
});

test('ports that overlap become one range, and a protocol without ports stands for all of them', () => {
  const ports = [
    tcp(80),
    { ...tcp(81), endPort: 90 },
    tcp(85),
    tcp(443),
    { protocol: 'UDP' },
    udp(53),
    { protocol: 'SCTP', port: 9 },
  ];
  const plan = planned([ingress('ports', { ports })], [a]);
  expect(rulesOf(plan, 'ingress', 'ports')).toEqual([
    'tcp dport { 80-90, 443 } accept',
    'meta l4proto 17 accept',
    'sctp dport { 9 } accept',
  ]);
});

test('exceptions that lie in others are left out, and host bits are cut', () => {
  const ipBlock = { cidr: '10.1.2.3/8', except: ['10.1.1.0/24', '10.1.0.0/16', '10.2.0.1/32'] };
  const plan = planned([ingress('block', { from: [{ ipBlock }] })], [a]);
  expect(rulesOf(plan, 'ingress', 'block')).toEqual([
    'ip saddr 10.0.0.0/8 ip saddr != { 10.1.0.0/16, 10.2.0.1/32 } accept',
  ]);
});

test('the policy types follow from the rules where they are not given', () => {
  const plan = planned([policy('x', 'both', { podSelector: {}, egress: [{}] })], [a]);
  expect(elementsOf(plan, 'ingress-pods-v4')).toEqual(['10.0.0.1']);
  expect(rulesOf(plan, 'egress', 'both')).toEqual(['accept']);
});

test('a pod that has ended leaves its address to the next one, and of two that claim it the newer has it', () => {
  const from = ingress('from-old', { from: [podsNamed('old')] });
  const old = { name: 'old', addresses: ['10.0.0.9'], createdAt: '2026-01-01T00:00:00Z' };
  const next = { name: 'next', addresses: ['10.0.0.9'], createdAt: '2026-01-02T00:00:00Z' };
  expect(peersIn(planned([from], [a, old]))).toEqual(['10.0.0.9']);
  expect(peersIn(planned([from], [a, old, next]))).toEqual([]);
  expect(peersIn(planned([from], [a, { ...old, phase: 'Succeeded' }]))).toEqual([]);
});

test('a change of one pod changes elements, and no chain', () => {
  const policies = [ingress('from-b', { from: [podsNamed('b')] })];
  const before = planned(policies, [a, b]);
  const after = planned(policies, [a, { ...b, addresses: ['10.0.0.3'] }]);
  const text = tableChanges('inet t', before, after);
  expect(text).not.toContain('chain');
  expect(text).toMatch(/^delete element inet t pods-[0-9a-f]+-v4 \{ 10\.0\.0\.2 \}$/m);
  expect(text).toMatch(/^add element inet t pods-[0-9a-f]+-v4 \{ 10\.0\.0\.3 \}$/m);
  expect(tableChanges('inet t', after, planned(policies, [a, { ...b, addresses: ['10.0.0.3'] }]))).toBe('');
});

test('what is not needed any more goes after what leads to it', () => {
  const plan = planned([ingress('from-b', { from: [podsNamed('b')] })], [a, b]);
  const lines = tableChanges('inet t', plan, planned([], [a, b])).split('\n');
  const firstDeleted = (what: string): number => lines.findIndex((line) => line.startsWith(`delete ${what}`));
  expect(firstDeleted('element')).toBeLessThan(firstDeleted('chain'));
  expect(lines.findLastIndex((line) => line.startsWith('flush chain'))).toBeLessThan(firstDeleted('chain'));
  expect(firstDeleted('chain')).toBeLessThan(firstDeleted('set'));
  expect(tableChanges('inet t', emptyPlan, emptyPlan)).toBe('');
});
