import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { bool, commandPath, groupedStyle, int, stringArray } from '@coxswain/cobra';
import { patchObject } from '../apply/patcher.ts';
import { applyOnServer } from '../apply/server-side.ts';
import { command, usageError } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { ExitError } from '../errors.ts';
import { explainFailure } from '../check-error.ts';
import { fieldManagerFlag, filenameFlags, selectorFlag } from '../flags/object-flags.ts';
import { holdsSecrets } from '@coxswain/api/core/secret-values.ts';
import { maskSecrets } from '../diff/mask-secrets.ts';
import { withoutManagedFields } from '../printers/managed-fields.ts';
import { ResourceHelper, withoutVersion } from '../resource/resource-helper.ts';
import { eachPrunable, readAllowlist } from '../apply/prune.ts';
import type { ResourceMapping } from '../mapping.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { select } from '../resource/select.ts';
import { temporaryDirectory } from '../temporary-files.ts';

const flags = {
  ...fieldManagerFlag('kubectl-client-side-apply'),
  ...filenameFlags('that describe what is to be'),
  ...selectorFlag,
  concurrency: int({ default: 1, usage: 'Number of objects to process in parallel.' }),
  forceConflicts: bool({
    usage: 'With --server-side: take over fields from other managers in case of conflicts.',
  }),
  prune: bool({ usage: 'Include objects that would be deleted by pruning.' }),
  pruneAllowlist: stringArray({ usage: 'With --prune: prune only these kinds, as GROUP/VERSION/KIND.' }),
  serverSide: bool({ usage: 'Compare with the result of a server-side apply.' }),
  showManagedFields: bool({ usage: 'Keep managedFields when printing objects.' }),
  showSecrets: bool({ usage: 'Show the values of Secrets.' }),
};

type DiffFlags = import('@coxswain/cobra').FlagValues<typeof flags>;

/** An exit code above 1, which means differences. */
const trouble = 2;

export const diff = command({
  use: 'diff -f FILENAME',
  long: `Compare the live objects with the result of applying files.

 The output is that of "diff -u -N", or of the program in KUBECTL_EXTERNAL_DIFF.

Exit status: 0 no differences were found, 1 differences were found, above 1 something went wrong.`,
  example: `  # With a file
  kubectl diff -f web.yaml`,
  disableFlagsInUseLine: true,
  flags,
  // Errors in options must not be confused with exit code 1 for differences.
  style: {
    ...groupedStyle,
    flagError: (failure, node) => {
      const { message } = usageError({ commandPath: commandPath(node) }, failure.message);
      return new ExitError(trouble, `error: ${message}`);
    },
  },
  async run(invocation) {
    try {
      await run(invocation.context, invocation.flags, invocation.args, (message) =>
        usageError(invocation, message),
      );
    } catch (failure) {
      if (failure instanceof ExitError) throw failure;
      const { code, message } = explainFailure(failure);
      // 1 means that there are differences.
      throw new ExitError(code + 1, message);
    }
  },
});

async function run(
  context: CommandContext,
  flags: DiffFlags,
  args: readonly string[],
  usage: (message: string) => Error,
): Promise<void> {
  if (args.length > 0) throw usage(`Unexpected args: [${args.join(' ')}]`);
  if (flags.filename.length === 0 && flags.kustomize === '') throw new Error('must specify one of -f and -k');
  if (flags.forceConflicts && !flags.serverSide)
    throw new Error('--force-conflicts only works with --server-side');
  const allowed = flags.prune ? await readAllowlist(await context.mapper(), flags.pruneAllowlist) : [];
  const { namespace, explicit } = await context.namespace();
  const selected = await select(context, {
    filenames: flags.filename,
    kustomize: flags.kustomize,
    recursive: flags.recursive,
    labelSelector: flags.selector,
    namespace,
    requireNamespace: explicit,
  });
  const directories = [
    await temporaryDirectory(context.io, 'LIVE-'),
    await temporaryDirectory(context.io, 'MERGED-'),
  ] as const;
  const [live, merged] = directories;
  try {
    const show = (object: KubeObject) =>
      writeYaml(flags.showManagedFields ? object : withoutManagedFields(object));
    const kept = new Set<string | undefined>();
    const namespaces = new Set<string>();
    await selected.each(async (info) => {
      const { before, after } = await compare(context, info, flags);
      kept.add(before?.metadata.uid);
      if (mappingOf(info).namespaced) namespaces.add(info.namespace);
      const isMasked = !flags.showSecrets && holdsSecrets(mappingOf(info));
      const masked = isMasked ? maskSecrets(before, after) : { before, after };
      const name = fileName(mappingOf(info), info);
      await mkdir(live, { recursive: true });
      if (masked.before !== undefined) await writeFile(join(live, name), show(masked.before));
      // A missing object is masked, too, resulting in null instead of no file.
      else if (isMasked) await writeFile(join(live, name), 'null\n');
      await writeFile(join(merged, name), show(masked.after));
    });
    // Objects to prune exist now, and not afterwards.
    if (flags.prune) {
      const objects = { allowed, namespaces, kept, selector: flags.selector };
      await eachPrunable(context, objects, async (object, mapping) => {
        const { namespace: place = '', name = '' } = object.metadata;
        const isMasked = !flags.showSecrets && holdsSecrets(mapping);
        const shown = isMasked ? maskSecrets(undefined, object).after : object;
        await writeFile(join(live, fileName(mapping, { namespace: place, name })), writeYaml(shown));
      }).catch((failure: Error) =>
        context.warnLog(`pruning failed and could not be evaluated err: ${failure.message}`),
      );
    }
    await runDiff(context, live, merged);
  } finally {
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  }
}

