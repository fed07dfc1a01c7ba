import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as messages from '@coxswain/storage/etcd/messages.ts';
import { decode, encode, type Decoded, type Input, type MessageTable } from '@coxswain/protobuf';
import { connect } from 'node:http2';
import { FrameReader, frame } from '@coxswain/grpc/frames.ts';
import { bytes, openEtcd, type OpenEtcd } from '../client.fixture.ts';
import { emptyAuthState, withGrantedRole, withNewRole, withNewUser, withPermission } from './auth-state.ts';
import { permits } from './permits.ts';

let etcd: OpenEtcd;
beforeEach(async () => {
  etcd = await openEtcd();
});
afterEach(() => etcd.close());

/** A call with a token; rejects with `code: message`. */
async function callAs<I extends MessageTable, O extends MessageTable>(
  token: string | undefined,
  path: string,
  request: I,
  response: O,
  message: Input<I>,
): Promise<Decoded<O>> {
  const session = connect(etcd.endpoint);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/etcdserverpb.${path}`,
    'content-type': 'application/grpc',
    ...(token !== undefined && { token }),
  });
  const statuses: Record<string, unknown> = {};
  stream.on('response', (headers) => Object.assign(statuses, headers));
  stream.on('trailers', (headers) => Object.assign(statuses, headers));
  stream.end(frame(encode(request, message)));
  const reader = new FrameReader(2 ** 20);
  const answers: Buffer[] = [];
  for await (const chunk of stream) answers.push(...reader.push(chunk as Buffer));
  session.close();
  if (statuses['grpc-status'] !== '0')
    throw new Error(`${statuses['grpc-status']}: ${statuses['grpc-message']}`);
  return decode(response, answers[0]!);
}

const change = <I extends MessageTable>(name: string, request: I, message: Input<I>, token?: string) =>
  callAs(token, `Auth/${name}`, request, messages.HeaderOnlyResponse, message);
const addUser = (name: string) =>
  change('UserAdd', messages.AuthUserAddRequest, { name, password: 'secret' });
const addRole = (name: string) => change('RoleAdd', messages.NameRequest, { name });
const grantRole = (user: string, role: string) =>
  change('UserGrantRole', messages.AuthUserRoleRequest, { user, role });
const enable = () => change('AuthEnable', {}, {});
const tokenOf = async (name: string, password = 'secret') =>
  (
    await callAs(
      undefined,
      'Auth/Authenticate',
      messages.AuthenticateRequest,
      messages.AuthenticateResponse,
      {
        name,
        password,
      },
    )
  ).token;
const putAs = (token: string | undefined, key: string) =>
  callAs(token, 'KV/Put', messages.PutRequest, messages.PutResponse, { key: bytes(key), value: bytes('x') });
const rangeAs = (token: string | undefined, key: string, rangeEnd: string) =>
  callAs(token, 'KV/Range', messages.RangeRequest, messages.RangeResponse, {
    key: bytes(key),
    rangeEnd: bytes(rangeEnd),
  });

describe('switched on', () => {
  let root: string;
  let user: string;
  beforeEach(async () => {
    for (const name of ['root', 'u']) await addUser(name);
    for (const name of ['root', 'r']) await addRole(name);
    await change('RoleGrantPermission', messages.AuthRoleGrantPermissionRequest, {
      name: 'r',
      permission: { type: 2, key: bytes('mine/'), rangeEnd: bytes('mine0') },
    });
    await grantRole('root', 'root');
    await grantRole('u', 'r');
    await enable();
    [root, user] = await Promise.all([tokenOf('root'), tokenOf('u')]);
  });

  test('nobody does anything without a name', async () => {
    await expect(putAs(undefined, 'a')).rejects.toThrow('3: etcdserver: user name is empty');
    await expect(putAs('nonsense', 'a')).rejects.toThrow('16: etcdserver: invalid auth token');
    await expect(tokenOf('u', 'wrong')).rejects.toThrow('3: etcdserver: authentication failed');
  });

  test('a user reads and writes what the roles permit, the root user all', async () => {
    await putAs(user, 'mine/1');
    expect((await rangeAs(user, 'mine/', 'mine0')).count).toBe(1);
    await expect(putAs(user, 'other')).rejects.toThrow('7: etcdserver: permission denied');
    await expect(rangeAs(user, 'mine/', 'mine1')).rejects.toThrow('permission denied');
    await putAs(root, 'other');
  });

  test('a transaction needs what its operations need, in both branches and in nested ones', async () => {
    const put = (key: string) => ({ put: { key: bytes(key), value: bytes('x') } });
    const txnAs = (request: Input<typeof messages.TxnRequest>) =>
      callAs(user, 'KV/Txn', messages.TxnRequest, messages.TxnResponse, request);
    await txnAs({ success: [put('mine/1')] });
    await expect(txnAs({ failure: [put('other')] })).rejects.toThrow('permission denied');
    await expect(txnAs({ success: [{ txn: { success: [put('other')] } }] })).rejects.toThrow(
      'permission denied',
    );
    await expect(txnAs({ compare: [{ key: bytes('other') }] })).rejects.toThrow('permission denied');
  });

  test("users and roles are the root user's business", async () => {
    const role = { name: 'more' };
    await expect(change('RoleAdd', messages.NameRequest, role, user)).rejects.toThrow('permission denied');
    await change('RoleAdd', messages.NameRequest, role, root);
    await expect(change('UserDelete', messages.NameRequest, { name: 'root' }, root)).rejects.toThrow(
      'invalid auth management',
    );
  });

  test('a token ends with the password that it was given for, and some time after its last use', async () => {
    await change(
      'UserChangePassword',
      messages.AuthUserChangePasswordRequest,
      { name: 'u', password: 'new' },
      root,
    );
    await expect(putAs(user, 'mine/1')).rejects.toThrow('invalid auth token');
    const token = await tokenOf('u', 'new');
    await etcd.clock.advance(200_000);
    await putAs(token, 'mine/1');
    await etcd.clock.advance(301_000);
    await expect(putAs(token, 'mine/1')).rejects.toThrow('invalid auth token');
  });

  test('a watch of what may not be read is cancelled at once', async () => {
    const watch = await etcd.watch();
    watch.send({ create: { key: bytes('other') } });
    expect(await watch.next()).toMatchObject({
      canceled: true,
      cancelReason: expect.stringContaining('user name is empty'),
    });
  });
});

test('it is not switched on without a root user who has the root role', async () => {
  await expect(enable()).rejects.toThrow('9: etcdserver: root user does not exist');
  await addUser('root');
  await expect(enable()).rejects.toThrow('9: etcdserver: root user does not have root role');
});

test.each([
  ['UserDelete', 'etcdserver: user name not found'],
  ['RoleDelete', 'etcdserver: role name not found'],
])('%s of one that is not there is refused', async (name, message) => {
  await expect(change(name, messages.NameRequest, { name: 'constructor' })).rejects.toThrow(message);
});

test('permissions that touch cover a range together, with a gap they do not', () => {
  let state = withNewUser(withNewRole(emptyAuthState, 'r'), 'u', {});
  state = withGrantedRole(state, 'u', 'r');
  state = withPermission(state, 'r', { type: 'read', key: 'm', rangeEnd: 't' });
  state = withPermission(state, 'r', { type: 'readwrite', key: 'a', rangeEnd: 'm' });
  const user = state.users['u']!;
  expect(permits(state, user, 'read', { start: 'b', end: 's' })).toBe(true);
  expect(permits(state, user, 'write', { start: 'b', end: 's' })).toBe(false);
  expect(permits(state, user, 'read', { start: 'b', end: 'u' })).toBe(false);
});
