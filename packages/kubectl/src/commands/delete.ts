import { isNotFound } from '../resource/fetch.ts';
import { StatusError, type KubeObject, type Status } from '@coxswain/apimachinery';
import { bool, string } from '@coxswain/cobra';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import { dryRunSuffix, readDryRun, type DryRun } from '../flags/dry-run.ts';
import { deletionFlags, readCascade } from '../flags/delete.ts';
import {
  allNamespacesFlag,
  dryRunFlag,
  fieldSelectorFlag,
  filenameFlags,
  selectorFlag,
} from '../flags/object-flags.ts';
import { checkRawPath, sendRaw } from '../raw.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, type Info } from '../resource/info.ts';
import { groupKindOf, groupResourceOf } from '../mapping.ts';
import { select, type Selection } from '../resource/select.ts';
import { sourced } from '../resource/with-source.ts';
import { waitUntilGone, WaitTimeout } from '../watch/until.ts';

const flags = {
  ...deletionFlags,
  ...dryRunFlag,
  ...filenameFlags('that name the objects to delete'),
  ...selectorFlag,
  ...fieldSelectorFlag,
  ...allNamespacesFlag,
  all: bool({ usage: 'Select all objects of the given types in the namespace.' }),
  ignoreNotFound: bool({
    usage: 'Treat "object not found" as success. Defaults to true with --all.',
  }),
  interactive: bool({ shorthand: 'i', usage: 'Prompt before deleting.' }),
  now: bool({ usage: 'Shut down immediately; same as --grace-period=1.' }),
  output: string({ shorthand: 'o', usage: 'Output mode. Use "-o name" for shorter output (resource/name).' }),
  raw: string({ usage: 'Raw URI to DELETE.' }),
  wait: bool({ default: true, usage: 'Wait until the objects are gone before returning.' }),
};

type DeleteFlags = import('@coxswain/cobra').FlagValues<typeof flags>;

export const deleteCommand = command({
  use: 'delete ([-f FILENAME] | [-k DIRECTORY] | TYPE [(NAME | -l label | --all)])',
  long: `Delete objects by file, by kind and name, or by kind and selector.

 Some objects, such as pods, have a grace period before they are deleted. With --force they are removed immediately, even though the processes may still be running, so two pods with the same identity can run at the same time. Use it only if you are sure that the old pod has ended.

 Changes that others make to the object at the same time are lost with it.`,
  example: `  # What a file describes
  kubectl delete -f pod.yaml

  # By kind and name
  kubectl delete pod,service web

  # By label
  kubectl delete pods,services -l app=web

  # A pod on a dead node, at once
  kubectl delete pod web --force`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags,
  async run({ context, flags, args, changed }) {
    const gracePeriod = gracePeriodOf(flags);
    const dryRun = readDryRun(context, flags.dryRun);
    const cascade = readCascade(flags.cascade, (text) => context.printError(text));
    const { namespace, explicit } = await context.namespace();
    const selection: Selection = {
      args,
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit,
      allNamespaces: flags.allNamespaces,
      labelSelector: flags.selector,
      fieldSelector: flags.fieldSelector,
      selectAll: flags.all,
      requireObject: false,
      continueOnError: true,
    };
    const bySelector = flags.all || flags.selector !== '' || flags.fieldSelector !== '';
    const ignoreNotFound = bySelector && !changed('ignoreNotFound') ? true : flags.ignoreNotFound;
    if (flags.raw === '') await select(context, selection);
    check(context, flags, gracePeriod);
    if (flags.raw !== '') return sendRaw(context, 'DELETE', flags.raw, flags.filename[0]);
    const options: Deletion = {
      output: flags.output,
      gracePeriod,
      cascade,
      dryRun,
      ignoreNotFound,
      warnClusterScope: explicit && !flags.allNamespaces,
      wait: flags.wait,
      timeoutMs: flags.timeout === 0 ? waitForeverMs : flags.timeout,
    };
    if (!flags.interactive) return deleteSelected(context, selection, options);
    const confirmed = await confirm(context, selection, ignoreNotFound);
    if (confirmed !== undefined) await deleteSelected(context, selection, { ...options, only: confirmed });
  },
});

/** "Forever" means a week. */
const waitForeverMs = 168 * 3600 * 1000;

export interface Deletion {
  readonly output: string;
  /** In seconds; negative for the object's default. */
  readonly gracePeriod: number;
  /** `Background`, `Foreground` or `Orphan`. */
  readonly cascade: string;
  readonly dryRun: DryRun;
  readonly ignoreNotFound: boolean;
  readonly warnClusterScope?: boolean;
  readonly wait: boolean;
  readonly timeoutMs: number;
  readonly quiet?: boolean;
  /** The keys of the objects that the user confirmed. */
  readonly only?: ReadonlySet<string>;
}

function gracePeriodOf(flags: DeleteFlags): number {
  if (flags.now && flags.gracePeriod !== -1)
    throw new Error('--now and --grace-period cannot be specified together');
  const wanted = flags.now ? 1 : flags.gracePeriod;
  // Requires --force for an immediate deletion.
  if (wanted === 0 && !flags.force) return 1;
  return flags.force && wanted < 0 ? 0 : wanted;
}

