/** The truth tables of upstream's end-to-end tests: three namespaces, three pods in each, real packets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nftBy } from '@coxswain/nftables';
import { NftTable } from '../src/nftables/nft-table.ts';
import { planPolicies } from '../src/plan/plan-policies.ts';
import { policyPodOf } from '../src/plan/policy-pod.ts';
import {
  nodeHost,
  outsideHost,
  startNetworkLab,
  whyNoLab,
  type Attempt,
  type NetworkLab,
} from './network-lab.ts';
import { namespacesNamed, podsNamed, tcp } from './policy-objects.ts';
import {
  denyEgress,
  denyIngress,
  egress,
  everyPod,
  ingress,
  namespaceLabels,
  namespaceOf,
  podObjects,
  pods,
  ports,
  protocols,
  scenarios,
  type Cluster,
  type Expectation,
} from './scenarios.ts';

const why = whyNoLab();
const labTest = test.skipIf(why !== undefined);
const patienceMs = 60_000;

let lab: NetworkLab;
let table: NftTable;

beforeAll(async () => {
  if (why !== undefined) return;
  lab = await startNetworkLab(pods, ports);
  table = new NftTable({ run: nftBy(lab.nft) });
}, patienceMs);
afterAll(async () => {
  await lab?.stop();
}, patienceMs);

async function enforce(cluster: Cluster): Promise<void> {
  const objects = podObjects(cluster, (key) => [lab.host(key).ipv4, lab.host(key).ipv6]);
  const plan = planPolicies({
    nodeName: 'node',
    policies: cluster.policies,
    pods: objects.flatMap((object) => policyPodOf(object) ?? []),
    namespaces: namespaceLabels(cluster),
  });
  await table.load(plan);
}

/** Every pod to every other pod on every port; a pod always reaches itself. */
const everyPair = (isExpected: Expectation, family: Attempt['family'] = 'IPv4'): Attempt[] =>
  pods.flatMap((from) =>
    pods.flatMap((to) =>
      ports.flatMap((port) =>
        protocols.map((protocol) => ({
          from,
          to,
          port,
          protocol,
          family,
          isExpected: from === to || isExpected(from, to, port, protocol),
        })),
      ),
    ),
  );

const expectMatrix = async (isExpected: Expectation, family?: Attempt['family']): Promise<void> =>
  expect(await lab.wrong(everyPair(isExpected, family))).toEqual([]);

for (const { name, expected, ...cluster } of scenarios)
  labTest(
    name,
    async () => {
      await enforce(cluster);
      await expectMatrix(expected);
    },
    patienceMs,
  );

labTest(
  'blocks of addresses allow what they contain, without their exceptions',
  async () => {
    const [b, c] = ['x/b', 'x/c'].map((key) => lab.host(key).ipv4);
    const block = { ipBlock: { cidr: '10.99.0.0/16', except: [`${b}/32`, `${c}/31`, `${c}/32`] } };
    const isExcepted = (key: string): boolean => {
      const last = Number(lab.host(key).ipv4.split('.')[3]);
      const first = Number(c?.split('.')[3]) & ~1;
      return key === 'x/b' || last === first || last === first + 1;
    };
    await enforce({ policies: [ingress('y', 'block', podsNamed('a'), { from: [block] })] });
    await expectMatrix((from, to) => to !== 'y/a' || !isExcepted(from));
    await enforce({ policies: [egress('y', 'block', podsNamed('a'), { to: [block] })] });
    await expectMatrix((from, to) => from !== 'y/a' || !isExcepted(to));
    const also = egress('y', 'also', podsNamed('a'), { to: [{ ipBlock: { cidr: `${b}/32` } }] });
    await enforce({ policies: [egress('y', 'block', podsNamed('a'), { to: [block] }), also] });
    await expectMatrix((from, to) => from !== 'y/a' || to === 'x/b' || !isExcepted(to));
  },
  patienceMs,
);

const acrossTheNode = (isExpected: boolean): Attempt[] =>
  protocols.flatMap((protocol) => [
    { from: outsideHost, to: 'x/a', port: 80, protocol, isExpected },
    { from: nodeHost, to: 'x/a', port: 80, protocol, isExpected: true },
    { from: 'x/a', to: nodeHost, port: 80, protocol, isExpected: true },
    { from: 'x/a', to: outsideHost, port: 80, protocol, isExpected },
  ]);

labTest(
  'clients beyond the node are allowed by their address, and the node itself always',
  async () => {
    const deny = [denyIngress('x'), denyEgress('x')];
    await enforce({ policies: deny });
    expect(await lab.wrong(acrossTheNode(false))).toEqual([]);
    const outside = { ipBlock: { cidr: '192.0.2.0/24' } };
    await enforce({
      policies: [
        ...deny,
        ingress('x', 'in', everyPod, { from: [outside] }),
        egress('x', 'out', everyPod, { to: [outside] }),
      ],
    });
    expect(await lab.wrong(acrossTheNode(true))).toEqual([]);
  },
  patienceMs,
);

labTest(
  'IPv6 is held to the same policies',
  async () => {
    await enforce({
      policies: [
        ingress('x', 'v6', podsNamed('a'), { from: [namespacesNamed('y')], ports: [tcp('serve-80-tcp')] }),
      ],
    });
    await expectMatrix(
      (from, to, port, protocol) =>
        to !== 'x/a' || (namespaceOf(from) === 'y' && port === 80 && protocol === 'TCP'),
      'IPv6',
    );
  },
  patienceMs,
);

labTest(
  'labels and policies change under running pods',
  async () => {
    const fromFriends = ingress('x', 'friends', podsNamed('a'), {
      from: [{ namespaceSelector: { matchLabels: { friend: 'yes' } } }, podsNamed('b')],
    });
    await enforce({ policies: [fromFriends] });
    await expectMatrix((from, to) => to !== 'x/a' || from === 'x/b');
    await enforce({ policies: [fromFriends], namespaces: { z: { friend: 'yes' } } });
    await expectMatrix((from, to) => to !== 'x/a' || from === 'x/b' || namespaceOf(from) === 'z');
    await enforce({
      policies: [fromFriends],
      pods: { 'x/b': { labels: { pod: 'a' } }, 'x/c': { labels: { pod: 'b' } } },
    });
    await expectMatrix((from, to) => (to !== 'x/a' && to !== 'x/b') || from === 'x/c');
    await enforce({ policies: [] });
    await expectMatrix(() => true);
  },
  patienceMs,
);

labTest(
  'who starts again takes over the rules, and who leaves for good removes them',
  async () => {
    await enforce({ policies: [denyIngress('x')] });
    table = new NftTable({ run: nftBy(lab.nft) });
    await enforce({ policies: [denyIngress('y')] });
    await expectMatrix((_from, to) => namespaceOf(to) !== 'y');
    await table.remove();
    expect(await lab.run(nodeHost, 'nft', 'list', 'ruleset')).toBe('');
  },
  patienceMs,
);

labTest(
  'a table that somebody else has removed comes back with the next change, or when it is missed',
  async () => {
    await enforce({ policies: [denyIngress('x')] });
    await lab.run(nodeHost, 'nft', 'flush', 'ruleset');
    await enforce({ policies: [denyIngress('y')] });
    await expectMatrix((_from, to) => namespaceOf(to) !== 'y');
    await lab.run(nodeHost, 'nft', 'flush', 'ruleset');
    await table.check();
    await enforce({ policies: [denyIngress('y')] });
    await expectMatrix((_from, to) => namespaceOf(to) !== 'y');
  },
  patienceMs,
);
