import type * as autoscaling from '@coxswain/api/autoscaling/v1/index.ts';
import { StatusError, type KubeObject, type Live } from '@coxswain/apimachinery';
import { bool, duration, int, string } from '@coxswain/cobra';
import { command } from '../command.ts';
import { typesAndNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import { throwFailures } from '../errors.ts';
import { printFlags } from '../flags/print.ts';
import { readDryRun, type DryRun } from '../flags/dry-run.ts';
import { dryRunFlag, filenameFlags, recordFlag, selectorFlag } from '../flags/object-flags.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { select } from '../resource/select.ts';
import { recordPatch } from '../record/change-cause.ts';

/** The delay after a conflict, and the interval of status checks. */
const retryMs = 1000;
/** How long to retry after conflicts. */
const retryTimeMs = 5 * 60 * 1000;

export const scale = command({
  use: 'scale [--resource-version=version] [--current-replicas=count] --replicas=COUNT (-f FILENAME | TYPE NAME)',
  long: `Set the number of replicas of a deployment, replica set, replication controller, stateful set or any other scalable object.

 --current-replicas and --resource-version are preconditions for scaling.`,
  example: `  # Three replicas
  kubectl scale --replicas=3 deployment/web

  # Only if there are two now
  kubectl scale --current-replicas=2 --replicas=3 deployment/web

  # Several at once
  kubectl scale --replicas=5 deployment/web statefulset/database`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: ['deployment', 'replicaset', 'replicationcontroller', 'statefulset'] }),
  flags: {
    ...printFlags,
    ...dryRunFlag,
    ...filenameFlags('that name the objects to scale'),
    ...selectorFlag,
    ...recordFlag,
    all: bool({ usage: 'Select all objects of the given types in the namespace.' }),
    currentReplicas: int({
      default: -1,
      usage: 'Scale only if the current number of replicas is this one. -1 means any number.',
    }),
    replicas: int({ usage: 'The new number of replicas.', required: true }),
    resourceVersion: string({
      usage: 'Scale only if the current resource version of the object is this one.',
    }),
    timeout: duration({ usage: 'How long to wait for the scale operation to finish. 0 means not to wait.' }),
  },
  async run({ context, flags, args }) {
    const dryRun = readDryRun(context, flags.dryRun);
    const print = await context.printer(flags, { operation: 'scaled', dryRun });
    if (flags.replicas < 0) {
      throw new Error('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
    }
    if (flags.currentReplicas < -1)
      throw new Error('The --current-replicas must specify an integer of -1 or greater');
    // Reports a missing server configuration before looking up the object.
    await context.client();
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      args,
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit,
      labelSelector: flags.selector,
      allowEmptySelector: flags.all,
      continueOnError: true,
    });
    const { infos, failures } = await selected.collect();
    if (flags.resourceVersion !== '' && infos.length > 1) {
      throw new Error('cannot use --resource-version with multiple resources');
    }
    if (infos.length === 0) {
      throwFailures(failures);
      throw new Error('no objects passed to scale');
    }
    for (const info of infos) {
      const replicas = dryRun === 'client' ? flags.replicas : await setReplicas(context, info, flags, dryRun);
      if (dryRun !== 'client') await noteCause(context, info);
      context.print(print(withReplicas(objectOf(info), replicas)));
    }
    throwFailures(failures);
  },
});

/** A failure to record the cause is ignored. */
async function noteCause(context: CommandContext, info: Info): Promise<void> {
  const patch = recordPatch(context, objectOf(info));
  if (patch === undefined) return;
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  await helper.patch(info.namespace, info.name, 'merge', patch).catch(() => undefined);
}

interface ScaleFlags {
  readonly replicas: number;
  readonly currentReplicas: number;
  readonly resourceVersion: string;
  readonly timeout: number;
}

type Scale = Live<autoscaling.Scale>;

/** Returns the resulting number of replicas according to the server. */
async function setReplicas(
  context: CommandContext,
  info: Info,
  flags: ScaleFlags,
  dryRun: DryRun,
): Promise<number> {
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  const endMs = context.clock.monotonic() + retryTimeMs;
  for (;;) {
    try {
      const scaled = await trySetReplicas(helper, info, flags, dryRun === 'server');
      if (flags.timeout > 0 && dryRun === 'none') await waitForReplicas(context, helper, info, flags);
      return scaled.spec?.replicas ?? 0;
    } catch (failure) {
      const isConflict = failure instanceof StatusError && failure.reason === 'Conflict';
      if (!isConflict || context.clock.monotonic() > endMs) throw failure;
      await context.clock.sleep(retryMs, context.signal);
    }
  }
}

async function trySetReplicas(
  helper: ResourceHelper,
  info: Info,
  flags: ScaleFlags,
  dryRun: boolean,
): Promise<Scale> {
  const options = { dryRun, subresource: 'scale' };
  if (flags.currentReplicas === -1 && flags.resourceVersion === '') {
    return helper.patch(info.namespace, info.name, 'merge', { spec: { replicas: flags.replicas } }, options);
  }
  const current: Scale = await helper.get(info.namespace, info.name, 'scale');
  const { replicas = 0 } = current.spec ?? {};
  if (flags.currentReplicas !== -1 && replicas !== flags.currentReplicas) {
    throw new Error(`Expected replicas to be ${flags.currentReplicas}, was ${replicas}`);
  }
  const { resourceVersion = '' } = current.metadata;
  if (flags.resourceVersion !== '' && resourceVersion !== flags.resourceVersion) {
    throw new Error(`Expected resource version to be ${flags.resourceVersion}, was ${resourceVersion}`);
  }
  const wanted = { ...current, spec: { ...current.spec, replicas: flags.replicas } };
  return helper.replace(info.namespace, info.name, wanted, false, options);
}

async function waitForReplicas(
  context: CommandContext,
  helper: ResourceHelper,
  info: Info,
  flags: ScaleFlags,
): Promise<void> {
  const endMs = context.clock.monotonic() + flags.timeout;
  for (;;) {
    const { spec, status }: Scale = await helper.get(info.namespace, info.name, 'scale');
    // The number was changed by others, so there is nothing to wait for.
    if ((spec?.replicas ?? 0) !== flags.replicas || (status?.replicas ?? 0) === flags.replicas) return;
    if (context.clock.monotonic() >= endMs)
      throw new Error(`timed out waiting for "${info.name}" to be synced`);
    await context.clock.sleep(retryMs, context.signal);
  }
}

/** Built-in kinds have the number in a known field; other kinds are unknown. */
function withReplicas(object: KubeObject, replicas: number): KubeObject {
  const group = object.apiVersion?.includes('/') ? object.apiVersion.split('/')[0] : '';
  if (group !== 'apps' && group !== '') return object;
  return { ...object, spec: { ...(object as { spec?: object }).spec, replicas } } as KubeObject;
}
