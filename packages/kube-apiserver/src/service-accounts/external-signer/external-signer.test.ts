import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '@coxswain/apimachinery';
import { unary, type Methods } from '@coxswain/grpc/server/method.ts';
import { serveUnixGrpc, type GrpcServer } from '@coxswain/grpc/server/serve-unix.ts';
import { GrpcError } from '@coxswain/grpc/status.ts';
import type { Input } from '@coxswain/protobuf';
import { createKubeApiServer, type KubeApiServer } from '../../create.ts';
import { FetchKeysResponse, MetadataResponse, SignRequest, SignResponse } from './signer-messages.ts';

/** A signer as an operator might run it; its responses can be changed. */
interface PlayedSigner {
  readonly keyPair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  header: object;
  keys: Input<typeof FetchKeysResponse>;
  expirationSecondsMax: number;
  refusal: { readonly status: number; readonly message: string } | undefined;
  fetches: number;
}

let directory: string;
let socketPath: string;
let signer: PlayedSigner;
let played: GrpcServer;
let server: KubeApiServer | undefined;

const base64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const pkix = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });

/** Refuses calls when told to. */
const answering =
  <I, O>(respond: (request: I) => O) =>
  (request: I): O => {
    const { refusal } = signer;
    if (refusal !== undefined) throw new GrpcError(refusal.status, refusal.message);
    return respond(request);
  };

const service: Methods = {
  '/v1.ExternalJWTSigner/Metadata': unary(
    {},
    MetadataResponse,
    answering(() => ({ expirationSecondsMax: signer.expirationSecondsMax })),
  ),
  '/v1.ExternalJWTSigner/FetchKeys': unary(
    {},
    FetchKeysResponse,
    answering(() => {
      signer.fetches++;
      return signer.keys;
    }),
  ),
  '/v1.ExternalJWTSigner/Sign': unary(
    SignRequest,
    SignResponse,
    answering(({ claims }) => {
      const header = base64Url(signer.header);
      const signature = createSign('sha256')
        .update(`${header}.${claims}`)
        .sign({ key: signer.keyPair.privateKey, dsaEncoding: 'ieee-p1363' }, 'base64url');
      return { header, signature };
    }),
  ),
};

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'signer-'));
  socketPath = path.join(directory, 'signer.sock');
  const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  signer = {
    keyPair,
    header: { alg: 'ES256', kid: 'one', typ: 'JWT' },
    keys: {
      keys: [{ keyId: 'one', key: pkix(keyPair.publicKey) }],
      dataTimestamp: { seconds: 1_700_000_000, nanoseconds: 500_000_000 },
      refreshHintSeconds: 600,
    },
    expirationSecondsMax: 7200,
    refusal: undefined,
    fetches: 0,
  };
  played = await serveUnixGrpc(socketPath, service);
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await played.close();
  rmSync(directory, { recursive: true });
});

const started = async (settings: object = {}) =>
  (server = await createKubeApiServer({
    clock: systemClock,
    serviceAccountSigningEndpoint: socketPath,
    serviceAccountIssuers: ['https://self'],
    disableAdmissionPlugins: ['ServiceAccount'],
    ...settings,
  }));

async function sent(method: string, at: string, body?: object) {
  const admin = server!.inProcess({ name: 'admin', groups: ['system:masters'] });
  const response = await admin.send({
    method,
    path: at,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  const text = new TextDecoder().decode(await response.bytes());
  return { status: response.status, headers: response.headers, text };
}

interface TokenAnswer {
  readonly message: string;
  readonly spec: { readonly expirationSeconds: number };
  readonly status: { readonly token: string };
}

async function askedToken(expirationSeconds = 3600): Promise<TokenAnswer> {
  await sent('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  const { text } = await sent('POST', '/api/v1/namespaces/default/serviceaccounts/robot/token', {
    spec: { expirationSeconds },
  });
  return JSON.parse(text) as TokenAnswer;
}

async function reviewed(token: string): Promise<{ authenticated?: boolean; user?: { username: string } }> {
  const { text } = await sent('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
  return (JSON.parse(text) as { status: { authenticated?: boolean } }).status;
}

test('a token that the signer signs is recognized, and lives no longer than the signer allows', async () => {
  await started();
  const { spec, status } = await askedToken(86_400);
  expect(spec.expirationSeconds).toBe(7200);
  expect(JSON.parse(Buffer.from(status.token.split('.')[0]!, 'base64url').toString())).toEqual(signer.header);
  expect(await reviewed(status.token)).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:default:robot' },
  });
});

