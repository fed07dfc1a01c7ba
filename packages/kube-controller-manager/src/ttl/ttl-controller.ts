/** Sets an annotation that tells kubelets how long they may cache Secrets and ConfigMaps: longer with more nodes. */
import { ignoring } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { resources, type Node } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { TtlSteps } from './ttl-steps.ts';

const annotation = 'node.alpha.kubernetes.io/ttl';

export const ttlController: Controller = {
  name: 'ttl-controller',
  aliases: ['ttl'],
  serviceAccount: 'ttl-controller',
  start(context) {
    const nodes = context.informers.informer<Node>(resources.nodes);
    const client = context.client.resource<Node>(resources.nodes);
    const steps = new TtlSteps();
    const reconciler = startReconciler(context, {
      queueName: 'ttlcontroller',
      ready: () => nodes.synced,
      reconcile: async function updateNodeTtl(name) {
        const node = nodes.lister.get(name);
        if (node === undefined) return;
        const wanted = String(steps.seconds);
        if (node.metadata.annotations?.[annotation] === wanted) return;
        await ignoring(
          'NotFound',
          client.patch(name, { metadata: { annotations: { [annotation]: wanted } } }),
        );
      },
    });
    nodes.addHandler({
      added(node) {
        steps.nodeAdded();
        reconciler.addObject(node);
      },
      // Kubelets write often, so all nodes are updated soon after the cluster has grown.
      updated: (_before, node) => reconciler.addObject(node),
      deleted: () => steps.nodeRemoved(),
    });
  },
};
