import type { CompletionResult } from './completion.ts';
import type { FlagSet } from './flag-set.ts';
import type { FlagTable, FlagValues } from './flag.ts';
import type { FlagGroups } from './flag-groups.ts';

/** The argument of hooks. `C` is the context that the program passes to all its commands. */
export interface Invocation<C = unknown, F extends FlagTable = FlagTable> {
  readonly context: C;
  /** The arguments without options. */
  readonly args: readonly string[];
  readonly flags: FlagValues<F>;
  /** Whether the command line set the option. */
  changed(key: keyof F & string): boolean;
  /** The number of `args` before `--`; -1 if there is no `--`. */
  readonly argsLengthAtDash: number;
  /** `kubectl create deployment` */
  readonly commandPath: string;
  /** The name or alias by which it was called. */
  readonly calledAs: string;
  readonly node: CommandNode<C>;
  readonly io: CommandIo;
  /** The help text of this command. */
  help(): Promise<string>;
}

export interface CommandIo {
  readonly out: TextWriter;
  readonly err: TextWriter;
  /** The width at which help is wrapped; not wrapped if unset. */
  readonly columns?: number;
  /** Runs each stage of a command line in order, under its name. Defaults to a plain call. */
  readonly step?: Step;
}

/** `work` is the function that does the work for which `body` is the call. */
// oxlint-disable-next-line typescript/no-unsafe-function-type
export type Step = <T>(name: string, body: () => T, work?: Function) => T;

export interface TextWriter {
  write(text: string): unknown;
}

type Hook<C, F extends FlagTable> = (invocation: Invocation<C, F>) => Promise<void> | void;

/** The declaration of a command. */
export interface CommandDefinition<C, F extends FlagTable, P extends FlagTable> {
  /** The usage line after the parent's name; its first word is the command's name. */
  readonly use: string;
  readonly aliases?: readonly string[];
  /** Wrong names for which this command is suggested. */
  readonly suggestFor?: readonly string[];
  /** The heading under which the parent's help lists it. */
  readonly group?: string;
  readonly short?: string;
  readonly long?: string;
  readonly example?: string;
  readonly hidden?: boolean;
  readonly deprecated?: string;
  readonly version?: string;
  readonly flags?: F;
  /** Options that all subcommands inherit. */
  readonly persistentFlags?: P;
  readonly flagGroups?: FlagGroups<Extract<keyof F | keyof P, string>>;
  /** If unset, any arguments are accepted (but a root with commands rejects them). */
  readonly args?: ArgumentCheck;
  readonly commands?: readonly (Command<C> | LazyCommand<C>)[];
  /** Headings of `commands` in order; commands without a heading come last under "Other Commands:". */
  readonly groups?: readonly string[];
  /** Further commands listed under one of `groups` that are called in another way; evaluated when help is shown. */
  readonly listed?: () => Promise<readonly ListedCommand[]>;
  /** Everything after the command's name is an argument. */
  readonly disableFlagParsing?: boolean;
  /** Options may not follow the first argument. */
  readonly notInterspersed?: boolean;
  /** The complete usage line, without `[flags]` appended. */
  readonly disableFlagsInUseLine?: boolean;
  readonly complete?: Completion<C>;
  /** The style of help, usage and errors; inherited from the nearest command that has one. */
  readonly style?: HelpStyle;
  // Five hooks in the order in which they run. Only the nearest of the persistent ones runs.
  readonly persistentPreRun?: Hook<C, F & P>;
  readonly preRun?: Hook<C, F & P>;
  readonly run?: Hook<C, F & P>;
  readonly postRun?: Hook<C, F & P>;
  readonly persistentPostRun?: Hook<C, F & P>;
}

/** A command whose option types are erased: what trees are made of. */
export interface Command<C = unknown> extends Omit<
  CommandDefinition<C, FlagTable, FlagTable>,
  'persistentPreRun' | 'preRun' | 'run' | 'postRun' | 'persistentPostRun' | 'flagGroups'
> {
  readonly kind: 'command';
  readonly flagGroups?: FlagGroups<string>;
  persistentPreRun?(invocation: Invocation<C>): Promise<void> | void;
  preRun?(invocation: Invocation<C>): Promise<void> | void;
  run?(invocation: Invocation<C>): Promise<void> | void;
  postRun?(invocation: Invocation<C>): Promise<void> | void;
  persistentPostRun?(invocation: Invocation<C>): Promise<void> | void;
}

/** A line in a command's help about something that is not a command of the tree. */
export interface ListedCommand {
  readonly group: string;
  readonly name: string;
  readonly short: string;
}

/** What a parent must know about a command whose code is loaded only when it is called. */
export interface LazyCommand<C = unknown> {
  readonly kind: 'lazy';
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly suggestFor?: readonly string[];
  readonly group?: string;
  readonly short?: string;
  readonly hidden?: boolean;
  readonly deprecated?: string;
  load(): Promise<Command<C>>;
}

/** Declares commands of a program whose commands share a context: `const command = commandFor<MyContext>()`. */
export const commandFor =
  <C>() =>
  <const F extends FlagTable = {}, const P extends FlagTable = {}>(
    definition: CommandDefinition<C, F, P>,
  ): Command<C> => ({ kind: 'command', ...(definition as unknown as Omit<Command<C>, 'kind'>) });

/** A command of a program without a shared context. */
export const command = commandFor<undefined>();

export const lazy = <C>(stub: Omit<LazyCommand<C>, 'kind'>): LazyCommand<C> => ({ kind: 'lazy', ...stub });

export const commandName = (entry: Command<never> | LazyCommand<never>): string =>
  entry.kind === 'lazy' ? entry.name : (entry.use.split(' ')[0] ?? '');

/** Loads a lazy command. What its parent declares about it is not repeated in the command. */
export async function loadCommand<C>(entry: Command<C> | LazyCommand<C>): Promise<Command<C>> {
  if (entry.kind === 'command') return entry;
  const loaded = await entry.load();
  const { kind: _kind, name: _name, load: _load, ...stub } = entry;
  return { ...loaded, ...stub };
}

/** A command at its place in the tree, created on the way down to the command that is called. */
export interface CommandNode<C = unknown> {
  readonly command: Command<C>;
  readonly name: string;
  /** The name or alias by which it was called. */
  readonly calledAs: string;
  readonly parent: CommandNode<C> | undefined;
  readonly flags: FlagSet;
}

/** Throws if the arguments are invalid. */
export type ArgumentCheck = (node: CommandNode<never>, args: readonly string[]) => void;

/** The style of a program's help, usage and option errors. */
export interface HelpStyle {
  help(node: CommandNode<never>, columns?: number, listed?: readonly ListedCommand[]): string;
  usage(node: CommandNode<never>, columns?: number, listed?: readonly ListedCommand[]): string;
  /** The error about an invalid option. */
  flagError?(failure: Error, node: CommandNode<never>): Error;
}

/** Completes the word at the cursor; `typed` is what is there already. */
export interface Completion<C = never> {
  (invocation: Invocation<C>, typed: string): Promise<CompletionResult> | CompletionResult;
}
