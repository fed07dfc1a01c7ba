import { runStep, type Work } from '@coxswain/apimachinery';
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
  filename: stringSlice({ shorthand: 'f', usage: 'Files that identify the object.' }),
  argumentsOnly: bool({
    usage: 'Use the arguments after -- as the arguments of the container instead of its command.',
  }),
  attach: bool({
    usage: 'Wait for the container to start running, then attach to it. Defaults to true with -i/--stdin.',
  }),
  container: string({ shorthand: 'c', usage: 'The name of the container.' }),
  copyTo: string({ usage: 'Create a copy of the pod with this name.' }),
  replace: bool({ usage: 'With --copy-to: delete the original pod.' }),
  env: stringToString({ usage: 'Environment variables to set in the container, as KEY=VALUE.' }),
  image: string({ usage: 'The image of the container.' }),
  keepLabels: bool({ usage: 'With --copy-to: keep the labels of the pod.' }),
  keepAnnotations: bool({ usage: 'With --copy-to: keep the annotations of the pod.' }),
  keepLiveness: bool({ usage: 'With --copy-to: keep the liveness probes of the pod.' }),
  keepReadiness: bool({ usage: 'With --copy-to: keep the readiness probes of the pod.' }),
  keepStartup: bool({ usage: 'With --copy-to: keep the startup probes of the pod.' }),
  keepInitContainers: bool({ default: true, usage: 'With --copy-to: run the init containers of the pod.' }),
  setImage: stringToString({ usage: 'With --copy-to: change the images of containers, as NAME=IMAGE.' }),
  imagePullPolicy: string({
    usage: 'The image pull policy: Always, IfNotPresent or Never. Chosen by the server if unset.',
  }),
  stdin: bool({
    shorthand: 'i',
    usage: 'Keep standard input of the container open, even if nothing is attached.',
  }),
  quiet: bool({ shorthand: 'q', usage: 'Print only the output of the remote session.' }),
  sameNode: bool({ usage: 'With --copy-to: schedule the copy on the same node.' }),
  shareProcesses: bool({
    default: true,
    usage: 'With --copy-to: enable process namespace sharing in the copy.',
  }),
  target: string({ usage: 'With an ephemeral container: target the processes of this container.' }),
  tty: bool({ shorthand: 't', usage: 'Allocate a TTY for the container.' }),
  profile: string({
    default: 'general',
    usage:
      'The debugging profile, which sets the privileges: general, baseline, restricted, netadmin or sysadmin.',
  }),
  custom: string({
    usage: 'Path to a JSON or YAML file with a partial container spec that customizes the profile.',
  }),
};

type Flags = FlagValues<typeof flags>;

export const debug = command({
  use: 'debug (POD | TYPE[[.VERSION].GROUP]/NAME) [ -- COMMAND [args...] ]',
  long: `Debug pods and nodes with a dedicated container.

 For a pod, an ephemeral container is added to the running pod; with --copy-to, a copy of the pod gets the container, or other images and commands. For a node, a pod is created that runs on it in the host namespaces.`,
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

    const inStep = <T>(body: () => T, work: Work): T =>
      runStep(context.io.observer, 'debug', body, { profile: given.profile, target: given.target }, work);
    const debugOne = async (info: Info) => {
      const object = objectOf(info);
      const mapping = mappingOf(info);
      if (mapping.group === '' && mapping.kind === 'Node')
        return inStep(() => debugNode(context, plan, info.name, namespace), debugNode);
      if (mapping.group !== '' || mapping.kind !== 'Pod')
        throw new Error(
          `${goQuote(`${mapping.group}/${mapping.version}, Kind=${mapping.kind}`)} not supported by debug`,
        );
      const pod = object as DebugPod;
      if (given.copyTo === '') return inStep(() => debugInPod(context, plan, pod, mapping), debugInPod);
      const shareProcesses = changed('shareProcesses') ? given.shareProcesses : undefined;
      const copied = { ...given, ...plan, shareProcesses };
      return inStep(() => debugCopy(context, copied, pod, mapping), debugCopy);
    };

    const selected = await select(context, {
      args: names,
      defaultType: 'pods',
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
