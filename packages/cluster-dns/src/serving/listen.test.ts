import { Resolver } from 'node:dns/promises';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ManualClock, seededRandom, type StepObserver } from '@coxswain/apimachinery';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DnsResponse, Question } from '../message.ts';
import { responder } from '../respond.ts';
import { cachedAnswers } from '../upstream/answer-cache.ts';
import { exchangeOverTcp, exchangeOverUdp } from '../upstream/exchange.ts';
import { forwarder } from '../upstream/forwarder.ts';
import type { ClusterView, ServiceObject } from '../zone/cluster-view.ts';
import { listen, type DnsListener } from './listen.ts';
import { framed } from './tcp-frames.ts';

const addresses = Array.from({ length: 60 }, (_, at) => `10.96.1.${at}`);

const view: ClusterView = {
  hasNamespace: () => true,
  service: (_, name) =>
    ({
      metadata: { name },
      spec: { clusterIPs: name === 'many' ? addresses : ['10.96.0.7'], ports: [{ port: 80 }] },
    }) as unknown as ServiceObject,
  slicesOf: () => [],
  serviceByAddress: () => undefined,
  slicesByAddress: () => [],
  serial: 1,
};

const clock = new ManualClock();
const random = seededRandom(1);
const asked: Question[] = [];
/** A foreign zone, whose answers may be cached for 10 seconds. */
const elsewhere = async (question: Question): Promise<DnsResponse> => {
  asked.push(question);
  return {
    code: 0,
    authoritative: true,
    answers: [{ name: question.name, type: 'A', ttl: 10, data: '192.0.2.9' }],
  };
};
const fail = (error: unknown): never => {
  throw error;
};
let other: DnsListener;
let cluster: DnsListener;

beforeAll(async () => {
  const local = { host: '127.0.0.1', port: 0 };
  other = await listen(
    responder({ domain: 'none', view, ownAddresses: [], resolve: elsewhere }, random, fail),
    local,
  );
  const servers = [{ address: '127.0.0.1', port: other.address.port }];
  const ask = forwarder({
    servers,
    random,
    newId: () => 7,
    overUdp: exchangeOverUdp,
    overTcp: exchangeOverTcp,
  });
  const zone = { domain: 'cluster.local', view, ownAddresses: [], resolve: cachedAnswers(ask, clock) };
  cluster = await listen(responder(zone, random, fail), local);
});
/** A new resolver for each question, since it caches. */
function resolve4(name: string): Promise<string[]> {
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${cluster.address.port}`]);
  return resolver.resolve4(name);
}

afterAll(() => Promise.all([cluster.close(), other.close()]));

test('a resolver finds a service', async () => {
  expect(await resolve4('web.shop.svc.cluster.local')).toEqual(['10.96.0.7']);
});

test('what does not fit a datagram is asked for again over TCP', async () => {
  const found = await resolve4('many.shop.svc.cluster.local');
  expect(found.toSorted()).toEqual(addresses.toSorted());
  expect(found).not.toEqual(addresses);
});

test('other names are asked for elsewhere, and once while their answer is good', async () => {
  asked.length = 0;
  for (let times = 0; times < 3; times++) expect(await resolve4('example.org')).toEqual(['192.0.2.9']);
  expect(asked).toHaveLength(1);
  await clock.advance(10_000);
  await resolve4('example.org');
  expect(asked).toHaveLength(2);
});

test.each([
  ['a cut question', '000701000001000000000000', 1],
  ['another operation', '000729000001000000000000076578616d706c6500000100ff', 4],
  ['another class', '000701000001000000000000037777770000010003', 5],
])('%s is refused with its code', async (_, question, code) => {
  const socket = createSocket('udp4');
  socket.send(Buffer.from(question, 'hex'), cluster.address.port, '127.0.0.1');
  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  expect(answer.readUInt16BE(0)).toBe(7);
  expect(answer[3]! & 0xf).toBe(code);
});

test('several questions of one connection are answered, however they are cut', async () => {
  const question = framed(Buffer.from('00070100000100000000000001610000010001', 'hex'));
  const socket = connect(cluster.address.port, '127.0.0.1');
  const stream = Buffer.concat([question, question]);
  for (const byte of stream) socket.write(Uint8Array.of(byte));
  let received = Buffer.alloc(0);
  while (received.length < 2 || received.length < 2 * (2 + received.readUInt16BE(0))) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
  }
  socket.destroy();
  expect(received.readUInt16BE(2)).toBe(7);
});

test('a question is a request for whoever watches, with its answer', async () => {
  const reported: unknown[] = [];
  const observer: StepObserver = {
    begin: (step) => void reported.push(step),
    scope(undertaking) {
      reported.push(undertaking().name);
      return observer;
    },
    note: (values) => void reported.push(values),
  };
  const zone = { domain: 'cluster.local', view, ownAddresses: [], resolve: elsewhere };
  const server = await listen(responder(zone, random, fail, observer), { host: '127.0.0.1', port: 0 });
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.address.port}`]);
  await resolver.resolve4('one.default.svc.cluster.local');
  await server.close();

  expect(reported).toEqual([
    'A one.default.svc.cluster.local',
    'answer',
    'zone',
    { code: 0, answers: [expect.objectContaining({ data: '10.96.0.7' })] },
  ]);
});
