/** The message in which a value encrypted with a KMS key is stored, together with its encrypted key. */
import { checkDnsSubdomain } from '@coxswain/apimachinery';
import { decode, encode, field, repeated, type Decoded, type Input } from '@coxswain/protobuf';

export const Annotations = { key: field(1, 'string'), value: field(2, 'bytes') };

const EncryptedObjectMessage = {
  encryptedData: field(1, 'bytes'),
  keyId: field(2, 'string'),
  encryptedKeySource: field(3, 'bytes'),
  annotations: repeated(4, Annotations),
  keySourceType: field(5, 'enum'),
};

export type EncryptedObject = Decoded<typeof EncryptedObjectMessage>;

/** What the encrypted key is: the key itself, or a seed from which a key for each value is derived. */
export const keySourceTypes = { key: 0, seed: 1 } as const;

const keyIdBytesMax = 1024;
const keySourceBytesMax = 1024;
const annotationBytesMax = 32 * 1024;

/** @throws Error when it violates a rule of the format */
export function encodeEncryptedObject(object: Input<typeof EncryptedObjectMessage>): Uint8Array {
  const bytes = encode(EncryptedObjectMessage, object);
  decodeEncryptedObject(bytes);
  return bytes;
}

/** @throws Error */
export function decodeEncryptedObject(bytes: Uint8Array): EncryptedObject {
  const object = decode(EncryptedObjectMessage, bytes);
  checkEncryptedObject(object);
  return object;
}

/** @throws Error with upstream's message */
export function checkEncryptedObject(object: EncryptedObject): void {
  const { encryptedData, keyId, encryptedKeySource, annotations, keySourceType } = object;
  if (keySourceType !== keySourceTypes.key && keySourceType !== keySourceTypes.seed) {
    throw new Error(`unknown encryptedDEKSourceType: ${keySourceType}`);
  }
  if (encryptedData.length === 0) throw new Error('encrypted data is empty');
  within('failed to validate encrypted DEK source', 'encrypted DEK source', encryptedKeySource.length, {
    bytesMax: keySourceBytesMax,
  });
  checkKeyId(keyId, 'failed to validate key id: ');
  checkAnnotations(annotations);
}

/** @throws Error */
export function checkKeyId(keyId: string, prefix = ''): void {
  const bytes = new TextEncoder().encode(keyId).length;
  if (bytes === 0) throw new Error(`${prefix}keyID is empty`);
  if (bytes > keyIdBytesMax) {
    throw new Error(`${prefix}keyID is ${bytes} bytes, which exceeds the max size of ${keyIdBytesMax}`);
  }
}

function within(
  prefix: string,
  what: string,
  bytes: number,
  { bytesMax }: { readonly bytesMax: number },
): void {
  if (bytes === 0) throw new Error(`${prefix}: ${what} is empty`);
  if (bytes > bytesMax) {
    throw new Error(`${prefix}: ${what} is ${bytes} bytes, which exceeds the max size of ${bytesMax}`);
  }
}

function checkAnnotations(annotations: EncryptedObject['annotations']): void {
  const bytes = annotations.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  const problems = annotations
    .filter(({ key }) => !isQualified(key))
    .map(
      ({ key }) =>
        `annotations: Invalid value: ${JSON.stringify(key)}: should be a domain with at least two segments separated by dots`,
    );
  if (bytes > annotationBytesMax) {
    problems.push(
      `total size of annotations is ${bytes}, which exceeds the max size of ${annotationBytesMax}`,
    );
  }
  if (problems.length === 0) return;
  const text = problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`;
  throw new Error(`failed to validate annotations: ${text}`);
}

const isQualified = (name: string): boolean =>
  checkDnsSubdomain(name.replace(/\.$/, '')).length === 0 && name.split('.').filter(Boolean).length > 1;
