/** Redirections of the shell: `<`, `<<`, `<<<`, `>`, `>>`, `2>`, `2>&1`, `>&2`. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { ByteInput } from '../network/byte-input.ts';
import { resolvePath } from './container-files.ts';
import type { Redirection } from './shell-syntax.ts';
import type { Word } from './shell-words.ts';
import { inTurns, piecesInTurns } from './turns.ts';
import { print, type ByteOutput, type SimulatedProcess } from './simulated-process.ts';

/** Opens the files of redirections; returns an exit code if one cannot be opened. */
export async function redirected(
  redirections: readonly Redirection[],
  process: SimulatedProcess,
  expand: (word: Word, isPath?: boolean) => Promise<readonly string[]>,
): Promise<number | SimulatedProcess> {
  let { stdin, stdout, stderr } = process;
  const { files, place, clock, signal } = process;
  for (const { operator, target } of redirections) {
    if (operator === '2>&1') stderr = stdout;
    if (operator === '>&2') stdout = stderr;
    if (target.length === 0) continue;
    const text = (await expand(target, !operator.startsWith('<<'))).join(' ');
    if (operator.startsWith('<<')) {
      stdin = ByteInput.of(new TextEncoder().encode(operator === '<<<' ? `${text}\n` : text));
      continue;
    }
    const path = resolvePath(place.directory, text);
    try {
      if (operator === '<') {
        stdin = new ByteInput(piecesInTurns(files.read(path), clock, signal));
        continue;
      }
      const isNull = path === '/dev/null';
      const isKept = operator.endsWith('>>') && files.entry(path) !== undefined;
      if (isKept) files.read(path);
      else if (!isNull) files.write(path, new Uint8Array(0), clock.now(), files.entry(path)?.mode);
      const write: ByteOutput = (bytes) => {
        if (!isNull) files.append(path, bytes, clock.now());
      };
      const output = inTurns(write, clock, signal);
      if (operator.startsWith('2')) stderr = output;
      else stdout = output;
    } catch (failure) {
      await print(process.stderr, `sh: ${notOpened(operator, text, messageOf(failure))}\n`);
      return 1;
    }
  }
  return { ...process, stdin, stdout, stderr };
}

/** In BusyBox's words. */
function notOpened(operator: string, path: string, why: string): string {
  const isMissing = why.startsWith('No such');
  if (operator === '<') return `can't open ${path}: ${isMissing ? 'no such file' : why}`;
  return `can't create ${path}: ${isMissing ? 'nonexistent directory' : why}`;
}
