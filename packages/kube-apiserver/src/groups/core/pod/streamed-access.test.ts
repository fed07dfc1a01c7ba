import { ManualClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../../../assemble.ts';

const clock = new ManualClock();
let server: AssembledApiServer;

/** `reader` may get the subresources that run commands, `runner` may also create them. */
const roles = (['reader', 'runner'] as const).flatMap((name) => [
  {
    path: 'clusterroles',
    object: {
      metadata: { name },
      rules: [
        {
          apiGroups: [''],
          resources: ['pods/exec', 'pods/attach', 'pods/portforward'],
          verbs: name === 'reader' ? ['get'] : ['get', 'create'],
        },
      ],
    },
  },
  {
    path: 'clusterrolebindings',
    object: {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
    },
  },
]);

beforeAll(async () => {
  server = await assembleKubeApiServer({
    storage: new MemoryStorage({ clock }),
    clock,
    authorizationModes: ['RBAC'],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  await server.start();
  const admin = server.inProcess({ name: 'admin', groups: ['system:masters'] });
  const create = (path: string, object: object) =>
    admin.send({ method: 'POST', path, headers: {}, body: { object } });
  for (const { path, object } of roles) await create(`/apis/rbac.authorization.k8s.io/v1/${path}`, object);
  await create('/api/v1/namespaces', { metadata: { name: 'default' } });
  await create('/api/v1/namespaces/default/pods', {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
});
afterAll(() => server.stop());

async function get(user: string, subresource: string): Promise<{ code: number; message: string }> {
  const response = await server.inProcess({ name: user, groups: [] }, { structured: false }).send({
    method: 'GET',
    path: `/api/v1/namespaces/default/pods/p/${subresource}`,
    headers: {},
  });
  return JSON.parse(new TextDecoder().decode(await response.bytes())) as { code: number; message: string };
}

test.each(['exec?command=date', 'attach', 'portforward?ports=80'])(
  'who may get pods/%s but not create it is refused',
  async (subresource) => {
    expect(await get('reader', subresource)).toMatchObject({ code: 403, message: 'pods "p" is forbidden: ' });
    expect(await get('runner', subresource)).toMatchObject({
      code: 400,
      message: 'pod p does not have a host assigned',
    });
  },
);

test.each([
  ['ports=80,443&ports=8080', 'pod p does not have a host assigned'],
  ['ports=80,http', 'cannot convert to []int32: strconv.ParseUint: parsing "http": invalid syntax'],
  ['ports=80,', 'cannot convert to []int32: strconv.ParseUint: parsing "": invalid syntax'],
  ['ports=65536', 'cannot convert to []int32: strconv.ParseUint: parsing "65536": value out of range'],
])('the ports to forward are lists of numbers: %s', async (query, message) => {
  expect(await get('runner', `portforward?${query}`)).toMatchObject({ code: 400, message });
});
