/** Marks service address ranges as ready, and protects those in use from deletion. */
import { epochMsOf, formatTime, ignoring } from '@coxswain/apimachinery';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type IPAddress, type ServiceCidr } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { isOfService, mayGo, rangesOverlapping, rangesWithAddress } from './address-ranges.ts';

const controllerName = 'service-cidr-controller';
const finalizer = 'networking.k8s.io/service-cidr-finalizer';

/** The allocators must learn of a deletion before it is completed. */
const deletionGraceMs = 10_000;

export const serviceCidrController: Controller = {
  name: controllerName,
  serviceAccount: 'service-cidrs-controller',
  start(context) {
    const ranges = context.informers.informer<ServiceCidr>(resources.serviceCidrs);
    const addresses = context.informers.informer<IPAddress>(resources.ipAddresses);
    const reconciler = startReconciler(context, {
      queueName: 'ipaddresses',
      ready: () => Promise.all([ranges.synced, addresses.synced]),
      reconcile: async function syncServiceCidr(name) {
        const range = ranges.lister.get(name);
        if (range === undefined) return;
        if (range.metadata.deletionTimestamp === undefined) return keepReady(context, range);
        if (!mayGo(range, ranges.lister.list(), addresses.lister.list())) {
          return applyCondition(context, range, terminating);
        }
        const deletedAtMs = epochMsOf(range.metadata.deletionTimestamp);
        const leftMs = deletionGraceMs - (context.clock.now() - deletedAtMs);
        if (leftMs > 0) return leftMs;
        await patchFinalizers(context, range, { '$deleteFromPrimitiveList/finalizers': [finalizer] }, true);
      },
    });
    const wake = (range: ServiceCidr) => reconciler.addObject(range);
    const wakeHolders = (address: IPAddress) => {
      if (!isOfService(address)) return;
      for (const range of rangesWithAddress(ranges.lister.list(), address.metadata.name ?? '')) wake(range);
    };
    ranges.addHandler({
      added(range) {
        wake(range);
        for (const other of rangesOverlapping(ranges.lister.list(), range)) wake(other);
      },
      updated: (_before, after) => wake(after),
      deleted: wake,
    });
    addresses.addHandler({ added: wakeHolders, deleted: wakeHolders });
  },
};

interface ReadyCondition {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const ready: ReadyCondition = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const terminating: ReadyCondition = {
  status: 'False',
  reason: 'Terminating',
  message:
    'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

async function keepReady(context: ControllerContext, range: ServiceCidr): Promise<void> {
  await patchFinalizers(context, range, { finalizers: [finalizer] }, false);
  try {
    await applyCondition(context, range, ready);
  } catch (error) {
    context
      .events(controllerName)
      .event(
        { ...range, kind: 'ServiceCIDR', apiVersion: 'networking.k8s.io/v1' },
        'Warning',
        'KubernetesServiceCIDRError',
        'The ServiceCIDR Status can not be set to Ready=True',
      );
    throw error;
  }
}

/** @param has whether the patch applies to ranges that have the finalizer, or to those that lack it */
async function patchFinalizers(
  { client }: ControllerContext,
  { metadata }: ServiceCidr,
  patch: object,
  has: boolean,
): Promise<void> {
  if ((metadata.finalizers ?? []).includes(finalizer) !== has) return;
  await ignoring(
    'NotFound',
    client.resource<ServiceCidr>(resources.serviceCidrs).patch(metadata.name!, { metadata: patch }),
  );
}

async function applyCondition(
  { client, clock }: ControllerContext,
  { metadata, status }: ServiceCidr,
  { status: state, reason, message }: ReadyCondition,
): Promise<void> {
  const known = status?.conditions?.find(({ type }) => type === 'Ready');
  if (known?.status === state && (known.reason ?? '') === reason && known.message === message) return;
  const lastTransitionTime = formatTime(clock.now());
  const applied = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: metadata.name! },
    status: { conditions: [{ type: 'Ready', status: state, reason, message, lastTransitionTime }] },
  } as ServiceCidr;
  const options = { fieldManager: controllerName, force: true, subresource: 'status' };
  await client.resource<ServiceCidr>(resources.serviceCidrs).apply(applied, options);
}
