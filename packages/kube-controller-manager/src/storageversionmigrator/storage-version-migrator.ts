/**
 * Rewrites all objects of a resource so that they are stored in the current version: the oldest migration of a resource
 * is started, a resource version is recorded, and objects that are not newer are written without changes.
 */
import { epochMsOf, formatTime, isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { discoveryClient, type ApiResource } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { startReconciler } from '../reconciler.ts';
import { reportEnded, reportRunning } from './definition-conditions.ts';
import { hasCondition, hasEnded, migrations, turnOf, withCondition, type Migration } from './migration.ts';

const workers = 5;
/** How long the discovery of a newly defined resource may take. */
const discoveryMsMax = 60_000;
const verbsNeeded = ['update', 'patch', 'list'];
/** Not a valid namespace name: listing it is empty and returns the latest resource version. */
const nowhere = '@fake:svm_ns!';

export const storageVersionMigrator: Controller = {
  name: 'storage-version-migrator-controller',
  aliases: ['svm'],
  featureGates: ['StorageVersionMigrator'],
  serviceAccount: 'storage-version-migrator-controller',
  start(context) {
    const informer = context.informers.informer<Migration>(migrations);
    const migrator = new Migrator(context);
    const ready = () => informer.synced;
    const turns = startReconciler(context, {
      queueName: 'resource-version-controller',
      workers: 1,
      ready,
      reconcile: function giveTurns(resource) {
        return migrator.giveTurns(informer.lister.list().filter((one) => resourceKey(one) === resource));
      },
    });
    const work = startReconciler(context, {
      queueName: 'storage-version-migrator-controller',
      workers,
      ready,
      reconcile: async function syncMigration(name) {
        const migration = informer.lister.get(name);
        if (migration !== undefined && !hasEnded(migration)) await migrator.advance(migration);
      },
    });
    const look = (migration: Migration) => {
      turns.add(resourceKey(migration));
      work.addObject(migration);
    };
    informer.addHandler({
      ...onWrite(look),
      deleted: (migration) => turns.add(resourceKey(migration)),
    });
  },
};

const resourceKey = ({ spec }: Migration): string =>
  `${spec?.resource?.resource}.${spec?.resource?.group ?? ''}`;

class Migrator {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Schedules the migrations of one resource. */
  async giveTurns(all: readonly Migration[]): Promise<void> {
    const { ended, next } = turnOf(all);
    for (const migration of ended) await this.#end(migration);
    if (next === undefined) return;
    await reportRunning(this.#context, next);
    await this.#report(next, 'MigrationRunning', 'MigrationRunning', 'The migration is running');
  }

  async advance(migration: Migration): Promise<void> {
    if (migration.status?.resourceVersion) return this.#migrate(migration);
    if (hasCondition(migration, 'MigrationRunning')) await this.#noteVersion(migration);
  }

  async #end(migration: Migration): Promise<void> {
    await reportEnded(this.#context, migration);
    const lastTransitionTime = formatTime(this.#context.clock.now());
    const { generation: observedGeneration = 0 } = migration.metadata;
    const conditions = (migration.status?.conditions ?? []).map((one) =>
      one.type === 'MigrationRunning'
        ? {
            ...one,
            status: 'False',
            reason: 'MigrationCompleted',
            message: 'Migration completed',
            lastTransitionTime,
            observedGeneration,
          }
        : one,
    );
    await this.#migrations.updateStatus({
      ...migration,
      status: { ...migration.status, conditions },
    } as Migration);
  }

  async #noteVersion(migration: Migration): Promise<void> {
    const found = await this.#resourceOf(migration);
    if (found === undefined) return this.#missing(migration, 'resource does not exist in discovery');
    if (!verbsNeeded.every((verb) => found.verbs.includes(verb))) {
      const text = `resource "${found.group}/${found.version}, Resource=${found.resource}" does not support discovery operations: [${verbsNeeded.join(' ')}]`;
      return this.#report(migration, 'MigrationFailed', failed, text);
    }
    const objects = this.#context.client.resource<KubeObject>(found).metadataOnly();
    const { metadata } = await (found.namespaced ? objects.namespace(nowhere) : objects).list({ limit: 1 });
    const status = { ...migration.status, resourceVersion: metadata.resourceVersion ?? '' };
    await this.#migrations.updateStatus({ ...migration, status } as Migration);
  }

  async #migrate(migration: Migration): Promise<void> {
    const found = await this.#resourceOf(migration);
    if (found === undefined)
      return this.#missing(
        migration,
        'migration encountered unhandled error: unable to obtain GVR from discovery',
      );
    const upTo = BigInt(migration.status!.resourceVersion!);
    const objects = this.#context.client.resource<KubeObject>(found);
    for await (const { metadata } of objects.metadataOnly().items()) {
      if (BigInt(metadata.resourceVersion ?? '0') > upTo) continue;
      const problem = await this.#rewrite(found, metadata);
      if (problem === undefined) continue;
      const text = `migration encountered unhandled error: ${problem.message}`;
      return this.#report(migration, 'MigrationFailed', failed, text);
    }
    await this.#report(migration, 'MigrationSucceeded', 'StorageVersionMigrationSucceeded', '');
  }

  /**
   * Applies nothing to exactly the object that was seen: one that has since been changed, deleted or recreated
   * conflicts, and has thus been written in the current version.
   * @returns why it can't be written, if retrying would not help
   */
  async #rewrite(
    found: ApiResource,
    { name = '', namespace, ...seen }: KubeObject['metadata'],
  ): Promise<Error | undefined> {
    const objects = this.#context.client.resource<KubeObject>(found);
    const { uid = '', resourceVersion = '' } = seen;
    const apiVersion = found.group === '' ? found.version : `${found.group}/${found.version}`;
    const patch = { apiVersion, kind: found.kind, metadata: { uid, resourceVersion } };
    try {
      await (namespace ? objects.namespace(namespace) : objects).patch(name, patch, {
        type: 'apply',
        fieldManager: this.#context.name,
      });
      return undefined;
    } catch (failure) {
      if (isStatusError(failure, 'Conflict')) return undefined;
      if (passing.some((reason) => isStatusError(failure, reason)) || !isStatusError(failure)) throw failure;
      return failure;
    }
  }

  /** The resource may have just been defined. */
  async #missing(migration: Migration, message: string): Promise<void> {
    const ageMs = this.#context.clock.now() - epochMsOf(migration.metadata.creationTimestamp ?? '');
    if (ageMs < discoveryMsMax)
      throw new Error('resource does not exist in our rest mapper, requeuing to attempt again');
    await this.#report(migration, 'MigrationFailed', failed, message);
  }

  async #resourceOf({ spec }: Migration): Promise<ApiResource | undefined> {
    const { resources } = await discoveryClient(this.#context.client.rest).discover();
    const { group = '', resource } = spec?.resource ?? {};
    return resources.find((one) => one.group === group && one.resource === resource);
  }

  async #report(migration: Migration, ...[type, reason, message]: Reported): Promise<void> {
    const now = formatTime(this.#context.clock.now());
    await this.#migrations.updateStatus(withCondition(migration, type, reason, message, now));
  }

  get #migrations() {
    return this.#context.client.resource<Migration>(migrations);
  }
}

type Reported = [type: Parameters<typeof withCondition>[1], reason: string, message: string];

const failed = 'StorageVersionMigrationFailed';

/** Failures after which the same request may succeed. */
const passing = [
  'ServerTimeout',
  'TooManyRequests',
  'ServiceUnavailable',
  'InternalError',
  'Timeout',
] as const;
