/** What extenders may answer, and with what configuration they are asked. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { ExtenderAnswers } from './extender-server.ts';
import { node, pod } from './objects.ts';

export interface ExtenderStory {
  /** Their addresses are the server's, unless they say otherwise. */
  readonly extenders: readonly object[] | ((certificate: Certificate) => readonly object[]);
  /** Whether the server speaks TLS; `mutual`: only with those that have its certificate, too. */
  readonly tls?: 'server' | 'mutual';
  readonly answers: ExtenderAnswers;
  readonly nodes?: readonly KubeObject[];
  /** On nodes already. */
  readonly standing?: readonly KubeObject[];
  readonly pod?: KubeObject;
  /** How often the pod is refused before its state is compared; once when absent. */
  readonly settleMs?: number;
}

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Args {
  readonly Pod: KubeObject;
  readonly Nodes: { readonly items: readonly KubeObject[] } | null;
  readonly NodeNames: readonly string[] | null;
}

interface PreemptArgs {
  readonly NodeNameToVictims: Readonly<Record<string, { readonly Pods: readonly KubeObject[] }>> | null;
  readonly NodeNameToMetaVictims: Readonly<Record<string, { readonly Pods: readonly object[] }>> | null;
}

const names = { filterVerb: 'filter', nodeCacheCapable: true };
const whole = { filterVerb: 'filter' };
const three = [node('a'), node('b'), node('c')];
const only = (...wanted: readonly string[]) => ({
  filter: ({ NodeNames, Nodes }: Args) => ({
    body: {
      ...(NodeNames && { NodeNames: NodeNames.filter((name) => wanted.includes(name)) }),
      ...(Nodes && {
        Nodes: { items: Nodes.items.filter(({ metadata }) => wanted.includes(metadata.name!)) },
      }),
    },
  }),
});
const answer = (body: unknown) => ({ filter: () => ({ body }) });
const scores = (of: Readonly<Record<string, number>>) => ({
  prioritize: () => ({ body: Object.entries(of).map(([Host, Score]) => ({ Host, Score })) }),
});
const full = (name: string, on: string, priority = 0) => pod(name, { nodeName: on, priority, cpu: '3500m' });
const urgent = pod('p', { priority: 100, cpu: '2' });
const crowded = {
  nodes: [node('a'), node('b')],
  standing: [full('va', 'a', 1), full('vb', 'b', 2)],
  pod: urgent,
};
const preempts = { preemptVerb: 'preempt' };
const victimsOf = (
  { NodeNameToVictims, NodeNameToMetaVictims }: PreemptArgs,
  ...nodes: readonly string[]
) => ({
  body: {
    NodeNameToMetaVictims: Object.fromEntries(
      nodes.map((name) => [
        name,
        NodeNameToMetaVictims?.[name] ?? {
          Pods: NodeNameToVictims![name]!.Pods.map(({ metadata }) => ({ UID: metadata.uid })),
          NumPDBViolations: 0,
        },
      ]),
    ),
  },
});

