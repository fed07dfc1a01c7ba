/** The `kubelet` program: runs this machine as a node, or one or more simulated nodes. */

import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { versionRequest, versionText } from '@coxswain/component-base/version-flag.ts';
import { command, noArgs, runProgram, sectionedStyle } from '@coxswain/cobra';
import { effectiveFlags, simulatedEndpoint, type KubeletFlags } from './flags.ts';
import { ineffectiveFlags } from './ineffective-flags.ts';
import type { KubeletIo } from './kubelet-io.ts';
import type { FlagValuesOfKubelet } from './real-command.ts';

/** Runs until the signal of `io` aborts. Simulated nodes are implemented in another package. */
export type RunSimulatedNodes = (values: KubeletFlags, io: KubeletIo) => Promise<void>;

/** Resolves with the exit status. */
export function runKubelet(
  args: readonly string[],
  io: KubeletIo,
  runSimulatedNodes: RunSimulatedNodes,
): Promise<number> {
  const root = command({
    use: 'kubelet',
    short: 'Run the pods of a node',
    long: 'The kubelet is the node agent: it registers the node, runs the pods bound to it and reports their status.\nContainers are real if --container-runtime-endpoint or the configuration file names a runtime, and simulated otherwise.',
    args: noArgs,
    flags: {
      ...ineffectiveFlags,
      ...effectiveFlags,
      version: versionRequest({
        usage: 'Print the version and exit; --version=raw prints all version information.',
      }),
    },
    style: sectionedStyle,
    async run({ flags, changed }) {
      const version = versionText(flags.version);
      if (version !== undefined) return void io.out.write(version);
      const values = flags as unknown as FlagValuesOfKubelet;
      featureGates(values.featureGates);
      const isReal =
        values['config'] !== '' ||
        values['config-dir'] !== '' ||
        values.containerRuntimeEndpoint !== simulatedEndpoint;
      if (!isReal) return runSimulatedNodes(values, io);
      const [{ runRealKubelet }, { settingsOf }, { ineffectiveFlagLines }] = await Promise.all([
        import('./real-command.ts'),
        import('./config/read-settings.ts'),
        import('./config/flags-without-setting.ts'),
      ]);
      const isGiven = (key: string): boolean => changed(key as never);
      const settings = settingsOf(values, isGiven);
      if (settings.containerRuntimeEndpoint === simulatedEndpoint) return runSimulatedNodes(values, io);
      if (settings.containerRuntimeEndpoint === '')
        throw new Error(
          'the container runtime endpoint address was not specified or empty, use --container-runtime-endpoint to set',
        );
      const lines = ineffectiveFlagLines(Object.keys(ineffectiveFlags), isGiven);
      for (const line of lines) io.err.write(`${line}\n`);
      return runRealKubelet(settings, values, io);
    },
  });
  return runProgram(root, args, io, undefined);
}
