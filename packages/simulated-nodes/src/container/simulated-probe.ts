/** How a simulated container responds to probes. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Probe } from '@coxswain/api/core/v1/probe.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { hostAndPort, httpTarget, portOf, urlOf } from '@coxswain/kubelet/probes/probe-target.ts';
import type { ProbeResult } from '@coxswain/kubelet/runtime.ts';

export interface ProbedContainer {
  readonly spec: Container;
  /** Of the pod. */
  readonly host: string;
  readonly listens: (port: number) => boolean;
  /** Runs a command if everything that its result depends on is known, and returns undefined otherwise. */
  readonly exec?: ((command: readonly string[]) => Promise<ProbeResult>) | undefined;
}

const success: ProbeResult = { success: true, output: '' };

/** A port responds if something listens on it. Requests to other machines and commands in unknown images succeed. */
export async function simulateProbe(probe: Probe, container: ProbedContainer): Promise<ProbeResult> {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  try {
    if (exec) return (await container.exec?.(exec.command ?? [])) ?? success;
    if (httpGet) {
      const target = httpTarget(httpGet, { container: container.spec, host: container.host });
      const why = refusal(container, target.host, target.port);
      return why === undefined ? success : { success: false, output: `Get "${urlOf(target)}": ${why}` };
    }
    if (tcpSocket) {
      const port = portOf(tcpSocket.port, container.spec);
      const why = refusal(container, tcpSocket.host || container.host, port);
      return why === undefined ? success : { success: false, output: why };
    }
    if (grpc) return grpcProbe(container, grpc.port);
  } catch (error) {
    return { success: false, output: messageOf(error) };
  }
  return success;
}

function grpcProbe(container: ProbedContainer, port: number): ProbeResult {
  const why = refusal(container, container.host, port);
  if (why === undefined) return { success: true, output: 'service healthy' };
  const address = hostAndPort(container.host, port);
  const description = `connection error: desc = "transport: error while dialing: ${why}"`;
  return { success: false, output: `error: failed to connect service at "${address}": ${description}` };
}

const refusal = ({ host, listens }: ProbedContainer, asked: string, port: number): string | undefined =>
  (asked !== host && asked !== 'localhost' && asked !== '127.0.0.1') || listens(port)
    ? undefined
    : `dial tcp ${hostAndPort(asked, port)}: connect: connection refused`;
