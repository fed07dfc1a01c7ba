/**
 * Counts usage for quotas. Additions are charged at admission; here usage is recounted when a quota is added or
 * changed, when objects are deleted, and periodically.
 */

import { formatGroupResource, type GroupResource, type KubeObject } from '@coxswain/apimachinery';
import { semanticDeepEqual } from '@coxswain/apimachinery/deep-equal.ts';
import type { Pod as PodShape } from '@coxswain/api/core/v1/pod.ts';
import { isExtendedInQuota, type DeviceQuota } from '@coxswain/api/quota/device-quota.ts';
import { isBounded } from '@coxswain/api/quota/quota-scopes.ts';
import { deviceQuotaOf } from '@coxswain/api/quota/quota-usage.ts';
import type { DeviceClass } from '@coxswain/api/resource/v1/device-class.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import { discoveryClient, type Informer } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type Pod, type ResourceQuota, type Service } from '../objects.ts';
import { isFinished } from '../pods/pod-state.ts';
import { startReconciler, type Reconciler } from '../reconciler.ts';
import { deviceClaims } from './counted-resource.ts';
import { countedResources, quotaStatus, sameAmounts, sameStatus, usesLess } from './quota-status.ts';

/** The interval for checking whether a missing kind is served. */
const discoveryPeriodMs = 30_000;

export const resourceQuotaController: Controller = {
  name: 'resourcequota-controller',
  aliases: ['resourcequota'],
  serviceAccount: 'resourcequota-controller',
  start(context) {
    const { clock, signal, settings } = context;
    const quotas = context.informers.informer<ResourceQuota>(resources.resourceQuotas);
    const work = new Quotas(context, quotas);
    const reconciler = startReconciler(context, {
      queueName: 'resourcequota_primary',
      ready: () => work.ready(),
      reconcile: work.syncResourceQuota.bind(work),
    });
    work.wakeBy(reconciler);
    quotas.addHandler({
      added: reconciler.addObject,
      updated(before, after) {
        if (!sameAmounts(before.spec?.hard, after.spec?.hard)) reconciler.addObject(after);
      },
    });
    context.run(
      (async () => {
        while (!signal.aborted) {
          await clock.sleep(settings.resourceQuotaSyncPeriodMs, signal).catch(() => undefined);
          if (!signal.aborted) for (const quota of quotas.lister.list()) reconciler.addObject(quota);
        }
      })(),
    );
  },
};

const recountMs = 1000;
/** Kinds for which more than the number of objects is counted, so that metadata alone is not enough. */
const devicesAreCounted = 'resourceclaims.resource.k8s.io';

class Quotas {
  readonly #context: ControllerContext;
  readonly #quotas: Informer<ResourceQuota>;
  /** Informers of the counted kinds, by group and resource. */
  readonly #counted = new Map<string, Informer<KubeObject>>();
  #classes: Informer<DeviceClass & KubeObject> | undefined;
  #reconciler: Reconciler | undefined;

