import { bool, string } from '@coxswain/cobra';
import type { KubeconfigCluster } from '@coxswain/client/kubeconfig/kubeconfig.ts';
import { command } from '../../command.ts';
import { completeClusters } from '../../completion/global.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';
import { absolutePath, fileAsBase64, requireFile } from './files.ts';
import { refuseArguments } from './refuse-arguments.ts';

export const setCluster = command({
  use: 'set-cluster NAME [--server=server] [--certificate-authority=path/to/certificate/authority] [--insecure-skip-tls-verify=true] [--tls-server-name=example.com]',
  long: 'Set a cluster. If the cluster exists, values that are not given remain unchanged.',
  example: `  # Another address
  kubectl config set-cluster e2e --server=https://192.0.2.1

  # Its certificates, kept in the kubeconfig
  kubectl config set-cluster e2e --embed-certs --certificate-authority=ca.crt`,
  disableFlagsInUseLine: true,
  complete: completeClusters,
  flags: {
    certificateAuthority: string({ usage: 'Path to the CA certificate file' }),
    embedCerts: bool({ usage: 'Embed the CA certificate in the kubeconfig' }),
    insecureSkipTlsVerify: bool({ usage: "Don't verify the certificate of the server" }),
    proxyUrl: string({ usage: 'Proxy URL for connections to the cluster' }),
    server: string({ usage: 'The address and port of the API server' }),
    tlsServerName: string({ usage: 'Server name for validating the server certificate' }),
  },
  async run(invocation) {
    const { context, args, flags, changed } = invocation;
    const [name] = args;
    if (args.length !== 1 || name === undefined) return refuseArguments(invocation);
    const authority = flags.certificateAuthority;
    if (name === '') throw new Error('you must specify a non-empty cluster name');
    if (flags.insecureSkipTlsVerify && authority !== '') {
      throw new Error('you cannot specify a certificate authority and insecure mode at the same time');
    }
    if (flags.embedCerts) {
      if (authority === '') throw new Error('you must specify a --certificate-authority to embed');
      requireFile(context, 'certificate-authority', authority);
    }
    const store = new KubeconfigStore(context);
    const before = store.config.clusters.get(name);
    const value: KubeconfigCluster = { ...before?.value };
    if (changed('server')) value.server = flags.server;
    if (changed('tlsServerName')) value['tls-server-name'] = flags.tlsServerName;
    if (changed('insecureSkipTlsVerify')) {
      value['insecure-skip-tls-verify'] = flags.insecureSkipTlsVerify;
      if (flags.insecureSkipTlsVerify) trust(value, '', '');
    }
    if (changed('certificateAuthority')) {
      if (flags.embedCerts) trust(value, '', fileAsBase64(context, authority));
      else
        trust(
          value,
          absolutePath(context, authority),
          authority === '' ? (value['certificate-authority-data'] ?? '') : '',
        );
      value['insecure-skip-tls-verify'] = false;
    }
    if (changed('proxyUrl')) value['proxy-url'] = flags.proxyUrl;
    store.config.clusters.set(name, { file: before?.file, value });
    store.save();
    context.print(`Cluster "${name}" set.\n`);
  },
});

function trust(cluster: KubeconfigCluster, file: string, data: string): void {
  cluster['certificate-authority'] = file;
  cluster['certificate-authority-data'] = data;
}
