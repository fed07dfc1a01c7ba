import { expect, test } from 'vitest';
import { bcrypt } from './bcrypt.ts';

const salt = Uint8Array.from({ length: 16 }, (_, i) => i * 16 + 1);

/** Verified with Go's golang.org/x/crypto/bcrypt. */
const right = [
  ['', 4, '$2a$04$.PCfKSDPWVE/iYEvubFf6Oxjx0vRabjsyzLWbQRW.AwfelYDw7OY6'],
  ['geheim', 5, '$2a$05$.PCfKSDPWVE/iYEvubFf6OWoCTKVFtwMP33pWTaH7TkTLNJ54lSPm'],
  ['pässwort', 4, '$2a$04$.PCfKSDPWVE/iYEvubFf6OBS/J0pTXTnRks.8.xfzi0K6JD94WAQS'],
  ['x'.repeat(72), 4, '$2a$04$.PCfKSDPWVE/iYEvubFf6Oi9Oxpc3Nhq4E3oCPjAXDn7YnJ6l3v8u'],
  ['root', 10, '$2a$10$.PCfKSDPWVE/iYEvubFf6ON6oYfAoGQAoDG87biw9KZSE5oTa8zii'],
] as const;
test.each(right)('hashes of %j are those that etcd checks', async (password, cost, hash) => {
  expect(await bcrypt(password, salt, cost)).toBe(hash);
});

test('a password that is longer than bcrypt takes has none', async () => {
  expect(await bcrypt('x'.repeat(72), salt, 4)).toBeDefined();
  expect(await bcrypt('x'.repeat(73), salt, 4)).toBeUndefined();
});
