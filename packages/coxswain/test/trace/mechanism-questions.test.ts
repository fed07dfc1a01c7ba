/** More questions of students: about the mechanisms behind requests, each answered by steps of a recording. */

import { addonNames } from '../../src/addons/addon-names.ts';
import type { Recording, Step } from '@coxswain/trace/recording.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defaultsOf } from '@coxswain/cobra';
import { clusterFlags } from '@coxswain/kube-apiserver/flags/cluster-flags.ts';
import { clusterFlagSettings } from '@coxswain/kube-apiserver/flags/cluster-flag-settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tracedCluster, type Traced } from './traced-cluster.ts';

const objects = path.join(import.meta.dirname, 'objects');

const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-questions-'));
const written = (name: string, value: unknown): string => {
  const file = path.join(directory, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
};

/** Audits Secrets, and encrypts them. */
const apiServer = () =>
  clusterFlagSettings(
    {
      ...defaultsOf(clusterFlags),
      auditLogPath: path.join(directory, 'audit.log'),
      auditPolicyFile: written('policy.yaml', {
        apiVersion: 'audit.k8s.io/v1',
        kind: 'Policy',
        rules: [
          { level: 'None', users: ['nobody'] },
          { level: 'Metadata', resources: [{ group: '', resources: ['secrets'] }] },
        ],
      }),
      encryptionProviderConfig: written('encryption.yaml', {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'EncryptionConfiguration',
        resources: [
          {
            resources: ['secrets'],
            providers: [
              { aescbc: { keys: [{ name: 'key1', secret: Buffer.alloc(32, 7).toString('base64') }] } },
            ],
          },
        ],
      }),
    },
    '',
    { log: () => undefined, print: () => undefined },
  );

let traced: Traced;

beforeAll(async () => {
  traced = await tracedCluster({
    nodes: 2,
    ...apiServer(),
    addons: addonNames,
    leaderElection: true,
    history: { ms: 0, revisionsMax: 0 },
  });
});
afterAll(async () => {
  await traced.cluster.stop();
  rmSync(directory, { recursive: true });
});

const steps = (name: string): readonly Step[] => traced.steps(name);

/** What the function of a component found, each time that it ran. */
const findings = (work: string): readonly Step['values'][] =>
  steps('reconcile').flatMap((step) => (step.function === work ? [step.values] : []));

test('from where does the next page of a list continue, and at which revision?', async () => {
  for (const name of ['a', 'b', 'c']) await traced.kubectl(`create configmap ${name}`);
  await traced.kubectl('get configmaps -n default --chunk-size=2');

  const pages = steps('cache/list').map(({ values }) => values);
  const [first] = pages.filter((page) => page?.['remainingItemCount'] !== undefined);
  expect(first).toMatchObject({ limit: 2, items: 2, remainingItemCount: 1 });
  expect(pages).toContainEqual(
    expect.objectContaining({
      after: '/registry/configmaps/default/b',
      revision: Number(first?.['resourceVersion']),
    }),
  );
});

test('which rule of the policy audits a request, and how is a Secret stored?', async () => {
  await traced.kubectl('create secret generic s --from-literal=a=b');

  expect(steps('audit').map(({ values }) => values)).toContainEqual(
    expect.objectContaining({ level: 'Metadata', rule: 'rules[1]' }),
  );
  expect(steps('storage/update').map(({ values }) => values)).toContainEqual(
    expect.objectContaining({ storedAs: 'k8s:enc:aescbc:v1:key1:' }),
  );
});

test('how many objects are looked at for a field selector?', async () => {
  await traced.kubectl('get configmaps -n default --field-selector=metadata.name!=a');

  expect(steps('cache/list').at(-1)).toMatchObject({ values: { candidates: 3, of: 3, items: 2 } });
});

test('what happens to a watch whose history is gone?', async () => {
  const { cluster } = traced;
  await cluster.storage.compact(cluster.storage.currentRevision);
  expect(await traced.kubectl('get --raw /api/v1/configmaps?watch=true&resourceVersion=1')).toBe(0);

  expect(steps('compact').at(-1)).toMatchObject({
    function: 'compact',
    values: { before: expect.any(Number) },
  });
  expect(steps('cache/watch').map(({ failure }) => failure)).toContainEqual(
    expect.stringContaining('too old resource version: 1'),
  );
});

test('who is the leader, and how did it become that?', () => {
  expect(steps('acquire-or-renew').map(({ values }) => values)).toContainEqual({
    outcome: 'created',
    identity: expect.any(String),
  });
});

test('what does the expiry of a lease delete?', async () => {
  const { engine } = traced.cluster.storage;
  await engine.leases.grant(77n, 1);
  const put = { kind: 'put', key: '/registry/short', value: new Uint8Array(), leaseId: 77n } as const;
  await engine.transact({ success: [put] });

  await expect
    .poll(() => steps('expire-lease'), { timeout: 5000 })
    .toMatchObject([{ values: { ttlSeconds: 1, keys: ['/registry/short'] } }]);
});

test('who makes the volume of a claim, and because of what?', async () => {
  await traced.kubectl(`apply -f ${objects}/claim.yaml`);
  await traced.kubectl('wait --for=jsonpath={.status.phase}=Bound pvc/data');

  const recording = traced.recorder.recording();
  expect(causesOf(recording, 'POST /api/v1/persistentvolumes')).toEqual([
    'POST /api/v1/persistentvolumes',
    'PUT /api/v1/namespaces/default/persistentvolumeclaims/data',
    'default/data',
    'POST /api/v1/namespaces/default/persistentvolumeclaims',
    `apply -f ${objects}/claim.yaml`,
  ]);
});

/** The names of an undertaking, of its first cause, and so on. */
function causesOf({ undertakings }: Recording, name: string): readonly string[] {
  const chain: string[] = [];
  let next = undertakings.find((one) => one.name === name);
  while (next !== undefined) {
    const [cause] = next.causes;
    chain.push(next.name.split('?')[0]!);
    next = undertakings.find(({ id }) => id === cause);
  }
  return chain;
}

test('whose pod must go for a more important one?', async () => {
  expect(await traced.kubectl(`apply -f ${objects}/less-important.yaml`)).toBe(0);
  await traced.kubectl('wait --for=condition=PodScheduled pod/low-0 pod/low-1');
  await traced.kubectl(`apply -f ${objects}/important.yaml`);
  await traced.kubectl('wait --for=condition=PodScheduled pod/important --timeout=10s');

  expect(steps('post-filter/DefaultPreemption')).toContainEqual(
    expect.objectContaining({ file: 'packages/kube-scheduler/src/plugins/default-preemption.ts' }),
  );
  const attempts = traced.recorder
    .recording()
    .undertakings.filter(({ kind, name }) => kind === 'schedule' && name === 'default/important');
  expect(attempts[0]?.steps[0]?.values).toMatchObject({ node: 'none', victims: 1 });
  expect(attempts.at(-1)?.links).toContainEqual(
    expect.objectContaining({ by: 'queue', key: 'default/important' }),
  );
});

test('on which nodes does a DaemonSet want another pod?', async () => {
  await traced.kubectl(`apply -f ${objects}/agent.yaml`);

  await expect
    .poll(() => findings('syncDaemonSet'), { timeout: 10_000 })
    .toContainEqual(expect.objectContaining({ create: ['node-0', 'node-1'] }));
});

test('which probe makes a pod ready, and what is written because of it?', async () => {
  await traced.kubectl('wait --for=condition=Ready pod -l app=agent');

  expect(steps('health/readiness-succeeded')).toContainEqual(
    expect.objectContaining({ values: { container: 'app', inARow: 1 } }),
  );
});

test('what does a forced apply take from whom?', async () => {
  await traced.kubectl(`apply --server-side --force-conflicts -f ${objects}/forced.yaml`);
  await traced.kubectl('annotate configmap forced a=c --overwrite --field-manager=other');
  await traced.kubectl(`apply --server-side --force-conflicts -f ${objects}/forced.yaml`);

  const forced = steps('managed-fields').filter(({ values }) => values?.['force'] === true);
  expect(JSON.stringify(forced.at(-1)?.values?.['diff'])).toContain('other Update');
});

test('which pods must a drain evict?', async () => {
  await traced.kubectl('drain node-1 --ignore-daemonsets --force --dry-run=client');

  expect(steps('pods-to-evict')[0]).toMatchObject({
    file: 'packages/kubectl/src/nodes/pods-to-evict.ts',
    values: { evicted: expect.any(Array) },
  });
});
