/** The API versions of Kubernetes 1.20 besides those of 1.36, enabled by `api/legacy=true`. */
import type { Transport } from '@coxswain/client/transport.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AssembledApiServer } from '../src/assemble.ts';
import { groups } from '../src/groups/groups.ts';
import { legacyKinds, type LegacyKind } from './legacy-kinds.ts';
import { recordedServer } from './oracle/replay.ts';

let server: AssembledApiServer;
let transport: Transport;

beforeAll(async () => {
  server = await recordedServer({ runtimeConfig: { 'api/legacy': true } });
  transport = server.inProcess({ name: 'admin', groups: ['system:masters'] }, { structured: false });
});
afterAll(() => server.stop());

const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

async function ask(
  method: string,
  path: string,
  body?: object,
  type = 'application/json',
  accept = 'application/json',
) {
  const bytes = body && new TextEncoder().encode(JSON.stringify(body));
  const answer = await transport.send({
    method,
    path,
    headers: { 'content-type': type, accept },
    ...(bytes && { body: bytes }),
  });
  const text = new TextDecoder().decode(await answer.bytes());
  return {
    status: answer.status,
    warning: String(answer.headers.warning),
    body: JSON.parse(text) as unknown,
  };
}

const collection = (apiVersion: string, { plural, clusterScoped }: LegacyKind): string =>
  `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}${clusterScoped ? '' : '/namespaces/default'}/${plural}`;

const nameOf = ({ name, apiVersion, kind }: LegacyKind): string =>
  name ?? `${apiVersion}-${kind}`.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');

describe.each(legacyKinds.map((one) => ({ title: `${one.apiVersion} ${one.kind}`, one })))(
  '$title',
  ({ one }) => {
    const path = collection(one.apiVersion, one);
    const name = nameOf(one);
    const manifest = { apiVersion: one.apiVersion, kind: one.kind, metadata: { name }, ...one.given };

    test('is created with the defaults of its time', async () => {
      const created = await ask('POST', path, manifest);

      expect(created.body).toMatchObject({ apiVersion: one.apiVersion, kind: one.kind, ...one.defaults });
      expect(created.status).toBe(201);
    });

    test('is read as it was written', async () => {
      expect((await ask('GET', `${path}/${name}`)).body).toMatchObject(withoutLosses(one, manifest));
    });

    const { now } = one;
    if (now !== undefined) {
      test('appears in the current version in its own form', async () => {
        const { apiVersion, as } = now;
        const current = await ask('GET', `${collection(apiVersion, one)}/${name}`);

        expect(current.body).toMatchObject({ apiVersion, kind: one.kind, ...as });
      });
    }

    test('is written again without a change', async () => {
      const before = await ask('GET', `${path}/${name}`);
      const after = await ask('PUT', `${path}/${name}`, before.body as object);

      expect(after).toEqual(before);
    });

    test('is listed, as objects and as a table', async () => {
      const list = await ask('GET', path);
      const table = await ask(
        'GET',
        path,
        undefined,
        undefined,
        'application/json;as=Table;v=v1;g=meta.k8s.io',
      );

      expect(list.body).toMatchObject({ apiVersion: one.apiVersion, kind: `${one.kind}List` });
      expect(table.body).toMatchObject({ kind: 'Table' });
    });

    test('is deleted', async () => {
      const deleted = await ask('DELETE', `${path}/${name}?propagationPolicy=Background`);
      const left = await ask('GET', `${path}/${name}`);

      expect(deleted.status).toBe(200);
      // A definition is deleted after its objects, which may already have happened.
      if (one.kind === 'CustomResourceDefinition')
        expect(deleted.body).toHaveProperty('metadata.deletionTimestamp');
      else expect(left.status).toBe(404);
    });
  },
);

/** The user `*` comes back as the group of authenticated users. */
function withoutLosses({ apiVersion, kind }: LegacyKind, manifest: object): object {
  if (apiVersion !== 'rbac.authorization.k8s.io/v1alpha1' || !kind.endsWith('Binding')) return manifest;
  return { ...manifest, subjects: [{ kind: 'Group', name: 'system:authenticated' }] };
}

