import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { observeAll, systemClock, type StepObserver } from '@coxswain/apimachinery';
import type { ClusterFlagSettings } from '@coxswain/kube-apiserver/flags/cluster-flag-settings.ts';
import { writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { addonNames } from '../addons/addon-names.ts';
import { clusterCertificates } from '../certificates/certificates.ts';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { kubernetesServiceAddress } from '../components/cluster-addresses.ts';
import { administrator } from '../components/component-users.ts';
import { kubeconfigPort } from '../testing/kubeconfig-port.ts';
import { nodeRecorder } from '../trace/node-recorder.ts';
import { tracedProxy } from './traced-proxy.ts';
import type { TracedCluster } from './traced-cluster.ts';
import type { Recording } from '@coxswain/trace/recording.ts';

export interface OwnCluster extends TracedCluster {
  /** Returns the recording since the cluster's start, and until its end once it has stopped. */
  whole(): Recording;
}

export interface OwnClusterOptions {
  readonly nodes: number;
  /** Settings of its API server. */
  readonly apiServer: ClusterFlagSettings;
  readonly showsSecrets: boolean;
  /** Whether controllers and scheduler wait until they are elected, as with several processes. */
  readonly elects: boolean;
  /** Receives every step before it is recorded. */
  readonly guest?: StepObserver | undefined;
  readonly log: (line: string) => void;
}

const directoryMode = 0o700;

/** Runs a cluster in memory in this process; it is gone when it stops. */
export async function ownCluster({
  nodes,
  apiServer,
  showsSecrets,
  elects,
  guest,
  log,
}: OwnClusterOptions): Promise<OwnCluster> {
  const recorder = nodeRecorder();
  const observer = observeAll([...(guest ? [guest] : []), recorder.observer])!;
  const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-trace-'));
  chmodSync(directory, directoryMode);
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const cluster = await startedIn(directory, { observer, nodes, apiServer, elects }).catch((failure) => {
    remove();
    throw failure;
  });
  const stopping = new AbortController();
  const [node] = cluster.kubelets.nodes;
  const proxy = node && tracedProxy(cluster, node.name, observer, stopping.signal);
  await proxy?.synced;
  const port = kubeconfigPort((incoming) => cluster.apiServer.served.serve(incoming), log);
  let file: string | undefined;
  return {
    observer,
    commandUser: administrator.name,
    isOwn: true,
    async environment() {
      if (file === undefined) {
        file = path.join(directory, 'kubeconfig');
        writePrivateFile(file, await port.kubeconfig(administrator));
      }
      // kubectl's discovery cache for this server is useless afterwards.
      return { KUBECONFIG: file, KUBECACHEDIR: path.join(directory, 'cache') };
    },
    record() {
      const part = recorder.fromNow();
      return Promise.resolve({
        names: () => Promise.resolve(part.names()),
        soFar: () => Promise.resolve(part.soFar({ showsSecrets })),
        end: () => Promise.resolve(),
      });
    },
    whole: () => recorder.recording({ showsSecrets }),
    async stop() {
      await port.close();
      stopping.abort(new Error('the traced cluster stops'));
      await proxy?.stopped;
      await cluster.stop();
      remove();
    },
  };
}

/** With keys, certificates and add-ons as in `coxswain up`: requests for certificates are signed, claims get volumes. */
async function startedIn(
  directory: string,
  {
    observer,
    nodes,
    apiServer,
    elects,
  }: Pick<OwnClusterOptions, 'nodes' | 'apiServer' | 'elects'> & {
    readonly observer: StepObserver;
  },
): Promise<Cluster> {
  const files = await clusterCertificates(path.join(directory, 'certificates'), {
    clock: systemClock,
    serviceAddress: kubernetesServiceAddress,
  });
  return startCluster({
    observer,
    nodes,
    servesMetrics: true,
    addons: addonNames,
    leaderElection: elects,
    certificates: { ...files, rootCertificateAuthority: readFileSync(files.caCertFile, 'utf8') },
    ...apiServer,
  });
}
