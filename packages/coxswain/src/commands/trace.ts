/**
 * `coxswain trace COMMAND`: runs a command and shows every step it took, and what the server, controllers, scheduler
 * and kubelets did as a result.
 */

import { systemClock, type Clock } from '@coxswain/apimachinery';
import {
  bool,
  commandFor,
  duration,
  string,
  stringArray,
  stringSlice,
  type FlagValues,
} from '@coxswain/cobra';
import type { Recording, Step } from '@coxswain/trace/recording.ts';
import { selected } from '@coxswain/trace/select.ts';
import { isAskedUndertaking, namesIn, stepSearch } from '@coxswain/trace/text/asked.ts';
import { CommandFailure } from '../program/command-failure.ts';
import { clusterFlags } from '@coxswain/kube-apiserver/flags/cluster-flags.ts';
import { withLegacyApis } from '../up/legacy-apis.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { simulatedNodes } from '../program/value-kinds.ts';
import { functionFlags, ranInstrumented } from '../trace/functions/run-instrumented.ts';
import { savedRecording } from '../trace/saved-recording.ts';
import { asksForLifecycle, withLifecycle } from '../tracing/lifecycle.ts';
import { collectorUrl, parseOutput, sendToCollector, writeOutputs } from '../tracing/outputs.ts';
import { unknownStep } from '../tracing/step-names.ts';
import { shellWords } from '../tracing/shell-words.ts';
import { mustBeProgram } from '../program/must-be-program.ts';
import { unknownName } from '../program/unknown-name.ts';
import { refuseUseless } from '../tracing/flag-uses.ts';
import type { TracedCluster } from '../tracing/traced-cluster.ts';

const command = commandFor<ProgramIo>();

const columnsDefault = 140;
const attachMsDefault = 30_000;

const flagTable = {
  output: stringArray({
    shorthand: 'o',
    usage:
      "What to make of the recording: 'text', 'json', 'html' (a page), 'perfetto' (for ui.perfetto.dev) or 'otlp' (OpenTelemetry), each with =FILE, or to standard output after the command has ended. Can be given several times.",
  }),
  from: string({ usage: 'Show a recording that was saved with -o json=FILE, or by "coxswain up --record".' }),
  only: string({ usage: 'Print all of one undertaking: its id, or the last digits of it.' }),
  show: stringSlice({
    usage:
      'Print only this, with all of its values: steps by name (validate, admission, filters, storage.transact) or function (syncDeployment), or all that a component (kubectl, kube-scheduler, kubelet) did.',
  }),
  all: bool({ usage: 'Print every step, and include heartbeats and what others did meanwhile.' }),
  before: stringArray({
    usage: 'A kubectl command to run first, without tracing it. Can be given several times.',
  }),
  filename: stringSlice({
    shorthand: 'f',
    usage: 'Files with objects to apply first, without tracing that.',
  }),
  nodes: simulatedNodes({ default: 1, usage: 'The number of simulated nodes of the new cluster.' }),
  legacyApis: bool({ usage: 'Also serve the beta API groups of Kubernetes 1.20 in the new cluster.' }),
  ...clusterFlags,
  kubeconfig: string({
    usage:
      'Trace a running cluster: the one of this kubeconfig file. Defaults to $KUBECONFIG, if that is set.',
  }),
  fresh: bool({ usage: 'Start a new cluster even if $KUBECONFIG is set.' }),
  attach: bool({ usage: 'Record what a running cluster does, without running a command.' }),
  for: duration({ usage: 'Stop the command, or with --attach the recording, after this time.' }),
  follow: duration({
    usage:
      'Record for this time after the command has ended: what controllers, probes and retries do later. Otherwise until nothing new happens.',
  }),
  user: string({ usage: 'Only requests of this user, and what they led to.' }),
  verb: string({ usage: 'Only requests with this verb, as in RBAC rules, and what they led to.' }),
  resource: string({
    usage:
      'Only requests for this resource, such as deployments (with its subresources) or pods/log, and what they led to.',
  }),
  showSecrets: bool({
    usage:
      'Include the data of Secrets in the recording. On a running cluster, you must be allowed to get Secrets in all namespaces.',
  }),
  lifecycle: bool({
    usage:
      'Include how the new cluster starts, elects its leaders and stops; needs no command. Implied by --show=start, stop or leader-election.',
  }),
  break: stringSlice({
    usage:
      'Halt the new cluster and the command at these steps (such as validate, admission/mutate, NodeResourcesFit), and show their values. Enter continues.',
  }),
  inspect: bool({ usage: "Open Node's debugger at the steps of --break." }),
  ...functionFlags,
  otlpEndpoint: string({
    usage: 'Also send the recording to this collector of OpenTelemetry, such as http://127.0.0.1:4318.',
  }),
};

type Flags = FlagValues<typeof flagTable>;

