/** A KMS plugin of version 2 on a unix socket, whose only key is AES-GCM with a key of its own. */
import { unary, type Method } from '@coxswain/grpc/server/method.ts';
import { serveUnixGrpc } from '@coxswain/grpc/server/serve-unix.ts';
import { aesGcm } from '@coxswain/storage/encryption/aes.ts';
import { Annotations } from '@coxswain/storage/encryption/encrypted-object.ts';
import type { Opened } from '@coxswain/storage/encryption/transformer.ts';
import { field, repeated } from '@coxswain/protobuf';

export interface RunningKmsPlugin {
  /** The name of the key that encrypts; a new one is a rotation. */
  keyId: string;
  /** What `Status` says of it. */
  healthz: string;
  readonly calls: string[];
  stop(): void;
}

const noContext = new Uint8Array();
const keyOf = (keyId: string) => aesGcm(new Uint8Array(32).fill(keyId.length));

const Encrypt = { plaintext: field(1, 'bytes'), uid: field(2, 'string') };
const Encrypted = {
  ciphertext: field(1, 'bytes'),
  keyId: field(2, 'string'),
  annotations: repeated(3, Annotations),
};
const Decrypt = {
  ciphertext: field(1, 'bytes'),
  uid: field(2, 'string'),
  keyId: field(3, 'string'),
  annotations: repeated(4, Annotations),
};
const Decrypted = { plaintext: field(1, 'bytes') };
const Status = { version: field(1, 'string'), healthz: field(2, 'string'), keyId: field(3, 'string') };

const version = { key: 'version.example.com', value: new TextEncoder().encode('1') };

export async function startKmsPlugin(socket: string): Promise<RunningKmsPlugin> {
  const state = { keyId: 'key-1', healthz: 'ok', calls: [] as string[] };

  const service = {
    Status: unary({}, Status, () => ({ version: 'v2', ...state })),
    Encrypt: unary(Encrypt, Encrypted, ({ plaintext }) => ({
      ciphertext: keyOf(state.keyId).toStorage(plaintext, noContext),
      keyId: state.keyId,
      annotations: [version],
    })),
    Decrypt: unary(Decrypt, Decrypted, ({ ciphertext, keyId, annotations }) => {
      if (annotations[0]?.key !== version.key) throw new Error('the annotations are gone');
      return { plaintext: (keyOf(keyId).fromStorage(ciphertext, noContext) as Opened).data };
    }),
  };
  const methods = Object.entries(service).map(([name, method]): [string, Method] => [
    `/v2.KeyManagementService/${name}`,
    {
      ...method,
      unary(request, caller) {
        state.calls.push(name);
        return method.unary!(request, caller);
      },
    },
  ]);
  const server = await serveUnixGrpc(socket, Object.fromEntries(methods));
  return Object.assign(state, { stop: () => void server.close() });
}
