/** The options of `kubectl apply`, and their valid combinations. */
import { bool, string, stringArray, type FlagValues } from '@coxswain/cobra';
import { deletionFlags, readCascade } from '../../flags/delete.ts';
import type { DryRun } from '../../flags/dry-run.ts';
import { printFlags } from '../../flags/print.ts';
import {
  dryRunFlag,
  fieldManagerFlag,
  filenameFlags,
  recordFlag,
  selectorFlag,
  subresourceFlag,
  validateFlag,
} from '../../flags/object-flags.ts';

export const applyFlags = {
  ...printFlags,
  ...dryRunFlag,
  ...validateFlag,
  ...fieldManagerFlag('kubectl-client-side-apply'),
  ...filenameFlags('that describe what is to be'),
  ...selectorFlag,
  ...subresourceFlag,
  ...recordFlag,
  ...deletionFlags,
  all: bool({ usage: 'With --prune: select all objects of the given types in the namespace.' }),
  forceConflicts: bool({
    usage: 'With --server-side: take over fields from other managers in case of conflicts.',
  }),
  openapiPatch: bool({
    default: true,
    usage: 'Compute patches with the OpenAPI schema of the server, if available.',
  }),
  overwrite: bool({
    default: true,
    usage: 'Overwrite changes in the live object that conflict with the applied configuration.',
  }),
  prune: bool({ usage: 'Delete objects that were applied earlier but are no longer in the given files.' }),
  pruneAllowlist: stringArray({ usage: 'With --prune: prune only these kinds, as GROUP/VERSION/KIND.' }),
  serverSide: bool({ usage: 'Apply on the server, with field management.' }),
  wait: bool({ usage: 'Wait until the deleted objects are gone.' }),
};

/** Available if apply sets are enabled. */
export const applySetFlag = {
  applyset: string({
    usage: 'With --prune: the object that tracks the set of applied objects, as [RESOURCE][.GROUP]/NAME.',
  }),
};

export type ApplyFlags = FlagValues<typeof applyFlags> & { readonly applyset?: string };

/** @throws Error when options contradict one another */
export function checkWriting(flags: ApplyFlags, dryRun: DryRun, printError: (text: string) => void): void {
  readCascade(flags.cascade, printError);
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
}

/** @throws Error for contradictory options of --prune */
export function checkPruning(flags: ApplyFlags): void {
  if (flags.prune && flags.force) throw new Error('--force cannot be used with --prune');
  if (flags.prune && flags.applyset) {
    if (flags.all) throw new Error('--all is incompatible with --applyset');
    if (flags.selector !== '') throw new Error('--selector is incompatible with --applyset');
    if (flags.pruneAllowlist.length > 0) throw new Error('--prune-allowlist is incompatible with --applyset');
  } else if (flags.prune) {
    if (!flags.all && flags.selector === '') {
      throw new Error(
        'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
      );
    }
    if (flags.serverSide)
      throw new Error(
        "--prune is in alpha and doesn't currently work on objects created by server-side apply",
      );
  }
  if (flags.subresource !== '' && !flags.serverSide)
    throw new Error('--subresource can only be specified for --server-side');
}
