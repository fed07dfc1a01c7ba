import { runStep } from '@coxswain/apimachinery';
import { lazy, type Command, type Invocation } from '@coxswain/cobra';
import { applyObject, type Applied } from '../../apply/apply-object.ts';
import {
  asMember,
  checkParent,
  membersOf,
  readParent,
  remember,
  rememberedMembers,
  union,
  type ApplySetParent,
} from '../../apply/apply-set.ts';
import { pruneByKinds, pruneSet, readAllowlist } from '../../apply/prune.ts';
import { command, usageError } from '../../command.ts';
import { progressText } from '../../terminal/status-line.ts';
import type { CommandContext } from '../../context.ts';
import { Failures, asError } from '../../errors.ts';
import { readDryRun, readValidation, type DryRun } from '../../flags/dry-run.ts';
import { mappingOf, type Info } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';
import { contentValidator } from '../../resource/validate.ts';
import { applyFlags, applySetFlag, checkPruning, checkWriting, type ApplyFlags } from './flags.ts';

const definition = {
  use: 'apply (-f FILENAME | -k DIRECTORY)',
  long: `Apply the configuration in files: missing objects are created, existing ones are updated, and fields that were removed from the files are removed from the objects.

 The last applied configuration is kept in an annotation of the object or, with --server-side, by the server.`,
  example: `  # From a file
  kubectl apply -f web.yaml

  # From standard input
  cat web.json | kubectl apply -f -

  # Let the server do it
  kubectl apply --server-side -f web.yaml`,
  disableFlagsInUseLine: true,
  commands: [
    lazy<CommandContext>({
      name: 'edit-last-applied',
      short: 'Edit the last applied configuration of an object',
      load: async () => (await import('./edit-last-applied.ts')).editLastApplied,
    }),
    lazy<CommandContext>({
      name: 'set-last-applied',
      short: 'Set the last applied configuration of an object to the contents of a file',
      load: async () => (await import('./set-last-applied.ts')).setLastApplied,
    }),
    lazy<CommandContext>({
      name: 'view-last-applied',
      short: 'View the last applied configuration of an object',
      load: async () => (await import('./view-last-applied.ts')).viewLastApplied,
    }),
  ],
};

export const apply: Command<CommandContext> = command({ ...definition, flags: applyFlags, run });

/** With the option for apply sets, which must be enabled. */
export const applyWithSets: Command<CommandContext> = command({
  ...definition,
  flags: { ...applyFlags, ...applySetFlag },
  run,
});

async function run(invocation: Invocation<CommandContext>): Promise<void> {
  const { context, args, changed } = invocation;
  const flags = invocation.flags as unknown as ApplyFlags;
  if (args.length > 0) throw usageError(invocation, `Unexpected args: [${args.join(' ')}]`);
  const dryRun = readDryRun(context, flags.dryRun);
  if (flags.filename.length === 0 && flags.kustomize === '') throw new Error('must specify one of -f and -k');
  const fieldValidation = readValidation(flags.validate);
  const { namespace, explicit } = await context.namespace();
  const parent = flags.applyset
    ? await readParent(await context.mapper(), flags.applyset, explicit ? namespace : '')
    : undefined;
  const allowed = flags.prune ? await readAllowlist(await context.mapper(), flags.pruneAllowlist) : [];
  checkWriting(flags, dryRun, (text) => context.printError(text));
  if (parent !== undefined) await checkSet(context, parent, flags);
  checkPruning(flags);
  // Reports a missing server configuration once, not for each object.
  await context.client();
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
  const collected = await selected.collect();
  const errors: Error[] = [...collected.failures];
  const infos = parent === undefined ? collected.infos : labelled(parent, collected.infos, errors);
  if (infos.length === 0 && errors.length === 0) throw new Error('no objects passed to apply');
  const members = membersOf(infos);
  const before = parent && (await rememberedMembers(context, parent));
  // Until everything is done, the parent records the old and the new members, so that nothing is lost on the way.
  if (parent && before) await remember(context, parent, union(before, members), { dryRun, fieldValidation });

  const fieldManager = flags.serverSide && !changed('fieldManager') ? 'kubectl' : flags.fieldManager;
  const applied: Applied[] = [];
  for (const [index, info] of infos.entries()) {
    if (infos.length > 1)
      context.status(progressText(index, infos.length, `applied: ${info.mapping?.kind ?? ''} ${info.name}`));
    try {
      const done = await applyObject(context, info, { ...flags, dryRun, fieldManager, fieldValidation });
      applied.push(done);
      if (isNameOutput(flags)) await print(context, flags, done, dryRun);
    } catch (failure) {
      errors.push(asError(failure));
    }
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new Failures(errors);
  if (!isNameOutput(flags)) await printAll(context, flags, applied, dryRun);
  if (!flags.prune) return;
  const kept = new Set(applied.map(({ info }) => info.object?.metadata.uid));
  const pruning = { options: flags, dryRun, kept };
  if (parent === undefined || before === undefined) {
    const namespaces = new Set([...(explicit ? [namespace] : []), ...visited(infos)]);
    const prune = () => pruneByKinds(context, allowed, namespaces, pruning);
    return runStep(context.io.observer, 'prune', prune, undefined, pruneByKinds);
  }
  const prune = () => pruneSet(context, parent, before, pruning);
  await runStep(context.io.observer, 'prune', prune, undefined, pruneSet);
  await remember(context, parent, members, { dryRun, fieldValidation }).catch((failure: Error) => {
    throw new Error(`apply and prune succeeded, but ApplySet update failed: ${failure.message}`, {
      cause: failure,
    });
  });
}

async function checkSet(context: CommandContext, parent: ApplySetParent, flags: ApplyFlags): Promise<void> {
  if (!flags.prune) throw new Error('--applyset requires --prune');
  await checkParent(context, parent);
}

/** Returns the members of the set; none if one of them can't be a member. */
function labelled(parent: ApplySetParent, infos: readonly Info[], errors: Error[]): readonly Info[] {
  try {
    return infos.map((info) => asMember(parent, info));
  } catch (failure) {
    errors.push(asError(failure));
    return [];
  }
}

const visited = (infos: readonly Info[]): string[] =>
  infos.filter((info) => mappingOf(info).namespaced).map(({ namespace }) => namespace);

const isNameOutput = ({ output, template }: ApplyFlags): boolean =>
  (output === '' && template === '') || output === 'name';

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
