/** Controllers whose pod cache lags behind must not revert what they wrote themselves. */
import { expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { KubeClient, RestClient, type Transport } from '@coxswain/client';
import { startControllers } from '@coxswain/kube-controller-manager';
import { createCluster } from '../testing/index.ts';

/** A transport that holds back events about pods on request. */
class LaggingPods {
  #held: PromiseWithResolvers<void> | undefined;

  hold(): void {
    this.#held = Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  over(transport: Transport): Transport {
    return {
      structured: transport.structured,
      address: transport.address,
      close: () => transport.close(),
      send: async (request) => {
        const answer = await transport.send(request);
        return isPodWatch.test(request.path)
          ? { ...answer, stream: () => this.#late(answer.stream()) }
          : answer;
      },
    };
  }

  async *#late(stream: AsyncIterable<Uint8Array>) {
    for await (const events of stream) {
      await this.#held?.promise;
      yield events;
    }
  }
}

const isPodWatch = /^\/api\/v1\/pods\?.*watch=true/;

const template = (labels: object) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'web', image: 'web' }], restartPolicy: 'Always' },
});

const statefulSet = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web' },
  spec: {
    replicas,
    serviceName: 'web',
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: { app: 'web' } },
    template: template({ app: 'web' }),
  },
});

const job = (size: number) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'web' },
  spec: {
    completionMode: 'Indexed',
    completions: size,
    parallelism: size,
    template: { spec: { ...template({}).spec, restartPolicy: 'Never' } },
  },
});

test.each([
  ['StatefulSet that grows', 'statefulset', 'apps/v1', 'statefulsets', statefulSet, 2, 4],
  ['Indexed Job that shrinks', 'job', 'batch/v1', 'jobs', job, 4, 2],
] as const)(
  'a cache that lags behind takes no status back: %s',
  async (_what, controller, version, resource, of, first, then) => {
    await using cluster = await createCluster({ nodes: 1, controllers: ['*', `-${controller}-controller`] });
    const pods = new LaggingPods();
    const stop = new AbortController();
    const errors: string[] = [];
    const { rest } = cluster.client;
    const { synced, stopped } = startControllers({
      client: new KubeClient(new RestClient({ transport: pods.over(rest.transport), clock: cluster.clock })),
      clock: cluster.clock,
      controllers: [`${controller}-controller`],
      signal: stop.signal,
      onError: (error) => errors.push(String(error)),
    });
    await synced;
    const statuses: string[] = [];
    const watched = (async () => {
      const objects = cluster.client.resource<KubeObject & { status?: object }>(version, resource);
      for await (const { object } of objects.namespace('default').watch({ signal: stop.signal }))
        if (object.status !== undefined) statuses.push(JSON.stringify(object.status));
    })().catch(() => undefined);
    await cluster.apply(of(first));
    await cluster.idle();

    pods.hold();
    await cluster.apply(of(then));
    await cluster.clock.advance('1m');
    pods.release();
    await cluster.idle();
    stop.abort();
    await Promise.all([watched, stopped]);

    const changes = statuses.filter((status, index) => status !== statuses[index - 1]);
    expect(errors).toEqual([]);
    expect(changes.length).toBeGreaterThan(3);
    expect(changes).toEqual([...new Set(changes)]);
  },
);
