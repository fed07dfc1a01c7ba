/** KMS v2: values stored with their own key, which a key service has encrypted. */
import { decodeEncryptedObject, encodeEncryptedObject, keySourceTypes } from './encrypted-object.ts';
import type { EnvelopeKeys } from './envelope-keys.ts';
import type { Opened, Transformer } from './transformer.ts';

export const envelope = (keys: EnvelopeKeys): Transformer => ({
  fromStorage(data, context) {
    const object = decodeEncryptedObject(data);
    const { encrypted } = keys.current;
    const isStale = object.keyId !== encrypted.keyId || object.keySourceType !== keySourceTypes.seed;
    const marked = (opened: Opened): Opened => ({ data: opened.data, isStale: isStale || opened.isStale });
    const open = (reader: Transformer): Opened => {
      keys.noteUse('from_storage', object.keyId);
      // With a cached key, an envelope's value is decrypted synchronously.
      return marked(reader.fromStorage(object.encryptedData, context) as Opened);
    };
    const reader = keys.reader(object);
    return reader instanceof Promise ? reader.then(open) : open(reader);
  },
  toStorage(data, context) {
    const { encrypted, transformer } = keys.writable();
    const encryptedData = transformer.toStorage(data, context);
    keys.noteUse('to_storage', encrypted.keyId);
    return encodeEncryptedObject({
      encryptedData,
      keyId: encrypted.keyId,
      encryptedKeySource: encrypted.ciphertext,
      annotations: encrypted.annotations,
      keySourceType: keySourceTypes.seed,
    });
  },
});
