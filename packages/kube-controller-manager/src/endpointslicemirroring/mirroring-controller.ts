/** Mirrors manually written Endpoints into slices, since proxies only read slices. */
import { ignoring, type KubeObject } from '@coxswain/apimachinery';
import { referenceTo, splitObjectKey, type ResourceClient } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { ExpectedSlices } from '../endpointslice/expected-slices.ts';
import { managedByLabel, serviceNameLabel } from '../endpointslice/plan.ts';
import { resources, type Endpoints, type EndpointSlice, type Service } from '../objects.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { startReconciler } from '../reconciler.ts';
import { mirroringManager, planMirror, type MirrorPlan } from './plan.ts';

const mirrorIndex = 'mirrorOf';
const retriesMax = 15;
/** How long to wait for the informer to catch up with our own writes. */
const staleRetryMs = 100;
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

export const endpointSliceMirroringController: Controller = {
  name: 'endpointslice-mirroring-controller',
  aliases: ['endpointslicemirroring'],
  serviceAccount: 'endpointslicemirroring-controller',
  start(context) {
    const services = context.informers.informer<Service>(resources.services);
    const mirrored = context.informers.informer<Endpoints>(resources.endpoints);
    const slices = context.informers.informer<EndpointSlice>(resources.endpointSlices, {
      [mirrorIndex]: (slice) => (isMirror(slice) ? [keyOf(slice)] : []),
    });
    const expected = new ExpectedSlices();
    const writer = new MirrorWriter(context, expected);
    const reconciler = startReconciler(context, {
      queueName: 'endpoint_slice_mirroring',
      retriesMax,
      retryFirstMs: 1000,
      ready: () => Promise.all([services.synced, mirrored.synced, slices.synced]),
      reconcile: async function syncMirroredEndpoints(key) {
        const existing = slices.lister.byIndex(mirrorIndex, key);
        const endpoints = mirrored.lister.byKey(key);
        const service = services.lister.byKey(key);
        const isWanted = endpoints !== undefined && isMirrored(endpoints) && isWithoutSelector(service);
        if (!isWanted) {
          expected.forget(key);
          return writer.removeAll(key, existing);
        }
        if (expected.areStale(key, existing)) return staleRetryMs;
        return writer.write(key, endpoints, existing);
      },
    });
    const wakeMirrored = (endpoints: Endpoints) => {
      if (isMirrored(endpoints)) reconciler.addObject(endpoints);
    };
    mirrored.addHandler({
      added: wakeMirrored,
      updated(before, after) {
        if (isMirrored(before) || isMirrored(after)) reconciler.addObject(after);
      },
      deleted: wakeMirrored,
    });
    const wakeService = (service: Service) => {
      if (isWithoutSelector(service)) reconciler.addObject(service);
    };
    services.addHandler({
      added: wakeService,
      updated(before, after) {
        if (isWithoutSelector(before) !== isWithoutSelector(after)) reconciler.addObject(after);
      },
      deleted: wakeService,
    });
    const wakeSlice = (slice: EndpointSlice) => {
      if (slice.metadata.labels?.[serviceNameLabel]) reconciler.add(keyOf(slice));
    };
    slices.addHandler({
      added(slice) {
        if (isMirror(slice)) wakeSlice(slice);
      },
      updated(before, after) {
        if (!isMirror(before) && !isMirror(after)) return;
        wakeSlice(after);
        if (keyOf(before) !== keyOf(after)) wakeSlice(before);
      },
      deleted(slice) {
        if (!isMirror(slice)) return;
        expected.seenGone(keyOf(slice), slice);
        wakeSlice(slice);
      },
    });
  },
};

const isMirror = ({ metadata }: EndpointSlice): boolean =>
  metadata.labels?.[managedByLabel] === mirroringManager;

const keyOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace}/${metadata.labels?.[serviceNameLabel] ?? ''}`;

const isMirrored = ({ metadata }: Endpoints): boolean =>
  metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined;

const isWithoutSelector = (service: Service | undefined): boolean =>
  service !== undefined && (service.spec?.selector ?? undefined) === undefined;

class MirrorWriter {
  readonly #context: ControllerContext;
  readonly #expected: ExpectedSlices;

  constructor(context: ControllerContext, expected: ExpectedSlices) {
    this.#context = context;
    this.#expected = expected;
  }

  #client(key: string): ResourceClient<EndpointSlice> {
    const { namespace } = splitObjectKey(key);
    return this.#context.client.resource<EndpointSlice>(resources.endpointSlices).namespace(namespace);
  }

  async removeAll(key: string, slices: readonly EndpointSlice[]): Promise<void> {
    for (const slice of slices) await remove(this.#client(key), slice);
  }

  async write(key: string, endpoints: Endpoints, existing: readonly EndpointSlice[]): Promise<void> {
    const endpointsMax = this.#context.settings.mirroredEndpointsMax;
    const plan = planMirror(endpoints, existing, endpointsMax);
    this.#report(endpoints, plan, endpointsMax);
    const client = this.#client(key);
    try {
      if (endpoints.metadata.deletionTimestamp === undefined) {
        for (const slice of plan.create) this.#expected.written(key, await client.create(slice));
      }
      for (const slice of plan.update) this.#expected.written(key, await client.update(slice));
      for (const slice of plan.remove) {
        await remove(client, slice);
        this.#expected.removed(key, slice);
      }
    } catch (failure) {
      if (!isNamespaceTerminating(failure)) throw failure;
    }
  }

  #report(endpoints: Endpoints, { invalid, skipped }: MirrorPlan, endpointsMax: number): void {
    const events = this.#context.events('endpoint-slice-mirroring-controller');
    const about = referenceTo(endpoints, 'Endpoints', 'v1');
    if (invalid > 0) {
      const text = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`;
      events.event(about, 'Warning', 'InvalidIPAddress', text);
    }
    if (skipped > invalid) {
      const text = `A max of ${endpointsMax} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
      events.event(about, 'Warning', 'TooManyAddressesToMirror', text);
    }
  }
}

async function remove(client: ResourceClient<EndpointSlice>, { metadata }: EndpointSlice): Promise<void> {
  await ignoring('NotFound', client.delete(metadata.name ?? ''));
}