test('the table of kinds is complete', () => {
  const described = new Set(legacyKinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  const served = groups
    .flatMap(({ resources }) => resources)
    .flatMap(({ alsoAs }) => alsoAs.filter(({ legacy }) => legacy))
    .map(({ kind }) => `${kind.apiVersion} ${kind.kind}`);

  // A signing request requires a key.
  expect(served.filter((name) => !described.has(name))).toEqual([
    'certificates.k8s.io/v1beta1 CertificateSigningRequest',
  ]);
});

test('discovery lists a legacy group where 1.20 had it, and keeps the preferred versions', async () => {
  const { body } = (await ask('GET', '/apis')) as {
    body: { groups: { name: string; preferredVersion: object }[] };
  };
  const names = body.groups.map(({ name }) => name);

  expect(names.slice(names.indexOf('networking.k8s.io'), names.indexOf('policy') + 1)).toEqual([
    'networking.k8s.io',
    'extensions',
    'policy',
  ]);
  expect(body.groups.find(({ name }) => name === 'apps')!.preferredVersion).toEqual({
    groupVersion: 'apps/v1',
    version: 'v1',
  });
});

test("discovery reports the version's Scale", async () => {
  expect((await ask('GET', '/apis/apps/v1beta1')).body).toMatchObject({
    resources: expect.arrayContaining([
      expect.objectContaining({
        name: 'deployments/scale',
        group: 'apps',
        version: 'v1beta1',
        kind: 'Scale',
      }),
      expect.objectContaining({
        name: 'deployments/rollback',
        kind: 'DeploymentRollback',
        verbs: ['create'],
      }),
    ]),
  });
});

test('nothing of the group extensions is in the category all, which would show it twice', async () => {
  const { body } = (await ask('GET', '/apis/extensions/v1beta1')) as { body: { resources: object[] } };

  expect(body.resources.filter((resource) => 'categories' in resource)).toEqual([]);
});

describe('an Ingress of extensions/v1beta1', () => {
  const path = '/apis/extensions/v1beta1/namespaces/default/ingresses';

  test('is answered with a warning', async () => {
    expect((await ask('GET', path)).warning).toContain(
      'extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.k8s.io/v1 Ingress',
    );
  });

  test('is refused by the names of its own fields', async () => {
    const rules = [{ http: { paths: [{ backend: { serviceName: 'ok', servicePort: 70000 } }] } }];
    const manifest = { metadata: { name: 'bad' }, spec: { backend: { servicePort: 80 }, rules } };

    expect((await ask('POST', path, manifest)).body).toMatchObject({
      code: 422,
      details: {
        causes: [
          { field: 'spec.backend.serviceName' },
          { field: 'spec.rules[0].http.paths[0].backend.servicePort' },
        ],
      },
    });
  });

  test('conflicts with an applier of the same field in another version', async () => {
    const current = { name: 'a', port: { number: 80 } };
    await ask(
      'PATCH',
      '/apis/networking.k8s.io/v1/namespaces/default/ingresses/shared?fieldManager=one',
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'shared' },
        spec: { defaultBackend: { service: current } },
      },
      apply,
    );
    const mine = {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'shared' },
      spec: { backend: { serviceName: 'b', servicePort: 80 } },
    };

    const refused = await ask('PATCH', `${path}/shared?fieldManager=two`, mine, apply);
    const forced = await ask('PATCH', `${path}/shared?fieldManager=two&force=true`, mine, apply);

    expect(refused.body).toMatchObject({
      code: 409,
      details: { causes: [{ field: '.spec.defaultBackend.service.name', message: 'conflict with "one"' }] },
    });
    expect(forced.body).toMatchObject({
      metadata: {
        managedFields: [
          { manager: 'one', apiVersion: 'networking.k8s.io/v1' },
          { manager: 'two', apiVersion: 'extensions/v1beta1' },
        ],
      },
    });
  });
});

describe('a Deployment of extensions/v1beta1', () => {
  const path = '/apis/extensions/v1beta1/namespaces/default/deployments';
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'web:1' }] },
  };

  beforeAll(() => ask('POST', path, { metadata: { name: 'web' }, spec: { template } }));

  test('has a Scale with its selector in both forms', async () => {
    const scaled = await ask('PATCH', `${path}/web/scale`, { spec: { replicas: 4 } }, merge);

    expect(scaled.body).toMatchObject({
      apiVersion: 'extensions/v1beta1',
      kind: 'Scale',
      spec: { replicas: 4 },
      status: { replicas: 0, selector: { app: 'web' }, targetSelector: 'app=web' },
    });
    expect((await ask('GET', '/apis/apps/v1/namespaces/default/deployments/web')).body).toMatchObject({
      spec: { replicas: 4 },
    });
  });

  test('may change its selector, which apps/v1 forbids', async () => {
    const change = {
      spec: {
        selector: { matchLabels: { app: 'other', old: null } },
        template: { metadata: { labels: { app: 'other' } } },
      },
    };
    const current = '/apis/apps/v1/namespaces/default/deployments';

    expect((await ask('PATCH', `${current}/web`, change, merge)).status).toBe(422);
    expect((await ask('PATCH', `${path}/web`, change, merge)).status).toBe(200);
  });

  test('gets an earlier template by a rollback', async () => {
    const rollback = { name: 'web', rollbackTo: { revision: 2 }, updatedAnnotations: { by: 'me' } };

    expect((await ask('POST', `${path}/web/rollback`, rollback)).body).toMatchObject({
      status: 'Success',
      message: 'rollback request for deployment "web" succeeded',
    });
    expect((await ask('GET', `${path}/web`)).body).toMatchObject({
      metadata: { annotations: { by: 'me' } },
      spec: { rollbackTo: { revision: 2 } },
    });
    expect((await ask('GET', '/apis/apps/v1/namespaces/default/deployments/web')).body).toMatchObject({
      metadata: { annotations: { 'deprecated.deployment.rollback.to': '2' } },
    });
  });

  test('leaves its dependents behind when it is deleted', async () => {
    await ask('PATCH', `${path}/web`, { metadata: { finalizers: ['example.com/wait'] } }, merge);

    expect((await ask('DELETE', `${path}/web`)).body).toMatchObject({
      metadata: { finalizers: ['example.com/wait', 'orphan'] },
    });
  });
});

