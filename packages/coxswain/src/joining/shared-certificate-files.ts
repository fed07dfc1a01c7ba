/** The files of this server that other servers receive. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { EtcdSettings } from '@coxswain/kube-apiserver/etcd-settings.ts';
import { sharedEtcdNames, sharedNames, type SharedCertificates } from './shared-certificates.ts';

/** @param directory the directory of keys and certificates */
export function sharedCertificatesIn(directory: string, etcd: EtcdSettings['tls'] = {}): SharedCertificates {
  const own = sharedNames.map((name) => [name, path.join(directory, name)] as const);
  const ofEtcd = Object.entries(sharedEtcdNames).flatMap(([file, name]) => {
    const place = etcd[file as keyof typeof etcd];
    return place === undefined ? [] : [[name, place] as const];
  });
  return Object.fromEntries([...own, ...ofEtcd].map(([name, file]) => [name, readFileSync(file, 'utf8')]));
}
