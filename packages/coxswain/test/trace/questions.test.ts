/**
 * Questions that students of Kubernetes ask, each answered by one step of a recording at the position of the
 * responsible code.
 */

import type { KubeObject } from '@coxswain/apimachinery';
import type { Step } from '@coxswain/trace/recording.ts';
import { recordingText } from '@coxswain/trace/text/recording-text.ts';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { tracedCluster, type Traced } from './traced-cluster.ts';

type ConfigMap = KubeObject & { data?: Record<string, string> };

const objects = path.join(import.meta.dirname, 'objects');

let traced: Traced;
let recorder: Traced['recorder'];
let cluster: Cluster;

beforeAll(async () => {
  traced = await tracedCluster({
    nodes: 2,
    controllerSettings: { nodeStartupGracePeriodMs: 1000, nodeMonitorPeriodMs: 200 },
  });
  ({ recorder, cluster } = traced);
  await kubectl('create configmap settings');
});
afterAll(() => cluster.stop());

const kubectl = (command: string): Promise<number> => traced.kubectl(command);
const steps = (name: string): readonly Step[] => traced.steps(name);

test('where is the optimistic lock of an update checked?', async () => {
  expect(await kubectl(`replace -f ${objects}/stale.yaml`)).toBe(1);

  // Working controllers may be refused, too.
  expect(steps('check-resource-version')).toContainEqual(
    expect.objectContaining({
      file: 'packages/apiserver/src/registry/update-object.ts',
      values: { sent: '1', stored: expect.stringMatching(/^\d+$/) },
      failure: expect.stringContaining('configmaps "settings": the object has been modified'),
    }),
  );
});

test('what happens to a patch that another overtakes?', async () => {
  const settings = cluster.client().resource('v1', 'configmaps').namespace('default');
  const patch = (at: number) => settings.patch('settings', { data: { [`a${at}`]: '' } });
  await Promise.all([1, 2, 3, 4].map(patch));

  expect(steps('decide-again')).toContainEqual(
    expect.objectContaining({
      values: { attempt: 2, overtakenBy: expect.stringMatching(/^revision \d+$/) },
    }),
  );
});

test('which code decides that a pod fits no node, and why?', async () => {
  await kubectl(`create -f ${objects}/too-large.yaml`);
  await expect.poll(() => steps('refused-by/NodeResourcesFit')).not.toEqual([]);

  expect(steps('refused-by/NodeResourcesFit')[0]).toMatchObject({
    file: 'packages/kube-scheduler/src/plugins/node-resources-fit.ts',
    function: 'filter',
    values: { nodes: { 'node-0': 'Insufficient cpu', 'node-1': 'Insufficient cpu' } },
  });
  expect(recordingText(recorder.recording(), { columns: 160, colours: false })).toContain(
    'refused-by/NodeResourcesFit',
  );
});

test('what does a watch send?', async () => {
  const over = new AbortController();
  for await (const { type } of cluster
    .client()
    .resource('v1', 'configmaps')
    .namespace('default')
    .watch({ signal: over.signal })) {
    expect(type).toBe('ADDED');
    break;
  }
  over.abort();

  expect(steps('watch')).toContainEqual(
    expect.objectContaining({ file: 'packages/apiserver/src/handlers/watch.ts', function: 'serveWatch' }),
  );
  expect(steps('send-event')[0]).toMatchObject({ file: 'packages/apiserver/src/handlers/watch.ts' });
});

test('which fields does an update take from whom?', async () => {
  await kubectl('create configmap owned --from-literal=a=b');
  const maps = cluster.client().resource<ConfigMap>('v1', 'configmaps').namespace('default');
  await maps.update({ ...(await maps.get('owned')), data: { a: 'c' } });

  const diffs = steps('managed-fields').map(({ values }) => JSON.stringify(values?.['diff']) ?? '');
  expect(diffs.filter((diff) => diff.includes('kubectl-create Update') && diff.includes('f:a'))).not.toEqual(
    [],
  );
});

test('what did a command in a container say, and how did it end?', async () => {
  await kubectl('run shell --image=busybox');
  await kubectl('wait --for=condition=Ready pod/shell');
  expect(await kubectl('exec shell -- hostname')).toBe(0);

  expect(steps('stream/exec')).toMatchObject([
    { values: { command: ['hostname'], bytes: { stdout: 6 }, ended: { status: 'Success' } } },
  ]);
});

test('who authenticated, and which authorizer allowed it, by which binding?', async () => {
  await kubectl('get nodes');

  expect(steps('authenticator/in-process')).toContainEqual(
    expect.objectContaining({ values: { found: 'authenticated' } }),
  );
  expect(steps('authorizer/RBAC')).toContainEqual(
    expect.objectContaining({
      file: 'packages/apiserver/src/authorization/rbac/authorizer.ts',
      values: {
        decision: 'allow',
        reason: expect.stringContaining('allowed by ClusterRoleBinding'),
        asked: expect.stringMatching(/ by system:/),
      },
    }),
  );
});