describe('a PodPreset', () => {
  const pods = '/api/v1/namespaces/default/pods';
  const container = { name: 'web', image: 'web:1', env: [{ name: 'OWN', value: '1' }] };
  const pod = (name: string, env = container.env) => ({
    metadata: { name, labels: { role: 'preset' } },
    spec: { containers: [{ ...container, env }] },
  });

  beforeAll(() =>
    ask('POST', '/apis/settings.k8s.io/v1alpha1/namespaces/default/podpresets', {
      metadata: { name: 'shared' },
      spec: {
        selector: { matchLabels: { role: 'preset' } },
        env: [{ name: 'GIVEN', value: '2' }],
        volumes: [{ name: 'cache', emptyDir: {} }],
        volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
      },
    }),
  );

  test('gives a new pod with its labels variables and volumes', async () => {
    expect((await ask('POST', pods, pod('given'))).body).toMatchObject({
      metadata: {
        annotations: { 'podpreset.admission.kubernetes.io/podpreset-shared': expect.stringMatching(/^\d+$/) },
      },
      spec: {
        volumes: [{ name: 'cache', emptyDir: {} }],
        containers: [
          {
            env: [
              { name: 'OWN', value: '1' },
              { name: 'GIVEN', value: '2' },
            ],
            volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
          },
        ],
      },
    });
  });

  test('leaves alone a pod that has another value for a variable', async () => {
    const created = await ask('POST', pods, pod('own', [{ name: 'GIVEN', value: 'other' }]));

    expect(created.status).toBe(201);
    expect(created.body).not.toHaveProperty('spec.volumes');
    expect(created.body).not.toHaveProperty('metadata.annotations');
  });
});

test('events of v1beta1 are selected by the fields of their version', async () => {
  const path = '/apis/events.k8s.io/v1beta1/namespaces/default/events';
  for (const name of ['one', 'two']) {
    const regarding = { kind: 'Pod', namespace: 'default', name };
    await ask('POST', path, { metadata: { name }, regarding, eventTime: null });
  }

  expect((await ask('GET', `${path}?fieldSelector=regarding.name%3Dtwo`)).body).toMatchObject({
    items: [{ metadata: { name: 'two' } }],
  });
});

test('a review of v1beta1 asks for groups by their old name', async () => {
  const review = {
    apiVersion: 'authorization.k8s.io/v1beta1',
    kind: 'SubjectAccessReview',
    spec: { user: 'x', group: ['system:masters'], resourceAttributes: { verb: 'get', resource: 'pods' } },
  };

  expect(
    (await ask('POST', '/apis/authorization.k8s.io/v1beta1/subjectaccessreviews', review)).body,
  ).toMatchObject({
    apiVersion: 'authorization.k8s.io/v1beta1',
    spec: { group: ['system:masters'] },
    status: { allowed: true },
  });
});

test('a watch of an old version sends every event in that version', async () => {
  const path = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
  const stop = new AbortController();
  const watch = await transport.send({
    method: 'GET',
    path: `${path}?watch=true`,
    headers: { accept: 'application/json' },
    signal: stop.signal,
  });
  const events = watch.stream()[Symbol.asyncIterator]();
  await ask('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    metadata: { name: 'all' },
    spec: { selector: {} },
  });
  const { value } = await events.next();
  stop.abort();

  expect(JSON.parse(new TextDecoder().decode(value as Uint8Array))).toMatchObject({
    type: 'ADDED',
    object: {
      apiVersion: 'policy/v1beta1',
      spec: { selector: { matchExpressions: [{ operator: 'DoesNotExist' }] } },
    },
  });
});
