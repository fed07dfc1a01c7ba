/** Values with their own key beside them, which a key service encrypted: KMS v2. */
import { decodeEncryptedObject, encodeEncryptedObject, keySourceTypes } from './encrypted-object.ts';
import type { EnvelopeKeys } from './envelope-keys.ts';
import type { Opened, Transformer } from './transformer.ts';

export const envelope = (keys: EnvelopeKeys): Transformer => ({
  fromStorage(data, context) {
    const object = decodeEncryptedObject(data);
    const { encrypted } = keys.current;
    const isStale = object.keyId !== encrypted.keyId || object.keySourceType !== keySourceTypes.seed;
    const marked = (opened: Opened): Opened => ({ data: opened.data, isStale: isStale || opened.isStale });
    const reader = keys.reader(object);
    if (reader instanceof Promise) {
      return reader.then(async (known) => marked(await known.fromStorage(object.encryptedData, context)));
    }
    return marked(reader.fromStorage(object.encryptedData, context) as Opened);
  },
  toStorage(data, context) {
    const { encrypted, transformer } = keys.writable();
    return encodeEncryptedObject({
      encryptedData: transformer.toStorage(data, context),
      keyId: encrypted.keyId,
      encryptedKeySource: encrypted.ciphertext,
      annotations: encrypted.annotations,
      keySourceType: keySourceTypes.seed,
    });
  },
});
