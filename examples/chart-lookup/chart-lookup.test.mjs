import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createCluster } from 'coxswain/testing';

const helm = process.env.HELM ?? 'helm';
const skip = spawnSync(helm, ['version']).error?.code === 'ENOENT' && 'Helm is not installed';

test('the chart keeps the password that is there', { skip }, async () => {
  const cluster = await createCluster({ nodes: 0, clock: 'system' });
  const directory = await mkdtemp(path.join(os.tmpdir(), 'chart-'));
  try {
    const kubeconfig = path.join(directory, 'kubeconfig');
    await writeFile(kubeconfig, await cluster.kubeconfig());
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'shop',
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
        annotations: { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'default' },
      },
      stringData: { password: 'from last year' },
    });
    const args = ['template', 'shop', path.join(import.meta.dirname, 'chart'), '--dry-run=server'];
    const { stdout } = await promisify(execFile)(helm, [...args, `--kubeconfig=${kubeconfig}`]);
    assert.match(stdout, /password: "from last year"/);
  } finally {
    await cluster.stop();
    await rm(directory, { recursive: true });
  }
});
