import { describe, expect, test } from 'vitest';
import { seededRandom, type KubeObject } from '@coxswain/apimachinery';
import { createCluster } from '../testing/create-cluster.ts';
import { pathQuery } from './path-query.ts';
import { chooseStage, compileStage } from './stage-choice.ts';
import { parseKwok } from './kwok-objects.ts';

const fakeNode = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { 'kubernetes.io/hostname': name },
  },
});

/** A stage that moves pods from one phase to another. */
const stageTo = (name: string, from: string, to: string, more = ''): string => `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: ${name} }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
      - { key: .status.phase, operator: In, values: [${from}] }
${more}
  next:
    event: { type: Normal, reason: Staged, message: goes on to ${to} }
    statusTemplate: |
      {{ $now := Now }}
      podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) | Quote }}
      phase: ${to}
      conditions:
      - { type: Ready, status: {{ if eq "${to}" "Running" }}"True"{{ else }}"False"{{ end }}, lastTransitionTime: {{ $now | Quote }} }
`;

const nodeReady = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: ready }
spec:
  resourceRef: { kind: Node }
  selector:
    matchExpressions:
      - { key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ['True'] }
  next:
    statusTemplate: |
      allocatable: { cpu: "4", memory: 8Gi, pods: "110" }
      capacity: { cpu: "4", memory: 8Gi, pods: "110" }
      conditions:
      {{ range NodeConditions }}
      - { type: {{ .type }}, status: {{ .status | Quote }}, reason: {{ .reason }}, message: {{ .message | Quote }} }
      {{ end }}
`;

describe('expressions in CEL', () => {
  const staged = (spec: string) =>
    compileStage(
      parseKwok(`
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: cel }
spec:
  resourceRef: { kind: Pod }
${spec}`).stages[0]!,
    );
  const pod = (annotations: Readonly<Record<string, string>>) =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', annotations },
      status: { phase: 'Pending' },
    }) as unknown as KubeObject;

  test('choose a stage, its weight and its delay', () => {
    const stage = staged(`
  selector:
    matchExpressions:
      - cel: { expression: 'self.status.phase == "Pending" && "speed" in self.metadata.annotations' }
  weightFrom: { cel: { expression: 'int(self.metadata.annotations.speed) * 2' } }
  delay:
    durationFrom: { cel: { expression: 'duration(self.metadata.annotations.speed + "s")' } }
