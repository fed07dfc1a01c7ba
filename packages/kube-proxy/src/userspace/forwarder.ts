/** What takes packets in place of the kernel, and where it sends them. */
import type { EndpointAddress } from '../model/service-rule.ts';

export interface Forwarder {
  readonly port: number;
  close(): void;
}

/** Where a new connection or client goes; undefined when there is nowhere. */
export type ChooseEndpoint = (clientIp: string) => EndpointAddress | undefined;
