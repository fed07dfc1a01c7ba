/** Whom a client trusts on the other end of TLS. */
import { readFileSync } from 'node:fs';
import tls, { type SecureContextOptions } from 'node:tls';

/**
 * Options of a connection that trusts these certificates (PEM), or the system's when there are none. As with
 * Go's pools, each of them is an end of the chain: a server's own certificate will do, without who signed it.
 */
export const trusting = (authorities: string | Uint8Array | undefined): SecureContextOptions =>
  authorities === undefined || authorities.length === 0
    ? withExtra(process.env['NODE_EXTRA_CA_CERTS'])
    : { ca: authorities as string | Buffer, allowPartialTrustChain: true };

/** The file that was read last, of which there is one in a process. */
let known: { readonly file: string; readonly options: SecureContextOptions } | undefined;

/** Node reads this file when it starts, which takes longer than a whole command: ours are started without. */
function withExtra(file: string | undefined): SecureContextOptions {
  if (!file) return {};
  if (known?.file === file) return known.options;
  try {
    const options = { ca: [...defaultAuthorities(), readFileSync(file, 'utf8')] };
    known = { file, options };
    return options;
  } catch {
    // As Node does: what can't be read adds nothing.
    return {};
  }
}

/** Before Node 22.15, only those that are built in can be told. */
const defaultAuthorities = (): readonly string[] =>
  tls.getCACertificates?.('default') ?? tls.rootCertificates;
