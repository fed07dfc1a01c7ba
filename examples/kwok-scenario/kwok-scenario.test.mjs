import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createCluster } from 'coxswain/testing';

const stages = readFileSync(path.join(import.meta.dirname, 'stages.yaml'), 'utf8');
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'fake-0', annotations: { 'kwok.x-k8s.io/node': 'fake' } },
  status: {
    allocatable: { cpu: '64', memory: '256Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
};
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'batch' },
  spec: {
    parallelism: 10,
    completions: 20,
    backoffLimit: 100,
    template: {
      spec: { restartPolicy: 'Never', nodeName: 'fake-0', containers: [{ name: 'work', image: 'work' }] },
    },
  },
};

test('twenty completions of which some fail first take an hour, and a moment of yours', async () => {
  const cluster = await createCluster({ nodes: 0, controllers: ['job-controller'], stages, seed: 1 });
  await cluster.apply([node, job]);
  await cluster.clock.advance('2h');
  const { status } = await cluster.client.resource('batch/v1', 'jobs').namespace('default').get('batch');
  assert.equal(status.succeeded, 20);
  assert.ok(status.failed > 0, 'none has failed');
  await cluster.stop();
});
