import { bool, string, stringSlice, stringToString, type FlagValues } from '@coxswain/cobra';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import { checkCustomProfile, readCustomProfile } from '../debug/custom-profile.ts';
import { debugCopy } from '../debug/debug-copy.ts';
import { debugInPod } from '../debug/debug-in-pod.ts';
import { debugNode } from '../debug/debug-node.ts';
import type { DebugPlan } from '../debug/debug-plan.ts';
import type { DebugPod } from '../debug/debug-pod.ts';
import { attachForDebugging } from '../debug/debug-session.ts';
import { profileNamed } from '../debug/profiles.ts';
import { imagePattern } from '../generate/image-name.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { select } from '../resource/select.ts';

const flags = {
  filename: stringSlice({ shorthand: 'f', usage: 'Files that say which object is meant.' }),
  argumentsOnly: bool({ usage: 'What follows -- are the arguments of the container, not its command.' }),
  attach: bool({ usage: 'Wait until the container runs, and attach to it; so by default with --stdin.' }),
  container: string({ shorthand: 'c', usage: 'Name of the container.' }),
  copyTo: string({ usage: 'Make a copy of the pod, of this name.' }),
  replace: bool({ usage: 'With --copy-to: delete the pod that was copied.' }),
  env: stringToString({ usage: 'Variables of the container.' }),
  image: string({ usage: 'Image of the container.' }),
  keepLabels: bool({ usage: 'With --copy-to: the copy has the labels of the pod.' }),
  keepAnnotations: bool({ usage: 'With --copy-to: the copy has the annotations of the pod.' }),
  keepLiveness: bool({ usage: 'With --copy-to: the copy has the liveness probes of the pod.' }),
  keepReadiness: bool({ usage: 'With --copy-to: the copy has the readiness probes of the pod.' }),
  keepStartup: bool({ usage: 'With --copy-to: the copy has the startup probes of the pod.' }),
  keepInitContainers: bool({ default: true, usage: 'With --copy-to: the copy runs the init containers.' }),
  setImage: stringToString({ usage: 'With --copy-to: other images of containers, as NAME=IMAGE.' }),
  imagePullPolicy: string({ usage: 'Always, IfNotPresent or Never; the server decides if not given.' }),
  stdin: bool({ shorthand: 'i', usage: 'Keep standard input of the container open.' }),
  quiet: bool({ shorthand: 'q', usage: 'Say nothing but what the session itself prints.' }),
  sameNode: bool({ usage: 'With --copy-to: the copy runs on the node of the pod.' }),
  shareProcesses: bool({
    default: true,
    usage: 'With --copy-to: the containers see the processes of each other.',
  }),
  target: string({ usage: 'See the processes of this container of the pod.' }),
  tty: bool({ shorthand: 't', usage: 'Give the container a terminal.' }),
  profile: string({
    default: 'general',
    usage: 'Rights of the container: general, baseline, restricted, netadmin or sysadmin.',
  }),
  custom: string({ usage: 'File of a partial container, in JSON or YAML, that is put over the profile.' }),
};

type Flags = FlagValues<typeof flags>;

