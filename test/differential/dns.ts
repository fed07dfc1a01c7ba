/**
 * `npm run differ-dns -- --coredns PROGRAM`: starts a cluster, CoreDNS with kubeadm's configuration and our name server
 * on it, asks both the same questions, and prints where the answers differ. See README.md.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { startClusterDns } from '@coxswain/cluster-dns';
import { clusterCertificates } from 'coxswain/certificates/certificates.ts';
import { startCluster } from 'coxswain/cluster/cluster.ts';
import { writeKubeconfig } from 'coxswain/local/kubeconfig.ts';
import { ask } from './dns/ask.ts';
import { namespace, services, slices } from './dns/objects.ts';
import { names, types } from './dns/questions.ts';

const { values } = parseArgs({ options: { coredns: { type: 'string', default: '' } } });
if (values.coredns === '') {
  console.error('--coredns names the program: go build github.com/coredns/coredns@v1.12.4');
  process.exit(2);
}

const directory = mkdtempSync(path.join(tmpdir(), 'differ-dns-'));
const certificates = await clusterCertificates(path.join(directory, 'pki'), {
  clock: systemClock,
  serviceAddress: '10.96.0.1',
});
const cluster = await startCluster({
  nodes: 0,
  port: 0,
  certificates: { ...certificates, rootCertificateAuthority: '' },
});
const kubeconfig = path.join(directory, 'kubeconfig');
await writeKubeconfig(kubeconfig, cluster.address ?? '', certificates);
await fill(cluster.client());
const ending = new AbortController();
const ours = await startClusterDns({
  client: cluster.client(),
  listen: { host: '127.0.0.1', port: 0 },
  signal: ending.signal,
});
const theirsPort = await freePort();
writeFileSync(
  path.join(directory, 'Corefile'),
  `.:${theirsPort} {
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        kubeconfig ${kubeconfig}
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 30
    }
}
`,
);
const theirs = spawn(values.coredns, ['-conf', path.join(directory, 'Corefile')], { stdio: 'ignore' });
let differing = 1;
try {
  differing = await compare();
} finally {
  theirs.kill();
  ending.abort();
  await ours.stopped;
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(differing === 0 ? 0 : 1);

async function compare(): Promise<number> {
  await untilKnown(theirsPort);
  await untilKnown(ours.address.port);
  let asked = 0;
  let different = 0;
  for (const name of names)
    for (const type of types) {
      const [expected, got] = await Promise.all([
        ask(theirsPort, name, type),
        ask(ours.address.port, name, type),
      ]);
      asked++;
      if (expected.join('\n') === got.join('\n')) continue;
      different++;
      console.log(`== ${name} ${type}`);
      for (const line of expected.filter((each) => !got.includes(each))) console.log(`  < ${line}`);
      for (const line of got.filter((each) => !expected.includes(each))) console.log(`  > ${line}`);
    }
  console.log(`\n${asked} asked, ${different} answered otherwise (< CoreDNS, > ours)`);
  return different;
}

async function fill(client: KubeClient): Promise<void> {
  await client.resource('v1', 'namespaces').create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  for (const service of services)
    await client.resource('v1', 'services').namespace(namespace).create(service);
  for (const slice of slices)
    await client.resource('discovery.k8s.io/v1', 'endpointslices').namespace(namespace).create(slice);
}

/** Until it answers and has read what there is. @throws Error when it never does */
async function untilKnown(port: number): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await ask(port, `web.${namespace}.svc.cluster.local`, 'A').catch(() => []);
    if (answer.some((line) => line.includes('10.96.7.7'))) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`nobody answers at port ${port}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