  constructor(context: ControllerContext, quotas: Informer<ResourceQuota>) {
    this.#context = context;
    this.#quotas = quotas;
    const { informers } = context;
    this.#count(resources.pods, informers.informer<KubeObject>(resources.pods));
    this.#count(resources.services, informers.informer<KubeObject>(resources.services));
    this.#count(
      resources.persistentVolumeClaims,
      informers.informer<KubeObject>(resources.persistentVolumeClaims),
    );
  }

  ready(): Promise<unknown> {
    return Promise.all([this.#quotas, ...this.#counted.values()].map(({ synced }) => synced));
  }

  wakeBy(reconciler: Reconciler): void {
    this.#reconciler = reconciler;
  }

  async syncResourceQuota(key: string): Promise<number | void> {
    const quota = this.#quotas.lister.byKey(key);
    if (quota === undefined) return;
    const devices = await this.#devicesFor(quota);
    const allServed = await this.#watch(countedResources(quota, devices));
    const { namespace = '' } = quota.metadata;
    const objectsOf = (resource: GroupResource) =>
      this.#counted.get(formatGroupResource(resource))?.lister.list(namespace);
    const status = quotaStatus(quota, objectsOf, devices);
    this.#context.observer?.note?.({
      used: Object.entries(status.used ?? {}).map(([name, used]) => `${name}=${used}/${status.hard?.[name]}`),
    });
    if (!sameStatus(quota, status)) {
      const client = this.#context.client.resource<ResourceQuota>(resources.resourceQuotas);
      await client.namespace(namespace).updateStatus({ ...quota, status });
    }
    // Admission charges an object before it is stored and observed here, so it may not have been counted.
    if (usesLess(status, quota)) return recountMs;
    // Until admission knows the new limits it doesn't charge objects, so they are counted a moment later.
    if (!sameAmounts(quota.spec?.hard ?? {}, quota.status?.hard ?? {})) return recountMs;
    return allServed ? undefined : discoveryPeriodMs;
  }

  /** Extended resources may be backed by devices; undefined for quotas that don't limit them. */
  async #devicesFor({ spec }: ResourceQuota): Promise<DeviceQuota | undefined> {
    const { settings, informers, client } = this.#context;
    if (!settings.isFeatureOn('DRAExtendedResource')) return undefined;
    if (!Object.keys(spec?.hard ?? {}).some(isExtendedInQuota)) return undefined;
    if (this.#classes === undefined) {
      const served = (await discoveryClient(client.rest).discover()).resources;
      const found = served.find(
        ({ group, resource }) => group === 'resource.k8s.io' && resource === 'deviceclasses',
      );
      if (found === undefined) return undefined;
      this.#classes ??= informers.informer<DeviceClass & KubeObject>(found);
    }
    await this.#classes.synced;
    await this.#watch([deviceClaims]);
    const claims = this.#counted.get(devicesAreCounted);
    const pods = informers.informer<Pod>(resources.pods);
    return deviceQuotaOf({
      classes: this.#classes.lister.list(),
      pod: (namespace, name) => pods.lister.get(name, namespace) as unknown as PodShape | undefined,
      claims: (namespace) => (claims?.lister.list(namespace) ?? []) as unknown as readonly ResourceClaim[],
    });
  }

  /** Kinds that only some quotas count are watched on demand. Returns false if one is not served. */
  async #watch(wanted: readonly GroupResource[]): Promise<boolean> {
    const missing = wanted.filter((resource) => !this.#counted.has(formatGroupResource(resource)));
    if (missing.length === 0) return true;
    const discovered = await discoveryClient(this.#context.client.rest).discover();
    let allServed = true;
    for (const { group, resource } of missing) {
      const key = formatGroupResource({ group, resource });
      const found = discovered.resources.find(
        (one) => one.group === group && one.resource === resource && one.namespaced,
      );
      if (found === undefined) allServed = false;
      else if (!this.#counted.has(key)) {
        const { informers, signal } = this.#context;
        const whole = key === devicesAreCounted;
        const informer = whole
          ? informers.informer<KubeObject>(found)
          : informers.metadataInformer(found, signal);
        this.#count({ group, resource }, informer);
      }
      await this.#counted.get(key)?.synced;
    }
    return allServed;
  }

  #count(resource: GroupResource, informer: Informer<KubeObject>): void {
    const key = formatGroupResource(resource);
    this.#counted.set(key, informer);
    informer.addHandler({
      updated: (before, after) => {
        if (frees(key, before, after)) this.#recount(key, after);
      },
      deleted: (object) => this.#recount(key, object),
    });
  }

  #recount(key: string, { metadata }: KubeObject): void {
    for (const quota of this.#quotas.lister.list(metadata.namespace)) {
      const counted = countedResources(quota).some((resource) => formatGroupResource(resource) === key);
      const names = Object.keys(quota.spec?.hard ?? {});
      if (counted || (key === devicesAreCounted && names.some(isExtendedInQuota)))
        this.#reconciler?.addObject(quota);
    }
  }
}

/** Whether an update may reduce usage, or removes a pod from the scope of a quota. */
function frees(key: string, before: KubeObject, after: KubeObject): boolean {
  switch (key) {
    case 'pods':
      return podFrees(before as Pod, after as Pod);
    case 'services':
      return (before as Service).spec?.type !== (after as Service).spec?.type;
    // As upstream, whose comparison of allocations always finds a difference.
    default:
      return key === 'persistentvolumeclaims';
  }
}

const podFrees = (before: Pod, after: Pod): boolean =>
  (!isFinished(before) && isFinished(after)) ||
  isBounded(before.spec) !== isBounded(after.spec) ||
  statusesOf(before).some(({ name, resources: allocated }) => {
    const now = statusesOf(after).find((status) => status.name === name);
    return now !== undefined && !semanticDeepEqual(allocated, now.resources);
  });

const statusesOf = ({ status }: Pod) => [
  ...(status?.containerStatuses ?? []),
  ...(status?.initContainerStatuses ?? []),
];
