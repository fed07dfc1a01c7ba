/** The peer of a TLS connection, determined once for all its requests. */
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate, Peer } from './api-request.ts';

const peers = new WeakMap<TLSSocket, Peer>();

export function peerOf(socket: TLSSocket, protocol: Peer['protocol']): Peer {
  let peer = peers.get(socket);
  if (peer === undefined) {
    peer = {
      address: withoutMappedPrefix(socket.remoteAddress ?? ''),
      tls: true,
      protocol,
      certificate: certificateOf(socket),
    };
    peers.set(socket, peer);
  }
  return peer;
}

function certificateOf(socket: TLSSocket): ClientCertificate | undefined {
  const certificate: Partial<DetailedPeerCertificate> | undefined = socket.getPeerCertificate?.(true);
  if (certificate?.raw === undefined) return undefined;
  return { der: certificate.raw, intermediates: intermediatesOf(certificate) };
}

/** Longer chains are not accepted. */
const chainLengthMax = 10;

/** In Node's certificate objects each has its issuer; the last one is its own issuer. */
function intermediatesOf(certificate: Partial<DetailedPeerCertificate>): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let next = certificate.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    const last = found.at(-1) ?? certificate.raw;
    if (next.raw === undefined || next.raw.equals(last!) || found.length === chainLengthMax) break;
    found.push(next.raw);
  }
  return found;
}

/** The address of an IPv4 client on an IPv6 socket is reported as IPv4. */
const withoutMappedPrefix = (address: string): string =>
  address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
