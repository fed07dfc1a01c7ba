/** `coxswain dns`: serves cluster DNS for any cluster. */

import { isIP } from 'node:net';
import { startedUnlessAborted } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { commandFor, noArgs, string, stringSlice } from '@coxswain/cobra';
import type { ProgramIo } from '../program/program-io.ts';
import { address, port } from '../program/value-kinds.ts';

const command = commandFor<ProgramIo>();

const dnsPort = 53;

export const dns = command({
  use: 'dns',
  short: 'Serve DNS for services and pods',
  long: 'Resolves the names of services, endpoints and pods of a cluster, over UDP and TCP, as CoreDNS does with the\nconfiguration of kubeadm. Other names are forwarded to the name servers of this machine.',
  example:
    '  coxswain dns --kubeconfig=admin.kubeconfig --bind-address=127.0.0.1 --port=5353\n  dig @127.0.0.1 -p 5353 kubernetes.default.svc.cluster.local',
  args: noArgs,
  flags: {
    kubeconfig: string({ usage: 'The kubeconfig file to use. Defaults to the one that kubectl uses.' }),
    bindAddress: address({ default: '0.0.0.0', usage: 'The IP address to listen on.' }),
    port: port({ default: dnsPort, usage: 'The port to listen on. 0 picks a free port.' }),
    clusterDomain: string({ default: 'cluster.local', usage: 'The DNS domain of the cluster.' }),
    upstream: stringSlice({
      usage: 'IP addresses of the name servers for all other names. Defaults to those in /etc/resolv.conf.',
    }),
  },
  async run({ context: io, flags }) {
    const stray = flags.upstream.find((server) => isIP(server) === 0);
    if (stray !== undefined) throw new Error(`invalid --upstream "${stray}": must be an IP address`);
    const { startClusterDns, nameserversOf } = await import('@coxswain/cluster-dns');
    const { createClient, resolveKubeconfig } = await import('@coxswain/client');
    const { loadKubeconfig, transportOf } = await import('@coxswain/client/node.ts');
    const { readFile } = await import('node:fs/promises');
    const kubeconfig = loadKubeconfig({ env: io.env, file: flags.kubeconfig });
    const client = createClient({
      transport: transportOf(resolveKubeconfig(kubeconfig, {})),
      userAgent: 'dns/coxswain',
    });
    const servers =
      flags.upstream.length > 0
        ? flags.upstream
        : nameserversOf(await readFile('/etc/resolv.conf', 'utf8').catch(() => ''));
    try {
      const starting = startClusterDns({
        client,
        listen: { host: flags.bindAddress, port: flags.port },
        domain: flags.clusterDomain,
        upstream: servers.map((server) => ({ address: server, port: dnsPort })),
        signal: io.signal,
        onError: (error) => io.err.write(`${messageOf(error)}\n`),
      });
      const running = await startedUnlessAborted(io.signal, starting, ({ stopped }) => stopped);
      if (running === undefined) return;
      io.err.write(`Listening on ${running.address.host}:${running.address.port}. Ctrl-C stops it.\n`);
      await running.stopped;
    } finally {
      await client.close();
    }
  },
});
