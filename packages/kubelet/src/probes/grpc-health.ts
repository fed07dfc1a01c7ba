import { isIPv6 } from 'node:net';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { GrpcChannel } from '@coxswain/grpc/client/channel.ts';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import { decode, encode, field } from '@coxswain/protobuf';
import type { ProbeResult } from '../runtime.ts';
import type { GrpcTarget } from './run-probe.ts';

const HealthCheckRequest = { service: field(1, 'string') };
const HealthCheckResponse = { status: field(1, 'enum') };
const statuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const serving = 1;

/** Queries the standard gRPC health service. */
export async function grpcHealth(
  { host, port, service }: GrpcTarget,
  timeoutMs: number,
  clock: Clock,
): Promise<ProbeResult> {
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const channel = new GrpcChannel({ endpoints: [`http://${address}`], service: 'health', clock });
  try {
    const bytes = await channel.unary(
      '/grpc.health.v1.Health/Check',
      encode(HealthCheckRequest, { service }),
      {
        timeoutMs,
      },
    );
    const { status } = decode(HealthCheckResponse, bytes);
    if (status === serving) return { success: true, output: 'service healthy' };
    return { success: false, output: `service unhealthy (responded with "${statuses[status] ?? status}")` };
  } catch (error) {
    return { success: false, output: failureText(error, address, service, timeoutMs) };
  } finally {
    channel.close();
  }
}

function failureText(error: unknown, address: string, service: string, timeoutMs: number): string {
  const code = error instanceof GrpcError ? error.code : grpcCodes.unknown;
  const text = messageOf(error);
  const status = `rpc error: code = ${code === grpcCodes.unimplemented ? 'Unimplemented' : 'Unknown'} desc = ${text}`;
  if (code === grpcCodes.unimplemented)
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${status}`;
  if (code === grpcCodes.deadlineExceeded)
    return `timeout: failed to connect service "${address}" within ${timeoutMs / 1000}s: context deadline exceeded`;
  if (code === grpcCodes.unavailable) return `error: failed to connect service at "${address}": ${text}`;
  return `error: health rpc probe failed: ${service === '' ? '' : `${service}: `}${status}`;
}
