/** Scales workloads according to their metrics. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type Pod } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { autoscalers, type Autoscaler } from './autoscaler.ts';

export const horizontalPodAutoscalerController: Controller = {
  name: 'horizontal-pod-autoscaler-controller',
  aliases: ['horizontalpodautoscaling'],
  serviceAccount: 'horizontal-pod-autoscaler',
  start(context) {
    const { syncPeriodMs } = context.settings.autoscaler;
    const known = context.informers.informer<Autoscaler>(autoscalers);
    const pods = context.informers.informer<Pod>(resources.pods);
    // Loaded lazily, since most clusters have no autoscaler.
    const autoscaling = lazily(async () => {
      const { Autoscaling } = await inWallTime(() => import('./autoscaling.ts'));
      return new Autoscaling(context, pods.lister);
    });
    const reconciler = startReconciler(context, {
      queueName: 'horizontalpodautoscaler',
      ready: () => Promise.all([known.synced, pods.synced]),
      reconcile: async function syncAutoscaler(key) {
        const autoscaler = known.lister.byKey(key);
        const work = await autoscaling();
        if (autoscaler === undefined) return work.forget(key);
        try {
          await work.reconcileAutoscaler(key, autoscaler);
        } catch (failure) {
          context.onError(failure, key);
        }
        return syncPeriodMs;
      },
    });
    const help = 'Autoscalers that there are.';
    const count = () => known.lister.list().length;
    context.metrics.reading(
      'gauge',
      'horizontal_pod_autoscaler_controller_num_horizontal_pod_autoscalers',
      help,
      {},
      count,
    );
    const wake = ({ metadata }: Autoscaler) =>
      reconciler.addAfter(`${metadata.namespace}/${metadata.name}`, syncPeriodMs);
    known.addHandler({
      ...onWrite(wake),
      deleted: ({ metadata }) => reconciler.add(`${metadata.namespace}/${metadata.name}`),
    });
  },
};

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
