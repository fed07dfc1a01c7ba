/** Daemons on three nodes at random: roll-outs, and nodes that are labelled, tainted or closed. */
import type { Choices } from '../choices.ts';
import type { JsonObject, Step, Story } from '../scenario.ts';
import {
  collection,
  create,
  events,
  patch,
  remove,
  selector,
  template,
  view,
} from '../scenarios/building.ts';

export function daemonSetStory(choose: Choices): Story {
  const run = () => choose.one(['ready', 'ready', 'running', 'ready;linger']);
  const strategy = (): JsonObject =>
    choose.chance(0.2)
      ? { type: 'OnDelete' }
      : {
          rollingUpdate: choose.one<JsonObject>([
            { maxSurge: choose.amount(), maxUnavailable: 0 },
            { maxUnavailable: choose.amount() },
            { maxSurge: choose.amount(), maxUnavailable: choose.amount() },
            {},
          ]),
        };
  const podSpec = (): JsonObject => ({
    containers: [{ name: 'c', image: choose.one(['img:1', 'img:2', 'img:3']) }],
    ...choose.maybe(0.3, () => ({ nodeSelector: { disk: choose.one(['ssd', 'hdd']) } })),
    ...choose.maybe(0.4, () => ({
      tolerations: [
        {
          key: choose.one(['k', 'l']),
          operator: 'Exists',
          ...choose.maybe(0.5, () => ({ effect: choose.one(['NoSchedule', 'NoExecute']) })),
        },
      ],
    })),
  });
  const change = (spec: JsonObject): Step => ({ ...patch('DaemonSet', 'd', { spec }), full: true });
  const node = (body: JsonObject): Step => ({
    req: `PATCH /api/v1/nodes/${choose.one(['a', 'b', 'c'])}`,
    body,
  });
  const act = (what: readonly string[], more: JsonObject = {}): Step => ({
    pods: { selector: 'app=web', do: choose.one(what), count: choose.whole(1, 3), optional: true, ...more },
  });
  const happens: readonly (() => Step)[] = [
    () =>
      change({
        template: {
          metadata: { annotations: { 'sim/run': run() } },
          spec: { containers: [{ name: 'c', image: choose.one(['img:1', 'img:2', 'img:3']) }] },
        },
      }),
    () => change({ template: { spec: podSpec() } }),
    () => change({ updateStrategy: strategy() }),
    () => change({ minReadySeconds: choose.whole(0, 3) }),
    () => change({ revisionHistoryLimit: choose.whole(0, 1) }),
    () => node({ metadata: { labels: { disk: choose.one(['ssd', 'hdd', null]) } } }),
    () =>
      node({
        spec: {
          taints: [
            {
              key: choose.one(['k', 'l']),
              effect: choose.one(['NoSchedule', 'NoExecute', 'PreferNoSchedule']),
            },
          ],
        },
      }),
    () => node({ spec: { unschedulable: choose.chance(0.6) } }),
    () => act(['ready', 'running', 'unready']),
    () => act(['delete', 'fail:1', 'succeed']),
    () => act(['finalise'], { terminating: true }),
    () => remove('DaemonSet', 'd', { propagationPolicy: choose.one(['Foreground', 'Background', 'Orphan']) }),
  ];
  const looks = (name: string) =>
    view(name, 'DaemonSet', 'ControllerRevision', {
      get: collection('Pod'),
      drop: ['status.podIP', 'status.podIPs', 'metadata.name'],
    });
  return {
    nodes: ['a', 'b', 'c'].map((name) => ({ name, labels: { disk: choose.one(['ssd', 'hdd']) } })),
    steps: [
      create(
        'DaemonSet',
        'd',
        {
          spec: {
            selector,
            template: template({ run: run(), spec: podSpec() }),
            ...choose.maybe(0.8, () => ({ updateStrategy: strategy() })),
            ...choose.maybe(0.3, () => ({ minReadySeconds: choose.whole(1, 2) })),
            ...choose.maybe(0.3, () => ({ revisionHistoryLimit: choose.whole(0, 1) })),
          },
        },
        { full: true },
      ),
      looks('made'),
      ...choose.times(1, 4, (at) => [choose.one(happens)(), looks(`after-${at}`)]).flat(),
      events(),
    ],
  };
}
