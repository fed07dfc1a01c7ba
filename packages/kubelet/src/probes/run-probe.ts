/** Runs a container's probe. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Probe } from '@coxswain/api/core/v1/probe.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ProbeResult } from '../runtime.ts';
import type { HttpAnswer } from './probe-request.ts';
import { httpTarget, portOf, type HttpAction, type HttpTarget } from './probe-target.ts';

export interface ProbeTarget {
  readonly container: Container;
  /** The address of the pod, or of the node for pods in its network. */
  readonly host: string;
  /** Runs a command in the container. */
  exec(
    command: readonly string[],
    timeoutMs: number,
  ): Promise<{ readonly exitCode: number; readonly output: string }>;
  readonly network: ProbeNetwork;
}

/** How ports are probed. Each function throws an Error with the message of Go's client. */
export interface ProbeNetwork {
  httpGet(target: HttpTarget, timeoutMs: number): Promise<HttpAnswer>;
  tcpConnect(host: string, port: number, timeoutMs: number): Promise<void>;
  grpcHealth(target: GrpcTarget, timeoutMs: number): Promise<ProbeResult>;
}

export interface GrpcTarget {
  readonly host: string;
  readonly port: number;
  readonly service: string;
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
      const port = portOf(tcpSocket.port, target.container);
      await target.network.tcpConnect(tcpSocket.host || target.host, port, timeoutMs);
      return { success: true, output: '' };
    }
    if (grpc) {
      const { port, service } = grpc;
      return await target.network.grpcHealth({ host: target.host, port, service: service ?? '' }, timeoutMs);
    }
  } catch (error) {
    return failed(messageOf(error));
  }
  return failed('missing probe handler');
}

async function httpProbe(action: HttpAction, target: ProbeTarget, timeoutMs: number): Promise<ProbeResult> {
  const { status, body } = await target.network.httpGet(httpTarget(action, target), timeoutMs);
  if (status >= 200 && status < 400) return { success: true, output: body };
  return failed(`HTTP probe failed with statuscode: ${status}`);
}
