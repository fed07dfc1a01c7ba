import type { Random } from '@coxswain/apimachinery';
import { int32, stringSlice } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { randomSuffix } from '../../random-suffix.ts';
import { createFlags, creating, targets } from './create-object.ts';

export const deployment = command({
  use: 'deployment NAME --image=image -- [COMMAND] [args...]',
  long: 'Create a deployment that runs the given images.',
  example: `  # A web server in three copies
  kubectl create deployment web --image=nginx --replicas=3

  # With a command of its own
  kubectl create deployment date --image=busybox -- sh -c 'date; sleep 3600'`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    image: stringSlice({
      usage: 'The image to run. Can be repeated; each image becomes a container.',
      required: true,
    }),
    port: int32({ usage: 'The container port to expose.', default: -1 }),
    replicas: int32({ shorthand: 'r', usage: 'The number of replicas to create.', default: 1 }),
  },
  async run(invocation) {
    const { flags, args, context } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags);
    const words = args.slice(1);
    if (flags.image.length > 1 && words.length > 0)
      throw new Error('cannot specify multiple --image options and command');
    const labels = { app: name };
    const containers = flags.image.map((image, index) => ({
      name: containerName(image, context.io.random),
      image,
      ...(words.length > 0 ? { command: words } : {}),
      ...(flags.port >= 0 && index === 0 ? { ports: [{ containerPort: flags.port }] } : {}),
      resources: {},
    }));
    await create({
      target: targets.deployment,
      name,
      metadata: { labels },
      fields: {
        spec: {
          replicas: flags.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
          strategy: {},
        },
        status: {},
      },
      failure: 'failed to create deployment: ',
    });
  },
});

/** The image's name without registry, tag and digest; made unique if it had to be changed. */
function containerName(image: string, random: Random): string {
  const last = image.split('/').at(-1) ?? image;
  const bare = last.split(':')[0]?.split('@')[0] ?? last;
  return /[_.]/.test(bare) ? `${bare.replaceAll(/[_.]/g, '-')}-${randomSuffix(random)}` : bare;
}
