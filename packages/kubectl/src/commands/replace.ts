import { bool, string } from '@coxswain/cobra';
import { withConfiguration } from '../apply/last-applied.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { deletionFlags, readCascade } from '../flags/delete.ts';
import { readDryRun, readValidation } from '../flags/dry-run.ts';
import {
  dryRunFlag,
  fieldManagerFlag,
  filenameFlags,
  saveConfigFlag,
  subresourceFlag,
  validateFlag,
} from '../flags/object-flags.ts';
import { printFlags } from '../flags/print.ts';
import { checkRawPath, sendRaw } from '../raw.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, objectOf } from '../resource/info.ts';
import { select, type Selection } from '../resource/select.ts';
import { contentValidator } from '../resource/validate.ts';
import { withSource } from '../resource/with-source.ts';
import { deleteSelected } from './delete.ts';

const flags = {
  ...printFlags,
  ...dryRunFlag,
  ...validateFlag,
  ...saveConfigFlag,
  ...fieldManagerFlag('kubectl-replace'),
  ...filenameFlags('that hold the new objects'),
  ...subresourceFlag,
  ...deletionFlags,
  raw: string({ usage: 'Raw URI to PUT the file to.' }),
  wait: bool({ usage: 'With --force: wait until the deleted objects are gone.' }),
};

type ReplaceFlags = import('@coxswain/cobra').FlagValues<typeof flags>;

export const replace = command({
  use: 'replace -f FILENAME',
  long: `Replace objects with those in files, which must be complete.

 With --force, the existing objects are deleted and recreated.`,
  example: `  # From a file
  kubectl replace -f web.yaml

  # Deleting the old one first
  kubectl replace --force -f web.yaml`,
  disableFlagsInUseLine: true,
  flags,
  async run(invocation) {
    const { context, flags, args } = invocation;
    const dryRun = readDryRun(context, flags.dryRun);
    const fieldValidation = readValidation(flags.validate);
    const cascade = readCascade(flags.cascade, (text) => context.printError(text));
    const print = await context.printer(flags, { operation: 'replaced', dryRun });
    check(flags);
    if (flags.raw !== '') return sendRaw(context, 'PUT', flags.raw, flags.filename[0]);
    // Reports a missing server configuration once, not for each object.
    await context.client();
    const { namespace, explicit } = await context.namespace();
    const selection: Selection = {
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit,
      subresource: flags.subresource,
      continueOnError: true,
      validate: contentValidator(context, fieldValidation),
    };
    // Arguments besides the files only matter with --force.
    if (flags.force) await removeFirst(context, { ...selection, args }, flags, cascade);
    const selected = await select(context, selection);
    let count = 0;
    await selected.each(async (info) => {
      const object = flags.saveConfig ? withConfiguration(objectOf(info)) : objectOf(info);
      count++;
      if (dryRun === 'client') return context.print(print(object));
      const helper = new ResourceHelper(await context.client(), mappingOf(info));
      const options = {
        dryRun: dryRun === 'server',
        fieldManager: flags.fieldManager,
        fieldValidation,
      };
      // The whole object was deleted, so the whole object is created.
      const replaced = flags.force
        ? await helper.create(info.namespace, object, options)
        : await withSource('replacing', info.source, () =>
            helper.replace(info.namespace, info.name, object, true, {
              ...options,
              subresource: flags.subresource,
            }),
          );
      context.print(print(replaced));
    });
    if (count === 0 && flags.force) throw new Error('no objects passed to replace');
  },
});

function check(flags: ReplaceFlags): void {
  if (flags.filename.length === 0 && flags.kustomize === '') throw new Error('must specify one of -f and -k');
  if (flags.raw !== '') {
    if (flags.filename.length !== 1) throw new Error('--raw can only use a single local file or stdin');
    if (/^https?:\/\//.test(flags.filename[0] ?? '')) throw new Error('--raw cannot read from a url');
    if (flags.recursive) throw new Error('--raw and --recursive are mutually exclusive');
    if (flags.output !== '') throw new Error('--raw and --output are mutually exclusive');
    checkRawPath(flags.raw);
  }
  if (flags.force && flags.dryRun !== 'none')
    throw new Error('--dry-run can not be used when --force is set');
  if (flags.gracePeriod >= 0 && !flags.force) throw new Error('--grace-period must have --force specified');
  if (flags.timeout !== 0 && !flags.force) throw new Error('--timeout must have --force specified');
}

/** "Forever" means a week. */
const waitMs = 168 * 3600 * 1000;

async function removeFirst(
  context: CommandContext,
  selection: Selection,
  flags: ReplaceFlags,
  cascade: string,
): Promise<void> {
  const gracePeriod = flags.gracePeriod < 0 ? -1 : flags.gracePeriod;
  await deleteSelected(context, selection, {
    output: flags.output === 'name' ? 'name' : '',
    gracePeriod,
    cascade,
    dryRun: 'none',
    ignoreNotFound: true,
    wait: true,
    timeoutMs: flags.timeout === 0 ? waitMs : flags.timeout,
  });
}
