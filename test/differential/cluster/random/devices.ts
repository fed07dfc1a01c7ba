/** Devices at random: slices of one node, classes, claims with conditions, and pods that share them. */
import type { Choices } from '../choices.ts';
import type { JsonObject, Step, Story } from '../scenario.ts';
import {
  collection,
  container,
  create,
  events,
  item,
  placed,
  pod,
  remove,
  view,
  wait,
} from '../scenarios/building.ts';

const driver = 'gpu.example.com';

export function deviceStory(choose: Choices): Story {
  const expression = () =>
    choose.one([
      `device.driver == "${driver}"`,
      `device.attributes["${driver}"].cores > 2`,
      `device.attributes["${driver}"].model == "new"`,
      `device.capacity["${driver}"].memory.compareTo(quantity("4Gi")) >= 0`,
      'device.allowMultipleAllocations == true',
      `device.attributes["${driver}"].nosuch`,
    ]);
  const selectors = (share: number) =>
    choose.maybe(share, () => ({
      selectors: choose.times(1, 2, () => ({ cel: { expression: expression() } })),
    }));
  const device = (at: number, pool: number): JsonObject => ({
    name: `d${pool}${at}`,
    ...choose.maybe(0.8, () => ({
      attributes: {
        model: { string: choose.one(['old', 'new']) },
        cores: { int: choose.one([2, 8]) },
        ...choose.maybe(0.8, () => ({ numa: { int: choose.one([0, 1]) } })),
      },
    })),
    ...choose.maybe(0.7, () => ({
      capacity: {
        memory: {
          value: choose.one(['1Gi', '8Gi']),
          ...choose.maybe(0.3, () => ({
            requestPolicy: choose.one<JsonObject>([
              { default: '1Gi', validRange: { min: '512Mi', step: '512Mi' } },
              { default: '1Gi', validValues: ['1Gi', '2Gi'] },
            ]),
          })),
        },
      },
    })),
    ...choose.maybe(0.3, () => ({ allowMultipleAllocations: true })),
    ...choose.maybe(0.2, () => ({
      taints: [{ key: 'bad', effect: choose.one(['NoSchedule', 'NoExecute', 'None']) }],
    })),
    ...choose.maybe(0.15, () => ({
      consumesCounters: [{ counterSet: 'm', counters: { mem: { value: choose.one(['1', '3']) } } }],
    })),
  });
  const slice = (at: number): Step => ({
    ...create('ResourceSlice', `s${at}-$id`, {
      spec: {
        driver,
        ...choose.one<JsonObject>([{ nodeName: 'a' }, { nodeName: 'a' }, { allNodes: true }]),
        pool: {
          name: choose.one(['a', `pool-${at}`]),
          generation: choose.one([1, 1, 2]),
          resourceSliceCount: choose.one([1, 1, 1, 2]),
        },
        devices: choose.times(1, 3, (index) => device(index, at)),
      },
    }),
    full: true,
  });
  const tolerations = () =>
    choose.maybe(0.2, () => ({
      tolerations: [
        {
          key: 'bad',
          operator: 'Exists',
          ...choose.maybe(0.3, () => ({ effect: 'NoExecute', tolerationSeconds: 2 })),
        },
      ],
    }));
  const className = () => choose.one(['gpu-$id', 'gpu-$id', 'gpu-$id', 'big-$id', 'none-$id']);
  const amounts = (): JsonObject => ({
    ...choose.maybe(0.4, () =>
      choose.one<JsonObject>([{ count: 2 }, { count: 3 }, { allocationMode: 'All' }]),
    ),
    ...choose.maybe(0.3, () => ({
      capacity: { requests: { memory: choose.one(['512Mi', '1500Mi', '4Gi']) } },
    })),
  });
  const exactly = () => ({
    deviceClassName: className(),
    ...amounts(),
    ...selectors(0.3),
    ...tolerations(),
    ...choose.maybe(0.1, () => ({ adminAccess: true })),
  });
  const request = (at: number): JsonObject => ({
    name: `r${at}`,
    ...(choose.chance(0.2)
      ? {
          firstAvailable: choose.times(1, 2, (index) => ({
            name: `f${index}`,
            deviceClassName: className(),
            ...amounts(),
            ...selectors(0.3),
            ...tolerations(),
          })),
        }
      : { exactly: exactly() }),
  });
  const devices = (): JsonObject => ({
    requests: choose.times(1, 2, request),
    ...choose.maybe(0.25, () => ({
      constraints: [
        {
          ...choose.one<JsonObject>([
            { matchAttribute: `${driver}/numa` },
            { distinctAttribute: `${driver}/numa` },
            { matchAttribute: `${driver}/model`, requests: ['r0'] },
          ]),
        },
      ],
    })),
    ...choose.maybe(0.2, () => ({ config: [{ opaque: { driver, parameters: { a: 1 } } }] })),
  });
  const claim = (name: string): Step => ({
    ...create('ResourceClaim', name, { spec: { devices: devices() } }),
    full: true,
  });
  const user = (name: string): Step => ({
    ...pod(name, {
      run: choose.one(['ready', 'succeed', 'ready;linger']),
      labels: { app: 'web' },
      spec: {
        terminationGracePeriodSeconds: choose.one([0, 30]),
        containers: [
          container(undefined, {
            resources: { claims: [{ name: 'dev', ...choose.maybe(0.2, () => ({ request: 'r0' })) }] },
          }),
        ],
        resourceClaims: [
          {
            name: 'dev',
            ...choose.one<JsonObject>([
              { resourceClaimName: 'c0' },
              { resourceClaimName: 'c1' },
              { resourceClaimTemplateName: 't' },
            ]),
          },
        ],
      },
    }),
    full: true,
  });
  const happens: readonly ((at: number) => Step)[] = [
    (at) => user(`later-${at}`),
    () => remove('Pod', `p${choose.whole(0, 2)}`),
    () => ({ pods: { selector: 'app=web', do: 'finalise', terminating: true, optional: true } }),
    () => ({ pods: { selector: 'app=web', do: choose.one(['succeed', 'fail:1']), optional: true } }),
    () => remove('ResourceClaim', choose.one(['c0', 'c1'])),
    () => claim(choose.one(['c0', 'c1'])),
    () => slice(2),
    () => remove('ResourceSlice', 's0-$id'),
    () => remove('DeviceClass', 'gpu-$id'),
    () => ({
      req: `PATCH ${item('ResourceClaim', 'c0')}/status`,
      body: { status: choose.one<JsonObject>([{ allocation: null }, { reservedFor: null }]) },
      full: true,
    }),
  ];
  const looks = (name: string) => [
    wait(1500),
    view(name, placed, { get: collection('ResourceClaim'), drop: ['status.allocation.allocationTimestamp'] }),
  ];
  return {
    nodes: [{ name: 'a' }, ...(choose.chance(0.3) ? [{ name: 'b', spec: { unschedulable: true } }] : [])],
    steps: [
      { ...create('DeviceClass', 'gpu-$id', { spec: selectors(0.3) }), full: true },
      {
        ...create('DeviceClass', 'big-$id', {
          spec: {
            ...selectors(0.5),
            ...choose.maybe(0.3, () => ({ extendedResourceName: 'example.com/big' })),
          },
        }),
        full: true,
      },
      ...choose.times(1, 2, slice),
      claim('c0'),
      claim('c1'),
      { ...create('ResourceClaimTemplate', 't', { spec: { spec: { devices: devices() } } }), full: true },
      ...choose.times(1, 3, (at) => [user(`p${at}`), wait(700)]).flat(),
      ...looks('placed'),
      ...choose.times(1, 3, (at) => [choose.one(happens)(at), ...looks(`after-${at}`)]).flat(),
      events(),
      ...['s0-$id', 's1-$id', 's2-$id'].map((name) => remove('ResourceSlice', name)),
      ...['gpu-$id', 'big-$id'].map((name) => remove('DeviceClass', name)),
    ],
  };
}
