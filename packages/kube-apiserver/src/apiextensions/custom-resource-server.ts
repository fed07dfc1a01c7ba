/**
 * Serves custom resources: watches their definitions, accepts their names, installs and replaces their groups, and
 * deletes the objects of a definition that is being deleted.
 */
import { formatTime, type GroupResource, type KubeObject, type StepObserver } from '@coxswain/apimachinery';
import type { ApiGroup, Strategy } from '@coxswain/apiserver';
import type { GenericApiServer } from '@coxswain/apiserver/generic-api-server.ts';
import { GenericStore, type GenericStoreOptions } from '@coxswain/apiserver/generic-store.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { apiregistrationGroup } from '../aggregator/group.ts';
import { customResourcePriority } from '../bootstrap/local-api-services.ts';
import { StoreFollower } from '../follow-store.ts';
import { as } from '../groups/any-object.ts';
import type { StoreRegistry } from '../groups/store-registry.ts';
import type { Services } from '../groups/services.ts';
import { systemRequest } from '../system-request.ts';
import { systemSend } from '../system-send.ts';
import { ByGroup } from './by-group.ts';
import { customGroup, type ConvertedVersions, type CustomResource } from './custom-group.ts';
import { ConversionMetrics } from './conversion-metrics.ts';
import { conversionWebhook } from './conversion-webhook.ts';
import { customKind } from './custom-kind.ts';
import { OrderedWork } from './ordered-work.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { celMetrics } from '@coxswain/apiserver/metrics/cel-metrics.ts';
import { customStatusStrategy, customStrategy, type TimedRules } from './custom-strategy.ts';
import { cleanupFinalizer } from '../groups/apiextensions/definition-deletion.ts';
import { apiextensionsGroup } from './group.ts';
import {
  convertedFor,
  convertsByWebhook,
  formerForms,
  relabeled,
  storedConversion,
} from './converted-versions.ts';
import {
  conditionOf,
  isEstablished,
  namedStatus,
  needsStatus,
  withCondition,
} from '../groups/apiextensions/definition-status.ts';

export interface CustomResourceServerParts {
  readonly server: GenericApiServer;
  readonly stores: StoreRegistry;
  readonly storage: Storage;
  /** The storage of a resource's objects. */
  readonly storageFor: (resource: GroupResource) => Storage;
  readonly services: Services;
  readonly metrics: Metrics;
  /** For conversions. */
  readonly webhooks: WebhookCaller;
  readonly transport: () => Transport;
  readonly log: (line: string) => void;
  readonly observer: StepObserver | undefined;
  /** Whether another server maintains the definitions' status. */
  readonly onlyServes: boolean;
}

const definitionController = 'customresourcedefinition-controller';
const autoregisterController = 'autoregister-controller';

/** The interval at which a definition is checked again while its objects are being deleted. */
const cleanupIntervalMs = 250;

export class CustomResourceServer {
  readonly #parts: CustomResourceServerParts;
  readonly #timedRules: TimedRules;
  readonly #follower: StoreFollower;
  readonly #definitions = new ByGroup<CustomResourceDefinition>();
  readonly #resources = new ByGroup<CustomResource>();
  /** The served groups. */
  readonly #groups = new Map<string, ApiGroup>();
  /** Groups to install once all stored definitions were read: each once, however many definitions it has. */
  #awaited: Set<string> | undefined = new Set();
  readonly #work: OrderedWork;

  constructor(parts: CustomResourceServerParts) {
    this.#parts = parts;
    this.#timedRules = { clock: parts.services.clock, ...celMetrics(parts.metrics) };
    this.#follower = new StoreFollower(parts.storage, parts.observer);
    const { log, observer, services } = parts;
    this.#work = new OrderedWork({ owner: this, clock: services.clock, log, observer });
  }

