/** The truth tables of upstream's end-to-end tests: three namespaces, three pods in each, real packets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Labels } from '@coxswain/apimachinery';
import { nftBy } from '@coxswain/nftables';
import { NftTable } from '../src/nftables/nft-table.ts';
import type { NetworkPolicyObject } from '../src/plan/compiled-policy.ts';
import { planPolicies } from '../src/plan/plan-policies.ts';
import { policyPodOf } from '../src/plan/policy-pod.ts';
import { nodeHost, outsideHost, startNetworkLab, whyNoLab } from './network-lab.ts';
import type { Attempt, NetworkLab, Protocol } from './network-lab.ts';
import { namespacesNamed, pod, podsNamed, policy, tcp, udp } from './policy-objects.ts';
import type { PodSketch } from './policy-objects.ts';

const why = whyNoLab();
const labTest = test.skipIf(why !== undefined);
const patienceMs = 60_000;

const namespaces = ['x', 'y', 'z'];
const pods = namespaces.flatMap((namespace) => ['a', 'b', 'c'].map((name) => `${namespace}/${name}`));
const protocols = ['TCP', 'UDP'] as const;
const ports = [80, 81];

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

interface Cluster {
  readonly policies: readonly NetworkPolicyObject[];
  /** What differs in some pods. */
  readonly pods?: Readonly<Record<string, Partial<PodSketch>>>;
  /** Labels besides `ns`. */
  readonly namespaces?: Readonly<Record<string, Labels>>;
}

const namedPorts = protocols.flatMap((protocol) =>
  ports.map((containerPort) => ({
    name: `serve-${containerPort}-${protocol.toLowerCase()}`,
    containerPort,
    protocol,
  })),
);

async function enforce({ policies, pods: changes = {}, namespaces: labels = {} }: Cluster): Promise<void> {
  const objects = pods.map((key) => {
    const [namespace = '', name = ''] = key.split('/');
    const { ipv4, ipv6 } = lab.host(key);
    return pod({ namespace, name, addresses: [ipv4, ipv6], ports: namedPorts, ...changes[key] });
  });
  const plan = planPolicies({
    nodeName: 'node',
    policies,
    pods: objects.flatMap((object) => policyPodOf(object) ?? []),
    namespaces: new Map(namespaces.map((ns) => [ns, { ns, ...labels[ns] }])),
  });
  await table.load(plan);
}

type Expectation = (from: string, to: string, port: number, protocol: Protocol) => boolean;

/** Every pod to every pod but itself, on every port: a pod always reaches itself. */
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

const namespaceOf = (key: string): string => key.split('/')[0] ?? '';
const nameOf = (key: string): string => key.split('/')[1] ?? '';

const everyPod = { podSelector: {} };
const denyIngress = (namespace: string) =>
  policy(namespace, 'deny-ingress', { ...everyPod, policyTypes: ['Ingress'] });
const denyEgress = (namespace: string) =>
  policy(namespace, 'deny-egress', { ...everyPod, policyTypes: ['Egress'] });
const ingress = (namespace: string, name: string, selector: object, ...rules: readonly object[]) =>
  policy(namespace, name, { ...selector, policyTypes: ['Ingress'], ingress: rules });
const egress = (namespace: string, name: string, selector: object, ...rules: readonly object[]) =>
  policy(namespace, name, { ...selector, policyTypes: ['Egress'], egress: rules });

interface Scenario extends Cluster {
  readonly name: string;
  readonly expected: Expectation;
}

