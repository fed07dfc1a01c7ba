/** What an etcd is reached by, and how values are kept in it. */
import { bool, duration, section, string, stringSlice } from '@coxswain/cobra';

export const storageFlags = section('Etcd', {
  etcdServers: stringSlice({ usage: 'Addresses of etcd servers to store in.' }),
  etcdServersOverrides: stringSlice({
    usage: 'Resources that are stored elsewhere: group/resource#servers, with semicolons between servers.',
  }),
  etcdPrefix: string({ default: '/registry', usage: 'The directory of all keys in etcd.' }),
  etcdCafile: string({ usage: 'The authority of the etcd servers’ certificates.' }),
  etcdCertfile: string({ usage: 'The certificate shown to etcd.' }),
  etcdKeyfile: string({ usage: 'The key of the certificate shown to etcd.' }),
  etcdHealthcheckTimeout: duration({
    default: 2_000,
    usage: 'How long etcd may take to show that it is well.',
  }),
  etcdReadycheckTimeout: duration({
    default: 2_000,
    usage: 'How long etcd may take to show that it is ready.',
  }),
  storageBackend: string({ usage: "The kind of the store: 'etcd3', which an embedded store is too." }),
  storageMediaType: string({
    usage:
      'The form in which values are written: application/json, or application/vnd.kubernetes.protobuf as is usual in an etcd. Both are read.',
  }),
  encryptionProviderConfig: string({ usage: 'The file that tells how values are encrypted in the store.' }),
  encryptionProviderConfigAutomaticReload: bool({
    usage: 'Read the file of --encryption-provider-config again when it changes.',
  }),
});
