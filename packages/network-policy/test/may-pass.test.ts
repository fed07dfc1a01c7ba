import { expect, test } from 'vitest';
import { blockedBy, mayPass, type PacketEnd } from '../src/judge/may-pass.ts';
import type { NetworkPolicyObject } from '../src/plan/compiled-policy.ts';
import { policyPodOf } from '../src/plan/policy-pod.ts';
import { podsNamed } from './policy-objects.ts';
import {
  denyEgress,
  denyIngress,
  egress,
  everyPod,
  ingress,
  namespaceLabels,
  podObjects,
  pods,
  ports,
  protocols,
  scenarios,
  type Cluster,
} from './scenarios.ts';

const addressOf = (key: string): string => `10.99.0.${pods.indexOf(key) + 10}`;

function reachIn(cluster: Cluster) {
  const objects = podObjects(cluster, (key) => [addressOf(key)]);
  const inEffect = { policies: cluster.policies, namespaces: namespaceLabels(cluster) };
  const end = (key: string): PacketEnd => ({
    address: addressOf(key),
    // On a node of its own, so that no pod is on the same node.
    ...(policyPodOf(objects[pods.indexOf(key)]!) === undefined
      ? { nodeName: 'elsewhere' }
      : { pod: policyPodOf(objects[pods.indexOf(key)]!) }),
  });
  return (from: PacketEnd | string, to: PacketEnd | string, port = 80, protocol: 'TCP' | 'UDP' = 'TCP') =>
    mayPass(inEffect, {
      from: typeof from === 'string' ? end(from) : from,
      to: typeof to === 'string' ? end(to) : to,
      port,
      protocol,
    });
}

test.each(scenarios.filter(({ isOfOneNode }) => !isOfOneNode))('$name', ({ expected, ...cluster }) => {
  const reaches = reachIn(cluster);
  const wrong = pods.flatMap((from) =>
    pods.flatMap((to) =>
      ports.flatMap((port) =>
        protocols
          .filter(
            (protocol) =>
              reaches(from, to, port, protocol) !== (from === to || expected(from, to, port, protocol)),
          )
          .map((protocol) => `${from} to ${to}, ${protocol} ${port}`),
      ),
    ),
  );
  expect(wrong).toEqual([]);
});

const outside: PacketEnd = { address: '192.0.2.7' };
const deny: readonly NetworkPolicyObject[] = [denyIngress('x'), denyEgress('x')];

test('a node reaches its pods, and they reach it, whatever policies say', () => {
  const reaches = reachIn({ policies: deny });
  const node = { address: '192.0.2.1', nodeName: 'node' };
  expect([reaches(node, 'x/a'), reaches('x/a', node)]).toEqual([true, true]);
  const other = { address: '192.0.2.2', nodeName: 'other' };
  expect([reaches(other, 'x/a'), reaches('x/a', other)]).toEqual([false, false]);
});

test('blocks allow the addresses that they contain, without their exceptions', () => {
  const block = { ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.8/31'] } };
  const policies = [
    ...deny,
    ingress('x', 'in', everyPod, { from: [block] }),
    egress('x', 'out', podsNamed('a'), { to: [block] }),
  ];
  const reaches = reachIn({ policies });
  const excepted = { address: '192.0.2.9' };
  expect([reaches(outside, 'x/a'), reaches('x/a', outside)]).toEqual([true, true]);
  expect([reaches(excepted, 'x/a'), reaches('x/a', excepted)]).toEqual([false, false]);
  expect([reaches(outside, 'x/b'), reaches('x/b', outside)]).toEqual([true, false]);
  expect([reaches({ address: '2001:db8::7' }, 'x/a'), reaches('y/a', 'x/a')]).toEqual([false, false]);
});

test('blocks contain pods by their addresses, too', () => {
  const block = { ipBlock: { cidr: '10.99.0.0/16', except: [`${addressOf('x/b')}/32`] } };
  const reaches = reachIn({ policies: [ingress('y', 'block', everyPod, { from: [block] })] });
  expect([reaches('x/a', 'y/a'), reaches('x/b', 'y/a')]).toEqual([true, false]);
});

test('where no types are given, egress is isolated by policies with egress rules only', () => {
  const reaches = (spec: object) => {
    const policies = [{ ...denyIngress('x'), spec: { podSelector: {}, ...spec } } as NetworkPolicyObject];
    const reached = reachIn({ policies });
    return [reached('y/a', 'x/a'), reached('x/a', 'y/a')];
  };
  expect(reaches({})).toEqual([false, true]);
  expect(reaches({ egress: [{ ports: [{ port: 443 }] }] })).toEqual([false, false]);
});

test('what is blocked names the policies that isolate the end, and the direction', () => {
  const [from, to] = podObjects({ policies: [] }, (key) => [addressOf(key)]).map((pod) => ({
    address: '10.99.0.1',
    pod: policyPodOf(pod),
  }));
  const namespace = to!.pod!.namespace;
  const blocked = (...policies: readonly NetworkPolicyObject[]) =>
    blockedBy({ policies, namespaces: new Map() }, { from: from!, to: to!, port: 80, protocol: 'TCP' });

  expect(blocked(denyIngress(namespace))).toMatchObject({ direction: 'ingress', policies: [{ namespace }] });
  expect(blocked(denyEgress(from!.pod!.namespace))).toMatchObject({ direction: 'egress' });
  expect(blocked()).toBeUndefined();
});
