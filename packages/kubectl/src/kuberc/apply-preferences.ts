/** Applies preferences to a command line: expands aliases, and adds default options. */
import { FlagError, type Command } from '@coxswain/cobra';
import { rootNode } from '@coxswain/cobra/command/command-node.ts';
import type { CommandNode } from '@coxswain/cobra/command/command.ts';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { findCommand } from '@coxswain/cobra/command/find.ts';
import { parseArguments } from '@coxswain/cobra/parse.ts';
import type { CommandContext, PluginPolicy } from '../context.ts';
import { pluginPolicyOf } from './plugin-policy.ts';
import type { Alias, OptionDefault, Preference } from './preference.ts';

export interface PreparedCommandLine {
  readonly root: Command<CommandContext>;
  readonly args: readonly string[];
  readonly isAlias: boolean;
  readonly pluginPolicy: PluginPolicy | undefined;
}

/** @throws Error for invalid preferences, as far as they affect this command line */
export async function applyPreferences(
  preference: Preference,
  root: Command<CommandContext>,
  args: readonly string[],
  report: (text: string) => void,
): Promise<PreparedCommandLine> {
  const pluginPolicy = check(preference);
  const line = await withAlias(preference, root, args, report);
  const options = await defaultsFor(preference, line, report);
  return { ...line, args: [...options, ...line.args], pluginPolicy };
}

function check(preference: Preference): PluginPolicy {
  const names = new Set<string>();
  for (const { name = '', options } of preference.aliases ?? []) {
    if (!/^[a-zA-Z]+$/.test(name))
      throw new Error('invalid alias name, can only include alphabetical characters');
    checkOptions(options ?? []);
    if (names.has(name)) throw new Error(`duplicate alias name ${name}`);
    names.add(name);
  }
  for (const { options } of preference.defaults ?? []) checkOptions(options ?? []);
  return pluginPolicyOf(preference);
}

function checkOptions(options: readonly OptionDefault[]): void {
  const wrong = options.find(({ name = '' }) => name.startsWith('-'));
  if (wrong !== undefined) throw new Error(`flag name ${wrong.name} should be in long form without dashes`);
}

type Line = Pick<PreparedCommandLine, 'root' | 'args' | 'isAlias'>;

const find = (root: Command<CommandContext>, words: readonly string[]) =>
  findCommand(rootNode(root), words).catch(() => undefined);

/** An existing command is never an alias. */
async function withAlias(
  { aliases }: Preference,
  root: Command<CommandContext>,
  args: readonly string[],
  report: (text: string) => void,
): Promise<Line> {
  const plain = { root, args, isAlias: false };
  if ((await find(root, args)) !== undefined) return plain;
  const at = args.findIndex((arg) => !arg.startsWith('-') && !arg.startsWith('__complete'));
  const alias = aliases?.find(({ name }) => name === args[at]);
  if (alias === undefined) return plain;
  if ((await find(root, [alias.name])) !== undefined) {
    report(`Warning: Setting alias ${goQuote(alias.name)} to a built-in command is not supported\n`);
    return plain;
  }
  const words = wordsOf(alias.command);
  const meant = await find(root, words);
  if (meant === undefined)
    throw new Error(
      `command ${goQuote(alias.command)} not found to set alias ${goQuote(alias.name)}: [${words.join(' ')}]`,
    );
  const extended = { ...root, commands: [...(root.commands ?? []), renamed(meant.node.command, alias.name)] };
  const options = await optionsOf(alias, extended, args);
  const { prependArgs = [], appendArgs = [] } = alias;
  return {
    root: extended,
    args: [...options, ...args.slice(0, at + 1), ...prependArgs, ...args.slice(at + 1), ...appendArgs],
    isAlias: true,
  };
}

const wordsOf = (command = ''): string[] => command.split(/\s+/).filter((word) => word !== '');

const renamed = (command: Command<CommandContext>, name: string): Command<CommandContext> => ({
  ...command,
  use: name,
  aliases: [],
});

async function optionsOf(
  alias: Alias,
  root: Command<CommandContext>,
  args: readonly string[],
): Promise<string[]> {
  const { node } = await findCommand(rootNode(root), [alias.name]);
  return unsaid(alias.options ?? [], node, args, {
    unknown: (name) => `invalid alias flag ${name} in alias kubectl`,
    invalid: (name, value) => `could not apply value ${value} to flag ${name} in alias kubectl err: `,
  });
}

/** Commands are identified by their last word alone: defaults for `view` apply to every `view`. */
async function defaultsFor(
  { defaults, aliases }: Preference,
  { root, args, isAlias }: Line,
  report: (text: string) => void,
): Promise<string[]> {
  const called = await find(root, args);
  if (called === undefined) return [];
  const { node } = called;
  const options: string[] = [];
  for (const entry of defaults ?? []) {
    const meant = await find(root, wordsOf(entry.command));
    if (meant === undefined) {
      report(`Warning: command ${goQuote(entry.command)} not found to set kuberc override\n`);
      continue;
    }
    if (meant.node.name !== node.name) continue;
    if (isAlias && aliases?.some(({ name }) => name === node.name))
      throw new Error(`alias ${node.name} can not be overridden`);
    const found = await unsaid(entry.options ?? [], node, args, {
      unknown: (name) => `invalid flag ${name} for command ${entry.command}`,
      invalid: (name, value) =>
        `could not apply override value ${value} to flag ${name} in command ${entry.command} err: `,
    });
    options.push(...found);
  }
  return options;
}

interface OptionFailures {
  unknown(name: string): string;
  invalid(name: string, value: string): string;
}

/** Returns the options that the command line doesn't set itself, as arguments. */
function unsaid(
  options: readonly OptionDefault[],
  node: CommandNode<CommandContext>,
  args: readonly string[],
  failures: OptionFailures,
): string[] {
  const words: string[] = [];
  for (const { name, default: value = '' } of options) {
    const state = node.flags.lookup(name);
    if (state === undefined) throw new Error(failures.unknown(name));
    if (isSaid(state.name, state.flag.shorthand ?? '', node, args)) continue;
    const word = `--${state.name}=${value}`;
    try {
      parseArguments([word], node.flags);
    } catch (failure) {
      if (!(failure instanceof FlagError)) throw failure;
      throw new Error(failures.invalid(name, value) + failure.message, { cause: failure });
    }
    words.push(word);
  }
  return words;
}

function isSaid(
  name: string,
  shorthand: string,
  node: CommandNode<CommandContext>,
  args: readonly string[],
): boolean {
  return args.some((arg) => {
    if (arg === `--${name}` || arg.startsWith(`--${name}=`)) return true;
    if (shorthand === '') return false;
    if (arg.startsWith(`-${shorthand}`)) return true;
    // Several letters in one word, such as -Aw.
    return (
      /^-[a-zA-Z]+$/.test(arg) && node.flags.byShorthand(shorthand) !== undefined && arg.includes(shorthand)
    );
  });
}
