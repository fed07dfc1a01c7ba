/** bcrypt, in the form that etcd stores. (Niels Provos, David Mazières: A Future-Adaptable Password Scheme, 1999.) */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Blowfish } from './blowfish.ts';

/** As etcd's default. */
const costDefault = 10;
/** What bcrypt takes of a password, with the zero byte at its end. */
const passwordBytesMax = 72;
/** About 2 ms: others get their turn in between. */
const mixingsPerTurn = 16;
const encryptions = 64;
const hashBytes = 23;

/** @returns undefined for a password that is too long for it */
export async function bcrypt(
  password: string,
  salt: Uint8Array,
  cost: number = costDefault,
): Promise<string | undefined> {
  const key = Buffer.from(`${password}\0`);
  if (key.length > passwordBytesMax + 1) return undefined;
  const cipher = new Blowfish();
  cipher.expand(key.subarray(0, passwordBytesMax), salt);
  for (let i = 0; i < 2 ** cost; i++) {
    cipher.expand(key.subarray(0, passwordBytesMax));
    cipher.expand(salt);
    if (i % mixingsPerTurn === 0) await nextTurn();
  }
  const text = Buffer.from('OrpheanBeholderScryDoubt');
  const hash = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at += 8) {
    const [left, right] = cipher.encrypt(text.readInt32BE(at), text.readInt32BE(at + 4), encryptions);
    hash.writeInt32BE(left, at);
    hash.writeInt32BE(right, at + 4);
  }
  const digits = `${cost}`.padStart(2, '0');
  return `$2a$${digits}$${base64(salt)}${base64(hash.subarray(0, hashBytes))}`;
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** With an alphabet of its own, and without padding. */
function base64(bytes: Uint8Array): string {
  let text = '';
  let [bits, count] = [0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xffff;
    for (count += 8; count >= 6; count -= 6) text += alphabet[(bits >>> (count - 6)) & 0x3f];
  }
  return count === 0 ? text : text + alphabet[(bits << (6 - count)) & 0x3f];
}
