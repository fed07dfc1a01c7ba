/** The common part of `label` and `annotate`. */
import { bool, string, type FlagValues } from '@coxswain/cobra';
import type { KubeObject } from '@coxswain/apimachinery';
import { createMergePatch } from '@coxswain/apimachinery/merge-patch.ts';
import type { CommandContext } from '../context.ts';
import { printFlags } from '../flags/print.ts';
import { readDryRun, type DryRun } from '../flags/dry-run.ts';
import {
  allNamespacesFlag,
  dryRunFlag,
  fieldManagerFlag,
  fieldSelectorFlag,
  filenameFlags,
  recordFlag,
  selectorFlag,
} from '../flags/object-flags.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { select } from '../resource/select.ts';
import type { Changes } from './pairs.ts';
import { recorded } from '../record/change-cause.ts';

export const metadataFlags = (what: string) => ({
  ...printFlags,
  ...dryRunFlag,
  ...fieldManagerFlag(`kubectl-${what}`),
  ...filenameFlags(`that name the objects to ${what}`),
  ...selectorFlag,
  ...fieldSelectorFlag,
  ...allNamespacesFlag,
  ...recordFlag,
  all: bool({ usage: 'Select all objects of the given types in the namespace.' }),
  list: bool({ usage: 'Display the current values of the objects.' }),
  local: bool({
    usage: 'Run locally: change the objects in files and print them, without contacting a server.',
  }),
  overwrite: bool({ usage: 'Overwrite existing values.' }),
  resourceVersion: string({
    usage: 'Update only if the current resource version of the object is this one. Only for a single object.',
  }),
});

export type MetadataFlags = FlagValues<ReturnType<typeof metadataFlags>>;

export interface MetadataChange {
  readonly field: 'labels' | 'annotations';
  /** The term used in messages. */
  readonly what: 'label' | 'annotation';
  readonly changes: Changes;
  /** Called after all other checks. @throws Error for contradictory changes */
  checkChanges?(): void;
  /** Example names for the error about --local without a file. */
  readonly localExample: string;
  /** @throws Error if a value exists and may not be overwritten */
  refuseOverwrites(current: Readonly<Record<string, string>>): void;
  /** Describes what happened, for the printed line. */
  operation(added: number, removed: number): string;
  /** Whether nothing is written if nothing changed. */
  readonly skipUnchanged: boolean;
  readonly reportMissing: boolean;
  /** Whether the output options are checked before anything else. */
  readonly checksPrinting: boolean;
  /** Whether --list and --output exclude each other. */
  readonly refusesListInForm: boolean;
}

export async function changeMetadata(
  context: CommandContext,
  flags: MetadataFlags,
  resources: readonly string[],
  change: MetadataChange,
): Promise<void> {
  const dryRun = readDryRun(context, flags.dryRun);
  if (change.checksPrinting) await context.printer(flags, { operation: '', dryRun });
  check(flags, resources, change, dryRun);
  const { namespace, explicit } = flags.local
    ? { namespace: '', explicit: false }
    : await context.namespace();
  const selected = await select(context, {
    filenames: flags.filename,
    kustomize: flags.kustomize,
    recursive: flags.recursive,
    namespace,
    requireNamespace: explicit,
    continueOnError: true,
    local: flags.local,
    ...(flags.local
      ? {}
      : {
          args: resources,
          labelSelector: flags.selector,
          fieldSelector: flags.fieldSelector,
          allNamespaces: flags.allNamespaces,
          allowEmptySelector: flags.all,
          latest: true,
        }),
  });
  if (!selected.singleItemImplied && flags.resourceVersion !== '') {
    throw new Error('--resource-version may only be used with a single resource');
  }
  const isLocal = dryRun === 'client' || flags.local || flags.list;
  await selected.each(async (info) => {
    const before = isLocal ? objectOf(info) : recorded(context, objectOf(info));
    const { object, added, removed, missing } = changed(before, flags, change);
    if (!isLocal && change.reportMissing)
      for (const key of missing) context.print(`label "${key}" not found.\n`);
    const written =
      isLocal || (change.skipUnchanged && added + removed === 0)
        ? undefined
        : await write(context, flags, info, withoutEmptied(object, change.field), dryRun);
    if (flags.list) return context.print(listText(info, object, change, selected.singleItemImplied));
    const print = await context.printer(flags, { operation: change.operation(added, removed), dryRun });
    context.print(print(change.field === 'annotations' ? (written ?? object) : object));
  });
}

