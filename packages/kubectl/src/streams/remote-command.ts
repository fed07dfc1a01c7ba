/** Exec and attach: from the request to the end of the command. */
import {
  CommandExit,
  clientWebSocketProtocols,
  commandOverSpdy,
  commandOverWebSocket,
  runRemoteCommand,
  spdyProtocols,
  type TerminalSize,
} from '@coxswain/streaming';
import { here, runStep } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { ExitError } from '../errors.ts';
import type { Terminal } from '../io.ts';
import { openUpgraded } from './upgrade.ts';

export interface RemoteCommand {
  readonly operation: 'exec' | 'attach';
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command?: readonly string[];
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  readonly stdout?: (chunk: Uint8Array) => void | Promise<void>;
  readonly stderr?: ((chunk: Uint8Array) => void) | undefined;
  /** The terminal on which it is displayed. */
  readonly terminal?: Terminal | undefined;
  readonly signal?: AbortSignal;
}

/**
 * @throws ExitError with the command's exit code, if that isn't 0
 * @throws Error with the server's message if it refuses, or the command could not be run
 */
export async function streamCommand(context: CommandContext, remote: RemoteCommand): Promise<void> {
  const { operation, namespace, pod, terminal } = remote;
  const upgraded = await openUpgraded(context, {
    path: `/api/v1/namespaces/${namespace}/pods/${pod}/${operation}`,
    query: queryOf(remote),
    webSocketProtocols: clientWebSocketProtocols,
    spdyProtocols: spdyProtocols,
  });
  const connection = (upgraded.kind === 'spdy' ? commandOverSpdy : commandOverWebSocket)(upgraded);
  const resizes = terminal && sizesOf(terminal);
  try {
    const streams = {
      stdin: remote.stdin,
      stdout: remote.stdout,
      stderr: remote.stderr,
      tty: terminal !== undefined,
      sizes: resizes?.sizes,
      signal: signalOf(context, remote),
    };
    const copy = () => runRemoteCommand(connection, streams);
    await runStep(context.io.observer, here`copy-streams`, copy, undefined, runRemoteCommand);
  } catch (failure) {
    if (failure instanceof CommandExit) throw new ExitError(failure.code, failure.message);
    throw failure;
  } finally {
    resizes?.stop();
  }
}

/** Also ends if the caller of kubectl requests a stop. */
const signalOf = ({ signal }: CommandContext, remote: RemoteCommand): AbortSignal | undefined =>
  signal && remote.signal ? AbortSignal.any([signal, remote.signal]) : (signal ?? remote.signal);

function queryOf({ container, command = [], stdin, stdout, stderr, terminal }: RemoteCommand) {
  const query = new URLSearchParams();
  for (const word of command) query.append('command', word);
  query.append('container', container);
  const flags = { stderr: stderr && !terminal, stdin, stdout, tty: terminal };
  for (const [name, value] of Object.entries(flags)) if (value) query.append(name, 'true');
  return query;
}

/** Yields the current size, then each new one. */
function sizesOf(terminal: Terminal) {
  let changed = Promise.withResolvers<boolean>();
  const off = terminal.onResize(() => {
    changed.resolve(true);
    changed = Promise.withResolvers();
  });
  async function* sizes(): AsyncGenerator<TerminalSize> {
    for (;;) {
      const next = changed.promise;
      yield terminal.size();
      if (!(await next)) return;
    }
  }
  return {
    sizes: sizes(),
    stop() {
      off();
      changed.resolve(false);
    },
  };
}
