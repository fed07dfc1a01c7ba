import {
  formatTime,
  isStatusError,
  type GroupVersionResource,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { ControllerContext } from '../controller.ts';
import { hasCondition, type Migration } from './migration.ts';

interface Definition extends KubeObject {
  readonly spec?: { readonly versions: readonly { readonly name: string; readonly storage: boolean }[] };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
    readonly storedVersions?: readonly string[];
  };
}

const definitions: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};
const conditionType = 'StorageMigrating';
const fieldManager = 'migration-runner-controller';
/** The number of attempts in case of conflicts. */
const conflictTriesMax = 5;

/** Reports in a CustomResourceDefinition that its objects are being migrated. */
export const reportRunning = (context: ControllerContext, migration: Migration): Promise<void> =>
  change(context, migration, ({ metadata: { generation } }) => ({
    conditions: [
      {
        status: 'True',
        reason: 'MigrationRunning',
        message: `Migration ${migration.metadata.name} is running`,
        observedGeneration: generation,
      },
    ],
  }));

/**
 * Reports how the migration ended. After a success, only the current storage version remains in storedVersions, unless
 * the definition was changed in the meantime.
 */
export const reportEnded = (context: ControllerContext, migration: Migration): Promise<void> =>
  change(context, migration, ({ metadata: { generation }, spec, status }) => {
    const known = status?.conditions?.find(({ type }) => type === conditionType);
    const isSame = known?.observedGeneration === generation;
    const succeeded = hasCondition(migration, 'MigrationSucceeded');
    const stored = spec?.versions.find(({ storage }) => storage)?.name;
    const outcome = isSame
      ? ' and the stored versions have been updated'
      : ' but the stored versions have not been updated due to a generation mismatch';
    return {
      conditions: [
        {
          status: 'False',
          reason: succeeded ? 'MigrationSucceeded' : 'MigrationFailed',
          message: succeeded ? `The migration has succeeded${outcome}` : 'The migration has failed',
          observedGeneration: generation,
        },
      ],
      ...(isSame && stored !== undefined ? { storedVersions: [stored] } : {}),
    };
  });

interface Reported {
  readonly conditions: readonly object[];
  readonly storedVersions?: readonly string[];
}

/**
 * Does nothing for resources without a definition. The resourceVersion ensures that it is unchanged since it was read.
 */
async function change(
  { client, clock }: ControllerContext,
  { spec }: Migration,
  reported: (definition: Definition) => Reported,
): Promise<void> {
  const access = client.resource<Definition>(definitions);
  const name = `${spec?.resource?.resource}.${spec?.resource?.group}`;
  for (let tries = 1; ; tries++) {
    try {
      const definition = await access.get(name);
      const { conditions, ...rest } = reported(definition);
      const lastTransitionTime = formatTime(clock.now());
      const status = {
        ...rest,
        conditions: conditions.map((one) => ({ type: conditionType, lastTransitionTime, ...one })),
      };
      const metadata = { name, resourceVersion: definition.metadata.resourceVersion ?? '' };
      const object = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata,
        status,
      };
      await access.apply(object as Definition, { fieldManager, force: true, subresource: 'status' });
      return;
    } catch (failure) {
      if (isStatusError(failure, 'NotFound')) return;
      if (!isStatusError(failure, 'Conflict') || tries === conflictTriesMax) throw failure;
    }
  }
}
