/** The file of `--encryption-provider-config`: `EncryptionConfiguration` of `apiserver.config.k8s.io/v1`. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import {
  always,
  decodeValue,
  duration,
  int32,
  list,
  optional,
  pointer,
  string,
  struct,
  type Static,
} from '@coxswain/schema';
import { parseDuration } from '@coxswain/apimachinery/duration.ts';

const Key = struct('apiserver/v1.Key', { name: always(1, string), secret: always(2, string) });
const Aes = struct('apiserver/v1.AESConfiguration', { keys: always(1, list(Key)) });
const Secretbox = struct('apiserver/v1.SecretboxConfiguration', { keys: always(1, list(Key)) });
const Identity = struct('apiserver/v1.IdentityConfiguration', {});
const Kms = struct('apiserver/v1.KMSConfiguration', {
  apiVersion: optional(1, string),
  name: always(2, string),
  cachesize: pointer(3, int32),
  endpoint: always(4, string),
  timeout: pointer(5, duration),
});
const Provider = struct('apiserver/v1.ProviderConfiguration', {
  aesgcm: pointer(1, Aes),
  aescbc: pointer(2, Aes),
  secretbox: pointer(3, Secretbox),
  identity: pointer(4, Identity),
  kms: pointer(5, Kms),
});
const Resources = struct('apiserver/v1.ResourceConfiguration', {
  resources: always(1, list(string)),
  providers: always(2, list(Provider)),
});
const Configuration = struct('apiserver/v1.EncryptionConfiguration', {
  kind: optional(0, string),
  apiVersion: optional(0, string),
  resources: always(1, list(Resources)),
});

export type KeyConfiguration = Static<typeof Key>;
export type ProviderConfiguration = Static<typeof Provider>;

export interface KmsConfiguration {
  readonly apiVersion: string;
  readonly name: string;
  readonly cacheSize: number | undefined;
  readonly endpoint: string;
  readonly timeoutMs: number;
  /** The original text, for messages. */
  readonly timeout: string;
}

export interface ResourceConfiguration {
  readonly resources: readonly string[];
  readonly providers: readonly ProviderConfiguration[];
}

const groupVersion = 'apiserver.config.k8s.io/v1';
const kind = 'EncryptionConfiguration';

/** @throws Error with upstream's message */
export function readEncryptionConfiguration(text: string): readonly ResourceConfiguration[] {
  const value = readYaml(text) as { readonly kind?: unknown; readonly apiVersion?: unknown } | null;
  checkKind(value);
  const { object, problems } = decodeValue(Configuration, value);
  const duplicates = duplicatesIn(text);
  if (duplicates !== undefined) throw new Error(`strict decoding error: ${duplicates}`);
  if (problems.length > 0) throw new Error(`strict decoding error: ${problems.join(', ')}`);
  return ((object as Static<typeof Configuration>).resources ?? []).map(({ resources, providers }) => ({
    resources: resources ?? [],
    providers: providers ?? [],
  }));
}

function duplicatesIn(text: string): string | undefined {
  try {
    readYaml(text, { strict: true });
    return undefined;
  } catch (failure) {
    return messageOf(failure);
  }
}

function checkKind(value: { readonly kind?: unknown; readonly apiVersion?: unknown } | null): void {
  const scheme = 'in scheme "pkg/runtime/scheme.go:111"';
  if (value === null || typeof value !== 'object' || !value.kind) {
    throw new Error(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  }
  if (!value.apiVersion) throw new Error(`Object 'apiVersion' is missing in '${JSON.stringify(value)}'`);
  if (value.kind !== kind || value.apiVersion !== groupVersion) {
    throw new Error(`no kind "${value.kind}" is registered for version "${value.apiVersion}" ${scheme}`);
  }
}

/** The settings of a KMS provider, with upstream's defaults. */
export function kmsConfigurationOf({ kms }: ProviderConfiguration): KmsConfiguration | undefined {
  if (kms === undefined || kms === null) return undefined;
  const apiVersion = kms.apiVersion || 'v1';
  const timeout = kms.timeout ?? '3s';
  return {
    apiVersion,
    name: kms.name,
    cacheSize: kms.cachesize ?? (apiVersion === 'v1' ? kmsV1CacheSize : undefined),
    endpoint: kms.endpoint,
    timeout,
    timeoutMs: Number(parseDuration(timeout) / 1_000_000n),
  };
}

const kmsV1CacheSize = 1000;
