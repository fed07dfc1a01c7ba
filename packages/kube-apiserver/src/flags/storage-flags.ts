/** The flags of etcd connections and of stored values. */
import { bool, duration, section, string, stringSlice } from '@coxswain/cobra';

export const storageFlags = section('Etcd', {
  etcdServers: stringSlice({ usage: 'The addresses of the etcd servers to use as the store.' }),
  etcdServersOverrides: stringSlice({
    usage:
      'Resources to keep in other etcd servers, as group/resource#servers. Separate servers with semicolons.',
  }),
  etcdPrefix: string({ default: '/registry', usage: 'The prefix of all keys in etcd.' }),
  etcdCafile: string({ usage: 'The CA certificate file for the certificates of the etcd servers.' }),
  etcdCertfile: string({ usage: 'The client certificate file for etcd.' }),
  etcdKeyfile: string({ usage: 'The client key file for etcd.' }),
  etcdHealthcheckTimeout: duration({
    default: 2_000,
    usage: 'The timeout for checking the health of etcd.',
  }),
  etcdReadycheckTimeout: duration({
    default: 2_000,
    usage: 'The timeout for checking the readiness of etcd.',
  }),
  storageBackend: string({
    usage: "The storage back end. Must be 'etcd3', which includes the embedded store.",
  }),
  storageMediaType: string({
    usage:
      'The media type in which values are written: application/json or application/vnd.kubernetes.protobuf (usual in etcd). Both are read.',
  }),
  encryptionProviderConfig: string({ usage: 'The configuration file for encryption at rest.' }),
  encryptionProviderConfigAutomaticReload: bool({
    usage: 'Reload the file given by --encryption-provider-config when it changes.',
  }),
});
