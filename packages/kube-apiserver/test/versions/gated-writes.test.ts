/** Writes that earlier versions handle differently because of their feature gates. */
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { expect, onTestFinished, test } from 'vitest';
import { startedServer } from '../../src/testing/started-server.ts';

const versions = ['1.33', '1.34', '1.35', '1.36'];

async function started(version: string) {
  const server = await startedServer({ version: versionNamed(version) });
  onTestFinished(() => server.stop());
  return server;
}

const spec = {
  containers: [{ name: 'web', image: 'nginx' }],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: {},
      matchLabelKeys: ['app'],
    },
  ],
};
const pods = '/api/v1/namespaces/default/pods';

test.each(versions)('as %s, label keys join the selectors of spreading from 1.34 on', async (version) => {
  const { send } = await started(version);
  const pod = { metadata: { name: 'web', labels: { app: 'web' } }, spec };

  const { status, text } = await send('POST', pods, pod);

  expect(status).toBe(201);
  expect(text.includes('matchExpressions')).toBe(version !== '1.33');
});

test.each(versions)("as %s, a pod's status has the observed generation from 1.34 on", async (version) => {
  const { send } = await started(version);
  await send('POST', pods, { metadata: { name: 'web' }, spec: { containers: spec.containers } });

  const patch = { status: { observedGeneration: 1 } };
  const { text } = await send('PATCH', `${pods}/web/status`, patch, 'application/merge-patch+json');

  expect(text.includes('"observedGeneration":1')).toBe(version !== '1.33');
});

test.each(versions)('as %s, a deployment counts terminating pods from 1.35 on', async (version) => {
  const { send } = await started(version);
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: spec.containers } };
  const deployment = {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } }, template },
  };
  const path = '/apis/apps/v1/namespaces/default/deployments';
  await send('POST', path, deployment);

  const patch = { status: { terminatingReplicas: 2 } };
  const { text } = await send('PATCH', `${path}/web/status`, patch, 'application/merge-patch+json');

  expect(text.includes('"terminatingReplicas":2')).toBe(version >= '1.35');
});
