/** Exec, attach and port-forward for containers of this process. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { upgradeResponse } from '@coxswain/apiserver/http/upgrade-response.ts';
import { asksForUpgrade } from '@coxswain/apiserver/http/upgrade.ts';
import { badRequest, runStep, type Clock } from '@coxswain/apimachinery';
import type { KubeletCall } from '@coxswain/kube-apiserver';
import type { ContainerTarget, ExecStreams, KubeletConnection } from '@coxswain/kubelet';
import {
  bytesOf,
  exited,
  failed,
  servePortForward,
  serveRemoteCommand,
  success,
  writerTo,
  type CommandSession,
  type CommandStatus,
  type WantedStreams,
} from '@coxswain/streaming';
import type { Duplex } from 'node:stream';
import { observedStreams } from './observed-streams.ts';

export interface StreamCall {
  readonly request: ApiRequest;
  readonly call: KubeletCall;
  readonly node: KubeletConnection;
  readonly target: ContainerTarget;
  readonly clock: Clock;
}

/** @throws StatusError 400 for a request without a protocol upgrade or without any stream */
export function streamInto({ request, call, node, target, clock }: StreamCall): ApiResponse {
  const { headers } = request;
  if (!asksForUpgrade(headers)) throw badRequest('Upgrade request required');
  const { operation, parameters } = call;
  if (operation === 'portforward') {
    const forward = (port: number, data: Duplex) =>
      runStep(request.observer, 'stream/portforward', () => forwardTo(node, target, port, data), { port });
    return upgradeResponse(servePortForward({ headers, ports: parameters.getAll('ports'), clock, forward }));
  }
  const wanted = wantedStreams(parameters);
  const command = parameters.getAll('command');
  const run = (session: CommandSession) =>
    observedStreams({
      observer: request.observer,
      operation,
      command,
      streams: streamsOf(session, wanted),
      run: (streams) =>
        operation === 'exec' ? exec(node, target, command, streams) : attach(node, target, streams),
      work: operation === 'exec' ? node.exec : node.attach,
    });
  return upgradeResponse(serveRemoteCommand({ headers, wanted, clock, run }));
}

function wantedStreams(parameters: URLSearchParams): WantedStreams {
  const flag = (name: string) => !['false', '0', undefined].includes(parameters.get(name) ?? undefined);
  const [stdin, stdout, stderr, tty] = [flag('stdin'), flag('stdout'), flag('stderr'), flag('tty')];
  if (!stdin && !stdout && !stderr) throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  // A terminal has a single output stream.
  return { stdin, stdout, stderr: stderr && !tty, tty };
}

function streamsOf(
  { stdin, stdout, stderr, sizes, signal }: CommandSession,
  { tty }: WantedStreams,
): ExecStreams {
  return {
    ...(stdin && { stdin: bytesOf(stdin) }),
    ...(stdout && { stdout: writerTo(stdout) }),
    ...(stderr && { stderr: writerTo(stderr) }),
    ...(sizes && { sizes }),
    tty,
    signal,
  };
}

async function exec(
  node: KubeletConnection,
  target: ContainerTarget,
  command: readonly string[],
  streams: ExecStreams,
): Promise<CommandStatus> {
  try {
    const code = await node.exec(target, command, streams);
    return exited(code, `error executing command [${command.join(' ')}], exit code ${code}`);
  } catch (failure) {
    return failed(`error executing command in container: ${messageOf(failure)}`);
  }
}

async function attach(
  node: KubeletConnection,
  target: ContainerTarget,
  streams: ExecStreams,
): Promise<CommandStatus> {
  try {
    await node.attach(target, streams);
    return success;
  } catch (failure) {
    return failed(`error attaching to container: ${messageOf(failure)}`);
  }
}

async function forwardTo(
  node: KubeletConnection,
  target: ContainerTarget,
  port: number,
  data: Duplex,
): Promise<void> {
  try {
    await node.portForward(target, port, { stdin: bytesOf(data), stdout: writerTo(data) });
  } catch (failure) {
    const place = `pod ${target.name}, uid ${target.uid ?? ''}`;
    throw new Error(`error forwarding port ${port} to ${place}: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
}