`);

    expect(stage.matches(pod({ speed: '5' }))).toBe(true);
    expect(stage.matches(pod({}))).toBe(false);
    expect(stage.weight(pod({ speed: '5' }))).toBe(10);
    expect(stage.delayMs(pod({ speed: '5' }), 0, seededRandom(1))).toBe(5000);
  });

  test('do not match where they fail, and are refused where they are none', () => {
    const selecting = (expression: string) =>
      staged(`  selector: { matchExpressions: [{ cel: { expression: '${expression}' } }] }`);

    expect(selecting('self.spec.nodeName == "a"').matches(pod({}))).toBe(false);
    expect(() => selecting('self.status.')).toThrow('cannot compile the expression self.status.');
  });
});

describe('a query', () => {
  const pod = {
    metadata: { annotations: { 'a.b/c': 'x' } },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Other', status: 'False' },
      ],
    },
  };

  test.each([
    ['.metadata.annotations["a.b/c"]', ['x']],
    ['.status.conditions.[].type', ['Ready', 'Other']],
    ['.status.conditions[1].type', ['Other']],
    ['.status.conditions.[] | select( .type == "Ready" ) | .status', ['True']],
    ['.status.conditions.[] | select(.type != "Ready") | .status', ['False']],
    ['.spec.nothing.[].at.all', []],
  ])('%s', (text, found) => expect(pathQuery(text)(pod)).toEqual(found));

  test('that is not understood is refused', () => {
    expect(() => pathQuery('.a | map(.b)')).toThrow('cannot parse the expression');
  });
});

test('of several stages one is chosen by weight, and none without', () => {
  const stages = parseKwok(
    ['never', 'often', 'seldom']
      .map((name, index) => stageTo(name, 'Pending', 'Running', `  weight: ${[0, 9, 1][index]}`))
      .join('---\n'),
  ).stages.map(compileStage);
  const pod: KubeObject & { status: object } = { metadata: { name: 'a' }, status: { phase: 'Pending' } };
  const random = seededRandom(1);
  const counts: Record<string, number> = {};
  for (let round = 0; round < 1000; round++) {
    const name = chooseStage(stages, pod, random)!.stage.metadata.name;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  expect(counts['never']).toBeUndefined();
  expect(counts['often']).toBeGreaterThan(850);
  expect(counts['seldom']).toBeGreaterThan(50);
});

test('a delay comes from an annotation, and is a time or a duration', () => {
  const [stage] = parseKwok(
    stageTo(
      'a',
      'Pending',
      'Running',
      `  delay: { durationMilliseconds: 500, durationFrom: { expressionFrom: '.metadata.annotations["d"]' } }`,
    ),
  ).stages.map(compileStage);
  const delayMs = (d?: string) =>
    stage!.delayMs(
      { metadata: { annotations: d === undefined ? {} : { d } } },
      Date.UTC(2026, 0, 1),
      seededRandom(1),
    );

  expect(delayMs()).toBe(500);
  expect(delayMs('3s')).toBe(3000);
  expect(delayMs('2026-01-01T00:01:00Z')).toBe(60_000);
});

test('an invalid stage is refused', () => {
  expect(() => parseKwok('{ apiVersion: v1, kind: Pod }').stages).toThrow('not v1, Kind=Pod');
});

test('a stage creates another object, updates an existing one, and impersonates users', async () => {
  const stages = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: copies }
spec:
  resourceRef: { kind: Secret }
  selector:
    matchExpressions:
      - jq: { key: .metadata.labels.copied, operator: DoesNotExist }
  steps:
    - apply:
        template: |
          apiVersion: v1
          kind: ConfigMap
          metadata: { name: copy }
          data: { {{ .metadata.name }}: seen }
    - patch: { root: metadata, template: 'labels: { copied: "yes" }', impersonation: { username: copier } }
`;
  const cluster = await createCluster({ nodes: 0, controllers: false, stages, seed: 1 });
  try {
    await cluster.apply(copierMay);
    for (const name of ['first', 'second']) {
      await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
      await cluster.idle();
    }
    const maps = cluster.client.resource('v1', 'configmaps').namespace('default');
    // A manager's second apply removes the fields that it omits; the first request was a create.
    expect(await maps.get('copy')).toMatchObject({ data: { first: 'seen', second: 'seen' } });
    const secret = await cluster.client.resource('v1', 'secrets').namespace('default').get('first');
    expect(secret.metadata.labels).toEqual({ copied: 'yes' });
    expect(cluster.requests({ verb: 'patch', resource: 'secrets', user: 'copier' })).toHaveLength(2);
  } finally {
    await cluster.stop();
  }
});

test('pods of a fake node go from stage to stage in the time of the cluster', async () => {
  const stages = [
    nodeReady,
    stageTo('start', 'Pending', 'Running', '  delay: { durationMilliseconds: 5000 }'),
    stageTo('fail', 'Running', 'Failed', '  delay: { durationMilliseconds: 60000 }'),
  ].join('---\n');
  const cluster = await createCluster({ nodes: 0, stages, seed: 1 });
  try {
    await cluster.apply(fakeNode('fake-0'));
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'a', image: 'nginx' }] },
    });
    const phase = async () => {
      await cluster.idle();
      const pod = await cluster.client.resource('v1', 'pods').namespace('default').get('a');
      return (pod as { status?: { phase?: string; podIP?: string } }).status;
    };
    expect(await phase()).toMatchObject({ phase: 'Pending' });
    await cluster.clock.advance('5s');
    expect(await phase()).toMatchObject({ phase: 'Running', podIP: '10.0.0.2' });
    await cluster.clock.advance('1m');
    expect(await phase()).toMatchObject({ phase: 'Failed' });
    const { items } = await cluster.client.resource('v1', 'events').namespace('default').list();
    expect(items.filter((event) => (event as { reason?: string }).reason === 'Staged')).toHaveLength(2);
  } finally {
    await cluster.stop();
  }
});

const copierMay = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'copier' },
    rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['patch'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'copier' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'copier' },
    subjects: [{ kind: 'User', name: 'copier' }],
  },
];
