/** Namespaces with random contents that are deleted, and what holds them up. */
import type { Choices } from '../choices.ts';
import type { Step, Story } from '../scenario.ts';
import { create, patch, pod, remove, selector, template, view, wait } from '../scenarios/building.ts';

const finalizers = ['x.org/f', 'x.org/g', 'a.org/z'];
const holders = ['ConfigMap', 'Secret', 'ServiceAccount', 'Service', 'Role', 'Lease', 'LimitRange'];

export function namespaceStory(choose: Choices): Story {
  const contents = choose.times(1, 5, (at) => {
    const kind = choose.one(holders);
    return { kind, name: `o${at}`, held: choose.some(finalizers, 0.35) };
  });
  const make = ({ kind, name, held }: (typeof contents)[number]): Step =>
    create(kind, name, {
      metadata: { finalizers: held },
      ...(kind === 'Service' ? { spec: { ports: [{ port: 80 }] } } : {}),
      ...(kind === 'LimitRange' ? { spec: { limits: [] } } : {}),
    });
  const free = () => {
    const { kind, name } = choose.one(contents);
    return [patch(kind, name, { metadata: { finalizers: choose.one([null, ['x.org/f']]) } })];
  };
  const happens: readonly (() => Step[])[] = [
    free,
    free,
    () => [create('ConfigMap', 'late')],
    () => [{ pods: { do: 'finalise', terminating: true, optional: true, count: 3 } }],
    () => {
      const { kind, name } = choose.one(contents);
      return [remove(kind, name)];
    },
    () => [
      { req: 'PATCH /api/v1/namespaces/$ns', body: { metadata: { finalizers: choose.some(finalizers) } } },
    ],
    () => [{ req: 'DELETE /api/v1/namespaces/$ns', full: true }],
  ];
  const looks = (name: string) => [
    wait(1000),
    view(name, '/api/v1/namespaces/$ns', ...new Set(contents.map(({ kind }) => kind))),
  ];
  return {
    steps: [
      ...contents.map(make),
      ...(choose.chance(0.4) ? [pod('p', { run: choose.one(['ready', 'ready;linger', 'succeed']) })] : []),
      ...(choose.chance(0.3)
        ? [create('ReplicaSet', 'r', { spec: { replicas: 2, selector, template: template() } })]
        : []),
      wait(1000),
      {
        req: 'DELETE /api/v1/namespaces/$ns',
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: choose.one(['Background', 'Foreground', 'Orphan']),
        },
        full: true,
      },
      ...looks('deleted'),
      ...choose.times(1, 3, (at) => [...choose.one(happens)(), wait(6000), ...looks(`after-${at}`)]).flat(),
      // Nothing stays behind.
      ...contents.map(({ kind, name }) => patch(kind, name, { metadata: { finalizers: null } })),
      { req: 'PATCH /api/v1/namespaces/$ns', body: { metadata: { finalizers: null } } },
    ],
  };
}
