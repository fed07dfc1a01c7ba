/** `coxswain status`: lists this user's clusters that run on this machine. */

import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { KubeClient } from '@coxswain/client';
import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool, commandFor, noArgs } from '@coxswain/cobra';
import { CommandFailure } from '../program/command-failure.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { runningClusters, type RunningCluster } from '../local/running-clusters.ts';
import { dataDirFlag } from './running-flags.ts';

const command = commandFor<ProgramIo>();

/** A server that stays busy for longer counts as unresponsive. */
const answerMsMax = 3_000;

export const status = command({
  use: 'status',
  short: 'Show the running clusters and their health',
  long: 'Prints the clusters that you started with "coxswain up" on this machine: their address, uptime, health and nodes.\nThe exit status is 1 if no cluster is running or one is not ready.',
  example: '  coxswain status\n  coxswain status --json',
  args: noArgs,
  flags: {
    dataDir: dataDirFlag,
    json: bool({ usage: 'Print the clusters as JSON.' }),
  },
  async run({ context: io, flags }) {
    const found = runningClusters(io.env, flags.dataDir);
    const reports = await Promise.all(found.map(reportOf));
    if (flags.json) io.out.write(`${JSON.stringify(reports, undefined, 2)}\n`);
    else io.out.write(reports.map(textOf).join('\n'));
    if (reports.length === 0) throw new CommandFailure('no cluster is running; "coxswain up" starts one', 1);
    if (reports.some(({ health }) => health !== 'ready')) throw new CommandFailure('not ready', 1);
  },
});

interface Report extends RunningCluster {
  /** `ready`, or the reason why not. */
  readonly health: string;
  readonly nodes?: readonly { readonly name: string; readonly ready: boolean }[];
}

async function reportOf(cluster: RunningCluster): Promise<Report> {
  const { connect, loadKubeconfig } = await import('@coxswain/client/node.ts');
  const signal = AbortSignal.timeout(answerMsMax);
  let client: KubeClient | undefined;
  try {
    client = connect(loadKubeconfig({ file: cluster.kubeconfig }), { userAgent: 'coxswain-status' });
    const { items } = await client.resource<Node>('v1', 'nodes').list({ signal });
    const nodes = items.map(({ metadata, status: now }) => ({
      name: metadata.name ?? '',
      ready: now?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
    }));
    return { ...cluster, health: 'ready', nodes };
  } catch (failure) {
    const reason = signal.aborted ? `no answer for ${answerMsMax / 1000} s` : messageOf(failure);
    return { ...cluster, health: `not ready: ${reason}` };
  } finally {
    await client?.close();
  }
}

function textOf(report: Report): string {
  const { pid, since, url, health, version, kubernetesVersion, nodes = [], log } = report;
  const seconds = Math.max(0, Math.round((systemClock.now() - Date.parse(since)) / 1000));
  const rows = {
    'API server': `${url} (${health})`,
    process: `${pid}, for ${durationText(seconds)}`,
    version: `coxswain ${version}, Kubernetes ${kubernetesVersion}`,
    nodes: nodes.map(({ name, ready }) => (ready ? name : `${name} (not ready)`)).join(', ') || 'none',
    storage: report.inMemory ? 'in memory' : report.dataDirectory,
    kubeconfig: report.kubeconfig,
    ...(log !== undefined && { log }),
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(12)} ${value}\n`)
    .join('');
}

/** `2h5m`, `40s` */
function durationText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}h${minutes}m`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}
