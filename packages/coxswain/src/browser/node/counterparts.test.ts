/** The browser's replacements for Node's modules behave as Node does. */
import * as nodeCrypto from 'node:crypto';
import * as nodeNet from 'node:net';
import * as nodeZlib from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as crypto from './crypto.ts';
import * as net from './net.ts';
import { duplexPair } from './stream.ts';
import { withoutNode } from './without-node.ts';
import * as zlib from './zlib.ts';

const bytes = fc.uint8Array({ maxLength: 200 });
const encodings = ['hex', 'base64', 'base64url'] as const;

test('digests', () => {
  const names = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      bytes,
      bytes,
      fc.constantFrom(...encodings),
      (name, key, data, encoding) => {
        const digest = (module: Pick<typeof nodeCrypto, 'createHash' | 'createHmac'>) => [
          module.createHash(name).update(data).update('é').digest(encoding),
          module.createHmac(name, key).update(data).digest(encoding),
        ];
        expect(digest(crypto as never)).toEqual(digest(nodeCrypto));
      },
    ),
  );
});

test('keys sign and verify tokens for each other, and are written alike', () => {
  for (const [namedCurve, hash] of [
    ['P-256', 'sha256'],
    ['P-384', 'sha384'],
    ['P-521', 'sha512'],
  ] as const) {
    const { privateKey } = nodeCrypto.generateKeyPairSync('ec', { namedCurve });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const own = crypto.createPrivateKey(pem);
    const [publicKey, ownPublic] = [nodeCrypto.createPublicKey(privateKey), crypto.createPublicKey(own)];
    const spki = { type: 'spki', format: 'der' } as const;
    expect(ownPublic.export(spki)).toEqual(publicKey.export(spki));
    expect(ownPublic.export({ format: 'jwk' })).toEqual(publicKey.export({ format: 'jwk' }));
    expect(
      crypto.createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }) as string).equals(ownPublic),
    ).toBe(true);
    const data = new TextEncoder().encode(namedCurve);
    const signature = crypto.sign(hash, data, { key: own });
    expect(nodeCrypto.verify(hash, data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(
      true,
    );
    const other = nodeCrypto.sign(hash, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    expect(crypto.verify(hash, data, { key: ownPublic }, other)).toBe(true);
    expect(
      crypto.verify(
        hash,
        data.map((byte) => byte ^ 1),
        { key: ownPublic },
        other,
      ),
    ).toBe(false);
    const made = crypto.generateKeyPairSync('ec', { namedCurve });
    expect(
      nodeCrypto.createPrivateKey(made.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
    ).toBeDefined();
  }
});

test('random bytes and comparisons', () => {
  expect(crypto.randomFillSync(new Uint8Array(40)).some((byte) => byte !== 0)).toBe(true);
  expect(crypto.randomBytes(9)).toHaveLength(9);
  expect(crypto.timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  expect(crypto.timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
});

const addresses = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom(
    '::',
    '::1',
    '1::',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7:8:9',
    '01.2.3.4',
    '1.2.3',
    '',
    '::1::2',
    'g::',
    '::256.1.1.1',
  ),
);

test('addresses are recognized', () => {
  fc.assert(
    fc.property(addresses, (text) => {
      expect(net.isIP(text)).toBe(nodeNet.isIP(text));
    }),
    { numRuns: 500 },
  );
});

test('lists of addresses', () => {
  const lists = [new net.BlockList(), new nodeNet.BlockList()] as const;
  for (const list of lists) {
    list.addSubnet('10.0.0.0', 8);
    list.addAddress('127.0.0.1');
    list.addRange('192.0.2.9', '192.0.2.20');
    list.addSubnet('fe80::', 10, 'ipv6');
    list.addAddress('::1', 'ipv6');
  }
  const near = fc.constantFrom(
    '10.255.0.1',
    '127.0.0.1',
    '127.0.0.2',
    '192.0.2.15',
    '192.0.2.21',
    'febf::1',
    'fec0::1',
    '::1',
    '::ffff:10.1.1.1',
  );
  fc.assert(
    fc.property(fc.oneof(near, fc.ipV4(), fc.ipV6()), (address) => {
      const family = nodeNet.isIPv6(address) ? 'ipv6' : 'ipv4';
      expect(lists[0].check(address, family)).toBe(lists[1].check(address, family));
    }),
  );
});

test('compression', () => {
  fc.assert(
    fc.property(bytes, (data) => {
      const dictionary = new TextEncoder().encode('content-length');
      expect(new Uint8Array(nodeZlib.gunzipSync(zlib.gzipSync(data)))).toEqual(data);
      expect(new Uint8Array(zlib.gunzipSync(nodeZlib.gzipSync(data)))).toEqual(data);
      const packed = zlib.deflateRawSync(data, { dictionary });
      expect(new Uint8Array(nodeZlib.inflateRawSync(packed, { dictionary }))).toEqual(data);
      expect(new Uint8Array(zlib.inflateRawSync(packed, { dictionary }))).toEqual(data);
      expect(zlib.crc32(data)).toBe(nodeZlib.crc32(data));
      const flushed = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
      zlib.deflateRaw(data, flushed, (_failure, begun) => {
        expect(begun.subarray(-4)).toEqual(Buffer.from([0, 0, 0xff, 0xff]));
        const whole = Buffer.concat([begun, zlib.deflateRawSync(data)]);
        expect(new Uint8Array(nodeZlib.inflateRawSync(whole))).toEqual(new Uint8Array([...data, ...data]));
      });
    }),
  );
});

test('two ends of a stream carry bytes and ends both ways', async () => {
  const [one, other] = duplexPair();
  one.write('hello');
  one.end('!');
  other.end('bye');
  const text = async (end: AsyncIterable<Uint8Array>) => {
    let all = '';
    for await (const chunk of end) all += new TextDecoder().decode(chunk);
    return all;
  };
  expect(await Promise.all([text(other), text(one)])).toEqual(['hello!', 'bye']);
});

test('a name without a counterpart is refused when it is used', () => {
  const createServer: new () => object = withoutNode('node:net', 'createServer');
  class Listener extends createServer {}
  expect(() => new Listener()).toThrow('node:net: there is no createServer in a browser');
});
