/** The HTTP/1.1 connections of a port. */
import type { TLSSocket } from 'node:tls';
import { peerOf } from '../peer.ts';
import type { SecureServingOptions } from '../serving-options.ts';
import { headersMsMax, idleMsMax, lookMs } from '../transport-limits.ts';
import { Http1Connection } from './http1-connection.ts';

export function openHttp1(
  socket: TLSSocket,
  { serve, log, clock }: SecureServingOptions,
  connections: Set<Http1Connection>,
): void {
  const connection = new Http1Connection(socket, { peer: peerOf(socket, 'HTTP/1.1'), clock, serve, log });
  connections.add(connection);
  socket.on('close', () => connections.delete(connection));
}

/** The number of checks for which a connection may be idle, or take to send its headers. */
const patience = { idlePeriods: idleMsMax / lookMs, headPeriods: headersMsMax / lookMs };

export function lookAfterHttp1(connections: ReadonlySet<Http1Connection>): void {
  for (const connection of connections) connection.look(patience);
}
