/** Shared code of the set commands: finds objects, changes them and sends the difference. */
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool } from '@coxswain/cobra';
import type { CommandContext } from '../../context.ts';
import { asError, throwFailures } from '../../errors.ts';
import { readDryRun, type DryRun } from '../../flags/dry-run.ts';
import { printFlags, type PrintFlagValues } from '../../flags/print.ts';
import { dryRunFlag, fieldManagerFlag, filenameFlags, selectorFlag } from '../../flags/object-flags.ts';
import { podPatchSchema } from '../../patch/pod-rules.ts';
import { threeWayStrategicPatch } from '../../patch/three-way.ts';
import { ResourceHelper } from '../../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../../resource/info.ts';
import { typedForm } from '../../typed.ts';
import { localNames, select } from '../../resource/select.ts';
import { recorded } from '../../record/change-cause.ts';
import { placeOf, SetFailure } from './pod-specs.ts';

export const setFlags = {
  ...printFlags,
  ...dryRunFlag,
  ...fieldManagerFlag('kubectl-set'),
  ...filenameFlags('that name the objects to change'),
  all: bool({ usage: 'Select all objects of the given types in the namespace.' }),
  local: bool({
    usage: 'Run locally: change the objects in files and print them, without contacting a server.',
  }),
};

export const setSelectorFlags = { ...setFlags, ...selectorFlag };

export interface SetFlagValues extends PrintFlagValues {
  readonly dryRun: string;
  readonly fieldManager: string;
  readonly filename: readonly string[];
  readonly kustomize?: string;
  readonly recursive: boolean;
  readonly all: boolean;
  readonly local: boolean;
  readonly selector?: string;
}

export interface SetChange {
  /** `image updated` */
  readonly operation: string;
  /** Prefix for the server's message if it refuses. */
  readonly failure: string;
  /** With --local, refuses objects named on the command line instead of ignoring them. */
  readonly refusesLocalNames?: boolean;
  /** Printed instead of the first written object. */
  readonly unprinted?: string;
  /** Writes objects even if nothing changes. */
  readonly writesUnchanged?: boolean;
  /** Further checks of the command line, reported once the objects are found. */
  check?(infos: readonly Info[]): readonly Error[];
  /** Reports all mistakes instead of only the first. */
  readonly reportsAllErrors?: boolean;
  /**
   * Returns the changed object; undefined, or the same one, if nothing changes.
   * @param tell reports a problem; what could be changed is written nevertheless
   */
  change(object: KubeObject, info: Info, report: (problem: Error) => void): KubeObject | undefined;
}

type Outcome = { readonly info: Info; readonly before: KubeObject } & (
  | { readonly after: KubeObject }
  | { readonly failure: Error }
);

/** Finds and changes all objects before the first one is written. */
export async function changeObjects(
  context: CommandContext,
  flags: SetFlagValues,
  resources: readonly string[],
  set: SetChange,
): Promise<void> {
  const dryRun = readDryRun(context, flags.dryRun);
  const write = await writerOf(context, flags, dryRun, set);
  if (set.refusesLocalNames && flags.local && resources.length > 0) throw new Error(localNames);
  const { infos, failures } = await (await selectToSet(context, flags, resources)).collect();
  throwFailures(failures);
  const mistakes = [...contradictions(flags, dryRun), ...(set.check?.(infos) ?? [])];
  throwFailures(set.reportsAllErrors ? mistakes : mistakes.slice(0, 1));
  const problems: Error[] = [];
  const outcomes = infos.flatMap((info) => changed(context, info, set, (one) => problems.push(one)));
  for (const outcome of outcomes) {
    try {
      if ('failure' in outcome) throw outcome.failure;
      await write(outcome.info, outcome.before, outcome.after);
    } catch (failure) {
      problems.push(asError(failure));
    }
  }
  throwFailures(problems);
}

/** Like {@link changeObjects}, but writes each object before the next one is processed. */
export async function changeOneByOne(
  context: CommandContext,
  flags: SetFlagValues,
  resources: readonly string[],
  set: SetChange,
): Promise<void> {
  const dryRun = readDryRun(context, flags.dryRun);
  const write = await writerOf(context, flags, dryRun, set);
  if (set.refusesLocalNames && flags.local && resources.length > 0) throw new Error(localNames);
  const selected = await selectToSet(context, flags, resources);
  await selected.each(async (info) => {
    const before = objectOf(info);
    const after = set.change(before, info, (problem) => {
      throw problem;
    });
    await write(info, before, recorded(context, after ?? before));
  });
}

export const localOnServer = 'cannot specify --local and --dry-run=server - did you mean --dry-run=client?';

function contradictions(flags: SetFlagValues, dryRun: DryRun): readonly Error[] {
  const reported = [
    flags.all && flags.selector ? 'cannot set --all and --selector at the same time' : '',
    flags.local && dryRun === 'server' ? localOnServer : '',
  ];
  return reported.filter((text) => text !== '').map((text) => new Error(text));
}

function changed(
  context: CommandContext,
  info: Info,
  set: SetChange,
  report: (problem: Error) => void,
): readonly Outcome[] {
  const before = objectOf(info);
  try {
    const after = set.change(before, info, report);
    return after === undefined ? [] : [{ info, before, after: recorded(context, after) }];
  } catch (failure) {
    return [{ info, before, failure: new SetFailure(`${placeOf(info)} ${asError(failure).message}`) }];
  }
}

/** Sends the difference and prints the server's result; with --local and client-side dry runs, the object itself. */
async function writerOf(
  context: CommandContext,
  flags: SetFlagValues,
  dryRun: DryRun,
  { operation, failure, unprinted, writesUnchanged = false }: SetChange,
): Promise<(info: Info, before: KubeObject, after: KubeObject) => Promise<void>> {
  const print = await context.printer(flags, { operation, dryRun, order: 'declared' });
  return async (info, before, after) => {
    const patch = difference(before, after);
    if (!writesUnchanged && Object.keys(patch as object).length === 0) return;
    if (flags.local) return context.print(print(await typedForm(after)));
    if (dryRun === 'client') return context.print(print(after));
    const helper = new ResourceHelper(await context.client(), mappingOf(info));
    const options = { dryRun: dryRun === 'server', fieldManager: flags.fieldManager };
    const actual = await helper
      .patch(info.namespace, info.name, 'strategic', patch, options)
      .catch((error) => {
        if (failure === '') throw error;
        throw new Error(`${failure}${messageOf(error)}`, { cause: error });
      });
    if (unprinted !== undefined) throw new Error(unprinted);
    context.print(print(actual));
  };
}

export async function selectToSet(
  context: CommandContext,
  flags: Omit<SetFlagValues, keyof PrintFlagValues>,
  resources: readonly string[],
) {
  const { namespace, explicit } = flags.local
    ? { namespace: '', explicit: false }
    : await context.namespace();
  return select(context, {
    filenames: flags.filename,
    kustomize: flags.kustomize ?? '',
    recursive: flags.recursive,
    namespace,
    requireNamespace: explicit,
    continueOnError: true,
    local: flags.local,
    typed: true,
    ...(flags.local
      ? {}
      : {
          args: resources,
          labelSelector: flags.selector ?? '',
          allowEmptySelector: flags.all,
          latest: true,
        }),
  });
}

function difference(before: KubeObject, after: KubeObject): unknown {
  type Json = Parameters<typeof threeWayStrategicPatch>[0];
  const [from, to] = [before as unknown as Json, after as unknown as Json];
  return threeWayStrategicPatch(from, to, from, podPatchSchema);
}
