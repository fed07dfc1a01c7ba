import { command } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { orTemplate, outputFlag, showManagedFieldsFlag, templateFlags } from '../../flags/print.ts';
import { savePreferences } from '../../kuberc/preference-file.ts';
import { emptyPreference, type Preference } from '../../kuberc/preference.ts';
import { editedFile, kubercFlag, parsePreferences, readFileOf } from './edited-file.ts';

export const view = command({
  use: 'view',
  long: 'Show the preferences.',
  example: `  # As they are
  kubectl kuberc view

  # As JSON
  kubectl kuberc view -o json

  # Those of another file
  kubectl kuberc view --kuberc=/tmp/kuberc`,
  disableFlagsInUseLine: true,
  flags: {
    ...kubercFlag,
    output: { ...outputFlag.output, default: 'yaml' },
    ...templateFlags,
    ...showManagedFieldsFlag,
  },
  async run({ context, flags, changed }) {
    const { io } = context;
    const { path, isExplicit } = editedFile(io, flags.kuberc);
    const text = await readFileOf(io, path);
    if (text === undefined) {
      if (isExplicit) throw new Error(`kuberc file not found at ${path}`);
      return offerDefaults(context, path);
    }
    const { kind, apiVersion, defaults, aliases, ...rest } = parsePreferences(text);
    const print = await context.printer(orTemplate(flags, changed('output')), { order: 'declared' });
    const shown = { kind, apiVersion, defaults: defaults ?? [], aliases: aliases ?? [], ...rest };
    context.print(print(shown as unknown as Parameters<typeof print>[0]));
  },
});

/** Recommended initial preferences. */
const recommended: Preference = {
  ...emptyPreference,
  defaults: [
    { command: 'apply', options: [{ name: 'server-side', default: 'true' }] },
    { command: 'delete', options: [{ name: 'interactive', default: 'true' }] },
  ],
};

async function offerDefaults(context: CommandContext, path: string): Promise<void> {
  context.print(`kuberc file not found at ${path}\n`);
  context.print('Would you like to generate a default kuberc file with recommended options? (y/N): ');
  const [answer = ''] = (await context.io.stdin()).split('\n');
  if (answer.trim().toLowerCase() === 'y') await savePreferences(context.io, path, recommended);
}
