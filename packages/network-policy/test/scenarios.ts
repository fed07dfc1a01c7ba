/**
 * The truth tables of upstream's end-to-end tests: three namespaces, three pods in each, and who reaches whom. They
 * hold both for the packet filter and for the direct decision.
 */
import type { Labels } from '@coxswain/apimachinery';
import type { NetworkPolicyObject } from '../src/plan/compiled-policy.ts';
import type { PodObject } from '../src/plan/policy-pod.ts';
import type { Protocol } from './network-lab.ts';
import { namespacesNamed, pod, podsNamed, policy, tcp, udp, type PodSketch } from './policy-objects.ts';

export const namespaces = ['x', 'y', 'z'];
export const pods = namespaces.flatMap((namespace) => ['a', 'b', 'c'].map((name) => `${namespace}/${name}`));
export const protocols = ['TCP', 'UDP'] as const;
export const ports = [80, 81];

export interface Cluster {
  readonly policies: readonly NetworkPolicyObject[];
  /** What differs in some pods. */
  readonly pods?: Readonly<Record<string, Partial<PodSketch>>>;
  /** Labels besides `ns`. */
  readonly namespaces?: Readonly<Record<string, Labels>>;
}

/** The pods of a cluster at these addresses. */
export const podObjects = (
  { pods: changes = {} }: Cluster,
  addressesOf: (key: string) => readonly string[],
): readonly PodObject[] =>
  pods.map((key) => {
    const [namespace = '', name = ''] = key.split('/');
    return pod({ namespace, name, addresses: addressesOf(key), ports: namedPorts, ...changes[key] });
  });

/** Labels by name. */
export const namespaceLabels = ({ namespaces: labels = {} }: Cluster): ReadonlyMap<string, Labels> =>
  new Map(namespaces.map((ns) => [ns, { ns, ...labels[ns] }]));

const namedPorts = protocols.flatMap((protocol) =>
  ports.map((containerPort) => ({
    name: `serve-${containerPort}-${protocol.toLowerCase()}`,
    containerPort,
    protocol,
  })),
);

export type Expectation = (from: string, to: string, port: number, protocol: Protocol) => boolean;

export const namespaceOf = (key: string): string => key.split('/')[0] ?? '';
export const nameOf = (key: string): string => key.split('/')[1] ?? '';

export const everyPod = { podSelector: {} };
export const denyIngress = (namespace: string) =>
  policy(namespace, 'deny-ingress', { ...everyPod, policyTypes: ['Ingress'] });
export const denyEgress = (namespace: string) =>
  policy(namespace, 'deny-egress', { ...everyPod, policyTypes: ['Egress'] });
export const ingress = (namespace: string, name: string, selector: object, ...rules: readonly object[]) =>
  policy(namespace, name, { ...selector, policyTypes: ['Ingress'], ingress: rules });
export const egress = (namespace: string, name: string, selector: object, ...rules: readonly object[]) =>
  policy(namespace, name, { ...selector, policyTypes: ['Egress'], egress: rules });

export interface Scenario extends Cluster {
  readonly name: string;
  readonly expected: Expectation;
  /** Scenarios that depend on the node. */
  readonly isOfOneNode?: boolean;
}

export const scenarios: readonly Scenario[] = [
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
    isOfOneNode: true,
    policies: [ingress('x', 'from-y', everyPod, { from: [namespacesNamed('y')] })],
    pods: { 'x/a': { nodeName: 'elsewhere' }, 'y/b': { nodeName: 'elsewhere' } },
    expected: (from, to) => namespaceOf(to) !== 'x' || to === 'x/a' || namespaceOf(from) === 'y',
  },
];
