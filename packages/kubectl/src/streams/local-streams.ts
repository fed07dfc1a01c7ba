/** The local side of a session: standard streams, and the terminal in raw mode if requested and present. */
import type { CommandContext } from '../context.ts';
import type { Terminal } from '../io.ts';

export interface SessionChoice {
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
  /** The keys that detach from the session, such as `ctrl-p,ctrl-q`. */
  readonly detachKeys?: string;
}

export interface LocalStreams {
  readonly stdin: AsyncIterable<Uint8Array> | undefined;
  readonly stdout: (chunk: Uint8Array) => void;
  readonly stderr: (chunk: Uint8Array) => void;
  readonly terminal: Terminal | undefined;
  /** Aborts when the detach keys are pressed. */
  readonly detached: AbortSignal;
}

/** Restores the terminal in any case. */
export async function withLocalStreams<T>(
  context: CommandContext,
  { stdin, tty, quiet, detachKeys }: SessionChoice,
  body: (streams: LocalStreams) => Promise<T>,
): Promise<T> {
  const { io } = context;
  const terminal = stdin && tty ? io.terminal : undefined;
  if (stdin && tty && terminal === undefined && !quiet)
    context.printError('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  const input = stdin ? openInput(context) : undefined;
  const detach = new AbortController();
  const chunks =
    input && terminal && detachKeys
      ? untilKeys(input.chunks, keySequence(detachKeys), () => detach.abort())
      : input?.chunks;
  terminal?.setRaw(true);
  try {
    return await body({
      stdin: chunks,
      stdout: (chunk) => void io.out.write(chunk),
      stderr: (chunk) => void io.err.write(chunk),
      terminal,
      detached: detach.signal,
    });
  } finally {
    terminal?.setRaw(false);
    input?.close();
  }
}

function openInput({ io }: CommandContext) {
  if (io.openStdin !== undefined) return io.openStdin();
  async function* whole() {
    yield new TextEncoder().encode(await io.stdin());
  }
  return { chunks: whole(), close: () => undefined };
}

/** Converts `ctrl-p,ctrl-q` to the bytes that a terminal sends. @throws Error for an invalid key */
export function keySequence(text: string): readonly number[] {
  return text.split(',').map((key) => {
    if (key.length === 1) return key.charCodeAt(0);
    const control = /^ctrl-([a-zA-Z@[\\\]^_])$/.exec(key)?.[1];
    if (control === undefined) throw new Error(`could not bind detach keys: Unknown character: '${key}'`);
    return control.toUpperCase().charCodeAt(0) - 64;
  });
}

/** Forwards everything up to the detach sequence; a partial match is held back until it is resolved. */
async function* untilKeys(
  source: AsyncIterable<Uint8Array>,
  keys: readonly number[],
  detach: () => void,
): AsyncGenerator<Uint8Array> {
  let matched = 0;
  for await (const chunk of source) {
    const passed: number[] = [];
    for (const byte of chunk) {
      if (byte === keys[matched]) {
        matched++;
        if (matched < keys.length) continue;
        if (passed.length > 0) yield Uint8Array.from(passed);
        return detach();
      }
      passed.push(...keys.slice(0, matched));
      matched = byte === keys[0] ? 1 : 0;
      if (matched === 0) passed.push(byte);
    }
    if (passed.length > 0) yield Uint8Array.from(passed);
  }
}
