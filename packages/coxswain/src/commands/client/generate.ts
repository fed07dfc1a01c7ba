/** `coxswain client generate crds/*.yaml > kinds.ts` */

import { readFileSync } from 'node:fs';
import { anyArgs, commandFor, string } from '@coxswain/cobra';
import { kindTypes } from '../../crd/kind-types.ts';
import type { ProgramIo } from '../../program/program-io.ts';
import { objectsOf } from '../../testing/manifests.ts';

const command = commandFor<ProgramIo>();

type Definitions = Parameters<typeof kindTypes>[0];

export const generate = command({
  use: 'generate [FILE...]',
  short: 'Print the types of custom resources',
  long: 'Prints TypeScript for the CustomResourceDefinitions in files, or without files for those of the cluster: a type for each\nkind, and a value of the same name that "client.of" of @coxswain/client takes.',
  example: '  coxswain client generate crds/*.yaml > kinds.ts\n  coxswain client generate > kinds.ts',
  args: anyArgs,
  flags: { kubeconfig: string({ usage: 'The kubeconfig file. Defaults to $KUBECONFIG or ~/.kube/config.' }) },
  async run({ context: io, args, flags }) {
    const found = args.length === 0 ? await served(flags.kubeconfig) : args.flatMap(definitionsIn);
    if (found.length === 0) throw new Error('no CustomResourceDefinition was found');
    io.out.write(kindTypes(found));
  },
});

const definitionsIn = (file: string): Definitions =>
  objectsOf(readFileSync(file, 'utf8')).filter(
    ({ kind }) => kind === 'CustomResourceDefinition',
  ) as unknown as Definitions;

async function served(file: string): Promise<Definitions> {
  const { connect, loadKubeconfig } = await import('@coxswain/client/node.ts');
  const client = connect(loadKubeconfig({ file }), {
    userAgent: 'coxswain-client-generate',
  });
  try {
    const { items } = await client.resource('apiextensions.k8s.io/v1', 'customresourcedefinitions').list();
    return items as unknown as Definitions;
  } finally {
    await client.close();
  }
}
