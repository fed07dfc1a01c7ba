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

const claimSpec = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  volumeAttributesClassName: 'fast',
};

test.each(versions)(
  'as %s, only a claim loses its attributes class before 1.34, no template',
  async (version) => {
    const { send } = await started(version);
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: spec.containers } };
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const sets = '/apis/apps/v1/namespaces/default/statefulsets';

    const claim = await send('POST', claims, { metadata: { name: 'data' }, spec: claimSpec });
    const set = await send('POST', sets, {
      metadata: { name: 'web' },
      spec: {
        serviceName: 'web',
        selector: { matchLabels: { app: 'web' } },
        template,
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec }],
      },
    });

    expect([claim.status, set.status]).toEqual([201, 201]);
    expect(claim.text.includes('"volumeAttributesClassName":"fast"')).toBe(version !== '1.33');
    expect(set.text).toContain('"volumeAttributesClassName":"fast"');
  },
);

test.each(versions)('as %s, an endpoint has hints for nodes from 1.34 on', async (version) => {
  const { send } = await started(version);

  const { status, text } = await send('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'web' },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], hints: { forNodes: [{ name: 'node' }] } }],
    ports: [],
  });

  expect(status).toBe(201);
  expect(text.includes('forNodes')).toBe(version !== '1.33');
});

test.each(versions)(
  'as %s, bad label keys of spreading are named without a selector, too, in 1.33',
  async (version) => {
    const { send } = await started(version);
    const constraint = {
      ...spec.topologySpreadConstraints[0],
      labelSelector: undefined,
      matchLabelKeys: ['a b'],
    };

    const { status, body } = await send('POST', pods, {
      metadata: { name: 'web' },
      spec: { ...spec, topologySpreadConstraints: [constraint] },
    });

    expect(status).toBe(422);
    expect(body.details?.causes).toHaveLength(version === '1.33' ? 2 : 1);
  },
);

test.each(versions.slice(1))(
  'as %s, a constraint may name a distinct attribute from 1.36 on',
  async (version) => {
    const { send } = await started(version);

    const { body } = await send('POST', '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims', {
      metadata: { name: 'gpu' },
      spec: {
        devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'gpu' } }], constraints: [{}] },
      },
    });

    expect(body.details?.causes).toEqual([
      version === '1.36'
        ? {
            reason: 'FieldValueRequired',
            field: 'spec.devices.constraints[0]',
            message:
              'Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
          }
        : {
            reason: 'FieldValueRequired',
            field: 'spec.devices.constraints[0].matchAttribute',
            message: 'Required value',
          },
    ]);
  },
);

test.each(versions.slice(1))('as %s, no counters do not exclude devices before 1.36', async (version) => {
  const { send } = await started(version);

  const { status } = await send('POST', '/apis/resource.k8s.io/v1/resourceslices', {
    metadata: { name: 'gpus' },
    spec: {
      driver: 'gpu.example.com',
      pool: { name: 'a', generation: 1, resourceSliceCount: 1 },
      nodeName: 'a',
      devices: [{ name: 'gpu' }],
      sharedCounters: [],
    },
  });

  expect(status).toBe(version === '1.36' ? 422 : 201);
});

test.each(versions)('as %s, the checks of what came later exist from 1.36 on', async (version) => {
  const { text } = await (await started(version)).send('GET', '/readyz?verbose');

  for (const hook of ['peer-endpoint-reconciler-controller', 'storage-readiness'])
    expect(text.includes(`poststarthook/${hook} ok`)).toBe(version === '1.36');
});
