/** bcrypt in the form that etcd stores. */
import { encodeBase64, hash, truncates } from 'bcryptjs';

/** etcd's default cost. */
const costDefault = 10;

/** @returns undefined for a password that is too long for bcrypt */
export async function bcrypt(
  password: string,
  salt: Uint8Array,
  cost: number = costDefault,
): Promise<string | undefined> {
  if (truncates(password)) return undefined;
  return hash(password, `$2a$${String(cost).padStart(2, '0')}$${encodeBase64(salt, salt.length)}`);
}
