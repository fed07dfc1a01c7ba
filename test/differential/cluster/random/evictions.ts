/** Pods on nodes that are tainted, stop answering or are deleted: who has to go, and when. */
import type { Choices } from '../choices.ts';
import type { JsonObject, Step, Story } from '../scenario.ts';
import { events, pod, view, wait } from '../scenarios/building.ts';

const keys = ['k', 'l', 'node.kubernetes.io/unreachable', 'node.kubernetes.io/out-of-service'];

export function evictionStory(choose: Choices): Story {
  const effect = () => choose.one(['NoExecute', 'NoExecute', 'NoExecute', 'NoSchedule', 'PreferNoSchedule']);
  const value = () => choose.one(['', 'v', 'w']);
  const taint = (key: string): JsonObject => ({ key, value: value(), effect: effect() });
  const toleration = (): JsonObject => ({
    ...choose.one<JsonObject>([
      { key: choose.one(keys), operator: 'Exists' },
      { key: choose.one(keys), operator: 'Equal', value: value() },
      { key: choose.one(keys), value: value() },
      { operator: 'Exists' },
    ]),
    ...choose.one<JsonObject>([
      {},
      { effect: 'NoExecute', tolerationSeconds: choose.one([-1, 0, 1, 2, 100]) },
      { effect: 'NoExecute' },
      { effect: 'NoSchedule' },
    ]),
  });
  const guest = (at: number): Step => ({
    ...pod(`p${at}`, {
      run: choose.one(['ready', 'ready', 'running', 'succeed', 'ready;linger']),
      spec: {
        ...choose.one<JsonObject>([
          { nodeName: 'a' },
          { nodeName: 'b' },
          { nodeSelector: { 'kubernetes.io/hostname': 'a' } },
        ]),
        terminationGracePeriodSeconds: choose.one([0, 1, 30]),
        tolerations: choose.times(0, 2, toleration),
      },
    }),
    full: true,
  });
  const node = () => choose.one(['a', 'a', 'b']);
  const happens: readonly ((at: number) => Step)[] = [
    () => ({
      req: `PATCH /api/v1/nodes/${node()}`,
      body: { spec: { taints: choose.some(keys, 0.5).map(taint) } },
    }),
    () => ({
      req: `PATCH /api/v1/nodes/${node()}`,
      body: { spec: { taints: [taint('k')] } },
    }),
    () => ({ req: `PATCH /api/v1/nodes/${node()}`, body: { spec: { taints: null } } }),
    () => ({ req: `PATCH /api/v1/nodes/${node()}`, body: { spec: { unschedulable: choose.chance(0.6) } } }),
    () => ({ node: { name: node(), ready: choose.chance(0.4) } }),
    () => ({
      node: {
        name: node(),
        condition: {
          type: choose.one(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable']),
          status: choose.one(['True', 'False']),
        },
      },
    }),
    () => ({
      req: `PATCH /api/v1/namespaces/$ns/pods/p0`,
      body: { spec: { tolerations: choose.times(0, 3, toleration) } },
      full: true,
    }),
    (at) => guest(10 + at),
    () => ({ pods: { do: 'delete', optional: true } }),
    () => ({ req: `DELETE /api/v1/nodes/${node()}` }),
  ];
  const looks = (name: string) => [
    wait(2200),
    view(
      name,
      { get: '/api/v1/namespaces/$ns/pods', drop: ['status.podIP', 'status.podIPs', 'spec.tolerations'] },
      {
        get: '/api/v1/nodes',
        pick: ['metadata.name', 'spec', 'metadata.labels'],
      },
    ),
  ];
  return {
    nodes: [
      { name: 'a', ...(choose.chance(0.3) && { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] }) },
      { name: 'b', spec: { unschedulable: true } },
    ],
    steps: [
      ...choose.times(1, 4, guest).flatMap((step) => [step, wait(400)]),
      ...looks('placed'),
      ...choose.times(1, 4, (at) => [choose.one(happens)(at), ...looks(`after-${at}`)]).flat(),
      events(),
    ],
  };
}