function fileName(
  { group, version, kind }: ResourceMapping,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  const parts = [...(group === '' ? [] : [group]), version, kind, namespace, name];
  return parts.join('.').replaceAll('/', '_');
}

async function compare(
  context: CommandContext,
  info: Info,
  flags: DiffFlags,
): Promise<{ before: KubeObject | undefined; after: KubeObject }> {
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  const options = { dryRun: true, fieldManager: flags.fieldManager };
  let before: KubeObject | undefined;
  try {
    before = await helper.get(info.namespace, info.name);
  } catch (failure) {
    if (!(failure instanceof StatusError && failure.reason === 'NotFound')) throw failure;
  }
  if (flags.serverSide) {
    const isDefault = flags.fieldManager === 'kubectl-client-side-apply';
    const applied = await applyOnServer(helper, info, {
      dryRun: 'server',
      fieldManager: isDefault ? 'kubectl' : flags.fieldManager,
      fieldValidation: '',
      forceConflicts: flags.forceConflicts,
      subresource: '',
    });
    return { before, after: objectOf(applied.info) };
  }
  if (before === undefined) {
    const created = await helper.create(info.namespace, objectOf(info), options);
    return { before, after: withoutVersion(created) };
  }
  const { patched } = await patchObject(context, helper, withAnnotations(info), before, options);
  return { before, after: patched };
}

/** Like apply's comparison: without annotations, an object has an empty last-applied configuration rather than none. */
function withAnnotations(info: Info): Info {
  const object = objectOf(info);
  return {
    ...info,
    object: { ...object, metadata: { ...object.metadata, annotations: object.metadata.annotations ?? {} } },
  };
}

/** The exit code of the program if there are differences. */
const differencesFound = 1;

async function runDiff(context: CommandContext, live: string, merged: string): Promise<void> {
  const { io } = context;
  if (io.spawn === undefined) throw new Error('no program that compares can be run here');
  const external = io.env['KUBECTL_EXTERNAL_DIFF'];
  // Only plain arguments are used, so that the variable can't run other programs.
  const [command = 'diff', ...args] = external
    ? external.split(' ').filter((word, index) => index === 0 || /^[a-zA-Z0-9\-=]+$/.test(word))
    : ['diff', '-u', '-N'];
  const kept: (string | Uint8Array)[] = [];
  const isPainted = context.rich.color && !external;
  const out = isPainted ? { write: (text: string | Uint8Array) => void kept.push(text) } : io.out;
  const code = await io
    .spawn(command, [...args, live, merged], { out })
    .catch((failure: NodeJS.ErrnoException) => {
      const reason = failure.code === 'ENOENT' ? 'executable file not found in $PATH' : failure.message;
      throw new Error(`failed to run ${JSON.stringify(command)}: ${reason}`, { cause: failure });
    });
  if (isPainted) {
    const { paintedDiff } = await import('../terminal/diff-colors.ts');
    context.print(paintedDiff(Buffer.concat(kept.map((text) => Buffer.from(text))).toString('utf8')));
  }
  if (code === 0) return;
  if (code === differencesFound) throw new ExitError(1);
  throw new Error(`failed to run ${JSON.stringify(command)}: exit status ${code}`);
}