test('a token that names an unknown key makes the server ask for the keys again', async () => {
  await started();
  const later = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  signer.keys = { ...signer.keys, keys: [{ keyId: 'two', key: pkix(later.publicKey) }] };
  signer.header = { alg: 'ES256', kid: 'two', typ: 'JWT' };
  (signer as { keyPair: unknown }).keyPair = later;
  const fetchesBefore = signer.fetches;
  const { status } = await askedToken();
  expect(await reviewed(status.token)).toMatchObject({ authenticated: true });
  expect(signer.fetches).toBe(fetchesBefore + 1);
});

test('keys are published except those that only verify old tokens', async () => {
  const old = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [...signer.keys.keys!, { keyId: 'old', key: pkix(old.publicKey), excludeFromDiscovery: true }];
  signer.keys = { ...signer.keys, keys };
  await started();
  const { headers, text } = await sent('GET', '/openid/v1/jwks');
  expect((JSON.parse(text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)).toEqual(['one']);
  expect(headers['cache-control']).toMatch(/^public, max-age=(600|59\d)$/);
  signer.header = { alg: 'RS256', kid: 'old', typ: 'JWT' };
  const { message } = await askedToken();
  expect(message).toBe(
    'Internal error occurred: failed to generate token: while validating header: key used for signing JWT (kid: old) is excluded from OIDC discovery docs',
  );
});

test.each([
  [{ alg: 'none', kid: 'one', typ: 'JWT' }, 'bad signing algorithm "none"'],
  [{ alg: 'ES256', typ: 'JWT' }, 'key id missing'],
  [{ alg: 'ES256', kid: 'one' }, 'bad type'],
  [{ alg: 'ES256', kid: 'k'.repeat(1025), typ: 'JWT' }, 'key id longer than 1 kb'],
  [
    { alg: 'ES256', kid: 'one', typ: 'JWT', jku: 'https://evil' },
    'while parsing header JSON: json: unknown field "jku"',
  ],
])('a token with the header %j is not handed out', async (header, problem) => {
  await started();
  signer.header = header;
  const { message } = await askedToken();
  expect(message).toBe(
    `Internal error occurred: failed to generate token: while validating header: ${problem}`,
  );
});

test('a signer that fails makes the request fail, and is counted', async () => {
  await started();
  await askedToken();
  signer.refusal = { status: 9, message: 'no key today' };
  const { message } = await askedToken();
  expect(message).toBe(
    'Internal error occurred: failed to generate token: while signing jwt: rpc error: code = FailedPrecondition desc = no key today',
  );
  const { text } = await sent('GET', '/metrics');
  expect(text).toContain('apiserver_externaljwt_sign_request_total{code="FailedPrecondition"} 1');
  expect(text).toContain('apiserver_externaljwt_sign_request_total{code="OK"} 1');
  expect(text).toContain('apiserver_externaljwt_fetch_keys_request_total{code="OK"} 1');
  expect(text).toContain('apiserver_externaljwt_fetch_keys_data_timestamp 1.7000000005e+09');
  expect(text).toMatch(
    /apiserver_externaljwt_request_duration_seconds_count\{code="OK",method="\/v1.ExternalJWTSigner\/Sign"\} 1/,
  );
});

const setUp = 'while setting up external-jwt-signer: ';
const filling = `${setUp}while initially filling key cache: while performing initial cache fill: while fetching token verification keys: `;

test.each<[string, () => void, string]>([
  ['without keys', () => (signer.keys = { ...signer.keys, keys: [] }), `${filling}found no keys`],
  [
    'that says never to ask again',
    () => (signer.keys = { ...signer.keys, refreshHintSeconds: 0 }),
    `${filling}found invalid refresh hint (0s)`,
  ],
  [
    'that does not tell how old its keys are',
    () => (signer.keys = { ...signer.keys, dataTimestamp: undefined }),
    `${filling}invalid data timestamp: proto: invalid nil Timestamp`,
  ],
  [
    'whose tokens end at once',
    () => (signer.expirationSecondsMax = 599),
    'max token life supported by external-jwt-signer (599s) is less than acceptable (min 600s)',
  ],
  [
    'that refuses',
    () => (signer.refusal = { status: 7, message: 'not you' }),
    `${filling}while getting externally supported jwt signing keys: rpc error: code = PermissionDenied desc = not you`,
  ],
])('a server does not start with a signer %s', async (_which, change, problem) => {
  change();
  await expect(started()).rejects.toThrow(problem);
});

test('an operator cannot allow more than the signer', async () => {
  await expect(started({ serviceAccountExpirationSecondsMax: 7201 })).rejects.toThrow(
    'service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: 2h0m1s > 2h0m0s',
  );
});
