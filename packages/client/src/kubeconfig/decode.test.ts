import { expect, test } from 'vitest';
import { decodeKubeconfig } from './decode.ts';

// The messages of kubectl 1.36.3.
test.each([
  ['clusters: x', 'string into Go struct field Config.clusters of type []v1.NamedCluster'],
  ['users: [5]', 'number into Go struct field Config.users of type v1.NamedAuthInfo'],
  ['users: [{user: {token: true}}]', 'bool into Go struct field AuthInfo.users.user.token of type string'],
  [
    'users: [{user: {as-user-extra: {a: b}}}]',
    'string into Go struct field AuthInfo.users.user.as-user-extra of type []string',
  ],
  [
    'users: [{user: {client-key-data: 5}}]',
    'number into Go struct field AuthInfo.users.user.client-key-data of type []uint8',
  ],
  ['preferences: {colors: 5}', 'number into Go struct field Preferences.preferences.colors of type bool'],
])('a value of a wrong type is refused: %s', (text, what) => {
  expect(() => decodeKubeconfig(text)).toThrow(`json: cannot unmarshal ${what}`);
});

test('data that is no base64 is refused', () => {
  const text = 'clusters: [{cluster: {certificate-authority-data: "%%%"}}]';
  expect(() => decodeKubeconfig(text)).toThrow('illegal base64 data at input byte 0');
});

test('unknown fields, null entries, and names in another case are ignored', () => {
  const text = 'users: [null, {name: u, user: {Token: 5, token: t, color: blue}}]';
  expect(decodeKubeconfig(text)).toEqual({ users: [{}, { name: 'u', user: { token: 't' } }] });
});