function check(context: CommandContext, flags: DeleteFlags, gracePeriod: number): void {
  if (flags.output !== '' && flags.output !== 'name') {
    throw new Error(`unexpected -o output mode: ${flags.output}. We only support '-o name'`);
  }
  if (flags.all && flags.selector !== '') throw new Error('cannot set --all and --selector at the same time');
  if (flags.all && flags.fieldSelector !== '')
    throw new Error('cannot set --all and --field-selector at the same time');
  if (gracePeriod === 0 && flags.force) {
    context.warn(
      'Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.',
    );
  }
  if (gracePeriod > 0 && flags.force)
    throw new Error('--force and --grace-period greater than 0 cannot be specified together');
  if (flags.raw !== '') checkRaw(flags);
}

function checkRaw(flags: DeleteFlags): void {
  if (flags.interactive) throw new Error('--interactive can not be used with --raw');
  if (flags.filename.length > 1) throw new Error('--raw can only use a single local file or stdin');
  if (/^https?:\/\//.test(flags.filename[0] ?? '')) throw new Error('--raw cannot read from a url');
  if (flags.recursive) throw new Error('--raw and --recursive are mutually exclusive');
  if (flags.output !== '') throw new Error('--raw and --output are mutually exclusive');
  checkRawPath(flags.raw);
}

const keyOf = (info: Info): string => `${groupResourceOf(mappingOf(info))}/${info.namespace}/${info.name}`;

/** Returns the keys of the confirmed objects, or nothing. */
async function confirm(
  context: CommandContext,
  selection: Selection,
  ignoreNotFound: boolean,
): Promise<ReadonlySet<string> | undefined> {
  const selected = await select(context, { ...selection, ...(ignoreNotFound ? { ignore: isNotFound } : {}) });
  const infos: Info[] = [];
  await selected.each(async (info) => void infos.push(info));
  if (infos.length === 0) {
    context.print('No resources found\n');
    return undefined;
  }
  context.print(`You are about to delete the following ${infos.length} resource(s):\n`);
  for (const info of infos)
    context.print(
      `${groupKindOf(mappingOf(info)).replace(/^[^.]*/, (kind) => kind.toLowerCase())}/${info.name}\n`,
    );
  context.print('Do you want to continue? (y/N): ');
  const [answer = ''] = (await context.io.stdin()).split('\n');
  if (answer.trim().toLowerCase() === 'y') return new Set(infos.map(keyOf));
  context.print('deletion is cancelled\n');
  return undefined;
}

/** Deletes the selected objects and waits until they are gone. */
export async function deleteSelected(
  context: CommandContext,
  selection: Selection,
  options: Deletion,
): Promise<void> {
  const selected = await select(context, {
    ...selection,
    ...(options.ignoreNotFound ? { ignore: isNotFound } : {}),
  });
  const deleted: { readonly info: Info; readonly uid: string | undefined }[] = [];
  let warn = options.warnClusterScope === true;
  let found = 0;
  await selected.each(async (info) => {
    if (options.only !== undefined && !options.only.has(keyOf(info))) return;
    found++;
    if (warn && !mappingOf(info).namespaced) {
      context.warn('deleting cluster-scoped resources, not scoped to the provided namespace');
      warn = false;
    }
    if (options.dryRun === 'client') return printDeleted(context, info, options);
    const uid = await deleteOne(context, info, options);
    deleted.push({ info, uid });
  });
  if (found === 0) return options.quiet ? undefined : context.print('No resources found\n');
  if (!options.wait || options.dryRun !== 'none') return;
  for (const { info, uid } of deleted) await waitForEnd(context, info, uid, options.timeoutMs);
}

async function deleteOne(
  context: CommandContext,
  info: Info,
  options: Deletion,
): Promise<string | undefined> {
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  let answer: KubeObject | Status;
  try {
    answer = await helper.delete(info.namespace, info.name, {
      ...(options.gracePeriod < 0 ? {} : { gracePeriodSeconds: options.gracePeriod }),
      propagationPolicy: options.cascade,
      ...(options.dryRun === 'server' ? { dryRun: ['All'] } : {}),
    });
  } catch (failure) {
    throw sourced('deleting', info.source, failure);
  }
  printDeleted(context, info, options);
  return answer.kind === 'Status' ? (answer as Status).details?.uid : (answer as KubeObject).metadata?.uid;
}

function printDeleted(context: CommandContext, info: Info, options: Deletion): void {
  if (options.quiet) return;
  const mapping = mappingOf(info);
  const kind = groupKindOf({ ...mapping, kind: mapping.kind.toLowerCase() });
  if (options.output === 'name') return context.print(`${kind}/${info.name}\n`);
  const operation = options.gracePeriod === 0 ? 'force deleted' : 'deleted';
  const where = mapping.namespaced ? ` from ${info.namespace} namespace` : '';
  context.print(`${kind} "${info.name}" ${operation}${where}${dryRunSuffix(options.dryRun)}\n`);
}

async function waitForEnd(
  context: CommandContext,
  info: Info,
  uid: string | undefined,
  timeoutMs: number,
): Promise<void> {
  const mapping = mappingOf(info);
  try {
    const target = { mapping, namespace: info.namespace, name: info.name };
    await waitUntilGone(context, target, timeoutMs, uid);
  } catch (failure) {
    // Without permission to read objects, waiting is impossible, but the deletion has succeeded.
    if (
      failure instanceof StatusError &&
      (failure.reason === 'Forbidden' || failure.reason === 'MethodNotAllowed')
    )
      return;
    if (failure instanceof WaitTimeout)
      throw new Error(`${failure.message} on ${mapping.resource}/${info.name}`, { cause: failure });
    throw failure;
  }
}
