/**
 * Exec and attach between a client that speaks `v5.channel.k8s.io` over a WebSocket and a server that only knows SPDY,
 * such as kubelets before 1.36 and container runtimes.
 */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bytesOf } from '../bytes-of.ts';
import { writerTo } from '../writer-to.ts';
import { refusalMessage, type AskForSpdy } from '../spdy/ask-for-spdy.ts';
import type { RequestHeaders, UpgradeReply } from '../upgrade-reply.ts';
import { isWebSocketRequest, requestedProtocols } from '../websocket/handshake.ts';
import { CommandExit, exited, failed, success, type CommandStatus } from './command-status.ts';
import { commandOverSpdy, runRemoteCommand } from './connect.ts';
import { spdyProtocols, streamCloseProtocol, type WantedStreams } from './protocols.ts';
import { serveCommandOverWebSocket, type CommandSession } from './serve.ts';

export interface TranslateCommandOptions {
  readonly headers: RequestHeaders;
  readonly wanted: WantedStreams;
  readonly ask: AskForSpdy;
  /** Called once with the result as an HTTP status, which is 200 also for a command that failed. */
  readonly onAnswer?: ((code: number) => void) | undefined;
}

/** Whether the client's channels can be closed individually, which only newer servers support. */
export const asksForStreamClose = (headers: RequestHeaders): boolean =>
  isWebSocketRequest(headers) && requestedProtocols(headers).includes(streamCloseProtocol);

/** The client is accepted at once; a failure to reach the server is sent as the result of the command. */
export function translateCommand(options: TranslateCommandOptions): UpgradeReply {
  const { onAnswer = () => undefined } = options;
  const reply = serveCommandOverWebSocket({
    ...options,
    protocols: [streamCloseProtocol],
    async run(session) {
      const { status, code } = await runOverSpdy(options, session);
      onAnswer(code);
      return status;
    },
  });
  if (!('accept' in reply)) onAnswer(400);
  return reply;
}

async function runOverSpdy(
  { ask, wanted }: TranslateCommandOptions,
  { stdin, stdout, stderr, sizes, signal }: CommandSession,
): Promise<{ readonly status: CommandStatus; readonly code: number }> {
  try {
    const answer = await ask(spdyProtocols);
    if (!('socket' in answer)) throw new Error(`unable to upgrade connection: ${refusalMessage(answer)}`);
    await runRemoteCommand(commandOverSpdy(answer), {
      stdin: stdin && bytesOf(stdin),
      stdout: stdout && writerTo(stdout),
      stderr: stderr && writerTo(stderr),
      tty: wanted.tty,
      sizes,
      signal,
    });
    return { status: success, code: 200 };
  } catch (failure) {
    if (failure instanceof CommandExit) return { status: exited(failure.code, failure.message), code: 200 };
    return { status: failed(messageOf(failure)), code: 500 };
  }
}