export const trace = command({
  use: 'trace [flags] [COMMAND [ARGUMENTS...]]',
  short: 'Run a command and show every step it takes',
  long: 'Runs a command and shows every step that it took, with values and source locations, and what the API server,\ncontrollers, scheduler and kubelets did as a result. kubectl runs in this process, so that its own steps are shown\ntoo; any other command gets a kubeconfig in $KUBECONFIG.\n\nThe command runs against a new cluster, or against the running one that $KUBECONFIG or --kubeconfig names, if that\nis a cluster of "coxswain up". Its exit code is that of trace.',
  example: `  coxswain trace kubectl create deployment web --image=nginx
  coxswain trace --before='create deployment web --image=nginx' kubectl scale deployment web --replicas=2
  coxswain trace --show=admission,validate kubectl run web --image=nginx
  coxswain trace --nodes=3 --show=kube-scheduler kubectl run web --image=nginx
  coxswain trace -o html=recording.html kubectl apply -f app.yaml
  coxswain trace -o json=recording.json -- helm install app ./chart
  coxswain trace --from=recording.json --only=3f2a
  coxswain trace --break=authorize,storage.transact kubectl delete pod web
  coxswain trace --show=start,stop
  coxswain trace --follow=20s -f deployment.yaml kubectl autoscale deployment web --max=3
  coxswain trace --attach --for=30s --resource=pods`,
  notInterspersed: true,
  flags: flagTable,
  async run({ context: io, args, flags, changed }) {
    checkFlags(io, args, flags, changed);
    if (await ranInstrumented(io, flags)) return;
    const outputs = (flags.output.length === 0 ? ['text'] : flags.output).map(parseOutput);
    if (flags.otlpEndpoint !== '') collectorUrl(flags.otlpEndpoint);
    const { status, recording, complaint } = await recorded(io, args, flags);
    const isTerminal = io.columns !== undefined && io.env['NO_COLOR'] === undefined;
    const { columns = Number(io.env['COLUMNS']) || columnsDefault } = io;
    const text = {
      columns,
      colours: isTerminal,
      everything: flags.all,
      ...(flags.only !== '' && { only: flags.only }),
      show: flags.show,
    };
    // Printed after the command's own output.
    if (args.length > 0 && outputs.some(({ format, file }) => format === 'text' && file === undefined))
      io.out.write('\n');
    const unknown = unknownShown(recording, flags.show);
    const useful = unknown === undefined ? outputs : outputs.filter(({ format }) => format !== 'text');
    await writeOutputs(recording, useful, text, io.out);
    if (flags.otlpEndpoint !== '') await sendToCollector(recording, flags.otlpEndpoint);
    if (flags.functions !== '' && !recording.undertakings.some(hasCalls))
      io.err.write(`--functions: no function of ${flags.functions} was called\n`);
    const problem = complaint ?? unknown;
    if (problem !== undefined) throw new Error(problem);
    if (status !== 0) throw new CommandFailure('', status);
  },
});

/** Only a call of a function has a definition besides its own location. */
const hasCalls = ({ steps }: Pick<Step, 'steps'>): boolean =>
  steps.some((step) => step.definition !== undefined || hasCalls(step));

function checkFlags(
  io: ProgramIo,
  args: readonly string[],
  flags: Flags,
  changed: (key: keyof Flags & string) => boolean,
): void {
  const ways = [
    args.length > 0 && 'a command',
    flags.from !== '' && '--from',
    flags.attach && '--attach',
  ].filter(Boolean);
  if (ways.length === 0 && !hasLifecycle(flags))
    throw new Error('specify a command, --from=FILE or --attach');
  if (ways.length > 1) throw new Error(`${ways.join(' and ')} can't be combined`);
  if (flags.fresh && flags.kubeconfig !== '') throw new Error("--fresh and --kubeconfig can't be combined");
  if (flags.attach && flags.kubeconfig === '' && !io.env['KUBECONFIG'])
    throw new Error('--attach needs a running cluster: name its kubeconfig in --kubeconfig or $KUBECONFIG');
  for (const name of ['for', 'follow'] as const)
    if (flags[name] < 0) throw new Error(`--${name} must not be negative`);
  if (changed('functions') && flags.functions === '')
    throw new Error('--functions= names no packages; leave out "=" for all');
  if (changed('depth') && flags.functions === '') throw new Error('--depth needs --functions');
  if (flags.showSecrets && flags.from !== '')
    throw new Error(
      '--show-secrets is for new recordings: what --from shows has Secrets only if they were saved',
    );
  const unknown = flags.break.map(unknownStep).find((problem) => problem !== undefined);
  if (unknown !== undefined) throw new Error(unknown);
  if (flags.inspect && flags.break.length === 0)
    throw new Error('--inspect needs the steps to stop at: --break=STEP');
  const [program = 'kubectl'] = args;
  if (program !== 'kubectl') mustBeProgram(program, io.env);
  refuseUseless(
    flags.from !== '' ? 'from' : flags.attach ? 'attach' : isOfRunning(io, flags) ? 'running' : 'new',
    changed,
  );
}

