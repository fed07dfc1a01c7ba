import { bool, string, stringArray, type FlagValues } from '@coxswain/cobra';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { command } from '../../command.ts';
import { throwFailures } from '../../errors.ts';
import { savePreferences } from '../../kuberc/preference-file.ts';
import {
  emptyPreference,
  type AllowlistEntry,
  type OptionDefault,
  type Preference,
} from '../../kuberc/preference.ts';
import { editedFile, kubercFlag, parsePreferences, readFileOf } from './edited-file.ts';

const flags = {
  ...kubercFlag,
  section: string({ required: true, usage: 'The section to change: defaults, aliases or credentialplugin.' }),
  command: string({ usage: 'The command to change, such as get or set env.' }),
  name: string({ usage: 'The name of the alias.' }),
  policy: string({ usage: 'The policy for credential plugins: AllowAll, DenyAll or Allowlist.' }),
  option: stringArray({ usage: 'A flag of the command as NAME=VALUE. Can be repeated.' }),
  prependarg: stringArray({ usage: 'An argument that the alias inserts before those of the user.' }),
  appendarg: stringArray({ usage: 'An argument that the alias appends to those of the user.' }),
  allowlistEntry: stringArray({ usage: 'A plugin that is allowed to run, as command=NAME.' }),
  overwrite: bool({ usage: 'Overwrite existing values.' }),
};

type Flags = FlagValues<typeof flags>;

export const set = command({
  use: 'set --section (defaults|aliases) --command COMMAND',
  long: 'Change the preferences: default values for flags, command aliases, and the policy for credential plugins.',
  example: `  # Lists are wide
  kubectl kuberc set --section=defaults --command=get --option=output=wide

  # kubectl getn lists nodes
  kubectl kuberc set --section=aliases --name=getn --command=get --prependarg=nodes

  # Only one program may be asked for credentials
  kubectl kuberc set --section=credentialplugin --policy=Allowlist --allowlist-entry=command=cloud-login`,
  disableFlagsInUseLine: true,
  flags,
  async run({ context, flags: given }) {
    const { io } = context;
    const { path } = editedFile(io, given.kuberc);
    check(given);
    const text = (await readFileOf(io, path)) ?? '';
    const preference = text === '' ? emptyPreference : parsePreferences(text);
    const options = given.option.map(readOption);
    await savePreferences(io, path, changes[given.section]!(preference, given, options));
  },
});

function check(given: Flags): void {
  const { section, name, prependarg, appendarg, command: about } = given;
  if (!Object.hasOwn(changes, section))
    throw new Error(`--section must be "defaults", "aliases", or "credentialplugin", got: ${section}`);
  if (section === 'aliases' && name === '') throw new Error('--name is required when --section=aliases');
  if (section === 'defaults' && name !== '')
    throw new Error('--name should not be specified when --section=defaults');
  if (section === 'defaults' && prependarg.length + appendarg.length > 0)
    throw new Error('--prependarg and --appendarg are only valid for --section=aliases');
  if (section !== 'credentialplugin' && about === '')
    throw new Error('--command is required when --section=aliases or --section=defaults');
  if (section === 'credentialplugin') checkPolicy(given);
}

function checkPolicy({ policy, allowlistEntry }: Flags): void {
  if (policy === '') throw new Error('--policy is required when --section=credentialplugin');
  const where = 'when --section=credentialplugin and --policy=Allowlist';
  if (policy === 'Allowlist') {
    if (allowlistEntry.length === 0) throw new Error(`--allowlist-entry is required ${where}`);
  } else if (policy !== 'AllowAll' && policy !== 'DenyAll')
    throw new Error(` --policy must be  "AllowAll", "DenyAll", or "Allowlist", got: ${policy}`);
  else if (allowlistEntry.length > 0) throw new Error(`--allowlist-entry may only be used ${where}`);
}

function readOption(text: string): OptionDefault {
  const equals = text.indexOf('=');
  if (equals < 0) throw new Error(`invalid option format ${goQuote(text)}, expected flag=value`);
  return { name: text.slice(0, equals).replace(/^-+/, ''), default: text.slice(equals + 1) };
}

type Change = (preference: Preference, given: Flags, options: readonly OptionDefault[]) => Preference;

/** Unspecified properties of an existing entry remain unchanged. */
const changes: Readonly<Record<string, Change>> = {
  defaults(preference, { command: about, overwrite }, options) {
    const defaults = preference.defaults ?? [];
    const at = defaults.findIndex((entry) => entry.command === about);
    const entry = { command: about, options: options.length > 0 ? options : (defaults[at]?.options ?? null) };
    if (at >= 0 && !overwrite)
      throw new Error(`defaults for command ${goQuote(about)} already exist, use --overwrite to replace`);
    return { ...preference, defaults: at < 0 ? [...defaults, entry] : defaults.with(at, entry) };
  },
  aliases(preference, { name, command: about, prependarg, appendarg, overwrite }, options) {
    const aliases = preference.aliases ?? [];
    const at = aliases.findIndex((entry) => entry.name === name);
    if (at >= 0 && !overwrite)
      throw new Error(`alias ${goQuote(name)} already exists, use --overwrite to replace`);
    const { prependArgs, appendArgs, options: old } = aliases[at] ?? {};
    const entry = {
      name,
      command: about,
      ...given('prependArgs', prependarg, prependArgs),
      ...given('appendArgs', appendarg, appendArgs),
      ...given('options', options, old),
    };
    return { ...preference, aliases: at < 0 ? [...aliases, entry] : aliases.with(at, entry) };
  },
  credentialplugin(preference, { policy, allowlistEntry }) {
    const allowlist =
      policy === 'Allowlist' ? { credentialPluginAllowlist: readEntries(allowlistEntry) } : {};
    return { ...preference, ...allowlist, credentialPluginPolicy: policy };
  },
};

/** Returns the new values of a list, or the old ones; undefined if there are neither. */
function given<K extends string, T>(
  key: K,
  values: readonly T[],
  old: readonly T[] | undefined,
): { readonly [key in K]?: readonly T[] } {
  const kept = values.length > 0 ? values : (old ?? []);
  return (kept.length > 0 ? { [key]: kept } : {}) as { readonly [key in K]?: readonly T[] };
}

function readEntries(texts: readonly string[]): AllowlistEntry[] {
  const failures: Error[] = [];
  const entries = texts
    .flatMap((text) => text.split(','))
    .flatMap((pair): AllowlistEntry[] => {
      const equals = pair.indexOf('=');
      const field = pair.slice(0, Math.max(0, equals));
      const value = pair.slice(equals + 1);
      const problem = problemOf(pair, field, value, equals);
      if (problem !== undefined) failures.push(new Error(problem));
      return problem === undefined ? [{ command: value }] : [];
    });
  throwFailures(failures);
  return entries;
}

function problemOf(pair: string, field: string, value: string, equals: number): string | undefined {
  if (equals < 0) return `improperly formatted allowlist entry: ${goQuote(pair)}`;
  if (field === 'name') return 'allowlist entry field "name" is deprecated, use "command" instead';
  if (field !== 'command') return `unrecognized allowlist entry field: ${goQuote(field)}`;
  if (value.trim() === '') return `empty value in allowlist entry for field ${goQuote(field)}`;
  return undefined;
}
