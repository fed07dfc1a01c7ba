/** Code that users of `@coxswain/controller` may write, and code that the compiler must reject. */
import type { KubeClient } from '@coxswain/client';
import { Deployment } from '@coxswain/api/apps/v1';
import { ConfigMap, Pod } from '@coxswain/api/core/v1';
import * as lib from '@coxswain/controller';
import { probeServer, webhookServer } from '@coxswain/controller/node';

declare const parsed: Parameters<typeof lib.labelled>[0];
const { all, allowed, any, controller, denied, labelled, matching, mutating, not, validating, watch } = lib;

export const scaling = controller({
  name: 'scaling',
  for: Deployment,
  owns: [Pod],
  watches: [
    watch(ConfigMap, ({ data }) => (data?.['a'] === undefined ? [] : [{ namespace: '', name: 'a' }])),
  ],
  predicates: [
    all(lib.generationChanged, not(lib.labelsChanged)),
    any(lib.annotationsChanged, labelled(parsed)),
  ],
  maxConcurrentReconciles: 2,
  async reconcile({ namespace, name }, { cache, client }) {
    const deployment = cache.of(Deployment).get(name, namespace);
    if (deployment === undefined || lib.isBeingDeleted(deployment)) return;
    await lib.addFinalizer(client, Deployment, deployment, 'example.com/a');
    await lib.removeFinalizer(client, Deployment, deployment, 'example.com/a');
    // @ts-expect-error there is no such member
    void deployment.spec.replicaCount;
    await lib.createOrUpdate(
      client,
      ConfigMap,
      { metadata: { name, namespace, ownerReferences: [lib.controllerReference(Deployment, deployment)] } },
      (map) => {
        map.data = { replicas: String(deployment.spec.replicas) };
        // @ts-expect-error data are texts
        map.data = { replicas: 3 };
      },
    );
    if (deployment.spec.paused) throw new lib.TerminalError('paused');
    return { requeueAfterMs: 1000 };
  },
});
// @ts-expect-error nobody reconciles
controller({ name: 'idle', for: Pod });

export const run = (client: KubeClient, signal: AbortSignal): Promise<void> =>
  lib
    .createManager({ client, onError: console.error })
    .add(scaling)
    .add(probeServer({ port: 0 }))
    .start(signal);

export const server = webhookServer({
  certFile: 'tls.crt',
  keyFile: 'tls.key',
  handlers: {
    '/validate': validating(Pod, (request) => {
      // @ts-expect-error of a deletion there is none
      void request.object.spec;
      if (request.operation === 'DELETE') {
        request.object satisfies null;
        return request.oldObject.metadata.name === 'a' ? denied('no') : allowed('careful');
      }
      if (request.operation === 'CREATE') request.oldObject satisfies null;
      return request.object.spec.containers.length === 0 ? denied('none') : undefined;
    }),
    '/mutate': mutating(Pod, ({ object }) => ({ ...object, spec: { ...object.spec, nodeName: 'a' } })),
    '/convert': lib.conversion((object, apiVersion) => ({ ...object, apiVersion })),
  },
});
export const big = matching<Deployment>(({ spec }) => (spec.replicas ?? 1) > 3);
export const owned = (deployment: Deployment, pod: Pod): void => {
  lib.setControllerReference(Deployment, deployment, pod);
  lib.setOwnerReference(Deployment, deployment, pod);
  lib.hasFinalizer(pod, 'example.com/a') satisfies boolean;
  lib.controllerOf(pod)?.name satisfies string | undefined;
};
