/** Objects that pods on simulated nodes refer to must exist, as on a real node; pods recover when they appear. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({ nodes: 1, seed: 1 });
});
beforeEach(() => cluster.reset());
afterAll(() => cluster.stop());

interface Missing {
  readonly what: string;
  readonly container?: object;
  readonly volume?: object;
  /** Undefined if the pod starts regardless. */
  readonly waits: string | undefined;
  readonly event: string | undefined;
}

const configMissing = 'configmap "conf" not found';
const secretMissing = 'secret "conf" not found';
const mountFails = (why: string) => `FailedMount MountVolume.SetUp failed for volume "v" : ${why}`;

const table: readonly Missing[] = (['configMap', 'secret'] as const).flatMap((kind): Missing[] => {
  const why = kind === 'secret' ? secretMissing : configMissing;
  const keyRef = (more: object = {}) => ({
    env: [{ name: 'A', valueFrom: { [`${kind}KeyRef`]: { name: 'conf', key: 'a', ...more } } }],
  });
  const allOf = (more: object = {}) => ({ envFrom: [{ [`${kind}Ref`]: { name: 'conf', ...more } }] });
  const name = kind === 'secret' ? { secretName: 'conf' } : { name: 'conf' };
  const projected = { projected: { sources: [{ [kind]: { name: 'conf' } }] } };
  const config = { waits: 'CreateContainerConfigError', event: `Failed Error: ${why}` };
  const mount = { waits: 'ContainerCreating', event: mountFails(why) };
  const starts = { waits: undefined, event: undefined };
  return [
    { what: `a variable of a ${kind}`, container: keyRef(), ...config },
    { what: `an optional variable of a ${kind}`, container: keyRef({ optional: true }), ...starts },
    { what: `all variables of a ${kind}`, container: allOf(), ...config },
    { what: `all variables of an optional ${kind}`, container: allOf({ optional: true }), ...starts },
    { what: `a volume of a ${kind}`, volume: { [kind]: name }, ...mount },
    { what: `an optional volume of a ${kind}`, volume: { [kind]: { ...name, optional: true } }, ...starts },
    { what: `a projected volume of a ${kind}`, volume: projected, ...mount },
  ];
});

const podOf = ({ container = {}, volume }: Missing) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: {
    ...(volume && { volumes: [{ name: 'v', ...volume }] }),
    containers: [
      {
        name: 'c',
        image: 'nginx',
        ...container,
        ...(volume && { volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
      },
    ],
  },
});

const pod = async (): Promise<Pod> =>
  (await cluster.client.resource('v1', 'pods').namespace('default').get('p')) as unknown as Pod;

const events = async (): Promise<readonly string[]> =>
  (
    await cluster.client
      .resource<KubeObject & { reason: string; message: string }>('v1', 'events')
      .namespace('default')
      .list()
  ).items.map(({ reason, message }) => `${reason} ${message}`);

const conf = (kind: string, data: object) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'conf' },
  ...data,
});

test.each(table)('$what that is not there', async (missing) => {
  await cluster.apply(podOf(missing));
  await cluster.clock.advance('5s');

  const state = (await pod()).status?.containerStatuses?.[0]?.state;
  if (missing.waits === undefined) expect(state?.running).toBeDefined();
  else expect(state?.waiting?.reason).toBe(missing.waits);
  if (missing.event !== undefined) expect(await events()).toContain(missing.event);
  else expect((await events()).join()).not.toMatch(/Failed/);

  await cluster.apply([conf('ConfigMap', { data: { a: '1' } }), conf('Secret', { stringData: { a: '1' } })]);
  await cluster.clock.advance('1m');
  expect((await pod()).status?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 0 });
});

test.each([
  [
    "couldn't find key a in ConfigMap default/conf",
    { valueFrom: { configMapKeyRef: { name: 'conf', key: 'a' } } },
  ],
  ["couldn't find key a in Secret default/conf", { valueFrom: { secretKeyRef: { name: 'conf', key: 'a' } } }],
])('a key that is not there: %s', async (message, source) => {
  await cluster.apply([conf('ConfigMap', {}), conf('Secret', {})]);
  await cluster.apply(podOf({ container: { env: [{ name: 'A', ...source }] } } as Missing));
  await cluster.clock.advance('5s');

  expect((await pod()).status?.containerStatuses?.[0]?.state?.waiting).toEqual({
    reason: 'CreateContainerConfigError',
    message,
  });
});

test('a key that a volume chooses, and is not there', async () => {
  await cluster.apply(conf('ConfigMap', { data: { b: '2' } }));
  const volume = { configMap: { name: 'conf', items: [{ key: 'a', path: 'a' }] } };
  await cluster.apply(podOf({ volume } as Missing));
  await cluster.clock.advance('5s');

  expect(await events()).toContain(mountFails('configmap references non-existent config key: a'));
});

test('a claim that is not there keeps a pod of a chosen node from starting', async () => {
  const { spec, ...rest } = podOf({ volume: { persistentVolumeClaim: { claimName: 'data' } } } as Missing);
  await cluster.apply({ ...rest, spec: { ...spec, nodeName: 'node-0' } });
  await cluster.clock.advance('5s');

  const claim = 'error processing PVC default/data: failed to fetch PVC from API server';
  expect(await events()).toContain(
    `FailedMount Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: ${claim}: persistentvolumeclaims "data" not found`,
  );
});
