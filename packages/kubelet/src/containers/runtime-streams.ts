/** Exec, attach and port-forward through the address that the runtime gives for each. */
import { request as requestHttp } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecStreams } from '../connection.ts';
import { RuntimeFailure } from '../runtime.ts';

/** Resolves with the exit code of the command. @throws RuntimeFailure with what the runtime says */
export async function carryCommand(url: string, streams: ExecStreams): Promise<number> {
  const { CommandExit, commandOverSpdy, runRemoteCommand, spdyProtocols } =
    await import('@coxswain/streaming');
  const upgraded = await upgrade(url, spdyProtocols);
  const { stdin, stdout, stderr, sizes, tty = false, signal } = streams;
  try {
    await runRemoteCommand(commandOverSpdy(upgraded), { stdin, stdout, stderr, sizes, tty, signal });
    return 0;
  } catch (error) {
    if (error instanceof CommandExit) return error.code;
    throw new RuntimeFailure('ExecError', error instanceof Error ? error.message : String(error));
  }
}

/** Carries one connection to a port of the pod. @throws RuntimeFailure */
export async function carryPort(url: string, port: number, streams: ExecStreams): Promise<void> {
  const { bytesOf, portForwardOver, portForwardProtocol } = await import('@coxswain/streaming');
  const { socket, head } = await upgrade(url, [portForwardProtocol]);
  const connection = portForwardOver(socket, head);
  try {
    const { data, failure } = await connection.forward(port);
    const out = (async () => {
      for await (const chunk of bytesOf(data)) await streams.stdout?.(chunk);
    })();
    const into = (async () => {
      for await (const chunk of streams.stdin ?? []) data.write(chunk);
      data.end();
    })();
    await Promise.all([out, into]);
    const text = await failure;
    if (text !== '') throw new RuntimeFailure('PortForwardError', text);
  } finally {
    connection.close();
  }
}

interface Upgraded {
  readonly socket: Duplex;
  readonly head: Uint8Array;
  readonly protocol: string;
}

function upgrade(url: string, protocols: readonly string[]): Promise<Upgraded> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': [...protocols],
      'content-length': '0',
    };
    const request = requestHttp(url, { method: 'POST', headers, agent: false });
    request.once('upgrade', ({ headers: answered }, socket, head) => {
      const protocol = String(answered['x-stream-protocol-version'] ?? protocols.at(-1));
      resolve({ socket, head, protocol });
    });
    request.once('response', (answer) => {
      answer.resume();
      reject(
        new RuntimeFailure('StreamError', `the runtime refused the stream with status ${answer.statusCode}`),
      );
    });
    request.once('error', reject).end();
  });
}
