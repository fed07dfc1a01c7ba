/** With Docker, and COXSWAIN_IMAGE as the name of the image. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoxswainContainer } from './coxswain-container.mjs';

const image = process.env.COXSWAIN_IMAGE;
const skip = image === undefined && 'COXSWAIN_IMAGE is not set';

test('the kubeconfig leads into the container', { skip }, async () => {
  const container = await new CoxswainContainer(image).withFlags('--nodes=2').start();
  try {
    const { clusters } = JSON.parse(await container.kubeconfig());
    assert.equal(new URL(clusters[0].cluster.server).port, String(container.getMappedPort(6443)));
  } finally {
    await container.stop();
  }
});

test('the container runs the test server with the flags that are given', () => {
  const { createOpts } = new CoxswainContainer('coxswain:0.1.0').withFlags('--nodes=2');
  assert.deepEqual(createOpts.Cmd.slice(0, 2), ['test-server', '--bind-address=0.0.0.0']);
  assert.equal(createOpts.Cmd.at(-1), '--nodes=2');
});
