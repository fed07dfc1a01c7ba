/** The published types of `coxswain` and `coxswain/testing` match those of the sources, and accept what users write. */
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import type { ImageDefinition } from '@coxswain/simulated-nodes/program/image-definition.ts';
import { expect, expectTypeOf, test } from 'vitest';
import type { ClusterMatchers } from '../../types/testing-matchers.d.ts';
import type * as published from '../../types/testing.d.ts';
import type * as whole from '../../types/index.d.ts';
import * as main from '../index.ts';
import * as own from './index.ts';

/** A kind as in `coxswain/api`, and the corresponding `Draft`. */
interface Task {
  apiVersion: 'example.com/v1';
  kind: 'Task';
  metadata: { name?: string; labels?: Record<string, string> };
  spec: { containers: { name: string }[]; replicas?: number };
  status: { phase?: string };
}
interface TaskDraft {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'Task';
  readonly metadata: {
    readonly name?: string;
    readonly labels?: { readonly [name: string]: string | undefined };
  };
  readonly spec: { readonly containers: readonly { readonly name: string }[] };
}
/** An assertion about our own cluster type, of which the published type is a part. */
type BehindCluster<F> = F extends (cluster: infer _, ...more: infer M) => infer R ? (...more: M) => R : never;
type Asserting<More extends readonly unknown[], R> = (
  cluster: published.TestCluster,
  object: published.ObjectName,
  ...more: More
) => R;
type Having = [wanted?: object, options?: published.EventuallyOptions];
type Lacking = [options?: published.EventuallyOptions];

/** Nothing is called; only the compiler checks this. */
const typeTests = {
  startCluster: () => {
    expectTypeOf(main.startCluster).toExtend<typeof whole.startCluster>();
    expectTypeOf<typeof whole.startCluster>().toEqualTypeOf<
      (options?: whole.ClusterOptions) => Promise<whole.Cluster>
    >();
    expectTypeOf<whole.Cluster['client']>().returns.toEqualTypeOf<published.KubeClient>();
    expectTypeOf<whole.Cluster['fork']>().returns.resolves.toEqualTypeOf<whole.Cluster>();
  },
  createCluster: () => {
    expectTypeOf(own.createCluster).toExtend<typeof published.createCluster>();
    expectTypeOf<own.CreateClusterOptions>().toEqualTypeOf<published.CreateClusterOptions>();
    expectTypeOf<Exclude<keyof own.TestCluster, keyof published.TestCluster>>().toBeNever();
    expectTypeOf<published.TestCluster>().toExtend<AsyncDisposable>();
    expectTypeOf<published.ImageDefinition>().toEqualTypeOf<ImageDefinition>();
    expectTypeOf<published.TestCluster['apply']>().parameters.toEqualTypeOf<[published.Manifests]>();
    // @ts-expect-error there is no such action
    void ((cluster: published.TestCluster) => cluster.faults.add({ action: 'explode' }));
  },
  withCluster: () => {
    expectTypeOf(own.withCluster).toExtend<typeof published.withCluster>();
    expectTypeOf<typeof published.withCluster>().returns.toEqualTypeOf<() => Promise<void>>();
  },
  matchers: () => {
    expectTypeOf(own.matchers).toExtend<typeof published.matchers>();
    expectTypeOf<keyof ClusterMatchers>().toEqualTypeOf<keyof typeof published.matchers>();
    expectTypeOf<ClusterMatchers['toEventuallyHave']>().returns.resolves.toBeVoid();
    expectTypeOf<ClusterMatchers['toEventuallyLack']>().returns.resolves.toBeVoid();
    expectTypeOf<ClusterMatchers['toHaveRequested']>().returns.toBeVoid();
  },
  assertEventuallyHas: () => {
    expectTypeOf<BehindCluster<typeof own.assertEventuallyHas>>().toEqualTypeOf<
      BehindCluster<typeof published.assertEventuallyHas>
    >();
    expectTypeOf<typeof published.assertEventuallyHas>().toEqualTypeOf<Asserting<Having, Promise<void>>>();
  },
  assertEventuallyLacks: () => {
    expectTypeOf<BehindCluster<typeof own.assertEventuallyLacks>>().toEqualTypeOf<
      BehindCluster<typeof published.assertEventuallyLacks>
    >();
    expectTypeOf<typeof published.assertEventuallyLacks>().toEqualTypeOf<Asserting<Lacking, Promise<void>>>();
  },
  assertRequested: () => {
    expectTypeOf<BehindCluster<typeof own.assertRequested>>().toEqualTypeOf<
      BehindCluster<typeof published.assertRequested>
    >();
    expectTypeOf<typeof published.assertRequested>().parameters.toEqualTypeOf<
      [cluster: published.TestCluster, pattern: published.RequestPattern, times?: number]
    >();
  },
} satisfies Record<keyof typeof own | keyof typeof main, () => void> &
  Record<keyof typeof published | keyof typeof whole, () => void>;

test.each([...Object.keys(own), ...Object.keys(main)])('%s has a test of its type', (name) => {
  expect(Object.keys(typeTests)).toContain(name);
});

test('the published client takes drafts and knows what it reads', () => {
  const use = async (client: published.KubeClient, task: TaskDraft) => {
    const tasks = client.resource<Task>('example.com/v1', 'tasks').namespace('default');
    await tasks.create(task);
    await tasks.apply(task, { fieldManager: 'test' });
    expectTypeOf(await client.apply(task, { fieldManager: 'test' }))
      .toHaveProperty('kind')
      .toEqualTypeOf<'Task'>();
    // @ts-expect-error who applies it is not said
    await client.apply(task);
    // @ts-expect-error what it is is not said
    await client.apply({ metadata: { name: 'work' } }, { fieldManager: 'test' });
    // @ts-expect-error a text is no number
    await tasks.create({ spec: { replicas: 'two' } });
    // As used in the README.
    const { status } = await client.resource<Deployment>('apps/v1', 'deployments').get('web');
    expectTypeOf(status.availableReplicas).toExtend<number | null | undefined>();
    return (await tasks.get('work')).status.phase;
  };
  expectTypeOf(use).returns.resolves.toEqualTypeOf<string | undefined>();
  expect(use).toBeTypeOf('function');
});
