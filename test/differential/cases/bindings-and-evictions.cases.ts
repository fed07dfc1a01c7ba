/** Pods in every state, bound and evicted by every sort of body, under every sort of budget. */
import { ask, mergePatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const core = '/api/v1/namespaces/$ns';
const pods = `${core}/pods`;
const budgets = '/apis/policy/v1/namespaces/$ns/poddisruptionbudgets';
const quiet = { quiet: true };
const otherUid = '7b1c2d3e-0000-4000-8000-00000000abcd';

const pod = (name: string, spec: Json = {}, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'x' }, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const withStatus = (name: string, status: Json): Step =>
  ask(`PATCH ${pods}/${name}/status`, { status }, { ...mergePatch, quiet: true });
const ready = (status = 'True'): Json => ({ phase: 'Running', conditions: [{ type: 'Ready', status }] });

/** How a pod came to be what it is. */
const states: Readonly<Record<string, (name: string) => Step[]>> = {
  fresh: (name) => [ask(`POST ${pods}`, pod(name), quiet)],
  bound: (name) => [ask(`POST ${pods}`, pod(name, { nodeName: 'n0' }), quiet)],
  ready: (name) => [ask(`POST ${pods}`, pod(name, { nodeName: 'n0' }), quiet), withStatus(name, ready())],
  unready: (name) => [
    ask(`POST ${pods}`, pod(name, { nodeName: 'n0' }), quiet),
    withStatus(name, ready('False')),
  ],
  gated: (name) => [ask(`POST ${pods}`, pod(name, { schedulingGates: [{ name: 'example.com/g' }] }), quiet)],
  marked: (name) => [
    ask(`POST ${pods}`, pod(name, {}, { annotations: { a: 'old' }, labels: { app: 'x', a: 'old' } }), quiet),
  ],
  held: (name) => [
    ask(`POST ${pods}`, pod(name, {}, { finalizers: ['example.com/f'] }), quiet),
    ask(`DELETE ${pods}/${name}`, undefined, quiet),
  ],
  ending: (name) => [
    ask(`POST ${pods}`, pod(name, { nodeName: 'n0' }), quiet),
    withStatus(name, ready()),
    ask(`DELETE ${pods}/${name}`, undefined, quiet),
  ],
  done: (name) => [
    ask(`POST ${pods}`, pod(name, { nodeName: 'n0' }), quiet),
    withStatus(name, { phase: 'Succeeded' }),
  ],
  failed: (name) => [ask(`POST ${pods}`, pod(name), quiet), withStatus(name, { phase: 'Failed' })],
  nominated: (name) => [ask(`POST ${pods}`, pod(name), quiet), withStatus(name, { nominatedNodeName: 'n9' })],
  claiming: (name) => [
    ask(
      `POST ${pods}`,
      pod(name, { nodeSelector: { a: 'b' }, hostNetwork: true, priorityClassName: 'system-node-critical' }),
      quiet,
    ),
  ],
};

const target = { kind: 'Node', name: 'n1' };
const bindings: Readonly<Record<string, Json>> = {
  plain: { target },
  'no-target': {},
  'empty-target': { target: {} },
  'no-kind': { target: { name: 'n1' } },
  'other-kind': { target: { kind: 'Pod', name: 'n1' } },
  minion: { target: { kind: 'Minion', name: 'n1' } },
  'odd-name': { target: { kind: 'Node', name: 'N_1' } },
  'empty-name': { target: { kind: 'Node', name: '' } },
  'with-all': {
    target: { ...target, apiVersion: 'v1', uid: 'u', namespace: 'x', resourceVersion: '3', fieldPath: 'a' },
  },
  labelled: { metadata: { labels: { a: 'new', b: 'c' }, annotations: { a: 'new', b: 'c' } }, target },
  'bad-label': { metadata: { labels: { 'bad key': 'bad value!' }, annotations: { 'bad key': 'x' } }, target },
  'other-namespace': { metadata: { namespace: 'default' }, target },
  'other-name': { metadata: { name: 'nobody' }, target },
  'other-uid': { metadata: { uid: otherUid }, target },
  'old-version': { metadata: { resourceVersion: '1' }, target },
  'bad-version': { metadata: { resourceVersion: 'x' }, target },
  generated: { metadata: { generateName: 'g-' }, target },
  owned: {
    metadata: {
      finalizers: ['a.b/c'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'b', uid: 'c' }],
    },
    target,
  },
  unknown: { target: { ...target, colour: 'red' }, size: 3 },
  mistyped: { target: { kind: 1 } },
  'of-another-kind': { kind: 'Pod', target },
  'of-another-version': { apiVersion: 'v2', target },
  'without-kind': { kind: undefined, apiVersion: undefined, target },
};
const binding = (name: string, more: Json): Json => ({
  apiVersion: 'v1',
  kind: 'Binding',
  ...more,
  metadata: { name, ...(more['metadata'] as Json | undefined) },
});

