/** Receives packets in place of the kernel, and the destination to which it forwards them. */
import type { EndpointAddress } from '../model/service-rule.ts';

export interface Forwarder {
  readonly port: number;
  close(): void;
}

/** The destination of a new connection or client; undefined if there is none. */
export type ChooseEndpoint = (clientIp: string) => EndpointAddress | undefined;
