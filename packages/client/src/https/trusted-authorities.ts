/** The authorities that a client trusts for TLS. */
import { readFileSync } from 'node:fs';
import tls, { type SecureContextOptions } from 'node:tls';

/**
 * Options for a connection that trusts these certificates (PEM), or the system's if there are none. As in Go, each of
 * them is a trust anchor: a server's own certificate is enough without its issuer.
 */
export const trusting = (authorities: string | Uint8Array | undefined): SecureContextOptions =>
  authorities === undefined || authorities.length === 0
    ? withExtra(process.env['NODE_EXTRA_CA_CERTS'])
    : { ca: authorities as string | Buffer, allowPartialTrustChain: true };

/** The last file read; a process uses only one. */
let known: { readonly file: string; readonly options: SecureContextOptions } | undefined;

/**
 * Node would read this file at startup, which takes longer than a whole command, so our programs are started without
 * the variable.
 */
function withExtra(file: string | undefined): SecureContextOptions {
  if (!file) return {};
  if (known?.file === file) return known.options;
  try {
    const options = { ca: [...defaultAuthorities(), readFileSync(file, 'utf8')] };
    known = { file, options };
    return options;
  } catch {
    // Like Node, ignores an unreadable file.
    return {};
  }
}

/** Before Node 22.15, only the built-in authorities are available. */
const defaultAuthorities = (): readonly string[] =>
  tls.getCACertificates?.('default') ?? tls.rootCertificates;