test('what did each plugin of the scheduler say?', async () => {
  await kubectl('run scored --image=busybox');
  await kubectl('wait --for=condition=Ready pod/scored');

  expect(steps('filter/NodeResourcesFit')[0]).toMatchObject({
    file: 'packages/kube-scheduler/src/plugins/node-resources-fit.ts',
    function: 'filter',
  });
  expect(steps('score/ImageLocality')[0]).toMatchObject({
    file: 'packages/kube-scheduler/src/plugins/image-locality.ts',
    values: { nodes: { 'node-0': 0, 'node-1': 0 } },
  });
});

test('who owns what keeps an object from going?', async () => {
  await kubectl('create deployment going --image=busybox');
  await kubectl('rollout status deployment/going');
  await kubectl('delete deployment going --cascade=foreground');

  const reported = steps('reconcile').flatMap(({ values }) => values?.['blockedBy'] ?? []);
  expect(reported).toContainEqual(expect.stringMatching(/^ReplicaSet default\/going-/));
});

test('where does a log come from?', async () => {
  await kubectl('run talker --image=busybox');
  await kubectl('wait --for=condition=Ready pod/talker');
  await kubectl('logs talker');

  expect(steps('stream/log')).toMatchObject([
    { function: 'logs', file: 'packages/kubelet/src/kubelet.ts', values: { pod: 'default/talker' } },
  ]);
});

test('where does a Service get its address?', async () => {
  await kubectl('create service clusterip addressed --tcp=80:8080');

  expect(steps('begin-create')).toContainEqual(
    expect.objectContaining({
      file: 'packages/kube-apiserver/src/groups/core/service/service-strategy.ts',
      values: {
        diff: expect.arrayContaining([
          { path: 'spec.clusterIP', after: expect.stringMatching(/^[\d.]+$/) },
        ]) as unknown,
      },
    }),
  );
});

test('whose field does an apply conflict with?', async () => {
  await kubectl('create configmap applied --from-literal=a=b');
  const maps = cluster.client().resource<ConfigMap>('v1', 'configmaps').namespace('default');
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { a: 'c' } };
  await expect(maps.apply(other, { fieldManager: 'other' })).rejects.toThrow('conflict');

  expect(steps('managed-fields')).toContainEqual(
    expect.objectContaining({
      file: 'packages/apiserver/src/handlers/patch/apply.ts',
      failure: expect.stringContaining('conflict with "kubectl-create"'),
      values: { manager: 'other', operation: 'Apply', force: false },
    }),
  );
});

test('who accepts the names of a custom resource, and who registers its group?', async () => {
  await kubectl(`create -f ${objects}/boats.yaml`);
  const found = (wanted: object) =>
    recorder
      .recording()
      .undertakings.filter((one) =>
        Object.entries(wanted).every(([name, value]) => one[name as 'name'] === value),
      );
  const settled = { component: 'customresourcedefinition-controller', name: 'boats.example.com' };
  const write = {
    name: 'PUT /apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com/status',
  };
  await expect
    .poll(() => found({ component: 'autoregister-controller', name: 'example.com' }))
    .not.toEqual([]);

  const [first] = found(settled);
  expect(first).toMatchObject({
    links: [{ by: 'revision', key: expect.stringMatching(/boats.example.com$/) }],
    steps: [{ function: '#syncDefinition' }],
  });
  expect(found(write)[0]?.causes).toEqual([first?.id]);
});

test('which code computes the patch of an apply, and which deletes what is no longer described?', async () => {
  await kubectl('create secret generic kept-secret --from-literal=password=before');
  expect(await kubectl(`apply -f ${objects}/secret.yaml`)).toBe(0);
  expect(
    await kubectl(`apply -f ${objects}/secret.yaml --prune --all --prune-allowlist=core/v1/ConfigMap`),
  ).toBe(0);

  const [patch] = steps('three-way-patch');
  expect(patch).toMatchObject({ function: 'patchFor', values: { type: 'strategic', patch: '***' } });
  expect(steps('prune').at(-1)).toMatchObject({
    function: 'pruneByKinds',
    file: 'packages/kubectl/src/apply/prune.ts',
  });
});

test('when does kubectl wait find its condition met?', async () => {
  await kubectl('run awaited --image=busybox');
  await kubectl('wait --for=condition=Ready pod/awaited');

  expect(steps('check-condition').at(-1)).toMatchObject({
    values: { condition: 'condition=Ready', met: true, state: expect.stringContaining('Ready=True') },
  });
});