export const debug = command({
  use: 'debug (POD | TYPE[[.VERSION].GROUP]/NAME) [ -- COMMAND [args...] ]',
  long: `Look into pods and nodes with a container made for that.

 Of a pod, an ephemeral container joins the pod that runs, or, with --copy-to, a copy of the pod gets a container or other images and commands. Of a node, a pod is made that runs on it in the namespaces of the host.`,
  example: `  # A shell beside the processes of a pod
  kubectl debug web -it --image=busybox --target=main

  # A copy of a pod whose main container runs a shell
  kubectl debug web -it --copy-to=web-debug --container=main -- sh

  # A copy with other images
  kubectl debug web --copy-to=web-debug --set-image='*=busybox'

  # A pod on a node, with its file system below /host
  kubectl debug node/worker-1 -it --image=busybox`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags,
  async run({ context, args, flags: given, argsLengthAtDash: dash, changed }) {
    const hasWords = dash >= 0 && args.length > dash;
    const names = hasWords ? args.slice(0, dash) : args;
    const words = hasWords ? args.slice(dash) : [];
    const { namespace, explicit } = await context.namespace();
    const plan: DebugPlan = {
      ...given,
      words,
      profile: profileNamed(given.profile),
      custom: given.custom === '' ? undefined : await readCustomProfile(context, given.custom),
      kept: {
        labels: given.keepLabels,
        annotations: given.keepAnnotations,
        liveness: given.keepLiveness,
        readiness: given.keepReadiness,
        startup: given.keepStartup,
        initContainers: given.keepInitContainers,
      },
    };
    check(given, names, words, changed('attach'));
    if (given.target !== '' && !given.quiet)
      context.print(
        `Targeting container "${given.target}". If you don't see processes from this container it may be because the container runtime doesn't support this feature.\n`,
      );
    if (given.tty && !given.stdin)
      throw new Error('-i/--stdin is required for containers with -t/--tty=true');
    if (plan.custom !== undefined) checkCustomProfile(plan.custom);
    if (given.profile === 'legacy')
      context.printError(
        '--profile=legacy is deprecated and planned to be removed in v1.39. It is recommended to specify other profile, for example "--profile=general".\n',
      );
    const isAttached = changed('attach') ? given.attach : given.stdin;

    const debugOne = async (info: Info) => {
      const object = objectOf(info);
      const mapping = mappingOf(info);
      if (mapping.group === '' && mapping.kind === 'Node')
        return debugNode(context, plan, info.name, namespace);
      if (mapping.group !== '' || mapping.kind !== 'Pod')
        throw new Error(
          `${goQuote(`${mapping.group}/${mapping.version}, Kind=${mapping.kind}`)} not supported by debug`,
        );
      const pod = object as DebugPod;
      if (given.copyTo === '') return debugInPod(context, plan, pod, mapping);
      const shareProcesses = changed('shareProcesses') ? given.shareProcesses : undefined;
      return debugCopy(context, { ...given, ...plan, shareProcesses }, pod, mapping);
    };

    const selected = await select(context, {
      args: names.map((name) => (name.includes('/') ? name : `pods/${name}`)),
      filenames: given.filename,
      typed: true,
      namespace,
      requireNamespace: explicit,
    });
    await selected.each(async (info) => {
      const target = await debugOne(info);
      if (isAttached && target !== undefined) await attachForDebugging(context, target, given);
    });
  },
});

function check(given: Flags, names: readonly string[], words: readonly string[], saysAttach: boolean): void {
  const { image, container, copyTo } = given;
  const images = Object.entries(given.setImage);
  if (given.attach && saysAttach && image === '' && container === '')
    throw new Error(
      'you must specify --container or create a new container using --image in order to attach.',
    );
  if (copyTo === '') refuseCopyOptions(given);
  else if (image === '' && images.length === 0 && words.length === 0)
    throw new Error('you must specify --image, --set-image or command arguments.');
  else if (words.length > 0 && container === '' && image === '')
    throw new Error('you must specify an existing container or a new image when specifying args.');
  if (image !== '' && !imagePattern.test(image))
    throw new Error(`invalid image name ${goQuote(image)}: invalid reference format`);
  if (names.length === 0 && given.filename.length === 0)
    throw new Error('NAME or filename is required for debug');
  if (!['', 'Always', 'IfNotPresent', 'Never'].includes(given.imagePullPolicy))
    throw new Error(`invalid image pull policy: ${given.imagePullPolicy}`);
  const wrong = images.find(([, name]) => !imagePattern.test(name));
  if (wrong !== undefined)
    throw new Error(
      `invalid image name ${goQuote(wrong[1])} for container ${goQuote(wrong[0])}: invalid reference format`,
    );
  if (given.target !== '' && copyTo !== '')
    throw new Error('--target is incompatible with --copy-to. Use --share-processes instead.');
}

function refuseCopyOptions({ replace, sameNode, setImage, image }: Flags): void {
  if (replace) throw new Error('--replace may only be used with --copy-to.');
  if (sameNode) throw new Error('--same-node may only be used with --copy-to.');
  if (Object.keys(setImage).length > 0) throw new Error('--set-image may only be used with --copy-to.');
  if (image === '') throw new Error('you must specify --image when not using --copy-to.');
}
