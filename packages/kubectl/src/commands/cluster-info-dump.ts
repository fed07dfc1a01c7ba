import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { genericServerResponse } from '@coxswain/apimachinery/errors.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { string, stringSlice } from '@coxswain/cobra';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { podRunningTimeoutFlag, runningTimeoutProblem } from '../flags/pod-running-timeout.ts';
import { printFlags } from '../flags/print.ts';
import { allNamespacesFlag } from '../flags/object-flags.ts';
import { makeDirectory } from '../streams/make-directory.ts';

const dumped = [
  ['events', '/api/v1'],
  ['replicationcontrollers', '/api/v1'],
  ['services', '/api/v1'],
  ['daemonsets', '/apis/apps/v1'],
  ['deployments', '/apis/apps/v1'],
  ['replicasets', '/apis/apps/v1'],
  ['pods', '/api/v1'],
] as const;

const fileNames: Readonly<Record<string, string>> = { replicationcontrollers: 'replication-controllers' };

export const clusterInfoDump = command({
  use: 'dump',
  long: 'Dump information for troubleshooting a cluster: nodes, events, workloads and pod logs.',
  example: `  # To standard output
  kubectl cluster-info dump

  # Into a directory
  kubectl cluster-info dump --output-directory=/path/to/dump`,
  flags: {
    ...printFlags,
    output: { ...printFlags.output, default: 'json' },
    ...allNamespacesFlag,
    namespaces: stringSlice({
      usage: 'Namespaces to dump. Defaults to the current namespace and kube-system.',
    }),
    outputDirectory: string({ usage: 'Where to write the files. Defaults to standard output.' }),
    ...podRunningTimeoutFlag(20_000),
  },
  async run({ context, flags, changed }) {
    const isTemplate = flags.template !== '' && !changed('output');
    const printer = await context.printer(isTemplate ? { ...flags, output: '' } : flags, {
      order: 'declared',
    });
    const print = (list: List) => {
      if (flags.output === 'name')
        throw new Error(`list types are not supported by name printing: *v1.${list.kind}`);
      // Empty lists are null in upstream's types.
      return printer(list.items.length === 0 ? { ...list, items: null } : list);
    };
    const problem = runningTimeoutProblem(flags);
    if (problem !== undefined) throw new Error(problem);
    const client = await context.client();
    const { namespace } = await context.namespace();
    const extension = flags.output === 'yaml' ? 'yaml' : 'json';
    const write = writer(context, flags.outputDirectory);
    const list = (path: string) => client.request<List>({ method: 'GET', path });
    await write(`nodes.${extension}`, print(await list('/api/v1/nodes')));
    const namespaces = flags.allNamespaces
      ? (await list('/api/v1/namespaces')).items.map(({ metadata }) => metadata.name ?? '')
      : flags.namespaces.length > 0
        ? flags.namespaces
        : ['kube-system', namespace];
    for (const one of namespaces) {
      let pods: readonly KubeObject[] = [];
      for (const [resource, root] of dumped) {
        const found = await list(`${root}/namespaces/${one}/${resource}`);
        if (resource === 'pods') pods = found.items;
        await write(join(one, `${fileNames[resource] ?? resource}.${extension}`), print(found));
      }
      for (const pod of pods)
        await write(join(one, pod.metadata.name ?? '', 'logs.txt'), await logsOf(context, pod));
    }
    if (flags.outputDirectory !== '' && flags.outputDirectory !== '-') {
      context.print(`Cluster info dumped to ${flags.outputDirectory}\n`);
    }
  },
});

type PodContainers = Readonly<Partial<Record<'initContainers' | 'containers', { name: string }[]>>>;
type List = KubeObject & { items: KubeObject[] };

const writer =
  (context: CommandContext, directory: string) =>
  async (name: string, text: string): Promise<void> => {
    if (directory === '' || directory === '-') return context.print(text);
    const file = join(directory, name);
    const absolute = (given: string) => resolve(context.io.workingDirectory, given);
    await makeDirectory(dirname(file), absolute);
    await writeFile(absolute(file), text);
  };

async function logsOf(context: CommandContext, pod: KubeObject): Promise<string> {
  const { name, namespace } = pod.metadata;
  const { initContainers = [], containers = [] } = (pod as { spec?: PodContainers }).spec ?? {};
  const client = await context.client();
  const parts = await Promise.all(
    [...initContainers, ...containers].map(async (container) => {
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/log`;
      const text = await client
        .text({ method: 'GET', path, query: { container: container.name } })
        .catch((failure: unknown) => `Request log error: ${logProblem(failure, name)}\n`);
      return `==== START logs for container ${container.name} of pod ${namespace}/${name} ====\n${text}==== END logs for container ${container.name} of pod ${namespace}/${name} ====\n`;
    }),
  );
  return parts.join('');
}

/** Upstream expects protobuf here and cannot read the server's explanation. */
function logProblem(failure: unknown, name: string | undefined): string {
  if (!(failure instanceof StatusError)) return messageOf(failure);
  const resource = { group: '', resource: 'pods' };
  return genericServerResponse({
    code: failure.status.code ?? 500,
    verb: 'GET',
    resource,
    ...(name && { name }),
    serverMessage: failure.message,
  }).message;
}
