/** Runs kubectl in a page: takes a command line and returns what it prints. */

import { seededRandom, systemRandom, type Clock } from '@coxswain/apimachinery';
import type { Transport, TransportRequest } from '@coxswain/client';
import { runKubectl, type KubectlIo } from '@coxswain/kubectl';
import { commandWords } from './command-words.ts';
import { filesOf } from './cluster-files.ts';
import { diff } from './diff.ts';
import type { KubectlOptions, KubectlResult } from '../../types/browser.d.ts';
import type { LocalCluster } from './kubectl-cluster.ts';

/**
 * Runs one command to its end.
 * @param line `get pods -o wide`, with or without `kubectl`, or the words of the command
 */
export async function runCommand(
  cluster: LocalCluster,
  line: string | readonly string[],
  options: KubectlOptions = {},
): Promise<KubectlResult> {
  const words = typeof line === 'string' ? commandWords(line) : [...line];
  const args = words[0] === 'kubectl' ? words.slice(1) : words;
  const written = { stdout: '', stderr: '' };
  const out = printer((text) => {
    written.stdout += text;
    options.out?.(text);
  });
  const err = printer((text) => {
    written.stderr += text;
    options.err?.(text);
  });
  const code = await runKubectl(args, { ...ioOf(cluster, options), out, err });
  return { code, ...written };
}

function ioOf(cluster: LocalCluster, options: KubectlOptions): Omit<KubectlIo, 'out' | 'err'> {
  const { directory, read, write } = filesOf(cluster);
  const { stdin = '', signal, columns, rows, editor, seed } = options;
  const waiting = once(options.waiting ?? (() => {}));
  return {
    stdin: async () => (typeof stdin === 'string' ? stdin : textOf(stdin)),
    openStdin: () => ({ chunks: chunksOf(stdin), close: () => {} }),
    env: { HOME: directory, TMPDIR: directory, EDITOR: editorName },
    workingDirectory: directory,
    clock: reportingClock(cluster.clock, waiting),
    random: seed === undefined ? systemRandom : seededRandom(seed),
    transport: reportingTransport(cluster.transport, waiting),
    ...(signal && { signal }),
    ...(columns !== undefined && { columns }),
    ...(rows !== undefined && { rows }),
    // Input that arrives key by key implies a terminal.
    ...(columns !== undefined &&
      rows !== undefined &&
      typeof stdin !== 'string' && {
        stdinIsTerminal: true,
        terminal: {
          size: () => ({ width: columns, height: rows }),
          onResize: () => () => {},
          setRaw: () => {},
        },
      }),
    async spawn(command, args, { out } = {}) {
      if (command === 'diff') return diff(args, (text) => out?.write(text));
      if (command !== editorName || editor === undefined)
        throw Object.assign(new Error(`${command}: no such program`), { code: 'ENOENT' });
      const [file = ''] = args;
      write(file, await editor(read(file)));
      return 0;
    },
  };
}

function once(report: () => void): () => void {
  let isReported = false;
  return () => {
    if (!isReported) report();
    isReported = true;
  };
}

/** Reports waiting both when the command sleeps and when it reads from a stream that has more to come. */
const reportingClock = (clock: Clock, waiting: () => void): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  after: (delayMs, callback, options) => clock.after(delayMs, callback, options),
  sleep(delayMs, signal) {
    waiting();
    return clock.sleep(delayMs, signal);
  },
});

const reportingTransport = (transport: Transport, waiting: () => void): Transport => ({
  ...transport,
  send(request) {
    if (/[?&](watch|follow)=/.test(request.path)) waiting();
    return transport.send(request);
  },
  ...(transport.upgrade && {
    upgrade(request: TransportRequest) {
      waiting();
      return transport.upgrade!(request);
    },
  }),
});

const editorName = 'editor';

function printer(print: (text: string) => void): KubectlIo['out'] {
  const decoder = new TextDecoder();
  return {
    write: (text) => print(typeof text === 'string' ? text : decoder.decode(text, { stream: true })),
  };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function* chunksOf(stdin: string | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (typeof stdin !== 'string') yield* stdin;
  else if (stdin !== '') yield new TextEncoder().encode(stdin);
}
