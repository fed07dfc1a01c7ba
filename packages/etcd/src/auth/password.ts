import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { HashedPassword } from './auth-state.ts';
import { bcrypt } from './bcrypt.ts';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const saltBytes = 16;
const hashBytes = 32;

export async function hashedPassword(password: string): Promise<HashedPassword> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, hashBytes);
  return {
    passwordHash: `${salt.toString('hex')}:${hash.toString('hex')}`,
    portableHash: await bcrypt(password, randomBytes(saltBytes)),
  };
}

export async function isPassword(password: string, passwordHash: string): Promise<boolean> {
  const [salt = '', hash = ''] = passwordHash.split(':').map((part) => Buffer.from(part, 'hex'));
  const derived = await derive(password, Buffer.from(salt), hashBytes);
  return hash.length === hashBytes && timingSafeEqual(derived, Buffer.from(hash));
}
