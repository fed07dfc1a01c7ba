import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const saltBytes = 16;
const hashBytes = 32;

/** Salt and hash, in hexadecimal. Only this server reads it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return `${salt.toString('hex')}:${(await derive(password, salt, hashBytes)).toString('hex')}`;
}

export async function isPassword(password: string, passwordHash: string): Promise<boolean> {
  const [salt = '', hash = ''] = passwordHash.split(':').map((part) => Buffer.from(part, 'hex'));
  const derived = await derive(password, Buffer.from(salt), hashBytes);
  return hash.length === hashBytes && timingSafeEqual(derived, Buffer.from(hash));
}
