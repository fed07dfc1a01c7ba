/** Prompts for user name and password, as upstream does for a user without credentials. */
import type { KubectlIo } from '../io.ts';

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** @throws Error `EOF` if standard input ends, or isn't a terminal when the password is requested */
export async function askForLogin(io: KubectlIo): Promise<Login> {
  io.out.write('Please enter Username: ');
  if (io.stdinIsTerminal !== true) {
    await readWord(io);
    io.out.write('Please enter Password: ');
    throw new Error('error reading input for Password');
  }
  const typed = io.openStdin?.().chunks[Symbol.asyncIterator]();
  if (typed === undefined) throw new Error('EOF');
  const username = (await readLine(typed)).trim();
  io.out.write('Please enter Password: ');
  // In raw mode, typed text isn't echoed.
  io.terminal?.setRaw(true);
  try {
    return { username, password: await readLine(typed) };
  } finally {
    io.terminal?.setRaw(false);
  }
}

async function readWord(io: KubectlIo): Promise<string> {
  const text = await io.stdin();
  const word = /^\s*(\S+)/.exec(text)?.[1];
  if (word === undefined) throw new Error(text.includes('\n') ? 'unexpected newline' : 'EOF');
  return word;
}

async function readLine(typed: AsyncIterator<Uint8Array>): Promise<string> {
  let line = '';
  for (;;) {
    const { value, done } = await typed.next();
    if (done) throw new Error('EOF');
    line += Buffer.from(value).toString('utf8');
    const end = line.search(/[\r\n]/);
    if (end >= 0) return line.slice(0, end);
  }
}
