/**
 * What one would learn with testssl.sh: which versions, cipher suites, groups and signatures of TLS are spoken, and
 * which of the old weaknesses are left. Every suite that IANA has a number for is offered.
 */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedServer, type AttackedServer } from './attacked-server.ts';
import { acceptedSuites, sayHello, versions } from './client-hello.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

const between = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

const tls13Suites = [0x1301, 0x1302, 0x1303];
/** ECDHE with AES in GCM, or ChaCha20: of certificates with an elliptic, or an RSA key. */
const modernSuites = [0xc02b, 0xc02c, 0xcca9, 0xc02f, 0xc030, 0xcca8];
/** All of TLS 1.2 and before, with what never was more than a draft. The two numbers that only signal are left out. */
const allSuites = [
  ...between(0x0000, 0x00fe),
  ...between(0xc001, 0xc0b5),
  ...between(0xc100, 0xc107),
  ...between(0xcc13, 0xcc15),
  ...between(0xcca8, 0xccae),
  ...between(0xd001, 0xd005),
  ...between(0xfee0, 0xfee1),
  ...between(0xfefe, 0xfeff),
];

describe('versions', () => {
  test.each([
    ['SSL 3', versions.ssl3],
    ['TLS 1.0', versions.tls10],
    ['TLS 1.1', versions.tls11],
  ])('%s is refused', async (_name, version) => {
    expect(await sayHello(attacked.port, { version, suites: allSuites })).toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['TLS 1.2', versions.tls12, modernSuites],
    ['TLS 1.3', versions.tls13, tls13Suites],
  ])('%s is spoken', async (_name, version, suites) => {
    expect(await sayHello(attacked.port, { version, suites })).toMatchObject({ kind: 'hello', version });
  });

  test('who fell back from a version that the server speaks is told so', async () => {
    const fallback = 0x5600;
    const inappropriate = 86;

    const answer = await sayHello(attacked.port, {
      version: versions.tls12,
      suites: [...modernSuites, fallback],
    });

    expect(answer).toEqual({ kind: 'refused', alert: inappropriate });
  });
});

describe('suites', () => {
  test('of TLS 1.2: forward secret and authenticated ones, and no others', async () => {
    const accepted = await acceptedSuites(attacked.port, versions.tls12, allSuites);

    expect(accepted.length).toBeGreaterThan(2);
    expect(modernSuites).toEqual(expect.arrayContaining(accepted));
  });

  test('of TLS 1.3: the three that hide the length of nothing by themselves', async () => {
    const accepted = await acceptedSuites(attacked.port, versions.tls13, between(0x1301, 0x1305));

    expect(accepted.toSorted()).toEqual(tls13Suites);
  });
});

describe('groups and signatures', () => {
  const group = (number: number) =>
    sayHello(attacked.port, { version: versions.tls13, suites: tls13Suites, groups: [number] });

  test.each([
    ['sect163k1', 0x0001],
    ['secp160r1', 0x0010],
    ['secp192r1', 0x0013],
    ['secp224r1', 0x0015],
    ['secp256k1', 0x0016],
    ['ffdhe2048', 0x0100],
  ])('%s is refused', async (_name, number) => {
    expect(await group(number)).toMatchObject({ kind: 'refused' });
  });

  test('X25519 and, against computers to come, X25519 with ML-KEM are spoken', async () => {
    expect(await group(0x001d)).toMatchObject({ kind: 'hello' });
    expect(await group(0x11ec)).toMatchObject({ kind: 'hello' });
  });

  test('with MD5 or SHA-1 nothing is signed', async () => {
    const signatures = [0x0101, 0x0201, 0x0202, 0x0203];

    for (const version of [versions.tls12, versions.tls13]) {
      const suites = [...modernSuites, ...tls13Suites];
      expect(await sayHello(attacked.port, { version, suites, signatures })).toMatchObject({
        kind: 'refused',
      });
    }
  });
});

describe('old weaknesses', () => {
  const modern = { version: versions.tls12, suites: modernSuites };

  test('nothing is compressed before it is encrypted', async () => {
    expect(await sayHello(attacked.port, { ...modern, compressions: [1, 0] })).toMatchObject({
      compression: 0,
    });
  });

  test('no heartbeats are taken; renegotiation is bound to the connection, and so is the session’s secret', async () => {
    const answer = await sayHello(attacked.port, { ...modern, heartbeats: true });

    expect(answer).toMatchObject({ kind: 'hello' });
    const extensions = answer.kind === 'hello' ? answer.extensions : [];
    const numbers = { heartbeat: 15, extendedMasterSecret: 23, renegotiation: 0xff01 };
    expect(extensions).not.toContain(numbers.heartbeat);
    expect(extensions).toContain(numbers.extendedMasterSecret);
    expect(extensions).toContain(numbers.renegotiation);
  });

  test('who speaks none of the protocols that are served is refused', async () => {
    const noCommonProtocol = 120;

    expect(await sayHello(attacked.port, { ...modern, protocols: ['spdy/1', 'ftp'] })).toEqual({
      kind: 'refused',
      alert: noCommonProtocol,
    });
  });

  test('a connection is not negotiated again, which would cost the server more than the client', async () => {
    const socket = connect({ port: attacked.port, rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
    await once(socket, 'secureConnect');
    const failed = new Promise<Error>((resolve) => socket.on('error', resolve));

    socket.renegotiate({}, () => undefined);

    expect(await failed).toMatchObject({ code: 'ERR_SSL_NO_RENEGOTIATION' });
  });
});
