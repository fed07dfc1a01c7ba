/** `coxswain history deployment/web`: shows who changed what, and when. */

import { commandFor, int, rangeArgs, string } from '@coxswain/cobra';
import { discoveryClient, restMapper, type KubeClient, type ResourceClient } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import { readHistory } from '@coxswain/client/history/object-history.ts';
import { loggedWrites } from '../history/logged-writes.ts';
import { renderHistory } from '../history/render-history.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { holdsSecrets, jsonWithoutSecrets } from '@coxswain/api/core/secret-values.ts';

const command = commandFor<ProgramIo>();

const changesMaxDefault = 100;

export const history = command({
  use: 'history RESOURCE/NAME',
  short: 'Show who changed an object, what changed and when',
  long: 'Prints each change to an object as a diff, with the field manager that made it and the time; on clusters of\ncoxswain also the user, of the latest 10,000 writes. Changes are available for\nas long as the server retains its history: an hour with coxswain up, five minutes by default in Kubernetes. Deleted objects have a history too.\nThe values of Secrets are hidden. Works with any Kubernetes API server, version 1.19 or later.',
  example: '  coxswain history deployment/web\n  coxswain history pod web-5d79f54576-2pjdk -n shop --limit=5',
  args: rangeArgs(1, 2),
  flags: {
    namespace: string({
      shorthand: 'n',
      usage: 'The namespace of the object. Defaults to the namespace of the context.',
    }),
    kubeconfig: string({ usage: 'The kubeconfig file to use.' }),
    context: string({ usage: 'The name of the kubeconfig context to use.' }),
    limit: int({
      default: changesMaxDefault,
      usage: 'The maximum number of changes to print, newest first.',
    }),
  },
  async run({ context: io, args, flags }) {
    const [type, name] = typeAndName(args);
    if (flags.limit < 1) throw new Error(`--limit must be 1 or more, not ${flags.limit}`);
    const config = loadKubeconfig({ env: io.env, file: flags.kubeconfig });
    const overrides = flags.context === '' ? {} : { context: flags.context };
    const namespace = flags.namespace || resolveKubeconfig(config, overrides).namespace;
    const client = connect(config, { overrides });
    try {
      await printHistory(io, client, type, name, namespace, flags.limit);
    } finally {
      await client.close();
    }
  },
});

/** @throws Error if the object does not exist and nothing is recorded about it */
export async function printHistory(
  io: Pick<ProgramIo, 'out'>,
  client: KubeClient,
  type: string,
  name: string,
  namespace: string,
  changesMax: number,
): Promise<void> {
  const resource = restMapper(await discoveryClient(client.rest).discover()).resourceFor(type);
  const all: ResourceClient = client.resource(resource);
  const place = resource.namespaced ? ` in namespace ${namespace}` : '';
  const title = `${resource.resource}/${name}${place}`;
  const found = await readHistory(resource.namespaced ? all.namespace(namespace) : all, name, changesMax);
  if (found === undefined) {
    throw new Error(`${title} not found, and the server's history has no trace of it`);
  }
  const writes = await loggedWrites(client, {
    ...resource,
    namespace: resource.namespaced ? namespace : undefined,
    name,
  });
  io.out.write(
    renderHistory(title, found, { writes, ...(holdsSecrets(resource) && { shown: jsonWithoutSecrets }) }),
  );
}

/** Accepts `deployment/web` or `deployment web`. */
function typeAndName(args: readonly string[]): readonly [string, string] {
  const parts = args.length === 1 ? args[0]!.split('/') : [...args];
  const [type = '', name = ''] = parts;
  if (parts.length !== 2 || type === '' || name === '') {
    throw new Error('specify one object, as RESOURCE/NAME or RESOURCE NAME');
  }
  return [type, name];
}
