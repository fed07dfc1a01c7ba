/** Jobs whose containers run scripts: the files that they leave in volumes decide how later ones end. */
import type { Job } from '@coxswain/api/batch/v1/job.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({ nodes: 1, seed: 1 });
});
beforeEach(() => cluster.reset());
afterAll(() => cluster.stop());

const once = 'if [[ -r /data/foo$X ]]\nthen\n  exit 0\nelse\n  touch /data/foo$X\n  exit 42\nfi';

async function run(script: string, spec: object, volume: object = { emptyDir: {} }, pod: object = {}) {
  await cluster.apply({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'job' },
    spec: {
      ...spec,
      template: {
        spec: {
          restartPolicy: 'Never',
          ...pod,
          volumes: [{ name: 'data', ...volume }],
          containers: [
            {
              name: 'c',
              image: 'busybox',
              command: ['sh', '-c', script],
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
              env: [
                {
                  name: 'X',
                  valueFrom: {
                    fieldRef: {
                      fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']",
                    },
                  },
                },
              ],
            },
          ],
        },
      },
    },
  } as unknown as KubeObject);
  await cluster.clock.advance('10m');
  await cluster.idle();
  return (await cluster.client.resource<Job & KubeObject>('batch/v1', 'jobs').namespace('default').get('job'))
    .status;
}

test('files in an emptyDir survive a restart of the container', async () => {
  const status = await run(once, { backoffLimit: 4 }, { emptyDir: {} }, { restartPolicy: 'OnFailure' });
  expect(status).toMatchObject({ succeeded: 1 });

  const pods = await cluster.client.resource<KubeObject>('v1', 'pods').namespace('default').list();
  expect(pods.items).toHaveLength(1);
  expect(pods.items[0]).toMatchObject({ status: { containerStatuses: [{ restartCount: 1 }] } });
});

test('files that a pod left on its node are available to the next one', async () => {
  const status = await run(
    once,
    { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 1 },
    { hostPath: { path: '/tmp/jobs', type: 'DirectoryOrCreate' } },
  );
  expect(status).toMatchObject({ succeeded: 2, failed: 2, completedIndexes: '0,1' });
});

test('odd indexes fail where the script says so', async () => {
  const status = await run('if [ $(expr $X % 2) -ne 0 ]; then exit 1; else exit 0; fi', {
    completionMode: 'Indexed',
    completions: 4,
    parallelism: 4,
    backoffLimitPerIndex: 0,
  });
  expect(status).toMatchObject({ succeeded: 2, failedIndexes: '1,3', completedIndexes: '0,2' });
});
