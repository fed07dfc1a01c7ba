import { mappingOfTarget, podTarget, type CreateTarget } from '../mapping.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { bool, string, stringArray, type FlagValues } from '@coxswain/cobra';
import { withTypedConfiguration } from '../apply/last-applied.ts';
import { command, usageError } from '../command.ts';
import { deletionFlags, readCascade } from '../flags/delete.ts';
import { readDryRun } from '../flags/dry-run.ts';
import { podRunningTimeoutFlag, runningTimeoutProblem } from '../flags/pod-running-timeout.ts';
import { printFlags } from '../flags/print.ts';
import {
  dryRunFlag,
  fieldManagerFlag,
  filenameFlags,
  recordFlag,
  saveConfigFlag,
} from '../flags/object-flags.ts';
import { readLabels } from '../generate/labels.ts';
import { imagePattern } from '../generate/image-name.ts';
import { overridden, overrideFlags } from '../generate/overrides.ts';
import { readPort } from '../generate/ports.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { readPair } from './set/environment.ts';
import type { EnvVar } from './set/pod-specs.ts';
import { filled, newObject, targets } from './create/create-object.ts';
import { recorded } from '../record/change-cause.ts';

const flags = {
  ...printFlags,
  ...dryRunFlag,
  ...fieldManagerFlag('kubectl-run'),
  ...filenameFlags('for the object to delete with --rm'),
  ...saveConfigFlag,
  ...recordFlag,
  ...deletionFlags,
  ...overrideFlags,
  annotations: stringArray({ usage: 'An annotation as KEY=VALUE. Can be repeated.' }),
  attach: bool({ usage: 'Wait for the pod to start running, then attach to it.' }),
  command: bool({ usage: 'Use the arguments after -- as the command instead of as its arguments.' }),
  detachKeys: string({
    default: 'ctrl-p,ctrl-q',
    usage: 'The key sequence that detaches from the container.',
  }),
  env: stringArray({ usage: 'An environment variable as KEY=VALUE. Can be repeated.' }),
  expose: bool({ usage: 'Create a ClusterIP service for the pod. Requires --port.' }),
  image: string({ usage: 'The image to run.', required: true }),
  imagePullPolicy: string({
    usage: 'The image pull policy: Always, IfNotPresent or Never. Chosen by the server if unset.',
  }),
  labels: string({ shorthand: 'l', usage: 'Comma-separated labels to apply to the pod.' }),
  leaveStdinOpen: bool({
    usage: 'In interactive mode, keep standard input open after the first attach ends.',
  }),
  ...podRunningTimeoutFlag(),
  port: string({ usage: 'The port that the container exposes.' }),
  privileged: bool({ usage: 'Run the container in privileged mode.' }),
  quiet: bool({ shorthand: 'q', usage: "Don't print prompts." }),
  restart: string({ default: 'Always', usage: 'The restart policy of the pod: Always, OnFailure or Never.' }),
  rm: bool({ usage: 'Delete the pod after it exits. Requires --attach or -i/--stdin.' }),
  stdin: bool({
    shorthand: 'i',
    usage: 'Keep standard input of the container open, even if nothing is attached.',
  }),
  tty: bool({ shorthand: 't', usage: 'Allocate a TTY for the container.' }),
  wait: bool({ usage: 'Wait until the deleted objects are gone.' }),
};

type Flags = FlagValues<typeof flags>;