const scenarios: readonly Scenario[] = [
  { name: 'without policies everybody reaches everybody', policies: [], expected: () => true },
  {
    name: 'a policy without ingress rules lets nobody in, and out as before',
    policies: [denyIngress('x')],
    expected: (_from, to) => namespaceOf(to) !== 'x',
  },
  {
    name: 'a policy without egress rules lets nobody out, and in as before',
    policies: [denyEgress('x')],
    expected: (from) => namespaceOf(from) !== 'x',
  },
  {
    name: 'a policy of both types without rules cuts a namespace off',
    policies: [policy('x', 'deny-all', { ...everyPod, policyTypes: ['Ingress', 'Egress'] })],
    expected: (from, to) => namespaceOf(from) !== 'x' && namespaceOf(to) !== 'x',
  },
  {
    name: 'a policy that selects one pod leaves the others alone',
    policies: [ingress('x', 'deny-a', podsNamed('a'))],
    expected: (_from, to) => to !== 'x/a',
  },
  {
    name: 'an empty rule allows everything',
    policies: [denyIngress('x'), ingress('x', 'allow-all', everyPod, {})],
    expected: () => true,
  },
  {
    name: 'a selector of pods means those of the policy’s own namespace',
    policies: [ingress('x', 'from-b', everyPod, { from: [podsNamed('b')] })],
    expected: (from, to) => namespaceOf(to) !== 'x' || from === 'x/b',
  },
  {
    name: 'a selector of namespaces means all of their pods',
    policies: [ingress('x', 'from-y', podsNamed('a'), { from: [namespacesNamed('y')] })],
    expected: (from, to) => to !== 'x/a' || namespaceOf(from) === 'y',
  },
  {
    name: 'an empty selector of namespaces means every pod of the cluster',
    policies: [ingress('x', 'from-pods', everyPod, { from: [{ namespaceSelector: {} }] })],
    expected: () => true,
  },
  {
    name: 'expressions exclude namespaces',
    policies: [
      ingress('x', 'not-x', podsNamed('a'), {
        from: [
          { namespaceSelector: { matchExpressions: [{ key: 'ns', operator: 'NotIn', values: ['x'] }] } },
        ],
      }),
    ],
    expected: (from, to) => to !== 'x/a' || namespaceOf(from) !== 'x',
  },
  {
    name: 'selectors of namespaces and pods in one peer must both match',
    policies: [
      ingress('x', 'both', podsNamed('a'), {
        from: [{ ...namespacesNamed('y', 'z'), ...podsNamed('b', 'c') }],
      }),
    ],
    expected: (from, to) => to !== 'x/a' || (namespaceOf(from) !== 'x' && nameOf(from) !== 'a'),
  },
  {
    name: 'of two peers one is enough',
    policies: [ingress('x', 'either', podsNamed('a'), { from: [namespacesNamed('y'), podsNamed('b')] })],
    expected: (from, to) => to !== 'x/a' || namespaceOf(from) === 'y' || from === 'x/b',
  },
  {
    name: 'a port in a rule allows that port alone',
    policies: [ingress('x', 'port', podsNamed('a'), { ports: [tcp(81)], from: [namespacesNamed('y')] })],
    expected: (from, to, port, protocol) =>
      to !== 'x/a' || (namespaceOf(from) === 'y' && port === 81 && protocol === 'TCP'),
  },
  {
    name: 'a port without a protocol is TCP, a protocol without a port is every port',
    policies: [ingress('x', 'half', podsNamed('a'), { ports: [{ port: 80 }, { protocol: 'UDP' }] })],
    expected: (_from, to, port, protocol) => to !== 'x/a' || protocol === 'UDP' || port === 80,
  },
  {
    name: 'policies add up',
    policies: [
      denyIngress('x'),
      ingress('x', 'one', podsNamed('a'), { ports: [tcp(80)], from: [namespacesNamed('y')] }),
      ingress('x', 'two', podsNamed('a'), { ports: [tcp(81)], from: [namespacesNamed('z')] }),
    ],
    expected: (from, to, port, protocol) =>
      namespaceOf(to) !== 'x' ||
      (to === 'x/a' &&
        protocol === 'TCP' &&
        ((namespaceOf(from) === 'y' && port === 80) || (namespaceOf(from) === 'z' && port === 81))),
  },
  {
    name: 'a range of ports allows its ends and what lies between',
    policies: [
      ingress('x', 'range', podsNamed('a'), { ports: [{ ...tcp(81), endPort: 90 }] }),
      egress('y', 'range', podsNamed('a'), { ports: [{ ...udp(70), endPort: 80 }] }),
    ],
    expected: (from, to, port, protocol) =>
      (to !== 'x/a' || (port === 81 && protocol === 'TCP')) &&
      (from !== 'y/a' || (port === 80 && protocol === 'UDP')),
  },
  {
    name: 'a named port of an ingress rule is that of the pod that is reached',
    policies: [ingress('x', 'named', everyPod, { ports: [tcp('web')] })],
    pods: {
      'x/a': { ports: [{ name: 'web', containerPort: 80, protocol: 'TCP' }] },
      'x/b': { ports: [{ name: 'web', containerPort: 81, protocol: 'TCP' }] },
      'x/c': { ports: [{ name: 'web', containerPort: 80, protocol: 'UDP' }] },
    },
    expected: (_from, to, port, protocol) =>
      namespaceOf(to) !== 'x' || (protocol === 'TCP' && port === { a: 80, b: 81, c: 0 }[nameOf(to)]),
  },
  {
    name: 'a named port of an egress rule is that of the pod that is reached',
    policies: [egress('x', 'named', podsNamed('a'), { ports: [tcp('web')], to: [namespacesNamed('y')] })],
    pods: {
      'y/a': { ports: [{ name: 'web', containerPort: 80, protocol: 'TCP' }] },
      'y/b': { ports: [{ name: 'web', containerPort: 81, protocol: 'TCP' }] },
      'z/a': { ports: [{ name: 'web', containerPort: 80, protocol: 'TCP' }] },
    },
    expected: (from, to, port, protocol) =>
      from !== 'x/a' ||
      (protocol === 'TCP' && ((to === 'y/a' && port === 80) || (to === 'y/b' && port === 81))),
  },
  {
    name: 'egress is allowed to pods and namespaces by their labels',
    policies: [
      egress('x', 'out', podsNamed('a'), {
        to: [{ ...namespacesNamed('y'), ...podsNamed('b') }, podsNamed('c')],
      }),
    ],
    expected: (from, to) => from !== 'x/a' || to === 'y/b' || to === 'x/c',
  },
  {
    name: 'a packet must be let out and let in',
    policies: [
      egress('x', 'out', podsNamed('a'), { to: [namespacesNamed('y')] }),
      ingress('y', 'in', podsNamed('b'), { from: [namespacesNamed('z')] }),
    ],
    expected: (from, to) =>
      (from !== 'x/a' || namespaceOf(to) === 'y') && (to !== 'y/b' || namespaceOf(from) === 'z'),
  },
  {
    name: 'pods in the network of their node are neither selected nor peers',
    policies: [denyIngress('x'), ingress('y', 'from-x', everyPod, { from: [namespacesNamed('x')] })],
    pods: { 'x/a': { hostNetwork: true } },
    expected: (from, to) =>
      (namespaceOf(to) !== 'x' || to === 'x/a') &&
      (namespaceOf(to) !== 'y' || (namespaceOf(from) === 'x' && from !== 'x/a')),
  },
  {
    name: 'rules are made for pods of this node, for peers on every node',
    policies: [ingress('x', 'from-y', everyPod, { from: [namespacesNamed('y')] })],
    pods: { 'x/a': { nodeName: 'elsewhere' }, 'y/b': { nodeName: 'elsewhere' } },
    expected: (from, to) => namespaceOf(to) !== 'x' || to === 'x/a' || namespaceOf(from) === 'y',
  },
];

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