  /** Resolves when everything stored is served. */
  async start(): Promise<void> {
    const { stores } = this.#parts;
    await this.#follower.follow(stores.of(apiextensionsGroup.name, 'customresourcedefinitions').main, {
      put: (object: KubeObject) => this.#put(as<CustomResourceDefinition>(object)),
      remove: (_, name) => this.#remove(name),
    });
    const groups = this.#awaited ?? [];
    this.#awaited = undefined;
    for (const group of groups) this.#exchange(group);
    await this.#follower.follow(stores.of(apiregistrationGroup.name, 'apiservices').main, {
      put: () => undefined,
      remove: (_, name) => this.#restore(name),
    });
  }

  stop(): void {
    this.#work.stop();
    this.#follower.stop();
    for (const { main } of this.#resources.values()) main.cache.close();
  }

  #put(definition: CustomResourceDefinition): void {
    const name = definition.metadata.name!;
    const before = this.#definitions.get(name);
    this.#definitions.set(name, definition);
    if (isEstablished(definition)) {
      if (before === undefined || isServedOtherwise(before, definition)) this.#install(definition);
      else if (before.metadata.deletionTimestamp !== definition.metadata.deletionTimestamp) {
        this.#redescribe(definition);
      }
    }
    this.#later(definitionController, name, this.#syncDefinition);
  }

  #remove(name: string): void {
    const definition = this.#definitions.get(name);
    this.#definitions.delete(name);
    this.#resources.get(name)?.main.cache.close();
    if (definition === undefined) return;
    this.#parts.stores.removeCustom(name);
    if (this.#resources.delete(name)) this.#exchange(definition.spec.group);
    for (const other of this.#othersOf(definition))
      this.#later(definitionController, other.metadata.name!, this.#syncDefinition);
  }

  #install(definition: CustomResourceDefinition): void {
    const { storageFor, services } = this.#parts;
    const { group, names, versions } = definition.spec;
    const name = definition.metadata.name!;
    const stored = versions.find((version) => version.storage);
    if (stored === undefined) return;
    this.#resources.get(name)?.main.cache.close();
    const isByWebhook = convertsByWebhook(definition);
    const isTerminating = () => this.#definitions.get(name)?.metadata.deletionTimestamp !== undefined;
    const common = {
      resource: { group, resource: names.plural },
      strategy: customStrategy(definition, isTerminating, services.features, this.#timedRules) as Strategy,
      storage: storageFor({ group, resource: names.plural }),
      prefix: `/registry/${group}/${names.plural}`,
      clock: services.clock,
      random: services.random,
      newUid: services.newUid,
    };
    const otherVersions = isByWebhook ? formerForms(definition) : [];
    const main = new GenericStore({ ...common, otherVersions, kind: customKind(definition, stored) });
    const status = customStatusStrategy(definition, services.features) as Strategy;
    const converted = versions.length > 1 ? this.#converted(definition, main, common) : undefined;
    this.#resources.set(name, { definition, main, status, ...(converted && { converted }) });
    this.#parts.stores.addCustom(name, main);
    this.#exchange(group);
  }

  /** Watches on its objects continue, and see their deletion. */
  #redescribe(definition: CustomResourceDefinition): void {
    const name = definition.metadata.name!;
    const served = this.#resources.get(name);
    if (served === undefined) return;
    this.#resources.set(name, { ...served, definition });
    this.#exchange(definition.spec.group);
  }

  #converted(
    definition: CustomResourceDefinition,
    main: GenericStore,
    common: Omit<GenericStoreOptions, 'kind'>,
  ): ConvertedVersions {
    const { webhooks: caller, services, metrics } = this.#parts;
    const isByWebhook = convertsByWebhook(definition);
    const convert = isByWebhook
      ? conversionWebhook(definition, {
          clock: services.clock,
          newUid: services.transient.newUid,
          caller,
          metrics: new ConversionMetrics(metrics),
        })
      : relabeled;
    const hasFormer = isByWebhook && formerForms(definition).length > 0;
    const stores = definition.spec.versions
      .filter(({ storage }) => !storage || hasFormer)
      .map((version) => {
        const kind = version.storage ? main.kind : customKind(definition, version);
        const conversion = storedConversion(main.kind, kind, convert, isByWebhook);
        return [version.name, new GenericStore({ ...common, kind, conversion, cache: main.cache })] as const;
      });
    return {
      stores: new Map(stores),
      convertTo: convertedFor(convert),
      ...(isByWebhook && { convertElsewhere: convert }),
    };
  }

  #exchange(group: string): void {
    if (this.#awaited !== undefined) {
      this.#awaited.add(group);
      return;
    }
    const { server } = this.#parts;
    server.remove(group);
    const described = customGroup(group, [...this.#resources.inGroup(group).values()]);
    if (described === undefined) this.#groups.delete(group);
    else {
      server.install(described);
      this.#groups.set(group, described);
    }
    this.#later(autoregisterController, group, this.#notifyAggregator);
  }

  #othersOf({ spec, metadata }: CustomResourceDefinition): readonly CustomResourceDefinition[] {
    const ofGroup = this.#definitions.inGroup(spec.group).values();
    return [...ofGroup].filter((other) => other.metadata.name !== metadata.name);
  }

  #later(component: string, name: string, work: (name: string) => Promise<void>): void {
    if (!this.#parts.onlyServes) this.#work.add(component, name, work);
  }

  /** Updates the definition's status; a concurrent change triggers another run anyway. */
  async #syncDefinition(name: string): Promise<void> {
    const definition = this.#definitions.get(name);
    if (definition === undefined) return;
    const now = formatTime(this.#parts.services.clock.now());
    if (definition.metadata.deletionTimestamp !== undefined) {
      return this.#cleanUp(definition, now).catch((failure: unknown) => {
        // Its store is closed as soon as the definition is gone.
        if (this.#definitions.get(name) !== undefined) throw failure;
      });
    }
    const status = namedStatus(definition, () => this.#othersOf(definition), now);
    if (needsStatus(definition.status, status)) await this.#writeStatus({ ...definition, status });
  }

  async #writeStatus(definition: CustomResourceDefinition): Promise<void> {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.metadata.name}/status`;
    await this.#send('PUT', path, definition);
  }

  /** @throws Error unless it was carried out, or another's change made it void */
  async #send(method: string, path: string, object?: object): Promise<void> {
    const status = await systemSend(this.#parts, method, path, object);
    if (status >= 400 && ![404, 409].includes(status)) throw new Error(`${method} ${path}: ${status}`);
  }

  async #cleanUp(definition: CustomResourceDefinition, now: string): Promise<void> {
    const { finalizers = [], name = '' } = definition.metadata;
    if (!finalizers.includes(cleanupFinalizer)) return;
    if (conditionOf(definition, 'Terminating')?.reason !== 'InstanceDeletionInProgress') {
      const status = withCondition(definition.status, now, {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionInProgress',
        message: 'CustomResource deletion is in progress',
      });
      await this.#writeStatus({ ...definition, status });
      return;
    }
    if ((await this.#deleteObjects(definition)) > 0) {
      this.#parts.services.clock.after(
        cleanupIntervalMs,
        () => this.#later(definitionController, name, this.#syncDefinition),
        {
          idle: true,
        },
      );
      return;
    }
    const status = withCondition(definition.status, now, {
      type: 'Terminating',
      status: 'False',
      reason: 'InstanceDeletionCompleted',
      message: 'removed all instances',
    });
    const metadata = {
      ...definition.metadata,
      finalizers: finalizers.filter((one) => one !== cleanupFinalizer),
    };
    await this.#writeStatus({ ...definition, metadata, status });
  }

  /** Resolves with the number of remaining objects. */
  async #deleteObjects({ metadata, spec }: CustomResourceDefinition): Promise<number> {
    const main = this.#resources.get(metadata.name!)?.main;
    if (main === undefined) return 0;
    const { objects } = await main.cache.list();
    for (const { object } of objects) {
      if (object.metadata.deletionTimestamp !== undefined) continue;
      const { name = '', namespace = '' } = object.metadata;
      const target = { group: spec.group, resource: spec.names.plural, namespace, verb: 'delete' };
      const request = systemRequest(this.#parts.services.clock, target, this.#parts.observer);
      const options = { dryRun: false };
      await main.delete(request, name, options as never, () => undefined).catch(() => undefined);
    }
    return (await main.cache.list()).objects.length;
  }

  /** Creates or removes the APIServices of the group's versions. */
  async #notifyAggregator(group: string): Promise<void> {
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    const served = this.#groups.get(group)?.versions.map(({ version }) => version) ?? [];
    const versions = this.#reported.get(group) ?? new Set<string>();
    for (const version of versions) {
      if (!served.includes(version)) await this.#send('DELETE', `${path}/${version}.${group}`);
    }
    for (const version of served) {
      if (!versions.has(version)) await this.#send('POST', path, apiServiceOf(group, version));
    }
    this.#reported.set(group, new Set(served));
  }

  /** Recreates the deleted APIService of a version that is still served. */
  #restore(name: string): void {
    for (const [group, versions] of this.#reported) {
      const version = name.slice(0, -group.length - 1);
      if (!versions.has(version) || name !== `${version}.${group}`) continue;
      this.#reported.set(group, new Set([...versions].filter((other) => other !== version)));
      this.#later(autoregisterController, group, this.#notifyAggregator);
    }
  }

  readonly #reported = new Map<string, ReadonlySet<string>>();
}

/** Whether the change requires new endpoints for the definition. */
const isServedOtherwise = (before: CustomResourceDefinition, after: CustomResourceDefinition): boolean =>
  !isEstablished(before) ||
  before.metadata.generation !== after.metadata.generation ||
  before.metadata.uid !== after.metadata.uid;

const apiServiceOf = (group: string, version: string): object => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: {
    name: `${version}.${group}`,
    labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' },
  },
  spec: {
    group,
    version,
    groupPriorityMinimum: customResourcePriority.group,
    versionPriority: customResourcePriority.version,
  },
});
