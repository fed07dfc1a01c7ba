import type { CompletionResult } from './completion.ts';
import type { FlagSet } from './flag-set.ts';
import type { FlagTable, FlagValues } from './flag.ts';
import type { FlagGroups } from './flag-groups.ts';

/** What a hook is called with. `C` is what the program hands to all its commands. */
export interface Invocation<C = unknown, F extends FlagTable = FlagTable> {
  readonly context: C;
  /** What is left of the command line without options. */
  readonly args: readonly string[];
  readonly flags: FlagValues<F>;
  /** Whether the command line set the option. */
  changed(key: keyof F & string): boolean;
  /** How many of `args` stood before `--`; -1 without one. */
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
  /** Width at which help is wrapped; unwrapped without. */
  readonly columns?: number;
  /** Runs each stage of a command line, in order, under its name; a plain call without it. */
  readonly step?: Step;
}

/** `work` is the function that does what `body` calls for. */
// oxlint-disable-next-line typescript/no-unsafe-function-type
export type Step = <T>(name: string, body: () => T, work?: Function) => T;

export interface TextWriter {
  write(text: string): unknown;
}

type Hook<C, F extends FlagTable> = (invocation: Invocation<C, F>) => Promise<void> | void;

/** A command as it is written down. */
export interface CommandDefinition<C, F extends FlagTable, P extends FlagTable> {
  /** The usage line behind the parent's name; its first word is the command's name. */
  readonly use: string;
  readonly aliases?: readonly string[];
  /** Wrong names for which this one is suggested. */
  readonly suggestFor?: readonly string[];
  /** Heading under which the parent's help lists it. */
  readonly group?: string;
  readonly short?: string;
  readonly long?: string;
  readonly example?: string;
  readonly hidden?: boolean;
  readonly deprecated?: string;
  readonly version?: string;
  readonly flags?: F;
  /** Options that all commands below have too. */
  readonly persistentFlags?: P;
  readonly flagGroups?: FlagGroups<Extract<keyof F | keyof P, string>>;
  /** Without one, any arguments are fine (but a root with commands refuses them). */
  readonly args?: ArgumentCheck;
  readonly commands?: readonly (Command<C> | LazyCommand<C>)[];
  /** Headings of `commands` in order; those without a heading come last under "Other Commands:". */
  readonly groups?: readonly string[];
  /** What is listed under one of `groups`, too, though it is called by other ways; asked when help is shown. */
  readonly listed?: () => Promise<readonly ListedCommand[]>;
  /** Everything behind the command's name is an argument. */
  readonly disableFlagParsing?: boolean;
  /** Options may not follow the first argument. */
  readonly notInterspersed?: boolean;
  /** The usage line as it is, without `[flags]` behind. */
  readonly disableFlagsInUseLine?: boolean;
  readonly complete?: Completion<C>;
  /** How help, usage and errors look; taken from the nearest command that has one. */
  readonly style?: HelpStyle;
  // Five hooks in the order in which they run. Of the persistent ones only the nearest runs.
  readonly persistentPreRun?: Hook<C, F & P>;
  readonly preRun?: Hook<C, F & P>;
  readonly run?: Hook<C, F & P>;
  readonly postRun?: Hook<C, F & P>;
  readonly persistentPostRun?: Hook<C, F & P>;
}

/** A command with the types of its options forgotten: what trees are made of. */
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

/** A line of a command's help about something that is no command of the tree. */
export interface ListedCommand {
  readonly group: string;
  readonly name: string;
  readonly short: string;
}

/** What a parent must know of a command whose code is loaded only when it is called. */
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

/** Makes commands for programs whose commands share a context: `const command = commandFor<MyContext>()`. */
export const commandFor =
  <C>() =>
  <const F extends FlagTable = {}, const P extends FlagTable = {}>(
    definition: CommandDefinition<C, F, P>,
  ): Command<C> => ({ kind: 'command', ...(definition as unknown as Omit<Command<C>, 'kind'>) });

/** A command of a program without shared context. */
export const command = commandFor<undefined>();

export const lazy = <C>(stub: Omit<LazyCommand<C>, 'kind'>): LazyCommand<C> => ({ kind: 'lazy', ...stub });

export const commandName = (entry: Command<never> | LazyCommand<never>): string =>
  entry.kind === 'lazy' ? entry.name : (entry.use.split(' ')[0] ?? '');

/** Loads a lazy command; what its parent says about it is said nowhere else. */
export async function loadCommand<C>(entry: Command<C> | LazyCommand<C>): Promise<Command<C>> {
  if (entry.kind === 'command') return entry;
  const loaded = await entry.load();
  const { kind: _kind, name: _name, load: _load, ...stub } = entry;
  return { ...loaded, ...stub };
}

/** A command at its place in the tree. Made on the way down to the command that is called. */
export interface CommandNode<C = unknown> {
  readonly command: Command<C>;
  readonly name: string;
  /** The name or alias by which it was called. */
  readonly calledAs: string;
  readonly parent: CommandNode<C> | undefined;
  readonly flags: FlagSet;
}

/** Throws when the arguments can't be. */
export type ArgumentCheck = (node: CommandNode<never>, args: readonly string[]) => void;

/** How a program's help, usage and complaints about options look. */
export interface HelpStyle {
  help(node: CommandNode<never>, columns?: number, listed?: readonly ListedCommand[]): string;
  usage(node: CommandNode<never>, columns?: number, listed?: readonly ListedCommand[]): string;
  /** The error that tells a user about a wrong option. */
  flagError?(failure: Error, node: CommandNode<never>): Error;
}

/** Proposes what may stand at the cursor; `typed` is what stands there already. */
export interface Completion<C = never> {
  (invocation: Invocation<C>, typed: string): Promise<CompletionResult> | CompletionResult;
}
