/** Deletes pod certificate requests after a time by which all have been answered or abandoned. */
import { epochMsOf, isStatusError, type GroupVersionResource, type KubeObject } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';

const podCertificateRequests: GroupVersionResource = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  resource: 'podcertificaterequests',
};

const periodMs = 5 * 60_000;
const ageMsMax = 15 * 60_000;

export const podCertificateRequestCleaner: Controller = {
  name: 'podcertificaterequest-cleaner-controller',
  featureGates: ['PodCertificateRequest'],
  serviceAccount: 'podcertificaterequestcleaner',
  start(context) {
    const { clock, signal, client } = context;
    const requests = context.informers.informer<KubeObject>(podCertificateRequests);
    const remove = async ({ metadata }: KubeObject): Promise<void> => {
      const { namespace = '', name = '', uid = '' } = metadata;
      try {
        await client
          .resource(podCertificateRequests)
          .namespace(namespace)
          .delete(name, { preconditions: { uid } });
      } catch (failure) {
        if (!isStatusError(failure, 'NotFound')) context.onError(failure, `${namespace}/${name}`);
      }
    };
    const clean = async (): Promise<void> => {
      await requests.synced;
      while (!signal.aborted) {
        const oldestMs = clock.now() - ageMsMax;
        for (const request of requests.lister.list())
          if (epochMsOf(request.metadata.creationTimestamp ?? '') <= oldestMs) await remove(request);
        await clock.sleep(periodMs, signal).catch(() => undefined);
      }
    };
    context.run(clean());
  },
};
