/** The other end of a TLS connection, told once for all its requests. */
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

/** Longer chains lead nowhere. */
const chainLengthMax = 10;

/** The handshake hands out issuers one in another; the last one is its own. */
function intermediatesOf(certificate: Partial<DetailedPeerCertificate>): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let next = certificate.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    const last = found.at(-1) ?? certificate.raw;
    if (next.raw === undefined || next.raw.equals(last!) || found.length === chainLengthMax) break;
    found.push(next.raw);
  }
  return found;
}

/** An IPv4 client of an IPv6 socket is told as IPv4. */
const withoutMappedPrefix = (address: string): string =>
  address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
