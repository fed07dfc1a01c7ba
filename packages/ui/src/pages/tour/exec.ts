/** Runs `kubectl exec POD -- COMMAND` over the page's own connection to a container. */

import { openExec, type ExecTarget } from '../object/terminal/exec-socket.ts';

const line = /^kubectl exec ([\w.-]+) -- (.+)$/;

/** Undefined for other commands. */
export function execWords(command: string): Pick<ExecTarget, 'pod' | 'command'> | undefined {
  const [, pod, words] = line.exec(command) ?? [];
  return pod === undefined || words === undefined ? undefined : { pod, command: words.split(' ') };
}

/** @returns 0 if the command succeeded, otherwise 1 with the reason printed */
export function runExec(
  target: Pick<ExecTarget, 'namespace' | 'pod' | 'command'>,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const decoder = new TextDecoder();
  return new Promise((resolve) => {
    const session = openExec(
      { ...target, isTerminal: false },
      {
        onOutput: (bytes) => print(decoder.decode(bytes, { stream: true })),
        onEnd(reason) {
          if (reason !== '') print(`${reason}\n`);
          resolve(reason === '' ? 0 : 1);
        },
      },
    );
    signal.addEventListener('abort', () => session.close(), { once: true });
  });
}