test('which revision does an undo choose?', async () => {
  await kubectl('create deployment undone --image=busybox');
  await kubectl('rollout status deployment/undone');
  await kubectl('set image deployment/undone busybox=busybox:2');
  await kubectl('rollout status deployment/undone');
  expect(await kubectl('rollout undo deployment/undone')).toBe(0);

  expect(steps('choose-revision').at(-1)).toMatchObject({
    function: 'chooseRevision',
    values: { chosen: 1, known: [1, 2] },
  });
});

test('where does a dry run end, and what was not done?', async () => {
  await kubectl('create configmap tried --dry-run=server');

  expect(steps('storage/dry-run')).toContainEqual(
    expect.objectContaining({ file: 'packages/apiserver/src/registry/stored-resource.ts' }),
  );
  const shown = recordingText(recorder.recording(), { columns: 160, colours: false });
  expect(shown).toContain('storage/dry-run');
});

test('who is asked whether somebody may do something, and about what?', async () => {
  await kubectl('auth can-i delete nodes --as=carol');

  const [review] = steps('review').slice(-1);
  expect(review).toMatchObject({
    file: 'packages/kube-apiserver/src/groups/authorization/group.ts',
    steps: [
      { name: 'authorizer/system:masters', values: { decision: 'no-opinion' } },
      {
        name: 'authorizer/RBAC',
        values: { decision: 'no-opinion', asked: 'delete nodes in default by carol' },
      },
    ],
  });
  expect(steps('authorizer/system:masters').map(({ values }) => values?.['asked'])).toContainEqual(
    expect.stringMatching(/^impersonate:user-info users.authentication.k8s.io carol by /),
  );
});

test('which disruption budget keeps a pod from being evicted?', async () => {
  await kubectl('run kept --image=busybox --labels=app=kept');
  await kubectl('wait --for=condition=Ready pod/kept');
  await kubectl('create poddisruptionbudget kept --selector=app=kept --min-available=1');
  const evict = `create --raw /api/v1/namespaces/default/pods/kept/eviction -f ${objects}/kept-eviction.json`;
  expect(await kubectl(evict)).toBe(1);

  expect(steps('disruption-budget').map(({ failure }) => failure)).toContainEqual(
    expect.stringContaining('disruption budget'),
  );
});

test('how much of a quota is used after a request?', async () => {
  await kubectl('create namespace metered');
  await kubectl('create quota limit --hard=configmaps=9 -n metered');
  await kubectl('wait --for=jsonpath={.status.hard.configmaps}=9 quota/limit -n metered');
  await kubectl('create configmap counted -n metered');

  const [charged] = steps('admission/validate/ResourceQuota').filter(({ values }) =>
    Object.hasOwn((values?.['used'] ?? {}) as object, 'limit'),
  );
  expect(charged).toMatchObject({
    values: { used: { limit: { configmaps: expect.stringMatching(/^\d$/) } } },
    steps: expect.arrayContaining([expect.objectContaining({ name: 'storage/update' })]) as unknown,
  });
});

const json = { 'content-type': 'application/json' };
const maps = '/api/v1/namespaces/default/configmaps';

test.each([
  { status: 400, method: 'POST', headers: json, body: '{', by: 'handlers/create.ts' },
  { status: 404, path: '/api/v1/namespaces/default/nothing', by: 'routing/find-route.ts' },
  { status: 404, path: `${maps}/nothing`, by: 'handlers/get.ts' },
  { status: 405, method: 'PATCH', by: 'routing/find-route.ts' },
  { status: 406, headers: { accept: 'text/csv' }, by: 'negotiation/negotiate.ts' },
  { status: 413, method: 'POST', headers: json, body: 'x'.repeat(4 << 20), by: 'http/request-body.ts' },
  {
    status: 415,
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: 'x',
    by: 'handlers/create.ts',
  },
])(
  'which code answers $status in $by?',
  async ({ status, method = 'GET', path: target = maps, headers = {}, body, by }) => {
    const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) };
    const answer = await cluster.transport().send({ method, path: target, headers, ...bytes });
    await answer.bytes();
    expect(answer.status).toBe(status);

    const asked = recorder.recording().undertakings.findLast(({ name }) => name === `${method} ${target}`)!;
    const reasons = refusalsIn(asked.steps);
    expect(reasons.map(({ file }) => file)).toEqual([`packages/apiserver/src/${by}`]);
  },
);

/** The innermost steps that failed or refused. */
const refusalsIn = (found: readonly Step[]): readonly Step[] =>
  found.flatMap((step) => {
    const within = refusalsIn(step.steps);
    if (within.length > 0) return within;
    return step.failure !== undefined || step.name === 'refuse' ? [step] : [];
  });

