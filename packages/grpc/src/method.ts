/** A gRPC method: its path, and the messages in both directions. */
import type { MessageTable } from '@coxswain/protobuf';

export interface GrpcMethod<I extends MessageTable = MessageTable, O extends MessageTable = MessageTable> {
  /** `/runtime.v1.RuntimeService/Version` */
  readonly path: string;
  readonly request: I;
  readonly response: O;
}

/** The methods of a service by name. */
export const serviceMethods =
  (service: string) =>
  <I extends MessageTable, O extends MessageTable>(
    name: string,
    request: I,
    response: O,
  ): GrpcMethod<I, O> => ({ path: `/${service}/${name}`, request, response });
