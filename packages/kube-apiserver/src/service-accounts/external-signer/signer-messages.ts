/** The messages between an external signer and this server: `v1.ExternalJWTSigner` (KEP-740). */
import { field, repeated } from '@coxswain/protobuf';

export const SignRequest = { claims: field(1, 'string') };

export const SignResponse = { header: field(1, 'string'), signature: field(2, 'string') };

const Timestamp = { seconds: field(1, 'int64'), nanoseconds: field(2, 'int64') };

export const SignerKey = {
  keyId: field(1, 'string'),
  /** PKIX, as DER. */
  key: field(2, 'bytes'),
  excludeFromDiscovery: field(3, 'bool'),
};

export const FetchKeysResponse = {
  keys: repeated(1, SignerKey),
  dataTimestamp: field(2, Timestamp),
  refreshHintSeconds: field(3, 'int64'),
};

export const MetadataResponse = { expirationSecondsMax: field(1, 'int64') };
