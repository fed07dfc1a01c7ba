/** `coxswain history deployment/web`: who changed what, and when. */

import { commandFor, int, rangeArgs, string } from '@coxswain/cobra';
import { discoveryClient, restMapper, type KubeClient, type ResourceClient } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import { readHistory } from '../history/object-history.ts';
import { renderHistory } from '../history/render-history.ts';
import type { ProgramIo } from '../program-io.ts';
import { holdsSecrets, jsonWithoutSecrets } from '@coxswain/api/core/secret-values.ts';

const command = commandFor<ProgramIo>();

const changesMaxDefault = 100;

export const history = command({
  use: 'history RESOURCE/NAME',
  short: 'Print who changed an object, what and when',
  long: 'Prints every change of an object that the server still knows of (five minutes back, unless it keeps more), as a\ndiff, with the field manager that made it and the time. Objects that are deleted by now have a history too.\nThe values of Secrets are hidden.\nAny Kubernetes API server of 1.19 or later can be asked.',
  example: '  coxswain history deployment/web\n  coxswain history pod web-5d79f54576-2pjdk -n shop --limit=5',
  args: rangeArgs(1, 2),
  flags: {
    namespace: string({ shorthand: 'n', usage: "The object's namespace. The default is the context's." }),
    kubeconfig: string({ usage: 'The kubeconfig file to use.' }),
    context: string({ usage: 'The context of the kubeconfig to use.' }),
    limit: int({ default: changesMaxDefault, usage: 'How many changes to print, the newest ones.' }),
  },
  async run({ context: io, args, flags }) {
    const [type, name] = typeAndName(args);
    const config = loadKubeconfig({ env: io.env, ...(flags.kubeconfig && { file: flags.kubeconfig }) });
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

/** @throws Error when the object is not there, and nothing is known of it */
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
  const found = await readHistory(
    resource.namespaced ? all.namespace(namespace) : all,
    name,
    Math.max(1, changesMax),
  );
  if (found === undefined) {
    throw new Error(`${title} is not there, and the past that the server knows has nothing of it`);
  }
  io.out.write(renderHistory(title, found, holdsSecrets(resource) ? jsonWithoutSecrets : undefined));
}

/** `deployment/web`, or `deployment web`. */
function typeAndName(args: readonly string[]): readonly [string, string] {
  const parts = args.length === 1 ? args[0]!.split('/') : [...args];
  const [type = '', name = ''] = parts;
  if (parts.length !== 2 || type === '' || name === '') {
    throw new Error('one object is wanted, as RESOURCE/NAME or RESOURCE NAME');
  }
  return [type, name];
}
