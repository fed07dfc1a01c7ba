/** What the set commands share: find objects, change them, send the difference. */
import type { KubeObject } from '@coxswain/apimachinery';
import { bool } from '@coxswain/cobra';
import type { CommandContext } from '../../context.ts';
import { readDryRun } from '../../flags/dry-run.ts';
import { printFlags, type PrintFlagValues } from '../../flags/print.ts';
import { dryRunFlag, fieldManagerFlag, filenameFlags, selectorFlag } from '../../flags/shared.ts';
import { podPatchSchema } from '../../patch/pod-rules.ts';
import { threeWayStrategicPatch } from '../../patch/three-way.ts';
import { ResourceHelper, type PatchType } from '../../resource/helper.ts';
import { mappingOf, objectOf, type Info } from '../../resource/info.ts';
import { typedForm } from '../../resource/typed.ts';
import { localNames, select } from '../../resource/select.ts';
import { recorded } from '../../record/change-cause.ts';

export const setFlags = {
  ...printFlags,
  ...dryRunFlag,
  ...fieldManagerFlag('kubectl-set'),
  ...filenameFlags('that name the objects to change'),
  all: bool({ usage: 'All objects of the kinds, in the namespace.' }),
  local: bool({ usage: 'Ask no server: change what files hold, and print it.' }),
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
  /** Put before the server's message when it refuses. */
  readonly failure: string;
  /** With --local, objects may not be named on the command line, instead of being passed over. */
  readonly refusesLocalNames?: boolean;
  /** The changed object; the same one when nothing changes. */
  change(object: KubeObject, info: Info): KubeObject | Promise<KubeObject>;
}

export async function changeObjects(
  context: CommandContext,
  flags: SetFlagValues,
  resources: readonly string[],
  { operation, failure, refusesLocalNames = false, change }: SetChange,
): Promise<void> {
  const dryRun = readDryRun(context, flags.dryRun);
  if (flags.local && dryRun === 'server')
    throw new Error('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
  if (refusesLocalNames && flags.local && resources.length > 0) throw new Error(localNames);
  const order = flags.local ? 'declared' : 'sorted';
  const print = await context.printer(flags, { operation, dryRun, order });
  const selected = await selectToSet(context, flags, resources);
  await selected.each(async (info) => {
    const before = objectOf(info);
    const after = recorded(context, await change(before, info));
    if (flags.local) return context.print(print(await typedForm(after)));
    if (dryRun === 'client') return context.print(print(after));
    const mapping = mappingOf(info);
    const [type, patch] = difference(before, after);
    if (Object.keys(patch as object).length === 0) return;
    const helper = new ResourceHelper(await context.client(), mapping);
    try {
      const options = { dryRun: dryRun === 'server', fieldManager: flags.fieldManager };
      context.print(print(await helper.patch(info.namespace, info.name, type, patch, options)));
    } catch (error) {
      if (failure === '') throw error;
      throw new Error(`${failure}${(error as Error).message}`, { cause: error });
    }
  });
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

function difference(before: KubeObject, after: KubeObject): [PatchType, unknown] {
  type Json = Parameters<typeof threeWayStrategicPatch>[0];
  const [from, to] = [before as unknown as Json, after as unknown as Json];
  return ['strategic', threeWayStrategicPatch(from, to, from, podPatchSchema)];
}

/** @throws Error when nothing says which objects */
export function requireObjects(
  resources: readonly string[],
  { filename, kustomize = '' }: Pick<SetFlagValues, 'filename' | 'kustomize'>,
): void {
  if (resources.length === 0 && filename.length === 0 && kustomize === '') {
    throw new Error('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  }
}