export const run = command({
  use: 'run NAME --image=image [--env="key=value"] [--port=port] [--dry-run=server|client] [--overrides=inline-json] [--command] -- [COMMAND] [args...]',
  long: 'Run an image as a pod.',
  example: `  # A pod
  kubectl run web --image=nginx

  # With a variable, a label and a service
  kubectl run web --image=nginx --env=DEBUG=1 --labels=app=web --port=80 --expose

  # With another command
  kubectl run job --image=busybox --restart=Never --command -- sh -c 'echo done'`,
  disableFlagsInUseLine: true,
  flags,
  async run(invocation) {
    const { context, args, flags: given } = invocation;
    const [name] = args;
    if (name === undefined || invocation.argsLengthAtDash === 0)
      throw usageError(invocation, 'NAME is required for run');
    const timeoutProblem = runningTimeoutProblem(given);
    if (timeoutProblem !== undefined) throw usageError(invocation, timeoutProblem);
    if (given.image === '') throw new Error('--image is required');
    if (!imagePattern.test(given.image))
      throw new Error(`Invalid image name "${given.image}": invalid reference format`);
    // An explicit --attach takes precedence over what --stdin and --tty imply.
    const attached = invocation.changed('attach') ? given.attach : given.stdin || given.tty;
    const problem = problemWith(given, attached);
    if (problem !== undefined) throw usageError(invocation, problem);
    const dryRun = readDryRun(context, given.dryRun);
    const print = await context.printer(given, { operation: 'created', dryRun, order: 'declared' });
    readCascade(given.cascade);
    if (name === '') throw new Error('Parameter: name is required');
    const { namespace, explicit } = await context.namespace();
    const place = explicit ? namespace : '';

    const write = async (target: CreateTarget, generated: KubeObject) => {
      if (dryRun === 'client') return recorded(context, generated);
      const saved = given.saveConfig ? await withTypedConfiguration(generated) : generated;
      const helper = new ResourceHelper(await context.client(), mappingOfTarget(target));
      return helper.create(namespace, recorded(context, saved), {
        dryRun: dryRun === 'server',
        fieldManager: given.fieldManager,
      });
    };

    const pod = await overridden(context, podOf(name, args.slice(1), given, place), given);
    const made = await write(podTarget, pod);
    // The service is created after the pod, but printed before it.
    if (given.expose) {
      context.print(print(await write(targets.service, serviceOf(name, given, place))));
      if (given.output === 'yaml') context.print('---\n');
    }
    if (!attached) return context.print(print(made));
    const { runAttached } = await import('../streams/run-attached.ts');
    const created = { namespace, name, hasService: given.expose };
    await runAttached(context, created, given);
  },
});

function problemWith(given: Flags, attached: boolean): string | undefined {
  if (given.tty && !given.stdin) return '-i/--stdin is required for containers with -t/--tty=true';
  if (given.rm && !attached) return '--rm should only be used for attached containers';
  if (attached && given.dryRun !== 'none') {
    return "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)";
  }
  if (!['Always', 'OnFailure', 'Never'].includes(given.restart))
    return `invalid restart policy: ${given.restart}`;
  if (given.expose && given.port === '') return '--port must be set when exposing a service';
  if (!['', 'Always', 'IfNotPresent', 'Never'].includes(given.imagePullPolicy))
    return `invalid image pull policy: ${given.imagePullPolicy}`;
  return undefined;
}

const labelsOf = (name: string, { labels }: Flags): Record<string, string> =>
  labels === '' ? { run: name } : readLabels(labels);

/** A single empty value is none. */
const listed = (values: readonly string[]): readonly string[] =>
  values.length === 1 && values[0] === '' ? [] : values;

function readVariable(pair: string): EnvVar {
  if (!/^[^=]+=/.test(pair)) throw new Error(`invalid env: ${pair}`);
  const { name, value } = readPair(pair);
  return value ? { name, value } : { name };
}

function podOf(name: string, words: readonly string[], given: Flags, namespace: string): KubeObject {
  const container = {
    name,
    image: given.image,
    ...filled({
      command: given.command ? words : [],
      args: given.command ? [] : words,
      ports: given.port === '' ? [] : [{ containerPort: readPort(given.port) }],
      env: listed(given.env).map(readVariable),
    }),
    resources: {},
    ...(given.stdin && { stdin: true, ...(!given.leaveStdinOpen && { stdinOnce: true }) }),
    ...(given.tty && { tty: true }),
    ...filled({
      imagePullPolicy: given.imagePullPolicy,
      securityContext: given.privileged ? { privileged: true } : {},
    }),
  };
  const annotations = Object.fromEntries(
    listed(given.annotations).map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new Error(`invalid annotations format: ${pair}`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
  const spec = { containers: [container], restartPolicy: given.restart, dnsPolicy: 'ClusterFirst' };
  const metadata = { labels: labelsOf(name, given), ...filled({ annotations }) };
  return newObject({ target: podTarget, name, metadata, fields: { spec, status: {} } }, namespace);
}

function serviceOf(name: string, given: Flags, namespace: string): KubeObject {
  const port = readPort(given.port);
  const spec = { ports: [{ protocol: 'TCP', port, targetPort: port }], selector: labelsOf(name, given) };
  return newObject(
    { target: targets.service, name, fields: { spec, status: { loadBalancer: {} } } },
    namespace,
  );
}