/** What says the same of every state is asked of some only. */
const someStates = ['fresh', 'bound', 'gated', 'held'];
const statesFor = (how: string) =>
  Object.entries(states).filter(
    ([state]) => how === 'plain' || how === 'labelled' || someStates.includes(state),
  );

const bindingCases = Object.entries(bindings).flatMap(([how, body]): DifferentialCase[] => [
  {
    name: `bind-${how}`,
    steps: statesFor(how).flatMap(([state, made]) => [
      ...made(state),
      ask(`POST ${pods}/${state}/binding?dryRun=All`, binding(state, body)),
      ask(`POST ${pods}/${state}/binding?fieldManager=binder&fieldValidation=Strict`, binding(state, body)),
      ask(`GET ${pods}/${state}`, undefined, { pick: ['metadata', 'spec.nodeName', 'status'] }),
    ]),
  },
  {
    name: `bind-in-collection-${how}`,
    steps: ['fresh', 'bound'].flatMap((state) => [
      ...states[state]!(state),
      ask(`POST ${core}/bindings`, binding(state, body)),
      ask(`GET ${pods}/${state}`, undefined, { pick: ['metadata', 'spec.nodeName', 'status'] }),
    ]),
  },
]);

const evictions: Readonly<Record<string, Json>> = {
  plain: {},
  'empty-options': { deleteOptions: {} },
  'at-once': { deleteOptions: { gracePeriodSeconds: 0 } },
  'in-time': { deleteOptions: { gracePeriodSeconds: 7 } },
  negative: { deleteOptions: { gracePeriodSeconds: -5 } },
  'dry-run': { deleteOptions: { dryRun: ['All'] } },
  'bad-dry-run': { deleteOptions: { dryRun: ['Some'] } },
  'other-uid': { deleteOptions: { preconditions: { uid: otherUid } } },
  'old-version': { deleteOptions: { preconditions: { resourceVersion: '1' } } },
  foreground: { deleteOptions: { propagationPolicy: 'Foreground' } },
  orphan: { deleteOptions: { propagationPolicy: 'Orphan' } },
  'bad-policy': { deleteOptions: { propagationPolicy: 'Never' } },
  both: { deleteOptions: { propagationPolicy: 'Orphan', orphanDependents: true } },
  'with-kind': { deleteOptions: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 1 } },
  'odd-kind': { deleteOptions: { apiVersion: 'x/v9', kind: 'Pod' } },
  unsafe: { deleteOptions: { ignoreStoreReadErrorWithClusterBreakingPotential: true } },
  unknown: { deleteOptions: { colour: 'red' }, size: 1 },
  mistyped: { deleteOptions: { gracePeriodSeconds: 'x' } },
  null: { deleteOptions: null },
  beta: { apiVersion: 'policy/v1beta1' },
  old: { apiVersion: 'policy/v1alpha1' },
  'without-kind': { apiVersion: undefined, kind: undefined },
  'of-another-kind': { apiVersion: 'v1', kind: 'Binding' },
  'other-name': { metadata: { name: 'nobody' } },
  nameless: { metadata: { name: undefined } },
  'other-namespace': { metadata: { namespace: 'default' } },
};
const eviction = (name: string, more: Json): Json => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  ...more,
  metadata: { name, ...(more['metadata'] as Json | undefined) },
});
const after = (name: string): Step =>
  ask(`GET ${pods}/${name}`, undefined, {
    pick: ['metadata', 'status.conditions', 'reason', 'message'],
    ignore: ['metadata.managedFields'],
  });

