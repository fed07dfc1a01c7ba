/** The programs that scripts and command lines start. */
import { isShellName } from './shell-executables.ts';
import { parseScript, type Script, type ShellCommand } from './shell-syntax.ts';
import type { Word } from './shell-words.ts';
import { startedBy, starters } from './starters.ts';

/** Other than its functions; undefined if one of them is known only at run time. */
export function* programsOf(
  script: Script,
  outer: ReadonlySet<string> = new Set(),
): Iterable<string | undefined> {
  const all = script.flatMap(({ commands }) => commands);
  const names = all.flatMap((command) => (command.kind === 'function' ? [command.name] : []));
  const functions = new Set([...outer, ...names]);
  for (const command of all)
    for (const name of programsOfCommand(command, functions))
      if (name === undefined || !functions.has(name)) yield name;
}

function* programsOfCommand(
  command: ShellCommand,
  functions: ReadonlySet<string>,
): Iterable<string | undefined> {
  switch (command.kind) {
    case 'simple': {
      if (command.words.length > 0) yield* programsOfWords(command.words);
      const assigned = command.assignments.flatMap(({ value, elements = [] }) => [value, ...elements]);
      const opened = command.redirections.map(({ target }) => target);
      for (const word of [...command.words, ...assigned, ...opened])
        for (const part of word)
          if (part.kind === 'command') yield* programsOf(parseScript(part.script), functions);
      return;
    }
    case 'if':
      for (const { condition, body } of command.clauses)
        yield* programsOf([...condition, ...body], functions);
      return yield* programsOf(command.otherwise, functions);
    case 'while':
      return yield* programsOf([...command.condition, ...command.body], functions);
    case 'case':
      for (const { body } of command.branches) yield* programsOf(body, functions);
      return;
    case 'for':
    case 'group':
      return yield* programsOf(command.body, functions);
    case 'function':
      return yield* programsOfCommand(command.body, functions);
  }
}

const programsOfWords = (words: readonly Word[]): Iterable<string | undefined> =>
  programsOfCommandLine(words.map(literal));

/**
 * The first word, and the program that it starts, as `exec`, `env` or `timeout` do; undefined if the name is known only
 * at run time.
 * @throws Error if it is a shell with a script that is not supported
 */
export function* programsOfCommandLine([name, ...rest]: readonly (string | undefined)[]): Iterable<
  string | undefined
> {
  yield name === 'eval' || name === '.' || name === 'source' ? undefined : name;
  if (name === undefined) return;
  const words = rest.map((word) => word ?? unknownWord);
  if (isShellName(name)) {
    const script = /^-[a-z]*c$/.test(words[0] ?? '') ? rest[1] : '';
    if (script === undefined) yield undefined;
    else yield* programsOf(parseScript(script));
    return;
  }
  const isQuestion = name === 'command' && /^-p?[vV]/.test(words[0] ?? '');
  const started = isQuestion || !Object.hasOwn(starters, name) ? [] : startedBy(starters[name]!, words);
  if (started.length > 0)
    yield* programsOfCommandLine(started.map((word) => (word === unknownWord ? undefined : word)));
}

/** Stands for a word that is known only at run time. */
const unknownWord = '\0';

/** The text of a word without expansions. */
const literal = (word: Word): string | undefined => {
  const texts = word.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return texts.length === word.length ? texts.join('') : undefined;
};
