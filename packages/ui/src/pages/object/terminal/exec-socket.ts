/** Runs a command in a container, over a WebSocket that the page's server proxies: `v5.channel.k8s.io`. */

import { requestPath } from '@coxswain/client';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages({ lost: 'the connection was refused or lost' }, { lost: '连接被拒绝或已断开' });

/** The channels, given by the first byte of each message. */
const channel = { input: 0, output: 1, errors: 2, status: 3, resize: 4 } as const;

export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  /** The first container of the pod if undefined. */
  readonly container?: string;
  readonly command: readonly string[];
  /** Whether the command is interactive; otherwise it has no standard input. */
  readonly isTerminal: boolean;
}

export interface ExecHandlers {
  readonly onOutput: (bytes: Uint8Array) => void;
  /** @param reason empty if the command succeeded */
  readonly onEnd: (reason: string) => void;
}

export interface ExecSession {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

interface ExitStatus {
  readonly status?: string;
  readonly message?: string;
}

export function openExec(
  { namespace, pod, container, command, isTerminal }: ExecTarget,
  { onOutput, onEnd }: ExecHandlers,
): ExecSession {
  const path = requestPath('GET', {
    groupVersion: { group: '', version: 'v1' },
    resource: 'pods',
    namespace,
    name: pod,
    subresource: 'exec',
    query: {
      command,
      ...(container !== undefined && { container }),
      stdin: isTerminal,
      stdout: true,
      stderr: !isTerminal,
      tty: isTerminal,
    },
  });
  const socket = new WebSocket(
    `${location.origin.replace(/^http/, 'ws')}/cluster${path}`,
    'v5.channel.k8s.io',
  );
  socket.binaryType = 'arraybuffer';
  let reason: string | undefined;
  socket.addEventListener('message', ({ data }) => {
    const bytes = new Uint8Array(data as ArrayBuffer);
    if (bytes[0] === channel.output || bytes[0] === channel.errors) onOutput(bytes.subarray(1));
    if (bytes[0] !== channel.status) return;
    const { status, message = '' } = JSON.parse(new TextDecoder().decode(bytes.subarray(1))) as ExitStatus;
    reason = status === 'Success' ? '' : message;
  });
  socket.addEventListener('close', () => onEnd(reason ?? text().lost));
  const send = (to: number, text: string): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const encoded = new TextEncoder().encode(text);
    const message = new Uint8Array(encoded.length + 1);
    message[0] = to;
    message.set(encoded, 1);
    socket.send(message);
  };
  let size: string | undefined;
  socket.addEventListener('open', () => size !== undefined && send(channel.resize, size));
  return {
    write: (text) => send(channel.input, text),
    resize(columns, rows) {
      size = JSON.stringify({ Width: columns, Height: rows });
      send(channel.resize, size);
    },
    close: () => socket.close(),
  };
}
