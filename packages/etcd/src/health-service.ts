/** The gRPC health protocol. Only the server as a whole has a status, as in etcd. */
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import { field } from '@coxswain/protobuf';
import { stream, unary, type Methods } from '@coxswain/grpc/server/method.ts';

const HealthCheckRequest = { service: field(1, 'string') };
const HealthCheckResponse = { status: field(1, 'enum') };
const statuses = { serving: 1, serviceUnknown: 3 } as const;
const wholeServer = '';

export const healthService: Methods = {
  '/grpc.health.v1.Health/Check': unary(HealthCheckRequest, HealthCheckResponse, ({ service }) => {
    if (service !== wholeServer) throw new GrpcError(grpcCodes.notFound, 'unknown service');
    return { status: statuses.serving };
  }),
  /** The server is healthy for as long as the connection lasts. */
  '/grpc.health.v1.Health/Watch': stream(HealthCheckRequest, HealthCheckResponse, async (call) => {
    for await (const { service } of call.requests) {
      call.send({ status: service === wholeServer ? statuses.serving : statuses.serviceUnknown });
      await new Promise<void>((resolve) => onAbort(call.signal, resolve));
    }
  }),
};

function onAbort(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener('abort', callback, { once: true });
}
