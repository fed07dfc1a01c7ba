/** Whom a client trusts on the other end of TLS. */
import type { SecureContextOptions } from 'node:tls';

/**
 * Options of a connection that trusts these certificates (PEM), or the system's when there are none. As with
 * Go's pools, each of them is an end of the chain: a server's own certificate will do, without who signed it.
 */
export const trusting = (authorities: string | Uint8Array | undefined): SecureContextOptions =>
  authorities === undefined || authorities.length === 0
    ? {}
    : { ca: authorities as string | Buffer, allowPartialTrustChain: true };