export const extenderStories: Readonly<Record<string, ExtenderStory>> = {
  'filter by names': { extenders: [names], answers: only('b') },
  'filter by nodes': { extenders: [whole], answers: only('b') },
  'filter lets none pass': { extenders: [names], answers: only() },
  'filter answers nothing': { extenders: [names], answers: answer({}) },
  'filter answers nothing of nodes': { extenders: [whole], answers: answer({}) },
  'filter answers null': { extenders: [names], answers: answer(null) },
  'filter tells why': {
    extenders: [names],
    answers: answer({ NodeNames: [], FailedNodes: { a: 'too cold', b: 'too cold', c: 'too warm' } }),
  },
  'filter tells of no way': {
    extenders: [names],
    answers: answer({
      NodeNames: [],
      FailedNodes: { a: 'too cold', b: 'too old' },
      FailedAndUnresolvableNodes: { b: 'never', c: 'never' },
    }),
  },
  'filter answers in small letters': {
    extenders: [names],
    answers: answer({ nodenames: ['c'], failedNodes: { a: 'small' } }),
  },
  'filter fails': { extenders: [names], answers: answer({ Error: 'the extender is confused' }) },
  'filter names another node': { extenders: [names], answers: answer({ NodeNames: ['z'] }) },
  'filter with names, answered with nodes': {
    extenders: [names],
    answers: answer({ Nodes: { items: [{ metadata: { name: 'b' } }] } }),
  },
  'filter is answered with 500': { extenders: [names], answers: { filter: () => ({ status: 500 }) } },
  'filter is answered with 201': { extenders: [names], answers: { filter: () => ({ status: 201 }) } },
  'filter is no verb there': { extenders: [names], answers: {} },
  'filter answers no JSON': { extenders: [names], answers: answer('oh') },
  'filter answers a list': { extenders: [names], answers: answer([]) },
  'filter answers wrong types': { extenders: [names], answers: answer({ NodeNames: 'a' }) },
  'filter answers an empty body': { extenders: [names], answers: answer('') },
  'filter is silent': {
    extenders: [{ ...names, httpTimeout: '200ms' }],
    answers: { filter: () => ({ isSilent: true }) },
  },
  'nobody is there': { extenders: [{ ...names, urlPrefix: 'http://127.0.0.1:1/' }], answers: {} },
  'no address': { extenders: [{ ...names, urlPrefix: 'x' }], answers: {} },
  'filter fails, and may': { extenders: [{ ...names, ignorable: true }], answers: answer({ Error: 'no' }) },
  'filter is asked about nodes that fit': {
    extenders: [names],
    answers: only('a'),
    nodes: [node('a', { taints: ['x'] }), node('b'), node('c')],
  },
  'two filters': {
    extenders: [names, { ...names, filterVerb: 'second' }],
    answers: {
      ...only('a', 'b'),
      second: ({ NodeNames }: Args) => ({
        body: { NodeNames: [], FailedNodes: Object.fromEntries(NodeNames!.map((name) => [name, 'second'])) },
      }),
    },
  },
  'what may fail comes last': {
    extenders: [
      { ...names, ignorable: true },
      { ...names, filterVerb: 'second' },
    ],
    answers: {
      ...only('a'),
      second: () => ({ body: { NodeNames: ['a', 'b'], FailedNodes: { c: 'second' } } }),
    },
  },
  'scores decide': {
    extenders: [{ prioritizeVerb: 'prioritize', weight: 50, nodeCacheCapable: true }],
    answers: scores({ a: 1, b: 10, c: 3 }),
  },
  'scores by nodes': {
    extenders: [{ prioritizeVerb: 'prioritize', weight: 50 }],
    answers: scores({ a: 1, c: 10 }),
  },
  'scores fail': {
    extenders: [{ prioritizeVerb: 'prioritize', weight: 5, nodeCacheCapable: true }],
    answers: { prioritize: () => ({ status: 500 }) },
    nodes: [node('a'), node('b', { taints: ['x'] }), node('c', { taints: ['x'] })],
  },
  'scores of two are added': {
    extenders: [
      { prioritizeVerb: 'prioritize', weight: 30, nodeCacheCapable: true },
      { prioritizeVerb: 'second', weight: 20, nodeCacheCapable: true },
    ],
    answers: {
      ...scores({ a: 10, b: 8 }),
      second: () => ({
        body: [
          { Host: 'b', Score: 9 },
          { Host: 'c', Score: 10 },
        ],
      }),
    },
  },
  'filter and scores': {
    extenders: [{ ...names, prioritizeVerb: 'prioritize', weight: 50 }],
    answers: { ...only('a', 'c'), ...scores({ a: 1, b: 10, c: 9 }) },
  },
  'one node is left, and not scored': {
    extenders: [{ ...names, prioritizeVerb: 'prioritize', weight: 50 }],
    answers: { ...only('a'), ...scores({ a: 1 }) },
  },
  'managed resources: not asked': {
    extenders: [{ ...names, managedResources: [{ name: 'example.com/a' }] }],
    answers: only(),
    nodes: [node('a')],
  },
  'managed resources: asked, and looked after by the extender alone': {
    extenders: [{ ...names, managedResources: [{ name: 'example.com/a', ignoredByScheduler: true }] }],
    answers: only('b'),
    pod: pod('p', { requests: { 'example.com/a': '2' } }),
  },
  'managed resources: the scheduler looks as well': {
    extenders: [{ ...names, managedResources: [{ name: 'example.com/a' }] }],
    answers: only('b'),
    pod: pod('p', { requests: { 'example.com/a': '2' } }),
  },
  'managed resources of an init container': {
    extenders: [{ ...names, managedResources: [{ name: 'example.com/a', ignoredByScheduler: true }] }],
    answers: only('c'),
    pod: pod('p', { initRequests: { 'example.com/a': '1' } }),
  },
  'bound by the extender, badly': {
    extenders: [{ bindVerb: 'bind' }],
    answers: { bind: () => ({ body: { Error: 'no binding today' } }) },
    nodes: [node('a')],
  },
  'bound by the extender, who is broken': {
    extenders: [{ bindVerb: 'bind' }],
    answers: { bind: () => ({ status: 503 }) },
    nodes: [node('a')],
  },
  'bound by the extender, who says so': {
    extenders: [{ bindVerb: 'bind' }],
    answers: { bind: () => ({ body: {} }) },
    nodes: [node('a')],
    settleMs: 700,
  },
  'bound by the binder where the extender may fail': {
    extenders: [{ bindVerb: 'bind', ignorable: true }],
    answers: { bind: () => ({ status: 503 }) },
    nodes: [node('a')],
  },
  'preemption on the node that the extender wants': {
    extenders: [preempts],
    answers: { preempt: (args: PreemptArgs) => victimsOf(args, 'b') },
    ...crowded,
  },
  'preemption by names': {
    extenders: [{ ...preempts, nodeCacheCapable: true }],
    answers: { preempt: (args: PreemptArgs) => victimsOf(args, 'b') },
    ...crowded,
  },
  'preemption on the best of what the extender leaves': {
    extenders: [{ ...preempts, nodeCacheCapable: true }],
    answers: { preempt: (args: PreemptArgs) => victimsOf(args, 'a', 'b') },
    ...crowded,
  },
  'preemption nowhere': {
    extenders: [preempts],
    answers: { preempt: () => ({ body: { NodeNameToMetaVictims: {} } }) },
    ...crowded,
  },
  'preemption of nobody': {
    extenders: [preempts],
    answers: { preempt: () => ({ body: { NodeNameToMetaVictims: { a: { Pods: [] } } } }) },
    ...crowded,
  },
  'preemption of nobody, who may fail': {
    extenders: [{ ...preempts, ignorable: true }],
    answers: { preempt: () => ({ body: { NodeNameToMetaVictims: { a: { Pods: [] } } } }) },
    ...crowded,
  },
  'preemption of a stranger': {
    extenders: [preempts],
    answers: { preempt: () => ({ body: { NodeNameToMetaVictims: { a: { Pods: [{ UID: 'stranger' }] } } } }) },
    ...crowded,
  },
  'preemption on a node that is none': {
    extenders: [preempts],
    answers: { preempt: () => ({ body: { NodeNameToMetaVictims: { z: { Pods: [{ UID: 'u' }] } } } }) },
    ...crowded,
  },
  'preemption fails': { extenders: [preempts], answers: { preempt: () => ({ status: 500 }) }, ...crowded },
  'preemption fails, and may': {
    extenders: [{ ...preempts, ignorable: true }],
    answers: { preempt: () => ({ status: 500 }) },
    ...crowded,
  },
  'preemption where filters say it is no use': {
    extenders: [names],
    answers: answer({ NodeNames: [], FailedAndUnresolvableNodes: { a: 'never', b: 'never' } }),
    nodes: [node('a'), node('b')],
    standing: [full('va', 'a', 1)],
    pod: pod('p', { priority: 100 }),
  },
  'preemption where a filter says it may help': {
    extenders: [{ ...names, ...preempts }],
    answers: {
      ...answer({ NodeNames: [], FailedNodes: { a: 'crowded' }, FailedAndUnresolvableNodes: { b: 'never' } }),
      preempt: (args: PreemptArgs) => victimsOf(args, 'a'),
    },
    nodes: [node('a'), node('b')],
    standing: [full('va', 'a', 1)],
    pod: pod('p', { priority: 100 }),
  },
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secured = (tlsOf: (certificate: Certificate) => object, more: object = {}) => ({
  extenders: (certificate: Certificate) => [{ ...names, tlsConfig: tlsOf(certificate), ...more }],
  answers: only('b'),
});
const caData = ({ cert }: Certificate) => base64(cert);
const pair = ({ cert, key }: Certificate) => ({ certData: base64(cert), keyData: base64(key) });
const https = { enableHTTPS: true };

/** Over TLS. */
export const secureStories: Readonly<Record<string, ExtenderStory>> = {
  'TLS, whoever it is': { extenders: [{ ...names, ...https }], answers: only('b'), tls: 'server' },
  'TLS that nobody asked for': { extenders: [names], answers: only('b'), tls: 'server' },
  'TLS without check': { ...secured(() => ({ insecure: true })), tls: 'server' },
  'TLS with the authority': { ...secured((own) => ({ caData: caData(own) }), https), tls: 'server' },
  'TLS with the authority alone': { ...secured((own) => ({ caData: caData(own) })), tls: 'server' },
  'TLS with another name': {
    ...secured((own) => ({ caData: caData(own), serverName: 'other.example.com' }), https),
    tls: 'server',
  },
  'TLS with another name, without check': {
    ...secured(() => ({ insecure: true, serverName: 'other.example.com' }), https),
    tls: 'server',
  },
  'TLS with a certificate of the scheduler': {
    ...secured((own) => ({ caData: caData(own), ...pair(own) }), https),
    tls: 'mutual',
  },
  'TLS without a certificate of the scheduler': {
    ...secured((own) => ({ caData: caData(own) }), https),
    tls: 'mutual',
  },
  'plain HTTP to a server that speaks TLS': {
    extenders: [{ ...names, urlPrefix: 'http' }],
    answers: only('b'),
    tls: 'server',
  },
  'TLS to a server that speaks plain HTTP': {
    extenders: [{ ...names, ...https, urlPrefix: 'https' }],
    answers: only('b'),
  },
};

export const usualNodes = three;
export const usualPod = pod('p');
