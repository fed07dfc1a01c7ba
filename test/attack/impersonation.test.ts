/** Headers that ask to act as somebody else are read as they were sent, and none of them gets past the check. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackedServer, whoIs, type AttackedServer } from './attacked-server.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

test('nobody without the right becomes anybody, however the headers are spelled', async () => {
  const smuggled: Record<string, string | string[]>[] = [
    { 'Impersonate-User': 'admin' },
    { 'impersonate-user': 'admin' },
    { 'IMPERSONATE-USER': 'admin' },
    { 'Impersonate-User': ['alice', 'admin'] },
    { 'Impersonate-User': 'alice', 'Impersonate-Group': 'system:masters' },
    { 'Impersonate-User': 'alice', 'Impersonate-Group': ['dev', 'system:masters'] },
    { 'Impersonate-User': 'alice', 'Impersonate-Uid': '1' },
    { 'Impersonate-User': 'alice', 'Impersonate-Extra-scopes': 'all' },
    { 'Impersonate-User': 'system:serviceaccount:kube-system:default' },
    { 'Impersonate-User': 'system:node:n1' },
  ];

  for (const headers of smuggled) {
    expect(await whoIs(attacked, { as: 'alice', headers })).toBeUndefined();
  }
});

test('names that only look like the header change nothing', async () => {
  const alike = { impersonate_user: 'admin', 'x-impersonate-user': 'admin', 'impersonate-users': 'admin' };

  expect(await whoIs(attacked, { as: 'alice', headers: alike })).toMatchObject({ username: 'alice' });
});

test('of several users the first counts, for the check and afterwards', async () => {
  const who = await whoIs(attacked, { as: 'admin', headers: { 'Impersonate-User': ['bob', 'carol'] } });

  expect(who?.username).toBe('bob');
});

test('a name is read as UTF-8, so that nobody is taken for another', async () => {
  const headers = { 'Impersonate-User': 'zoë', 'Impersonate-Group': 'équipe' };

  expect(await whoIs(attacked, { as: 'admin', headers })).toMatchObject({
    username: 'zoë',
    groups: ['équipe', 'system:authenticated'],
  });
});

test('a group with a comma is one group: nobody slips a second one into it', async () => {
  const headers = { 'Impersonate-User': 'bob', 'Impersonate-Group': ['dev, system:masters', 'ops'] };

  const who = await whoIs(attacked, { as: 'admin', headers });

  expect(who?.groups).toEqual(['dev, system:masters', 'ops', 'system:authenticated']);
});

test('what isn’t a user can’t be taken on alone', async () => {
  for (const header of ['Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-a']) {
    const { status } = await attacked.send({ path: '/version', as: 'admin', headers: { [header]: 'x' } });
    expect(status).toBe(400);
  }
});

test('extra values named like members of every object stay values', async () => {
  const headers = {
    'Impersonate-User': 'bob',
    'Impersonate-Extra-__proto__': 'groups',
    'Impersonate-Extra-constructor': 'x',
  };

  const who = await whoIs(attacked, { as: 'admin', headers });

  expect(who?.username).toBe('bob');
  expect(Object.entries(who?.extra ?? {}).sort()).toEqual([
    ['__proto__', ['groups']],
    ['constructor', ['x']],
  ]);
  expect(({} as { groups?: unknown }).groups).toBeUndefined();
});