const isOfRunning = (io: ProgramIo, flags: Flags): boolean =>
  flags.attach || flags.kubeconfig !== '' || (Boolean(io.env['KUBECONFIG']) && !flags.fresh);

const hasLifecycle = ({ lifecycle, show, from }: Flags): boolean =>
  lifecycle || (from === '' && asksForLifecycle(show));

/** Not every kind of step occurs each time, so missing ones mean nothing; if all are missing, the name is a mistake. */
function unknownShown(recording: Recording, show: readonly string[]): string | undefined {
  const [name] = show;
  if (name === undefined) return undefined;
  const search = stepSearch(recording, show);
  const has = recording.undertakings.some((one) => isAskedUndertaking(one, show) || search(one).length > 0);
  return has ? undefined : unknownName('step or component in this recording', name, namesIn(recording));
}

interface Recorded {
  readonly recording: Recording;
  readonly status: number;
  readonly complaint?: string | undefined;
}

async function recorded(io: ProgramIo, args: readonly string[], flags: Flags): Promise<Recorded> {
  // A running cluster selects what it tells.
  if (flags.from === '' && isOfRunning(io, flags)) return ofRunning(io, args, flags);
  const whole =
    flags.from === ''
      ? await ofNew(io, args, flags)
      : { recording: await savedRecording(flags.from), status: 0 };
  const { user, verb, resource } = flags;
  return { ...whole, recording: selected(whole.recording, { user, verb, resource }) };
}

async function ofRunning(io: ProgramIo, args: readonly string[], flags: Flags): Promise<Recorded> {
  const { runningCluster } = await import('../tracing/running-cluster.ts');
  const { user, verb, resource } = flags;
  const cluster = runningCluster({
    env: io.env,
    kubeconfig: flags.kubeconfig,
    selection: { user, verb, resource },
    showsSecrets: flags.showSecrets,
  });
  try {
    if (!flags.attach) return await ofCommand(cluster, io, args, flags);
    const { recordedPart } = await import('../tracing/trace-command.ts');
    return await recordedPart(cluster, async (part) => {
      await untilOver(io, flags.for || attachMsDefault, systemClock);
      return { recording: await part.soFar(), status: 0 };
    });
  } finally {
    await cluster.stop();
  }
}

/** Ctrl-C ends the recording early. */
async function untilOver(io: ProgramIo, forMs: number, clock: Clock): Promise<void> {
  io.err.write(`Recording for ${forMs / 1000} s; Ctrl-C ends it.\n`);
  await clock.sleep(forMs, io.signal).catch(() => undefined);
}

async function ofNew(io: ProgramIo, args: readonly string[], flags: Flags): Promise<Recorded> {
  const [{ ownCluster }, { breakpoints, waitForDebugger }, { clusterFlagSettings }] = await Promise.all([
    import('../tracing/own-cluster.ts'),
    import('../tracing/breakpoints.ts'),
    import('@coxswain/kube-apiserver/flags/cluster-flag-settings.ts'),
  ]);
  const { nodes, inspect, showSecrets: showsSecrets } = flags;
  const halts =
    flags.break.length === 0
      ? undefined
      : breakpoints({ steps: flags.break, inspects: inspect, err: io.err });
  if (inspect) waitForDebugger(io.err);
  const log = (line: string) => void io.err.write(`${line}\n`);
  const apiServer = clusterFlagSettings(withLegacyApis(flags), '', {
    log,
    print: (text) => void io.out.write(text),
  });
  const elects = hasLifecycle(flags);
  const cluster = await ownCluster({ nodes, apiServer, showsSecrets, elects, guest: halts?.observer, log });
  let traced: Recorded | undefined;
  try {
    if (args.length > 0) traced = await ofCommand(cluster, io, args, flags, halts);
  } finally {
    await cluster.stop();
  }
  return {
    status: traced?.status ?? 0,
    recording:
      traced !== undefined && !elects ? traced.recording : withLifecycle(cluster.whole(), traced?.recording),
    complaint: halts?.complaint,
  };
}

async function ofCommand(
  cluster: TracedCluster,
  io: ProgramIo,
  words: readonly string[],
  flags: Flags,
  breakpoints?: import('../tracing/breakpoints.ts').Breakpoints,
): Promise<Recorded> {
  const { traceCommand } = await import('../tracing/trace-command.ts');
  const applied =
    flags.filename.length === 0 ? [] : [['apply', ...flags.filename.flatMap((file) => ['-f', file])]];
  return traceCommand(cluster, io, {
    words,
    before: [...applied, ...flags.before.map((line) => withoutProgram(shellWords(line)))],
    forMs: flags.for,
    followMs: flags.follow,
    everything: flags.all,
    breakpoints,
    clock: systemClock,
  });
}

/** `kubectl get pods` and `get pods` are equivalent. */
const withoutProgram = (words: readonly string[]): readonly string[] =>
  words[0] === 'kubectl' ? words.slice(1) : words;
