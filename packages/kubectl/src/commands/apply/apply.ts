import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { bool, lazy, stringArray } from '@coxswain/cobra';
import { lastApplied, lastAppliedAnnotation, withConfiguration } from '../../apply/last-applied.ts';
import { describeInfo, patchObject } from '../../apply/patcher.ts';
import { applyOnServer } from '../../apply/server-side.ts';
import { command, usageError } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { Failures, asError } from '../../errors.ts';
import { deletionFlags, readCascade } from '../../flags/delete.ts';
import { readDryRun, readValidation, type DryRun } from '../../flags/dry-run.ts';
import {
  dryRunFlag,
  fieldManagerFlag,
  filenameFlags,
  recordFlag,
  selectorFlag,
  subresourceFlag,
  validateFlag,
} from '../../flags/shared.ts';
import { printFlags } from '../../flags/print.ts';
import { ResourceHelper } from '../../resource/helper.ts';
import { mappingOf, objectOf, refreshed, type Info } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';
import { contentValidator } from '../../resource/validate.ts';
import { sourced } from '../../resource/with-source.ts';

const flags = {
  ...printFlags,
  ...dryRunFlag,
  ...validateFlag,
  ...fieldManagerFlag('kubectl-client-side-apply'),
  ...filenameFlags('that describe what is to be'),
  ...selectorFlag,
  ...subresourceFlag,
  ...recordFlag,
  ...deletionFlags,
  all: bool({ usage: 'With --prune: all resources.' }),
  forceConflicts: bool({ usage: 'With --server-side: take fields over from other managers.' }),
  openapiPatch: bool({ default: true, usage: 'Make patches from the OpenAPI of the server.' }),
  overwrite: bool({
    default: true,
    usage: 'Resolve conflicts between what is and what is to be by what is to be.',
  }),
  prune: bool({ usage: 'Delete objects that were applied before and are no longer described.' }),
  pruneAllowlist: stringArray({ usage: 'With --prune: only these kinds, as GROUP/VERSION/KIND.' }),
  serverSide: bool({ usage: 'Let the server apply, with field managers.' }),
  wait: bool({ usage: 'Wait until what is deleted is gone.' }),
};

export type ApplyFlags = import('@coxswain/cobra').FlagValues<typeof flags>;

export const apply = command({
  use: 'apply (-f FILENAME | -k DIRECTORY)',
  long: `Make objects as files describe them: what isn't there is created, what is there is changed where it differs, and fields that the files no longer have are removed.

 What was applied last is kept in an annotation of the object, or, with --server-side, by the server.`,
  example: `  # From a file
  kubectl apply -f web.yaml

  # From standard input
  cat web.json | kubectl apply -f -

  # Let the server do it
  kubectl apply --server-side -f web.yaml`,
  disableFlagsInUseLine: true,
  flags,
  commands: [
    lazy({
      name: 'edit-last-applied',
      short: 'Edit what was applied last',
      load: async () => (await import('./edit-last-applied.ts')).editLastApplied,
    }),
    lazy({
      name: 'set-last-applied',
      short: 'Set what was applied last to what a file holds',
      load: async () => (await import('./set-last-applied.ts')).setLastApplied,
    }),
    lazy({
      name: 'view-last-applied',
      short: 'Show what was applied last',
      load: async () => (await import('./view-last-applied.ts')).viewLastApplied,
    }),
  ],
  async run(invocation) {
    const { context, flags, args, changed } = invocation;
    if (args.length > 0) throw usageError(invocation, `Unexpected args: [${args.join(' ')}]`);
    const dryRun = readDryRun(context, flags.dryRun);
    check(flags, dryRun);
    const operation = { serverSide: flags.serverSide, dryRun };
    const fieldValidation = readValidation(flags.validate);
    const fieldManager = flags.serverSide && !changed('fieldManager') ? 'kubectl' : flags.fieldManager;
    if (flags.filename.length === 0 && flags.kustomize === '')
      throw new Error('must specify one of -f and -k');
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      labelSelector: flags.selector,
      subresource: flags.subresource,
      namespace,
      requireNamespace: explicit,
      continueOnError: true,
      validate: contentValidator(context, fieldValidation),
    });
    const { infos, failures } = await selected.collect();
    if (infos.length === 0 && failures.length === 0) throw new Error('no objects passed to apply');
    const applied: Applied[] = [];
    const errors: Error[] = [...failures];
    for (const info of infos) {
      try {
        const done = await applyOne(context, flags, info, { ...operation, fieldManager, fieldValidation });
        applied.push(done);
        if (isNameOutput(flags)) await print(context, flags, done, dryRun);
      } catch (failure) {
        errors.push(asError(failure));
      }
    }
    if (!isNameOutput(flags)) await printAll(context, flags, applied, dryRun);
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new Failures(errors);
    if (flags.prune) {
      const { prune } = await import('../../apply/prune.ts');
      await prune(
        context,
        flags,
        applied.map(({ info }) => info),
        dryRun,
        namespace,
      );
    }
  },
});

function check(flags: ApplyFlags, dryRun: DryRun): void {
  readCascade(flags.cascade);
  if (flags.forceConflicts && !flags.serverSide)
    throw new Error('--force-conflicts only works with --server-side');
  if (dryRun === 'client' && flags.serverSide) {
    throw new Error(
      "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
    );
  }
  if (flags.force && flags.serverSide) throw new Error('--force cannot be used with --server-side');
  if (dryRun === 'server' && flags.force) throw new Error('--dry-run=server cannot be used with --force');
  if (flags.all && flags.selector !== '') throw new Error('cannot set --all and --selector at the same time');
  if (flags.prune && !flags.all && flags.selector === '') {
    throw new Error(
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    );
  }
}

