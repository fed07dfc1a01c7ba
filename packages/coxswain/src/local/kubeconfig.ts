/** Writes the kubeconfig of an all-in-one cluster, with embedded credentials so that the file can be moved. */

import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import type { ClusterCertificates } from '../certificates/certificates.ts';

/** Writes a kubeconfig for the administrator, readable only by its owner. */
export async function writeKubeconfig(
  file: string,
  address: string,
  certificates: ClusterCertificates,
): Promise<void> {
  const [authority, certificate, key] = await Promise.all(
    [certificates.caCertFile, certificates.adminCertFile, certificates.adminKeyFile].map(base64),
  );
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'coxswain', cluster: { server: address, 'certificate-authority-data': authority } }],
    users: [{ name: 'admin', user: { 'client-certificate-data': certificate, 'client-key-data': key } }],
    contexts: [{ name: 'coxswain', context: { cluster: 'coxswain', user: 'admin' } }],
    'current-context': 'coxswain',
  };
  // JSON is valid YAML.
  writePrivateFile(file, `${JSON.stringify(config, undefined, 2)}\n`);
}

const base64 = async (file: string): Promise<string> => (await readFile(file)).toString('base64');
