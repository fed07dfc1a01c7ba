/** Completes plugin names, and calls completion programs that plugins provide. */
import type { Command, Completion, CompletionResult } from '@coxswain/cobra';
import { command } from './command.ts';
import type { CommandContext } from './context.ts';
import type { KubectlIo } from './io.ts';
import { rootCommandNames } from './root.ts';
import { findExecutable } from './plugins/run.ts';
import { pluginFiles, pluginPrefix } from './plugins/plugin-files.ts';

/** The words of plugin names, as a tree. */
interface Word {
  readonly below: Map<string, Word>;
}

/**
 * Adds plugins to the tree of commands if the words to complete may refer to one. After a plugin's name there are no
 * global options.
 */
export async function withPlugins(
  root: Command<CommandContext>,
  words: readonly string[],
  io: KubectlIo,
): Promise<Command<CommandContext>> {
  const [first = '-'] = words;
  if (first.startsWith('-')) return root;
  if (words.length > 1 && rootCommandNames.includes(first)) return root;
  const plugins = commandsOf(await wordsOf(io.env), ['kubectl'], io);
  const commands = [...(root.commands ?? []), ...plugins];
  if (words.length === 1) return { ...root, commands };
  debug(io, 'Cleared global flags for plugin completion');
  return { ...root, commands, persistentFlags: {} };
}

async function wordsOf(env: KubectlIo['env']): Promise<Word> {
  const top: Word = { below: new Map() };
  for (const { name } of await pluginFiles(env)) {
    const words = name
      .slice(pluginPrefix.length)
      .split('-')
      .map((word) => word.replaceAll('_', '-'));
    if (rootCommandNames.includes(words[0] ?? '')) continue;
    let at = top;
    for (const word of words) {
      const next = at.below.get(word) ?? { below: new Map() };
      at.below.set(word, next);
      at = next;
    }
  }
  return top;
}

const commandsOf = (words: Word, path: readonly string[], io: KubectlIo): Command<CommandContext>[] =>
  [...words.below].map(([name, word]) =>
    command({
      use: name,
      short: `The command ${name} is a plugin installed by the user`,
      disableFlagParsing: true,
      complete: completionBy([...path, name], io),
      run: () => undefined,
      commands: commandsOf(word, [...path, name], io),
    }),
  );

const nothing: CompletionResult = { candidates: [], directive: 0 };

/** Runs `kubectl_complete-NAME`, which prints one candidate per line, optionally followed by a directive. */
function completionBy(path: readonly string[], io: KubectlIo): Completion<CommandContext> {
  const name = path.map((word) => word.replaceAll('-', '_')).join('-');
  const program = name.replace('-', '_complete-');
  return async ({ args }, typed) => {
    debug(io, `About to look for: ${program}`);
    const file = await findExecutable(program, io.env);
    if (file === undefined || io.spawn === undefined) {
      debug(io, `Plugin ${name} does not provide a matching completion executable`);
      return nothing;
    }
    const words = [...args, typed];
    debug(io, `About to call: ${file} ${words.join(' ')}`);
    const chunks: Uint8Array[] = [];
    const out = { write: (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk)) };
    const code = await io.spawn(file, words, { out }).catch(() => 1);
    return code === 0 ? answerOf(Buffer.concat(chunks).toString('utf8')) : nothing;
  };
}

function answerOf(text: string): CompletionResult {
  const lines = text.split('\n').filter((line) => line !== '');
  const [, directive] = /^:([+-]?\d+)$/.exec(lines.at(-1) ?? '') ?? [];
  return directive === undefined
    ? { candidates: lines, directive: 0 }
    : { candidates: lines.slice(0, -1), directive: Number(directive) };
}

const debug = (io: KubectlIo, text: string): void => void io.err.write(`[Debug] ${text}\n`);
