/** Exec, attach and port-forward through the URL that the runtime provides for each. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { SpdyResponse, SpdyConnected, SpdyRefused } from '@coxswain/streaming';
import { spdyName, versionHeader } from '@coxswain/streaming/upgrade-reply.ts';
import type { ExecStreams } from '../connection.ts';
import { RuntimeFailure } from '../runtime.ts';

/** Resolves with the exit code of the command. @throws RuntimeFailure with the runtime's message */
export async function carryCommand(url: string, streams: ExecStreams): Promise<number> {
  const { CommandExit, commandOverSpdy, runRemoteCommand, spdyProtocols } =
    await import('@coxswain/streaming');
  const upgraded = await connected(url, spdyProtocols);
  const { stdin, stdout, stderr, sizes, tty = false, signal } = streams;
  try {
    await runRemoteCommand(commandOverSpdy(upgraded), { stdin, stdout, stderr, sizes, tty, signal });
    return 0;
  } catch (error) {
    if (error instanceof CommandExit) return error.code;
    throw new RuntimeFailure('ExecError', messageOf(error));
  }
}

/** Forwards one connection to a port of the pod. @throws RuntimeFailure */
export async function carryPort(url: string, port: number, streams: ExecStreams): Promise<void> {
  const { bytesOf, portForwardOver, portForwardProtocol } = await import('@coxswain/streaming');
  const { socket, head } = await connected(url, [portForwardProtocol]);
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

const refusalBytesMax = 64 * 1024;

/** @throws Error if the runtime can't be reached there */
export function askForSpdy(url: string, protocols: readonly string[]): Promise<SpdyResponse> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: spdyName,
      [versionHeader]: [...protocols],
      'content-length': '0',
    };
    const request = requestHttp(url, { method: 'POST', headers, agent: false });
    request.once('upgrade', ({ headers: answered }, socket, head) =>
      resolve({ socket, head, protocol: String(answered[versionHeader] ?? '') }),
    );
    request.once('response', (answer) => {
      refusalOf(answer).then(resolve, reject);
    });
    request.once('error', reject).end();
  });
}

export async function refusalOf(answer: IncomingMessage): Promise<SpdyRefused> {
  let text = '';
  for await (const chunk of answer) {
    text += String(chunk);
    if (text.length > refusalBytesMax) break;
  }
  return { status: answer.statusCode ?? 500, headers: {}, text };
}

/** @throws RuntimeFailure if the runtime refuses */
async function connected(url: string, protocols: readonly string[]): Promise<SpdyConnected> {
  const answer = await askForSpdy(url, protocols);
  if ('socket' in answer) return answer;
  const text = `the runtime refused the stream with status ${answer.status}`;
  throw new RuntimeFailure('StreamError', text);
}
