import type { FlagValues } from '@coxswain/cobra';
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import { parseOverrides } from '../etcd-settings.ts';
import type { KubeApiServerSettings } from '../settings.ts';
import type { storageFlags } from './storage-flags.ts';

type StorageFlags = FlagValues<typeof storageFlags>;

const storedForms: Readonly<Record<string, StoredForm>> = {
  'application/json': 'json',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};
const mediaTypes = 'application/json, application/vnd.kubernetes.protobuf, application/yaml';

/** @throws Error with upstream's message */
export function storageSettings(flags: StorageFlags): Partial<KubeApiServerSettings> {
  check(flags);
  const { encryptionProviderConfig: file, encryptionProviderConfigAutomaticReload: reloads } = flags;
  return {
    ...(flags.etcdServers.length > 0 && {
      etcd: {
        servers: flags.etcdServers,
        overrides: flags.etcdServersOverrides,
        prefix: flags.etcdPrefix,
        tls: { caFile: flags.etcdCafile, certFile: flags.etcdCertfile, keyFile: flags.etcdKeyfile },
        healthCheckTimeoutMs: flags.etcdHealthcheckTimeout,
        readyCheckTimeoutMs: flags.etcdReadycheckTimeout,
      },
    }),
    ...(file !== '' && { encryption: { file, reloads } }),
    ...(flags.storageMediaType !== '' && { storedForm: storedForms[flags.storageMediaType]! }),
  };
}

function check(flags: StorageFlags): void {
  const { storageBackend, storageMediaType } = flags;
  if (storageBackend !== '' && storageBackend !== 'etcd3') {
    throw new Error(
      "--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'",
    );
  }
  parseOverrides(flags.etcdServersOverrides);
  if (flags.encryptionProviderConfigAutomaticReload && flags.encryptionProviderConfig === '') {
    throw new Error(
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    );
  }
  if (storageMediaType === 'application/yaml') {
    throw new Error('--storage-media-type "application/yaml" is not supported by this server');
  }
  if (storageMediaType !== '' && storedForms[storageMediaType] === undefined) {
    throw new Error(
      `--storage-media-type ${JSON.stringify(storageMediaType)} invalid, allowed values: ${mediaTypes}`,
    );
  }
}