const isNameOutput = ({ output, template }: ApplyFlags): boolean =>
  (output === '' && template === '') || output === 'name';

interface Applied {
  readonly info: Info;
  readonly operation: string;
}

export interface ApplyOptions {
  readonly serverSide: boolean;
  readonly dryRun: DryRun;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
}

async function applyOne(
  context: CommandContext,
  flags: ApplyFlags,
  info: Info,
  options: ApplyOptions,
): Promise<Applied> {
  const object = objectOf(info);
  if (info.name === '' && object.metadata.generateName) {
    throw new Error(`from ${object.metadata.generateName}: cannot use generate name with apply`);
  }
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  if (options.serverSide) return applyOnServer(context, helper, info, flags, options);
  return applyHere(context, helper, info, flags, options);
}

async function applyHere(
  context: CommandContext,
  helper: ResourceHelper,
  info: Info,
  flags: ApplyFlags,
  options: ApplyOptions,
): Promise<Applied> {
  const modified = withConfiguration(objectOf(info));
  const wanted = { ...info, object: modified };
  const write = {
    dryRun: options.dryRun === 'server',
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
  const current = await getCurrent(helper, info);
  if (current === undefined) {
    if (options.dryRun === 'client') return { info: wanted, operation: 'created' };
    try {
      return {
        info: refreshed(wanted, await helper.create(info.namespace, modified, write)),
        operation: 'created',
      };
    } catch (failure) {
      throw sourced('creating', info.source, failure);
    }
  }
  if (lastApplied(current) === undefined) warnOfMissing(context, info);
  if (options.dryRun === 'client') {
    const { patchFor } = await import('../../apply/patcher.ts');
    const { applyPatch } = await import('../../patch/apply-patch.ts');
    const { patchSchemaOf } = await import('../../patch/kind-schema.ts');
    const { type, patch } = await patchFor(context, wanted, modified, current);
    if (Object.keys(patch).length === 0) return { info: refreshed(wanted, current), operation: 'unchanged' };
    const { group, version, kind } = mappingOf(info);
    const patched = applyPatch(current, type, patch, await patchSchemaOf(context, group, version, kind));
    return { info: refreshed(wanted, patched), operation: 'configured' };
  }
  try {
    const { patched, changed } = await patchObject(context, helper, wanted, current, write);
    return { info: refreshed(wanted, patched), operation: changed ? 'configured' : 'unchanged' };
  } catch (failure) {
    if (!flags.force) throw failure;
    return {
      info: refreshed(wanted, await recreate(context, helper, wanted, current, flags)),
      operation: 'configured',
    };
  }
}

/** With --force, what can't be changed is deleted and made anew; what was there comes back if that fails. */
async function recreate(
  context: CommandContext,
  helper: ResourceHelper,
  info: Info,
  current: KubeObject,
  flags: ApplyFlags,
): Promise<KubeObject> {
  const { waitUntil } = await import('../../watch/until.ts');
  const grace = flags.gracePeriod < 0 ? {} : { gracePeriodSeconds: flags.gracePeriod };
  await helper.delete(info.namespace, info.name, { ...grace, propagationPolicy: readCascade(flags.cascade) });
  const waitMs = flags.timeout === 0 ? recreateWaitMs : flags.timeout;
  await waitUntil(
    context,
    { mapping: mappingOf(info), namespace: info.namespace, name: info.name },
    waitMs,
    (object) => (object === undefined ? true : undefined),
  );
  try {
    return await helper.create(info.namespace, info.object);
  } catch {
    const { resourceVersion: _version, uid: _uid, ...metadata } = current.metadata;
    await helper.create(info.namespace, { ...current, metadata });
    return current;
  }
}

const recreateWaitMs = 168 * 3600 * 1000;

async function getCurrent(helper: ResourceHelper, info: Info): Promise<KubeObject | undefined> {
  try {
    if (info.name === '') throw new Error('resource name may not be empty');
    return await helper.get(info.namespace, info.name, info.subresource);
  } catch (failure) {
    if (failure instanceof StatusError && failure.reason === 'NotFound') return undefined;
    const text = (message: string) =>
      `error when retrieving current configuration of:\n${describeInfo(info)}\nfrom server for: "${info.source}": ${message}`;
    if (failure instanceof StatusError)
      throw StatusError.from({ ...failure.status, message: text(failure.message) });
    if ((failure as Error).name === 'Error' && (failure as Error).constructor === Error)
      throw new Error(text((failure as Error).message), { cause: failure });
    throw failure;
  }
}

function warnOfMissing(context: CommandContext, info: Info): void {
  context.warn(
    `resource ${mappingOf(info).resource}/${info.name} is missing the ${lastAppliedAnnotation} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.`,
  );
}

async function print(
  context: CommandContext,
  flags: ApplyFlags,
  { info, operation }: Applied,
  dryRun: DryRun,
): Promise<void> {
  const printer = await context.printer(flags, { operation, dryRun });
  context.print(printer(info.object));
}

async function printAll(
  context: CommandContext,
  flags: ApplyFlags,
  applied: readonly Applied[],
  dryRun: DryRun,
): Promise<void> {
  const printer = await context.printer(flags, { operation: 'configured', dryRun });
  const [first, ...others] = applied;
  if (first === undefined) return;
  if (others.length === 0) return context.print(printer(first.info.object));
  const items = applied.map(({ info }) => info.object);
  context.print(printer({ apiVersion: 'v1', items, kind: 'List', metadata: {} }));
}
