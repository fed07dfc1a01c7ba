/** A KMS plugin of version 2 on a unix socket, whose only key is AES-GCM with a key of its own. */
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { aesGcm } from '@coxswain/storage/encryption/aes.ts';
import { Annotations } from '@coxswain/storage/encryption/encrypted-object.ts';
import type { Opened } from '@coxswain/storage/encryption/transformer.ts';
import { FrameReader, frame } from '@coxswain/storage/etcd/grpc-frames.ts';
import { decode, encode, field, repeated } from '@coxswain/storage/etcd/wire.ts';

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

  const answer = (method: string, message: Uint8Array): Uint8Array => {
    state.calls.push(method);
    if (method === 'Status') return encode(Status, { version: 'v2', ...state });
    if (method === 'Encrypt') {
      const { plaintext } = decode(Encrypt, message);
      const ciphertext = keyOf(state.keyId).toStorage(plaintext, noContext);
      return encode(Encrypted, { ciphertext, keyId: state.keyId, annotations: [version] });
    }
    const { ciphertext, keyId, annotations } = decode(Decrypt, message);
    if (annotations[0]?.key !== version.key) throw new Error('the annotations are gone');
    return encode(Decrypted, { plaintext: (keyOf(keyId).fromStorage(ciphertext, noContext) as Opened).data });
  };

  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const reader = new FrameReader(1 << 20);
    const method = String(headers[':path']).split('/').at(-1)!;
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      for (const message of reader.push(chunk)) {
        let reply: Buffer | undefined;
        let problem: string | undefined;
        try {
          reply = frame(answer(method, message));
        } catch (failure) {
          problem = messageOf(failure);
        }
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () =>
          stream.sendTrailers(
            problem === undefined ? { 'grpc-status': '0' } : { 'grpc-status': '2', 'grpc-message': problem },
          ),
        );
        stream.end(reply);
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  return Object.assign(state, { stop: () => void server.close() });
}
