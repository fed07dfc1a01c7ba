/** Asks a container how it is, the way its probe says. */
import type { Clock } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Probe } from '@coxswain/api/core/v1/probe.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ProbeResult } from '../runtime.ts';
import { httpGet } from './http-request.ts';
import { httpTarget, portOf, type HttpAction } from './probe-target.ts';
import { tcpConnect } from './tcp-connect.ts';

export interface ProbeTarget {
  readonly container: Container;
  /** Of the pod; of the node for pods in its network. */
  readonly host: string;
  /** Runs a command in the container. */
  exec(
    command: readonly string[],
    timeoutMs: number,
  ): Promise<{ readonly exitCode: number; readonly output: string }>;
  readonly clock: Clock;
}

const failed = (output: string): ProbeResult => ({ success: false, output });
export async function runProbe(probe: Probe, target: ProbeTarget): Promise<ProbeResult> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  const { exec, httpGet: http, tcpSocket, grpc } = probe;
  try {
    if (exec) {
      const { exitCode, output } = await target.exec(exec.command ?? [], timeoutMs);
      return { success: exitCode === 0, output };
    }
    if (http) return await httpProbe(http, target, timeoutMs);
    if (tcpSocket) {
      await tcpConnect(tcpSocket.host || target.host, portOf(tcpSocket.port, target.container), timeoutMs);
      return { success: true, output: '' };
    }
    if (grpc) {
      const { grpcHealth } = await import('./grpc-health.ts');
      const { port, service } = grpc;
      return await grpcHealth({ host: target.host, port, service: service ?? '' }, timeoutMs, target.clock);
    }
  } catch (error) {
    return failed(messageOf(error));
  }
  return failed('missing probe handler');
}

async function httpProbe(action: HttpAction, target: ProbeTarget, timeoutMs: number): Promise<ProbeResult> {
  const { status, body } = await httpGet(httpTarget(action, target), timeoutMs);
  if (status >= 200 && status < 400) return { success: true, output: body };
  return failed(`HTTP probe failed with statuscode: ${status}`);
}
