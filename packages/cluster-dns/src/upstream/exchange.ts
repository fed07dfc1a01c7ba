/** The sockets of a forwarder: a new one for each query, so that its port is hard to guess. */

import { createSocket } from 'node:dgram';
import { createConnection } from 'node:net';
import { framed, FrameReader } from '../serving/tcp-frames.ts';
import type { Exchange, UpstreamServer } from './forwarder.ts';

/** CoreDNS' time-out. */
const answerWaitMs = 2_000;

export const exchangeOverUdp: Exchange = (server, query, isAnswer) =>
  new Promise((resolve) => {
    const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4');
    const end = (answer?: Uint8Array): void => {
      clearTimeout(timer);
      socket
        .removeAllListeners('error')
        .on('error', () => {})
        .close();
      resolve(answer);
    };
    const timer = setTimeout(end, answerWaitMs);
    socket.once('error', () => end());
    // Connected, so that the kernel drops datagrams from other sources and reports closed ports.
    socket.connect(server.port, server.address, () => socket.send(query));
    socket.on('message', (bytes) => {
      if (isAnswer(bytes)) end(bytes);
    });
  });

export const exchangeOverTcp: Exchange = ({ address, port }: UpstreamServer, query, isAnswer) =>
  new Promise((resolve) => {
    const socket = createConnection({ host: address, port, timeout: answerWaitMs });
    const end = (answer?: Uint8Array): void => {
      socket.destroy();
      resolve(answer);
    };
    const frames = new FrameReader((bytes) => {
      if (isAnswer(bytes)) end(bytes);
    });
    socket
      .once('timeout', () => end())
      .once('error', () => end())
      .once('close', () => end());
    socket.on('data', (chunk: Buffer) => frames.read(chunk));
    socket.once('connect', () => socket.write(framed(query)));
  });