test('which rule of a custom resource does an object violate, and what converts it?', async () => {
  await kubectl(`create -f ${objects}/rafts.yaml`);
  await kubectl('wait --for=condition=Established crd/rafts.example.com');
  const rafts = cluster.client().resource<KubeObject & { logs: number }>('example.com/v2', 'rafts');
  const raft = (logs: number) => ({
    apiVersion: 'example.com/v2',
    kind: 'Raft',
    metadata: { name: 'r' },
    logs,
  });
  await expect(rafts.namespace('default').create(raft(0))).rejects.toThrow('failed rule: self > 0');
  await rafts.namespace('default').create(raft(1));

  expect(steps('rules')[0]).toMatchObject({
    function: 'evaluate',
    file: 'packages/api/src/apiextensions/rule-evaluation.ts',
    values: { rules: ['logs: self > 0'], violations: [expect.stringContaining('failed rule: self > 0')] },
  });
  // Events are converted meanwhile, too.
  expect(steps('convert')).toContainEqual(
    expect.objectContaining({
      file: 'packages/kube-apiserver/src/apiextensions/converted-versions.ts',
      values: expect.objectContaining({ from: 'example.com/v2', to: 'example.com/v1' }),
    }),
  );
});

test('who notices that a node is silent, and who taints it?', { timeout: 60_000 }, async () => {
  await cluster
    .client()
    .resource('v1', 'nodes')
    .create({ metadata: { name: 'silent' } });
  const byMonitor = (work: string) =>
    recorder
      .recording()
      .undertakings.filter(({ name, steps: [step] }) => name === 'silent' && step?.function === work);

  await expect.poll(() => byMonitor('#setEvictionTaint'), { timeout: 40_000 }).not.toEqual([]);
  const [noticed] = byMonitor('#writeSilence');
  expect(noticed).toMatchObject({
    component: 'node-lifecycle-controller',
    steps: [{ values: { graceMs: 1000 } }],
  });
  const { undertakings } = recorder.recording();
  const [written] = undertakings.filter(({ causes }) => causes.includes(noticed!.id));
  expect(written?.name).toBe('PUT /api/v1/nodes/silent/status');
  const [tainted] = byMonitor('#setEvictionTaint');
  expect(tainted?.steps[0]?.values).toMatchObject({ taint: 'node.kubernetes.io/unreachable' });
  const causes = undertakings.filter(({ id }) => tainted?.causes.includes(id));
  expect(causes.map(({ name }) => name)).toEqual([expect.stringContaining('/api/v1/nodes/silent')]);
});

/** What a controller's function found, each time that it ran. */
const findingsOf = (name: string): readonly Step['values'][] =>
  steps('reconcile').flatMap((step) => (step.function === name ? [step.values] : []));

test('why is a namespace not deleted?', async () => {
  await kubectl(`apply -f ${objects}/held-namespace.yaml`);
  await kubectl('delete namespace held --wait=false');

  await expect
    .poll(() => findingsOf('syncNamespace'), { timeout: 10_000 })
    .toContainEqual(
      expect.objectContaining({
        remaining: expect.arrayContaining(['configmaps=1']),
        finalizers: ['example.com/hold=1'],
      }),
    );
});

test('why is a claim not bound?', async () => {
  await kubectl(`apply -f ${objects}/awaited-claim.yaml`);

  await expect
    .poll(() => findingsOf('reconcileClaim'))
    .toContainEqual(
      expect.objectContaining({ volume: 'none matches', volumeBindingMode: 'WaitForFirstConsumer' }),
    );
});

test('why is a container started again?', async () => {
  expect(await kubectl(`apply -f ${objects}/unhealthy-pod.yaml`)).toBe(0);

  await expect
    .poll(() => steps('health/liveness-failed'), { timeout: 10_000 })
    .toContainEqual(expect.objectContaining({ values: { container: 'app', inARow: 1 } }));
  expect(steps('runtime/probe')).toContainEqual(
    expect.objectContaining({
      values: expect.objectContaining({ kind: 'Liveness', command: ['cat', '/tmp/healthy'], success: false }),
    }),
  );
  const [failed] = steps('health/liveness-failed');
  expect(failed!.steps.map(({ name }) => name)).toContain('runtime/stopContainer');
});

test('in which order are the pods of a StatefulSet updated?', { timeout: 20_000 }, async () => {
  await kubectl(`apply -f ${objects}/database.yaml`);
  await kubectl('rollout status statefulset/db --timeout=10s');
  await kubectl('set image statefulset/db app=nginx:2');

  const outdated = () => findingsOf('syncStatefulSet').flatMap((values) => values?.['outdated'] ?? []);
  await expect.poll(outdated, { timeout: 10_000 }).toEqual(['db-1', 'db-0']);
  expect(findingsOf('syncStatefulSet')).toContainEqual(expect.objectContaining({ waitsFor: 'db-1' }));
});
