/** No spelling of a path is understood one way by authorization and another by what serves it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedServer, type AttackedServer } from './attacked-server.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

const secret = '/api/v1/namespaces/kube-system/secrets';

const spellings: readonly string[] = [
  secret,
  `/${secret}`,
  `${secret}/`,
  '//api//v1//namespaces//kube-system//secrets',
  '/api/v1/namespaces/kube-system/./secrets',
  '/api/v1/namespaces/default/../kube-system/secrets',
  '/api/v1/namespaces/default/%2e%2e/kube-system/secrets',
  '/api/v1/namespaces/kube-system%2Fsecrets',
  '/api/v1/namespaces/kube-system%2fsecrets',
  '/api/v1/namespaces/kube-system/%73ecrets',
  '/%61pi/v1/namespaces/kube-system/secrets',
  '/api%2Fv1%2Fnamespaces%2Fkube-system%2Fsecrets',
  '/api/v1/namespaces/kube-system/secrets%00',
  '/api/v1/namespaces/kube-system/secrets%20',
  '/api/v1/namespaces/kube-system/secrets;x=1',
  '/api/v1/namespaces/kube-system/secrets%3Fwatch=1',
  '/api/v1/namespaces/kube-system/secrets%23',
  '/API/v1/namespaces/kube-system/secrets',
  '/api/V1/namespaces/kube-system/secrets',
  '/api/v1/Namespaces/kube-system/secrets',
  '/api/v1/namespaces/kube-system/Secrets',
  '/api/v1/namespaces/KUBE-SYSTEM/secrets',
  '/api/v1/watch/namespaces/kube-system/secrets',
  '/api/v1/proxy/namespaces/kube-system/secrets',
  '/healthz/../api/v1/namespaces/kube-system/secrets',
  '/healthz/..%2fapi/v1/namespaces/kube-system/secrets',
  '/livez/%2e%2e/api/v1/secrets',
  '/version/..;/api/v1/secrets',
  '/.well-known/../api/v1/secrets',
  String.raw`/api\v1\namespaces\kube-system\secrets`,
  '/api/v1/namespaces/kube-system/secrets/%2e',
  '/api/v1/namespaces/kube-system/secrets/..',
  '/api/v1/namespaces/kube-system/secrets/..%2f..%2fdefault%2fsecrets',
  '/apis/../api/v1/secrets',
  '/apis//v1/secrets',
  '/api/v1/secrets?namespace=kube-system&resourceName=public',
  '/api/v1/namespaces/kube-system/secrets?resource=configmaps',
  'https://elsewhere.example/api/v1/namespaces/kube-system/secrets',
];

describe('whoever may read health and versions only reads no secret by', () => {
  test.each(spellings)('%s', async (path) => {
    const asAlice = await attacked.send({ path, as: 'alice' });
    const asNobody = await attacked.send({ path });

    expect([301, 307, 400, 403, 404, 405, 406]).toContain(asAlice.status);
    expect(asAlice.text).not.toContain('"items"');
    expect([301, 307, 400, 401, 403, 404, 405, 406]).toContain(asNobody.status);
  });
});

test('a right to one name is no right to what is spelled like it', async () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const write = (path: string, body: object) =>
    attacked.send({ path, method: 'POST', as: 'admin', body: JSON.stringify(body) });
  await write(`${rbac}/namespaces/default/roles`, {
    metadata: { name: 'one' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['open'], verbs: ['get'] }],
  });
  await write(`${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: 'one' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'one' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
  });
  for (const name of ['open', 'closed']) {
    await write('/api/v1/namespaces/default/configmaps', { metadata: { name }, data: { of: name } });
  }
  const configMaps = '/api/v1/namespaces/default/configmaps';

  const read = await Promise.all(
    [
      'open',
      'closed',
      'open/../closed',
      'open%2f..%2fclosed',
      'closed%00open',
      'open/closed',
      './closed',
      'closed/',
      'open/status/../../closed',
    ].map((name) => attacked.send({ path: `${configMaps}/${name}`, as: 'alice' })),
  );

  expect(read[0]!.status).toBe(200);
  for (const { status, text } of read.slice(1)) {
    expect(status).not.toBe(200);
    expect(text).not.toContain('"closed"}');
  }
});
