/** `coxswain`: the all-in-one and its related commands. */

import { commandFor, execute, lazy } from '@coxswain/cobra';
import { CommandFailure } from '../program/command-failure.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { failureMessage } from '../program/failure-message.ts';
import { programs } from '../program/programs.ts';

const own = 'Cluster:';
const insight = 'Insight:';
const originals = 'Kubernetes programs:';

const command = commandFor<ProgramIo>();

export const root = command({
  use: 'coxswain',
  short: 'Kubernetes in one process',
  long: 'Kubernetes in one process: API server, storage, controllers, scheduler and simulated nodes.\nWithout a command, coxswain runs "up".',
  groups: [own, insight, originals],
  commands: [
    lazy({
      name: 'up',
      group: own,
      short: 'Start a cluster (the default)',
      load: async () => (await import('./up.ts')).up,
    }),
    lazy({
      name: 'status',
      group: own,
      short: 'Show the running clusters and their health',
      load: async () => (await import('./status.ts')).status,
    }),
    lazy({
      name: 'down',
      group: own,
      short: 'Stop a running cluster',
      load: async () => (await import('./down.ts')).down,
    }),
    lazy({
      name: 'kubeconfig',
      group: own,
      short: 'Add a cluster to your kubeconfig, or remove it',
      load: async () => (await import('./kubeconfig.ts')).kubeconfig,
    }),
    lazy({
      name: 'join',
      group: own,
      short: 'Make this machine a node, or a server, of another cluster',
      load: async () => (await import('./join.ts')).join,
    }),
    lazy({
      name: 'leave',
      group: own,
      short: 'Remove everything that joining left on this machine',
      load: async () => (await import('./leave.ts')).leave,
    }),
    lazy({
      name: 'token',
      group: own,
      short: 'Manage the tokens that machines join with',
      load: async () => (await import('./token/token.ts')).token,
    }),
    lazy({
      name: 'ui',
      group: own,
      short: 'Show a cluster in the browser',
      load: async () => (await import('./ui.ts')).ui,
    }),
    lazy({
      name: 'docs',
      group: own,
      short: 'Serve the documentation of this version',
      load: async () => (await import('./docs.ts')).docs,
    }),
    lazy({
      name: 'test-server',
      group: own,
      short: 'Start a test cluster that is controlled over HTTPS',
      load: async () => (await import('./test-server.ts')).testServer,
    }),
    lazy({
      name: 'dns',
      group: own,
      short: 'Serve DNS for services and pods',
      load: async () => (await import('./dns.ts')).dns,
    }),
    lazy({
      name: 'assets',
      group: own,
      short: 'Print a directory with an executable for each program',
      load: async () => (await import('./assets.ts')).assets,
    }),
    lazy({
      name: 'routes',
      group: insight,
      short: 'Show which code handles a request path',
      load: async () => (await import('./routes.ts')).routes,
    }),
    lazy({
      name: 'history',
      group: insight,
      short: 'Show who changed an object, what changed and when',
      load: async () => (await import('./history.ts')).history,
    }),
    lazy({
      name: 'trace',
      group: insight,
      short: 'Run a command and show every step it takes',
      load: async () => (await import('./trace.ts')).trace,
    }),
    lazy({
      name: 'why-denied',
      group: insight,
      short: 'Explain why a user is denied access, and which rule would grant it',
      load: async () => (await import('./why-denied.ts')).whyDenied,
    }),
    lazy({
      name: 'who-can',
      group: insight,
      short: 'List who is allowed to perform an action, and through which binding',
      load: async () => (await import('./who-can.ts')).whoCanCommand,
    }),
    lazy({
      name: 'rbac',
      group: insight,
      short: 'Generate RBAC roles from recorded requests',
      load: async () => (await import('./rbac/rbac.ts')).rbac,
    }),
    lazy({
      name: 'explain',
      group: insight,
      short: 'Explain why a pod was, or was not, assigned to a node',
      load: async () => (await import('./explain/explain.ts')).explain,
    }),
    lazy({
      name: 'validate',
      group: insight,
      short: 'Validate manifests as the API server would',
      load: async () => (await import('./validate.ts')).validate,
    }),
    lazy({
      name: 'policy',
      group: insight,
      short: 'Test admission policies',
      load: async () => (await import('./policy/policy.ts')).policy,
    }),
    lazy({
      name: 'crd',
      group: own,
      short: 'Generate CustomResourceDefinitions from TypeScript',
      load: async () => (await import('./crd/crd.ts')).crd,
    }),
    lazy({
      name: 'client',
      group: own,
      short: 'Generate TypeScript types of custom resources',
      load: async () => (await import('./client/client.ts')).client,
    }),
    lazy({
      name: 'cel',
      group: insight,
      short: 'Evaluate CEL expressions',
      load: async () => (await import('./cel/cel.ts')).cel,
    }),
    lazy({
      name: 'storage',
      group: own,
      short: 'Inspect, check, back up and restore a data directory',
      load: async () => (await import('./storage/storage.ts')).storage,
    }),
    lazy({
      name: 'backup',
      group: own,
      short: 'Save the objects of a cluster to a file',
      load: async () => (await import('./backup.ts')).backup,
    }),
    lazy({
      name: 'restore',
      group: own,
      short: 'Create the objects of a backup in a cluster',
      load: async () => (await import('./restore.ts')).restore,
    }),
    lazy({
      name: 'completion',
      group: own,
      short: 'Generate the shell completion script',
      load: async () => (await import('./completion.ts')).completion,
    }),
    lazy({
      name: 'version',
      group: own,
      short: 'Print the version',
      load: async () => (await import('./version.ts')).version,
    }),
    // Listed for the help only; main.ts runs these programs before this tree is loaded.
    ...Object.entries(programs).map(([name, { summary }]) =>
      lazy({
        name,
        group: originals,
        short: summary,
        load: async () => command({ use: name, short: summary, disableFlagParsing: true }),
      }),
    ),
  ],
});

export async function runCoxswain(args: readonly string[], io: ProgramIo): Promise<number> {
  try {
    await execute(root, withDefaultCommand(args), io, io);
    return 0;
  } catch (failure) {
    // A command that was asked to stop, and did, has not failed.
    if (io.signal.aborted && failure === io.signal.reason) return 0;
    const message = failureMessage(failure, args);
    if (message !== '') io.err.write(`coxswain: ${message}\n`);
    return failure instanceof CommandFailure ? failure.exitStatus : 1;
  }
}

/** Flags without a command belong to `up`, also in completion requests. */
function withDefaultCommand(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  if (first === '--version') return ['version', ...rest];
  if (first === undefined) return ['up'];
  if (first.startsWith('__complete')) return [first, ...(isFlag(rest[0]) ? ['up', ...rest] : rest)];
  return isFlag(first) && !['-h', '--help'].includes(first) ? ['up', ...args] : args;
}

const isFlag = (word: string | undefined): boolean => word?.startsWith('-') === true;
