/** The common part of the three kinds of Secrets. */
import { contentHash } from './content-hash.ts';
import { toBase64, type KeyedData, type KeyRules } from './key-files.ts';
import { byKey } from './configmap.ts';
import { filled, targets, type Creation } from './create-object.ts';

export const secretKeyRules: KeyRules = {
  invalid: (key, reasons) => `"${key}" is not valid key name for a Secret ${reasons.join(';')}`,
  taken: (key) => `cannot add key ${key}, another key by that name already exists`,
  directoryAsEnvFile: 'env secret file cannot be a directory',
};

/** Base64 values, sorted by key. */
export const secretData = ({ text, binary }: KeyedData): Record<string, string> =>
  Object.fromEntries([...text, ...binary].sort(byKey).map(([key, value]) => [key, toBase64(value)]));

export async function createSecret(
  create: (creation: Creation) => Promise<void>,
  { name, appendHash }: { readonly name: string; readonly appendHash: boolean },
  type: string,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  const hashed = appendHash ? `${name}-${contentHash({ kind: 'Secret', type, name, data })}` : name;
  await create({
    target: targets.secret,
    name: hashed,
    fields: filled({ data, type }),
    failure: 'failed to create secret ',
  });
}