function check(
  flags: MetadataFlags,
  resources: readonly string[],
  change: MetadataChange,
  dryRun: DryRun,
): void {
  const { what, changes, localExample } = change;
  if (flags.list && flags.output !== '' && change.refusesListInForm)
    throw new Error('--list and --output may not be specified together');
  if (flags.all && flags.selector !== '') throw new Error('cannot set --all and --selector at the same time');
  if (flags.all && flags.fieldSelector !== '')
    throw new Error('cannot set --all and --field-selector at the same time');
  const noFiles = flags.filename.length === 0 && flags.kustomize === '';
  if (flags.local) {
    if (dryRun === 'server')
      throw new Error('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
    if (resources.length > 0) {
      throw new Error(
        `can only use local files by -f ${localExample}.yaml or --filename=${localExample}.json when --local=true is set`,
      );
    }
    if (noFiles) {
      throw new Error(
        `one or more files must be specified as -f ${localExample}.yaml or --filename=${localExample}.json`,
      );
    }
  } else if (resources.length === 0 && noFiles) {
    throw new Error('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  }
  if (changes.set.size + changes.remove.length === 0 && !flags.list)
    throw new Error(`at least one ${what} update is required`);
  change.checkChanges?.();
}

function changed(object: KubeObject, flags: MetadataFlags, { field, changes, ...change }: MetadataChange) {
  const current = object.metadata[field] ?? {};
  if (!flags.overwrite) change.refuseOverwrites(current);
  const next = { ...current };
  let added = 0;
  for (const [key, value] of changes.set) {
    if (next[key] !== value) added++;
    next[key] = value;
  }
  const missing = changes.remove.filter((key) => !(key in next));
  for (const key of changes.remove) delete next[key];
  const metadata = {
    ...object.metadata,
    [field]: next,
    ...(flags.resourceVersion === '' ? {} : { resourceVersion: flags.resourceVersion }),
  };
  return { object: { ...object, metadata }, added, removed: changes.remove.length - missing.length, missing };
}

/** Emptied maps are removed from the object, whereas the printed output shows them. */
function withoutEmptied(object: KubeObject, field: MetadataChange['field']): KubeObject {
  if (Object.keys(object.metadata[field] ?? {}).length > 0) return object;
  const { [field]: _emptied, ...metadata } = object.metadata;
  return { ...object, metadata };
}

async function write(
  context: CommandContext,
  flags: MetadataFlags,
  info: Info,
  object: KubeObject,
  dryRun: DryRun,
): Promise<KubeObject> {
  const { resourceVersion: _version, ...metadata } = objectOf(info).metadata;
  const before = flags.resourceVersion === '' ? objectOf(info) : { ...objectOf(info), metadata };
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  return helper.patch(info.namespace, info.name, 'merge', createMergePatch(before, object), {
    dryRun: dryRun === 'server',
    fieldManager: flags.fieldManager,
  });
}

function listText(info: Info, object: KubeObject, { field }: MetadataChange, single: boolean): string {
  const pairs = Object.entries(object.metadata[field] ?? {}).map(
    ([key, value]) => `${single ? '' : ' '}${key}=${value}\n`,
  );
  const { group = '', kind = '' } = info.mapping ?? {};
  const heading = single ? '' : `Listing ${field} for ${kind}.${group}/${info.name}:\n`;
  return heading + pairs.join('');
}
