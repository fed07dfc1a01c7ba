/** The other end of a TLS connection, told once for all its requests. */
import { createHash } from 'node:crypto';
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
  const certificate: Partial<DetailedPeerCertificate> | undefined = socket.getPeerCertificate?.();
  if (certificate?.raw === undefined) return undefined;
  const subject: Readonly<Record<string, string | string[] | undefined>> = { ...certificate.subject };
  return {
    verified: socket.authorized,
    commonName: oneOf(subject.CN),
    organizations: listOf(subject.O),
    credentialId: `X509SHA256=${createHash('sha256').update(certificate.raw).digest('hex')}`,
    problem: socket.authorized ? undefined : String(socket.authorizationError ?? 'not verified'),
    der: certificate.raw,
  };
}

const listOf = (value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

const oneOf = (value: string | string[] | undefined): string => listOf(value)[0] ?? '';

/** An IPv4 client of an IPv6 socket is told as IPv4. */
const withoutMappedPrefix = (address: string): string =>
  address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