const evictionCases = Object.entries(evictions).map(([how, body]): DifferentialCase => ({
  name: `evict-${how}`,
  steps: Object.entries(states).flatMap(([state, made]) => [
    ...made(state),
    ask(`POST ${pods}/${state}/eviction?dryRun=All`, eviction(state, body)),
    ask(`POST ${pods}/${state}/eviction`, eviction(state, body)),
    after(state),
  ]),
}));

const budget = (name: string, spec: Json = {}): Step =>
  ask(
    `POST ${budgets}`,
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } }, ...spec },
    },
    quiet,
  );
const counted = (name: string, status: Json): Step =>
  ask(
    `PATCH ${budgets}/${name}/status`,
    {
      status: {
        observedGeneration: 1,
        disruptionsAllowed: 0,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
        ...status,
      },
    },
    { ...mergePatch, quiet: true },
  );

const guards: Readonly<Record<string, readonly Step[]>> = {
  uncounted: [budget('b')],
  'not-allowed': [budget('b'), counted('b', {})],
  allowed: [budget('b'), counted('b', { disruptionsAllowed: 1 })],
  'allowed-many': [budget('b'), counted('b', { disruptionsAllowed: 5, currentHealthy: 6 })],
  negative: [budget('b'), counted('b', { currentHealthy: 0, desiredHealthy: 3 })],
  'observed-late': [
    budget('b'),
    counted('b', { disruptionsAllowed: 1 }),
    ask(`PATCH ${budgets}/b`, { spec: { minAvailable: 2 } }, { ...mergePatch, quiet: true }),
  ],
  'if-healthy': [budget('b', { unhealthyPodEvictionPolicy: 'IfHealthyBudget' }), counted('b', {})],
  'if-healthy-and-is': [
    budget('b', { unhealthyPodEvictionPolicy: 'IfHealthyBudget' }),
    counted('b', { currentHealthy: 3, desiredHealthy: 1 }),
  ],
  'if-healthy-and-is-not': [
    budget('b', { unhealthyPodEvictionPolicy: 'IfHealthyBudget' }),
    counted('b', { currentHealthy: 0, desiredHealthy: 2 }),
  ],
  always: [budget('b', { unhealthyPodEvictionPolicy: 'AlwaysAllow' }), counted('b', {})],
  two: [
    budget('b'),
    counted('b', { disruptionsAllowed: 1 }),
    budget('d'),
    counted('d', { disruptionsAllowed: 1 }),
  ],
  'of-others': [budget('b', { selector: { matchLabels: { app: 'y' } } }), counted('b', {})],
  'of-all': [budget('b', { selector: {} }), counted('b', {})],
  'of-none': [budget('b', { selector: undefined }), counted('b', {})],
  disrupted: [
    budget('b'),
    counted('b', { disruptionsAllowed: 1, disruptedPods: { ready: '2020-01-01T00:00:00Z' } }),
  ],
};
const guardedStates = ['fresh', 'ready', 'unready', 'ending', 'done', 'failed', 'held', 'gated'];

const guardedCases = Object.entries(guards).map(([how, made]): DifferentialCase => ({
  name: `guarded-${how}`,
  steps: [
    ...made,
    ...guardedStates.flatMap((state) => [
      ...states[state]!(state),
      ask(`POST ${pods}/${state}/eviction?dryRun=All`, eviction(state, {})),
      ask(`POST ${pods}/${state}/eviction`, eviction(state, {})),
      after(state),
      ask(`POST ${pods}/${state}/eviction`, eviction(state, { deleteOptions: { gracePeriodSeconds: 0 } })),
      ask(`GET ${budgets}/b`, undefined, {
        pick: ['metadata.generation', 'metadata.managedFields', 'status'],
      }),
    ]),
  ],
}));

export const cases: readonly DifferentialCase[] = [...bindingCases, ...evictionCases, ...guardedCases];
