/** The secure port of a program: its flags, its API server for delegation, and its own health checks. */
import { systemClock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { describeProcess } from '@coxswain/apimachinery/metrics/process-metrics.ts';
import { createClient, resolveKubeconfig, type KubeClient } from '@coxswain/client';
import { loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { serveComponent, type ComponentParts, type ComponentServer } from './component-server.ts';
import { featureGates, type FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { lazyProfiler } from '../profiles/lazy-profiler.ts';
import { describeProgram } from '@coxswain/component-base/program-metrics.ts';
import { ownVersion } from '@coxswain/component-base/effective-version.ts';
import { servingSettingsOf, type ServingFlagValues } from './serving-flags.ts';
import { reportedVersion, type VersionRequest } from '@coxswain/component-base/version-flag.ts';

type ProgramParts = Pick<
  ComponentParts,
  'name' | 'checks' | 'configuration' | 'flags' | 'log' | 'verbosity' | 'expositions'
> & {
  readonly metrics: Metrics;
  /** The gates' defaults if unset. */
  readonly features?: FeatureGates | undefined;
  /** Whether `/statusz` reports the emulated version instead of the binary's own. */
  readonly emulates?: boolean;
  /** `--profiling` */
  readonly offersProfiles: boolean;
};

/** Undefined when the port is 0. */
export async function serveProgram(
  values: ServingFlagValues & { readonly version: VersionRequest },
  env: Readonly<Record<string, string | undefined>>,
  parts: ProgramParts,
): Promise<ComponentServer | undefined> {
  if (values.securePort === 0) return undefined;
  const { authenticationKubeconfig, authorizationKubeconfig } = values;
  const authenticationClient = clientOf(authenticationKubeconfig, env, parts.name);
  const authorizationClient =
    authorizationKubeconfig === authenticationKubeconfig
      ? authenticationClient
      : clientOf(authorizationKubeconfig, env, parts.name);
  const serving = servingSettingsOf(values);
  const { features = featureGates([]), offersProfiles, emulates = false, ...component } = parts;
  const gitVersion = reportedVersion(values.version);
  describeProgram(parts.metrics, features, gitVersion);
  describeProcess(parts.metrics);
  const server = await serveComponent({
    ...component,
    version: gitVersion.slice(1),
    emulatedMinor: (emulates ? features.version : ownVersion).emulated,
    ...(offersProfiles && { profiler: lazyProfiler(systemClock) }),
    serving,
    authenticationClient,
    authorizationClient,
  });
  return {
    port: server.port,
    async close() {
      await server.close();
      for (const client of new Set([authenticationClient, authorizationClient])) await client?.close();
    },
  };
}

function clientOf(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): KubeClient | undefined {
  if (file === '') return undefined;
  const transport = transportOf(resolveKubeconfig(loadKubeconfig({ file, env }), {}));
  return createClient({ transport, userAgent: `${name}/coxswain` });
}
